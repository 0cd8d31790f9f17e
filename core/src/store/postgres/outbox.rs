//! Authorised payments that the bank does not have yet, and those that are set aside.

use chrono::{DateTime, Utc};
use postgres::Row;

use super::columns::{limit, micros, Columns};
use super::connection::{Connection, Values};
use super::failure::Result;
use crate::store::seam::{Committed, OutboxOrder, SetAsideOrder};
use crate::types::PaymentId;

/// Adds an order.
pub(super) fn enqueue(connection: &mut Connection, order: &OutboxOrder) -> Result<Committed> {
    const SQL: &str = "INSERT INTO outbox (payment_id, attempts, faults, due_at) VALUES ($1, $2, $3, $4)";
    place(connection, SQL, order)
}

/// Puts an order off. Lost where another node delivered it meanwhile, or set it aside.
pub(super) fn reschedule(connection: &mut Connection, order: &OutboxOrder) -> Result<Committed> {
    const SQL: &str = "UPDATE outbox SET attempts = $2, faults = $3, due_at = $4
        WHERE payment_id = $1 AND set_aside_at IS NULL";
    place(connection, SQL, order)
}

/// Takes an order out. Lost where another node delivered it meanwhile.
pub(super) fn remove(connection: &mut Connection, id: &PaymentId) -> Result<Committed> {
    won(connection, "DELETE FROM outbox WHERE payment_id = $1", &[&id.as_str()])
}

/// Takes an order out, if it is there.
pub(super) fn withdraw(connection: &mut Connection, id: &PaymentId) -> Result<Committed> {
    remove(connection, id).map(|_| Committed::Done)
}

/// Sets an order aside. Lost where another node delivered it meanwhile, or set it aside.
pub(super) fn put_aside(connection: &mut Connection, order: &SetAsideOrder) -> Result<Committed> {
    const SQL: &str = "UPDATE outbox SET attempts = $2, why = $3, set_aside_at = $4
        WHERE payment_id = $1 AND set_aside_at IS NULL";
    let SetAsideOrder { payment_id, attempts, why, since } = order;
    won(connection, SQL, &[&payment_id.as_str(), &i64::from(*attempts), why, &micros(*since)])
}

/// Lets an order that is set aside wait again.
pub(super) fn retry(connection: &mut Connection, id: &PaymentId, due_at: DateTime<Utc>) -> Result<Committed> {
    const SQL: &str =
        "UPDATE outbox SET attempts = 0, faults = 0, due_at = $2, set_aside_at = NULL, why = NULL
        WHERE payment_id = $1 AND set_aside_at IS NOT NULL";
    won(connection, SQL, &[&id.as_str(), &micros(due_at)])
}

/// Takes an order out, if it is set aside.
pub(super) fn resolve(connection: &mut Connection, id: &PaymentId) -> Result<Committed> {
    const SQL: &str = "DELETE FROM outbox WHERE payment_id = $1 AND set_aside_at IS NOT NULL";
    won(connection, SQL, &[&id.as_str()]).map(|_| Committed::Done)
}

/// The orders due at a time, the longest waiting first and among equals the first enqueued.
pub(super) fn due(
    connection: &mut Connection,
    now: DateTime<Utc>,
    at_most: usize,
) -> Result<Vec<OutboxOrder>> {
    const SQL: &str = "SELECT payment_id, attempts, faults, due_at FROM outbox
        WHERE set_aside_at IS NULL AND due_at <= $1 ORDER BY due_at, number LIMIT $2";
    let rows = connection.rows(SQL, &[&micros(now), &limit(at_most)])?;
    rows.iter().map(read).collect()
}

/// The orders due at a time, which are due again at another. Those that another node is claiming are left to it.
pub(super) fn claim(
    connection: &mut Connection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    at_most: usize,
) -> Result<Vec<OutboxOrder>> {
    const SQL: &str = "WITH due AS (
            SELECT number, attempts, faults, due_at FROM outbox
            WHERE set_aside_at IS NULL AND due_at <= $1
            ORDER BY due_at, number LIMIT $3 FOR UPDATE SKIP LOCKED),
        claimed AS (
            UPDATE outbox SET due_at = $2 FROM due WHERE outbox.number = due.number
            RETURNING outbox.payment_id, due.attempts, due.faults, due.due_at, due.number)
        SELECT payment_id, attempts, faults, due_at FROM claimed ORDER BY due_at, number";
    let rows = connection.rows(SQL, &[&micros(now), &micros(until), &limit(at_most)])?;
    rows.iter().map(read).collect()
}

/// When the next order is due.
pub(super) fn next_due(connection: &mut Connection) -> Result<Option<DateTime<Utc>>> {
    let row = connection.row("SELECT min(due_at) FROM outbox WHERE set_aside_at IS NULL", &[])?;
    row.map_or(Ok(None), |row| Columns::of(&row).optional_time())
}

/// The orders that are set aside.
pub(super) fn set_aside(connection: &mut Connection, at_most: usize) -> Result<Vec<SetAsideOrder>> {
    const SQL: &str = "SELECT payment_id, attempts, why, set_aside_at FROM outbox
        WHERE set_aside_at IS NOT NULL ORDER BY set_aside_at, number LIMIT $1";
    let rows = connection.rows(SQL, &[&limit(at_most)])?;
    let read = |row| {
        let mut columns = Columns::of(row);
        Ok(SetAsideOrder {
            payment_id: columns.text(PaymentId::parse)?,
            attempts: columns.number()?,
            why: columns.value()?,
            since: columns.time()?,
        })
    };
    rows.iter().map(read).collect()
}

/// Runs a statement on all columns of an order that waits.
fn place(connection: &mut Connection, sql: &'static str, order: &OutboxOrder) -> Result<Committed> {
    let OutboxOrder { payment_id, attempts, faults, due_at } = order;
    let (attempts, faults) = (i64::from(*attempts), i64::from(*faults));
    won(connection, sql, &[&payment_id.as_str(), &attempts, &faults, &micros(*due_at)])
}

/// Runs a statement on the one order it names.
fn won(connection: &mut Connection, sql: &'static str, values: Values<'_>) -> Result<Committed> {
    let changed = connection.execute(sql, values)?;
    Ok(if changed == 1 { Committed::Done } else { Committed::RaceLost })
}

fn read(row: &Row) -> Result<OutboxOrder> {
    let mut columns = Columns::of(row);
    Ok(OutboxOrder {
        payment_id: columns.text(PaymentId::parse)?,
        attempts: columns.number()?,
        faults: columns.number()?,
        due_at: columns.time()?,
    })
}
