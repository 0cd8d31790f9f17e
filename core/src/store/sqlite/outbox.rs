//! Authorised payments that the bank does not have yet.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, Result};

use super::columns::{limit, micros, Columns};
use crate::env::clock::from_micros;
use crate::store::seam::{Committed, OutboxOrder};
use crate::types::PaymentId;

/// Adds an order.
pub(super) fn enqueue(connection: &Connection, order: &OutboxOrder) -> Result<Committed> {
    const SQL: &str = "INSERT INTO outbox (payment_id, attempts, due_at) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(SQL)?.execute((
        order.payment_id.as_str(),
        order.attempts,
        micros(order.due_at),
    ))?;
    Ok(Committed::Done)
}

/// Puts an order off. Lost where another node delivered it meanwhile.
pub(super) fn reschedule(connection: &Connection, order: &OutboxOrder) -> Result<Committed> {
    const SQL: &str = "UPDATE outbox SET attempts = ?2, due_at = ?3 WHERE payment_id = ?1";
    let changed = connection.prepare_cached(SQL)?.execute((
        order.payment_id.as_str(),
        order.attempts,
        micros(order.due_at),
    ))?;
    Ok(if changed == 1 { Committed::Done } else { Committed::RaceLost })
}

/// Takes an order out. Lost where another node delivered it meanwhile.
pub(super) fn remove(connection: &Connection, id: &PaymentId) -> Result<Committed> {
    const SQL: &str = "DELETE FROM outbox WHERE payment_id = ?1";
    let removed = connection.prepare_cached(SQL)?.execute([id.as_str()])?;
    Ok(if removed == 1 { Committed::Done } else { Committed::RaceLost })
}

/// Takes an order out, if it is there.
pub(super) fn withdraw(connection: &Connection, id: &PaymentId) -> Result<Committed> {
    remove(connection, id).map(|_| Committed::Done)
}

/// The orders due at a time, the longest waiting first and among equals the first enqueued.
pub(super) fn due(connection: &Connection, now: DateTime<Utc>, at_most: usize) -> Result<Vec<OutboxOrder>> {
    const SQL: &str = "SELECT payment_id, attempts, due_at FROM outbox WHERE due_at <= ?1
        ORDER BY due_at, number LIMIT ?2";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((micros(now), limit(at_most)), |row| {
        let mut columns = Columns::of(row);
        Ok(OutboxOrder {
            payment_id: columns.text(PaymentId::parse)?,
            attempts: columns.value()?,
            due_at: columns.time()?,
        })
    })?;
    rows.collect()
}

/// When the next order is due.
pub(super) fn next_due(connection: &Connection) -> Result<Option<DateTime<Utc>>> {
    let next: Option<i64> =
        connection.prepare_cached("SELECT min(due_at) FROM outbox")?.query_row([], |row| row.get(0))?;
    Ok(next.map(from_micros))
}
