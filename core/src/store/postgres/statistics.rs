//! Calls by day, and outages.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, Utc};

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::statistics::record::{CallEnd, CallSum, CountedCalls, DayCalls, Outage};
use crate::store::CommitOutcome;

/// Adds calls to those of their row. Nodes write several rows in one order, so that they do not wait for each other.
pub(super) fn count(
    connection: &mut Connection,
    counted: &CountedCalls,
    sum: CallSum,
) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO call_count (day, tpp, operation, ended, calls, micros)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (day, tpp, operation, ended) DO UPDATE
            SET calls = call_count.calls + excluded.calls, micros = call_count.micros + excluded.micros";
    let (day, calls, micros) = (counted.day.to_string(), whole(sum.calls), whole(sum.micros));
    let row = (&*counted.tpp, counted.operation, counted.end.as_str());
    connection.execute(SQL, &[&day, &row.0, &row.1, &row.2, &calls, &micros])?;
    Ok(CommitOutcome::Applied)
}

/// Stores an outage, or that the one of that beginning lasted longer.
pub(super) fn note_outage(connection: &mut Connection, outage: Outage) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO outage (began_at, ended_at) VALUES ($1, $2)
        ON CONFLICT (began_at) DO UPDATE SET ended_at = greatest(outage.ended_at, excluded.ended_at)";
    connection.execute(SQL, &[&micros(outage.from), &micros(outage.to)])?;
    Ok(CommitOutcome::Applied)
}

/// The calls of some days, of one TPP or of all.
pub(super) fn day_calls(
    connection: &mut Connection,
    first: NaiveDate,
    last: NaiveDate,
    tpp: Option<&str>,
) -> Result<Vec<DayCalls>> {
    const SQL: &str = "SELECT day, operation, ended, sum(calls)::bigint, sum(micros)::bigint FROM call_count
        WHERE day BETWEEN $1 AND $2 AND ($3::text IS NULL OR tpp = $3)
        GROUP BY day, operation, ended ORDER BY day, operation COLLATE \"C\", ended COLLATE \"C\"";
    let rows = connection.rows(SQL, &[&first.to_string(), &last.to_string(), &tpp])?;
    let calls = |row| {
        let mut columns = Columns::of(row);
        Ok(DayCalls {
            day: columns.text(|text| text.parse().ok())?,
            operation: columns.value()?,
            end: columns.text(CallEnd::parse)?,
            sum: CallSum { calls: count_of(&mut columns)?, micros: count_of(&mut columns)? },
        })
    };
    rows.iter().map(calls).collect()
}

/// Outages that are partly or wholly in a range of time.
pub(super) fn outages(
    connection: &mut Connection,
    range: &Range<DateTime<Utc>>,
    after: Option<DateTime<Utc>>,
    at_most: usize,
) -> Result<Vec<Outage>> {
    const SQL: &str = "SELECT began_at, ended_at FROM outage
        WHERE began_at > $1 AND began_at < $2 AND ended_at > $3 ORDER BY began_at LIMIT $4";
    let after = after.map_or(i64::MIN, micros);
    let rows = connection.rows(SQL, &[&after, &micros(range.end), &micros(range.start), &limit(at_most)])?;
    let outage = |row| {
        let mut columns = Columns::of(row);
        Ok(Outage { from: columns.time()?, to: columns.time()? })
    };
    rows.iter().map(outage).collect()
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn count_of(columns: &mut Columns<'_>) -> Result<u64> {
    u64::try_from(columns.value::<i64>()?).map_err(|_| Failure::Unknown)
}
