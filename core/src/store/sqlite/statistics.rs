//! Calls by day, and outages.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::{Connection, Result};

use super::columns::{limit, micros, Columns};
use crate::statistics::record::{CallEnd, CallSum, CountedCalls, DayCalls, Outage};
use crate::store::CommitOutcome;

/// Adds calls to those of their row.
pub(super) fn count(connection: &Connection, counted: &CountedCalls, sum: CallSum) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO call_count (day, tpp, operation, ended, calls, micros)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (day, tpp, operation, ended)
            DO UPDATE SET calls = calls + excluded.calls, micros = micros + excluded.micros";
    connection.prepare_cached(SQL)?.execute((
        counted.day.to_string(),
        &counted.tpp,
        counted.operation,
        counted.end.as_str(),
        whole(sum.calls),
        whole(sum.micros),
    ))?;
    Ok(CommitOutcome::Applied)
}

/// Stores an outage, or that the one of that beginning lasted longer.
pub(super) fn note_outage(connection: &Connection, outage: Outage) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO outage (began_at, ended_at) VALUES (?1, ?2)
        ON CONFLICT (began_at) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)";
    connection.prepare_cached(SQL)?.execute((micros(outage.from), micros(outage.to)))?;
    Ok(CommitOutcome::Applied)
}

/// The calls of some days, of one TPP or of all.
pub(super) fn day_calls(
    connection: &Connection,
    first: NaiveDate,
    last: NaiveDate,
    tpp: Option<&str>,
) -> Result<Vec<DayCalls>> {
    const SQL: &str = "SELECT day, operation, ended, sum(calls), sum(micros) FROM call_count
        WHERE day BETWEEN ?1 AND ?2 AND (?3 IS NULL OR tpp = ?3)
        GROUP BY day, operation, ended ORDER BY day, operation, ended";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((first.to_string(), last.to_string(), tpp), |row| {
        let mut columns = Columns::of(row);
        Ok(DayCalls {
            day: columns.text(|text| text.parse().ok())?,
            operation: columns.value()?,
            end: columns.text(CallEnd::parse)?,
            sum: CallSum { calls: columns.number(count_of)?, micros: columns.number(count_of)? },
        })
    })?;
    rows.collect()
}

/// Outages that are partly or wholly in a range of time.
pub(super) fn outages(
    connection: &Connection,
    range: &Range<DateTime<Utc>>,
    after: Option<DateTime<Utc>>,
    at_most: usize,
) -> Result<Vec<Outage>> {
    const SQL: &str = "SELECT began_at, ended_at FROM outage
        WHERE began_at > ?1 AND began_at < ?2 AND ended_at > ?3 ORDER BY began_at LIMIT ?4";
    let after = after.map_or(i64::MIN, micros);
    let mut statement = connection.prepare_cached(SQL)?;
    let key = (after, micros(range.end), micros(range.start), limit(at_most));
    let rows = statement.query_map(key, |row| {
        let mut columns = Columns::of(row);
        Ok(Outage { from: columns.time()?, to: columns.time()? })
    })?;
    rows.collect()
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn count_of(stored: i64) -> Option<u64> {
    u64::try_from(stored).ok()
}
