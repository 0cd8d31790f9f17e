//! Which operations, reasons, states and transitions a sandbox has seen.

mod collector;
mod moves;
mod report;
mod summary;
mod tally;
mod watched_store;

pub use collector::Collector;
pub use tally::{Coverage, CoverageKind};
pub use watched_store::WatchedStore;
