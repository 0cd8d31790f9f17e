//! X-Request-IDs that were used, as long as a second use counts as a replay.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, Result};

use super::columns::{limit, micros, Columns};
use crate::store::{CommitOutcome, UsedRequestId};
use crate::types::RequestId;

/// Marks an id as used, also if its last use is before the replay window.
pub(super) fn mark_used(connection: &Connection, used: &UsedRequestId) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (tpp, request_id) DO UPDATE SET used_at = excluded.used_at WHERE used_at < ?4";
    debug_assert!(used.since <= used.at, "the replay window ends with the use");
    let values = (&used.tpp, used.request_id.as_str(), micros(used.at), micros(used.since));
    let marked = connection.prepare_cached(SQL)?.execute(values)?;
    Ok(if marked == 1 { CommitOutcome::Applied } else { CommitOutcome::RequestReplayed })
}

/// The newest ids used at or after a time, oldest first.
pub(super) fn used_since(
    connection: &Connection,
    since: DateTime<Utc>,
    at_most: usize,
) -> Result<Vec<(String, RequestId, DateTime<Utc>)>> {
    const SQL: &str = "SELECT tpp, request_id, used_at FROM used_request_id WHERE used_at >= ?1
        ORDER BY used_at DESC, tpp DESC, request_id DESC LIMIT ?2";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((micros(since), limit(at_most)), |row| {
        let mut columns = Columns::of(row);
        Ok((columns.value()?, columns.text(RequestId::parse)?, columns.time()?))
    })?;
    let mut used: Vec<_> = rows.collect::<Result<_>>()?;
    used.reverse();
    Ok(used)
}

/// Deletes at most that many ids used before a time.
pub(super) fn purge(connection: &Connection, before: DateTime<Utc>, at_most: usize) -> Result<usize> {
    const SQL: &str = "DELETE FROM used_request_id WHERE (tpp, request_id) IN
        (SELECT tpp, request_id FROM used_request_id WHERE used_at < ?1 LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((micros(before), limit(at_most)))
}
