//! X-Request-IDs that were used, as long as a second use counts as a replay.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, Result};
use uuid::Uuid;

use super::columns::{limit, micros, Columns};
use super::payment;
use crate::limits::REPLAY_WINDOW_SECONDS;

/// The ids in the rows of payments, used at ?1 or later. Payments stand in about the order of their times: none is
/// looked at before the last one that is older than ?2.
macro_rules! in_payments {
    () => {
        "SELECT tpp, request_id, created_at FROM payment
            WHERE number > coalesce(
                    (SELECT number FROM payment WHERE created_at < ?2 ORDER BY number DESC LIMIT 1), 0)
                AND request_id IS NOT NULL AND created_at >= ?1"
    };
}

/// The newest ids used at or after a time, oldest first.
pub(super) fn used_since(
    connection: &Connection,
    since: DateTime<Utc>,
    at_most: usize,
) -> Result<Vec<(String, Uuid, DateTime<Utc>)>> {
    // An id may be used again once it is free.
    const SQL: &str = concat!(
        "SELECT tpp, request_id, max(used_at) AS last_used FROM (
            SELECT tpp, request_id, used_at FROM used_request_id WHERE used_at >= ?1
            UNION ALL ",
        in_payments!(),
        ") GROUP BY tpp, request_id ORDER BY last_used DESC, tpp DESC, request_id DESC LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(SQL)?;
    let old = micros(since).saturating_sub(payment::DISORDER_MAX);
    let rows = statement.query_map((micros(since), old, limit(at_most)), |row| {
        let mut columns = Columns::of(row);
        Ok((columns.value()?, columns.uuid()?, columns.time()?))
    })?;
    let mut used: Vec<_> = rows.collect::<Result<_>>()?;
    used.reverse();
    Ok(used)
}

/// Gives the ids in the rows of payments that are about to be deleted rows of their own: those that may still count,
/// seen from the newest payment.
pub(super) fn move_out_of_payments(connection: &Connection) -> Result<()> {
    const NEWEST: &str = "SELECT created_at FROM payment ORDER BY number DESC LIMIT 1";
    const SQL: &str = concat!("INSERT INTO used_request_id (tpp, request_id, used_at) ", in_payments!());
    let newest: Option<i64> = connection.query_row(NEWEST, [], |row| row.get(0)).optional()?;
    let Some(newest) = newest else { return Ok(()) };
    let since = newest.saturating_sub(REPLAY_WINDOW_SECONDS.saturating_mul(1_000_000));
    connection.execute(SQL, (since, since.saturating_sub(payment::DISORDER_MAX))).map(drop)
}

/// Forgets so many of the ids used before a time. They stand in about the order of their times, so the first that are
/// looked at are old.
pub(super) fn forget(connection: &Connection, before: DateTime<Utc>, at_most: usize) -> Result<usize> {
    const SQL: &str = "DELETE FROM used_request_id WHERE rowid IN
        (SELECT rowid FROM used_request_id WHERE used_at < ?1 LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((micros(before), limit(at_most)))
}
