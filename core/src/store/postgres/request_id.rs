//! X-Request-IDs that were used, as long as a second use counts as a replay.

use chrono::{DateTime, Utc};

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::store::{CommitOutcome, UsedRequestId};
use crate::types::RequestId;

/// Marks an id as used, also where its last use is forgotten. Who uses the same waits for the row, and looks at it
/// again.
pub(super) fn mark_used(connection: &mut Connection, used: &UsedRequestId) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES ($1, $2, $3)
        ON CONFLICT (tpp, request_id)
            DO UPDATE SET used_at = excluded.used_at WHERE used_request_id.used_at < $4";
    let marked = connection
        .execute(SQL, &[&&*used.tpp, &used.request_id.as_str(), &micros(used.at), &micros(used.since)])?;
    Ok(if marked == 1 { CommitOutcome::Applied } else { CommitOutcome::RequestReplayed })
}

/// The newest ids used at or after a time, oldest first.
pub(super) fn used_since(
    connection: &mut Connection,
    since: DateTime<Utc>,
    at_most: usize,
) -> Result<Vec<(String, RequestId, DateTime<Utc>)>> {
    const SQL: &str = "SELECT tpp, request_id, used_at FROM used_request_id WHERE used_at >= $1
        ORDER BY used_at DESC, tpp DESC, request_id DESC LIMIT $2";
    let rows = connection.rows(SQL, &[&micros(since), &limit(at_most)])?;
    let read = |row| {
        let mut columns = Columns::of(row);
        Ok((columns.value()?, columns.text(RequestId::parse)?, columns.time()?))
    };
    rows.iter().rev().map(read).collect()
}

/// Deletes at most that many ids used before a time, except rows that another transaction has locked.
pub(super) fn purge(connection: &mut Connection, before: DateTime<Utc>, at_most: usize) -> Result<u64> {
    const SQL: &str = "DELETE FROM used_request_id WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM used_request_id WHERE used_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    connection.execute(SQL, &[&micros(before), &limit(at_most)])
}
