//! How often accounts were read without their PSU.

use chrono::NaiveDate;

use super::columns::{limit, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::store::{CommitOutcome, CountedAccess};

/// Counts one more call, unless the limit is reached. Who counts the same waits for the row, and looks at it again.
pub(super) fn count(
    connection: &mut Connection,
    counted: &CountedAccess,
    limit: u32,
) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO access_count (tpp, psu, account, operation, day, calls)
        SELECT $1::text, $2::text, $3::text, $4::text, $5::text, 1 WHERE $6::bigint > 0
        ON CONFLICT (tpp, psu, account, operation, day)
            DO UPDATE SET calls = access_count.calls + 1 WHERE access_count.calls < $6";
    let (psu, day, limit) = (counted.psu.as_str(), counted.day.to_string(), i64::from(limit));
    let changed = connection
        .execute(SQL, &[&&*counted.tpp, &psu, &counted.account, &counted.operation, &day, &limit])?;
    Ok(if changed == 1 { CommitOutcome::Applied } else { CommitOutcome::QuotaExceeded })
}

/// How many calls were counted.
pub(super) fn find(connection: &mut Connection, counted: &CountedAccess) -> Result<u32> {
    const SQL: &str = "SELECT calls FROM access_count
        WHERE tpp = $1 AND psu = $2 AND account = $3 AND operation = $4 AND day = $5";
    let (psu, day) = (counted.psu.as_str(), counted.day.to_string());
    let row = connection.row(SQL, &[&&*counted.tpp, &psu, &counted.account, &counted.operation, &day])?;
    row.map_or(Ok(0), |row| Columns::of(&row).number())
}

/// Deletes at most that many counts of days before one, except rows that another transaction has locked.
pub(super) fn purge(connection: &mut Connection, before: NaiveDate, at_most: usize) -> Result<u64> {
    const SQL: &str = "DELETE FROM access_count WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM access_count WHERE day < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    connection.execute(SQL, &[&before.to_string(), &limit(at_most)])
}
