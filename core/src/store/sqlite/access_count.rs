//! How often accounts were read without their PSU.

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension, Result};

use super::columns::limit;
use crate::store::{CommitOutcome, CountedAccess};

/// Counts one more call, unless the limit is reached.
pub(super) fn count(connection: &Connection, counted: &CountedAccess, limit: u32) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO access_count (tpp, psu, account, operation, day, calls)
        SELECT ?1, ?2, ?3, ?4, ?5, 1 WHERE ?6 > 0
        ON CONFLICT (tpp, psu, account, operation, day) DO UPDATE SET calls = calls + 1 WHERE calls < ?6";
    let day = counted.day.to_string();
    let key = (&counted.tpp, counted.psu.as_str(), &counted.account, &counted.operation, day, limit);
    let changed = connection.prepare_cached(SQL)?.execute(key)?;
    Ok(if changed == 1 { CommitOutcome::Applied } else { CommitOutcome::QuotaExceeded })
}

/// How many calls were counted.
pub(super) fn find(connection: &Connection, counted: &CountedAccess) -> Result<u32> {
    const SQL: &str = "SELECT calls FROM access_count
        WHERE tpp = ?1 AND psu = ?2 AND account = ?3 AND operation = ?4 AND day = ?5";
    let day = counted.day.to_string();
    let key = (&counted.tpp, counted.psu.as_str(), &counted.account, &counted.operation, day);
    Ok(connection.prepare_cached(SQL)?.query_row(key, |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Deletes at most that many counts of days before one.
pub(super) fn purge(connection: &Connection, before: NaiveDate, at_most: usize) -> Result<usize> {
    const SQL: &str = "DELETE FROM access_count WHERE (tpp, psu, account, operation, day) IN
        (SELECT tpp, psu, account, operation, day FROM access_count WHERE day < ?1 LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((before.to_string(), limit(at_most)))
}
