//! Where the engine keeps what must not be lost.

#[cfg(test)]
mod conformance;
mod open;
pub mod seam;
pub mod sqlite;

pub use open::open;
pub use seam::{Committed, CountedAccess, Event, OutboxOrder, SetAsideOrder, Store, UsedRequestId, Write};
