//! Writes into the store what waits in memory: by the first call a second after the oldest of it, by `run_due`, by an
//! export of the audit, by statistics and by `Engine::close`. The library has no thread that could do it earlier.

use chrono::{DateTime, Utc};

use super::engine_context::EngineContext;
use crate::error::Result;
use crate::store::Write;

/// Writes what has waited for a second. That it cannot be written is logged, and tried again a second later.
pub(crate) fn write_due(engine: &EngineContext, now: DateTime<Utc>) {
    if let Err(error) = engine.waiting_writes.write_due(now, |writes| commit_waiting(engine, writes)) {
        tracing::error!(%error, "evidence of reads and statistics could not be written");
    }
}

/// Writes all that waits, in one transaction. If the outcome of the commit is unknown, it is written again: a line that
/// is there twice is better than none, and the same calls counted twice change rates and means little.
///
/// # Errors
/// Those of the store; all of it waits on.
pub(crate) fn write_waiting(engine: &EngineContext, now: DateTime<Utc>) -> Result<()> {
    engine.waiting_writes.write(now, |writes| commit_waiting(engine, writes))
}

/// Commits writes that waited.
///
/// # Errors
/// Those of the store.
pub(crate) fn commit_waiting(engine: &EngineContext, writes: &[Write]) -> Result<()> {
    engine.store().commit(writes).map(drop)
}
