//! The audit: the changes with their authors, and the refused callers.

pub mod kind;
pub mod record;
