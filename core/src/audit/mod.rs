//! The audit: who did what, and who was turned away.

pub mod kind;
pub mod record;
