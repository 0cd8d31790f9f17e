//! The clock that all sandboxes on one file share: the file keeps its time.

use chrono::{DateTime, Utc};

use crate::env::clock::{from_micros, within_calendar, Clock, ManualClock};
use crate::error::Result;
use crate::store::sqlite::sandbox::CLOCK;
use crate::store::sqlite::Database;

/// The time that the database keeps, if it was ever kept.
pub(super) fn kept_clock(database: &Database) -> Result<Option<DateTime<Utc>>> {
    Ok(database.kept_fact(CLOCK)?.map(from_micros))
}

/// Stores the time in the database, so that a file continues from there. Of several processes on one file the latest
/// time counts.
pub(super) fn keep_clock(database: &Database, now: DateTime<Utc>) -> Result<()> {
    let micros = now.timestamp_micros();
    match database.kept_fact(CLOCK)? {
        Some(kept) if kept >= micros => Ok(()),
        _ => database.set_fact(CLOCK, micros),
    }
}

/// Moves a clock forward to the time that another sandbox on the same file has moved to. What was due until then is
/// that sandbox's to perform.
pub(super) fn follow_file(database: &Database, clock: &ManualClock) {
    if database.path().is_none() {
        return;
    }
    let followed = kept_clock(database).and_then(|kept| match kept {
        Some(kept) if kept > clock.now() => clock.set(within_calendar(kept)?),
        _ => Ok(()),
    });
    if let Err(error) = followed {
        tracing::warn!(%error, "the time of the sandbox's file could not be read");
    }
}
