//! Where the engine keeps what must not be lost.

#[cfg(test)]
mod conformance;
pub mod seam;
pub mod sqlite;

pub use seam::{Committed, CountedAccess, Event, OutboxOrder, Store, UsedRequestId, Write};
