//! Where the engine keeps what must not be lost.

#[cfg(test)]
mod conformance;
mod fork_guarded;
mod open;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(test)]
mod processes;
pub mod seam;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use open::open;
pub use seam::{
    AuditLine, AuditPosition, CommitOutcome, CountedAccess, DeadLetter, DueOrders, Event, OutboxOrder, Store,
    UnreadableOrder, UsedRequestId, Write,
};
