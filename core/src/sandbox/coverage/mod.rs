//! Which operations, reasons, states and transitions a sandbox has seen.

mod collector;
mod moves;
mod report;
mod summary;
mod tally;
mod watched_store;

pub(crate) use collector::Collector;
pub use tally::{Coverage, CoverageKind};
pub(crate) use watched_store::WatchedStore;
