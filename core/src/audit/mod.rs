//! The audit: the changes with their authors, and the refused callers.

pub(crate) mod kind;
pub(crate) mod record;
