//! The outbox: authorised payments that the bank does not have yet, and dead letters.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, Params, Result};

use super::columns::{limit, micros, Columns};
use super::payment;
use crate::store::{CommitOutcome, DeadLetter, DueOrders, OutboxOrder, UnreadableOrder};
use crate::types::PaymentId;

/// Adds an order.
pub(super) fn enqueue(connection: &Connection, order: &OutboxOrder) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO outbox (payment_id, attempts, faults, due_at) VALUES (?1, ?2, ?3, ?4)";
    let OutboxOrder { payment_id, attempts, faults, due_at, product: _ } = order;
    won(connection, SQL, (payment_id.as_str(), attempts, faults, micros(*due_at)))
}

/// Postpones an order. Lost if another node has delivered or claimed it, or made it a dead letter.
pub(super) fn reschedule(
    connection: &Connection,
    order: &OutboxOrder,
    was_due: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET attempts = ?2, faults = ?3, due_at = ?4
        WHERE payment_id = ?1 AND dead_letter_at IS NULL AND due_at = ?5";
    let OutboxOrder { payment_id, attempts, faults, due_at, product: _ } = order;
    won(connection, SQL, (payment_id.as_str(), attempts, faults, micros(*due_at), micros(was_due)))
}

/// Removes an order that the bank answered, or lets it wait on if the bank was asked to cancel. Lost if another node
/// has delivered it.
pub(super) fn answer(
    connection: &Connection,
    id: &PaymentId,
    again_at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const TAKE_OUT: &str = "DELETE FROM outbox WHERE payment_id = ?1 AND cancellation_requested IS NOT 1";
    // A claim of another node keeps its end.
    const WAIT_ON: &str = "UPDATE outbox
        SET attempts = attempts + 1, faults = 0, due_at = max(due_at, ?2),
            dead_letter_at = NULL, dead_letter_reason = NULL
        WHERE payment_id = ?1";
    match won(connection, TAKE_OUT, [id.as_str()])? {
        CommitOutcome::Applied => Ok(CommitOutcome::Applied),
        _ => won(connection, WAIT_ON, (id.as_str(), micros(again_at))),
    }
}

/// Removes an order. Lost if another node has delivered it.
pub(super) fn remove(connection: &Connection, id: &PaymentId) -> Result<CommitOutcome> {
    won(connection, "DELETE FROM outbox WHERE payment_id = ?1", [id.as_str()])
}

/// Removes an order, if it exists.
pub(super) fn withdraw(connection: &Connection, id: &PaymentId) -> Result<CommitOutcome> {
    remove(connection, id).map(|_| CommitOutcome::Applied)
}

/// Makes an order a dead letter. Lost if another node has delivered or claimed it, or made it a dead letter.
pub(super) fn to_dead_letter(
    connection: &Connection,
    order: &DeadLetter,
    was_due: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET attempts = ?2, dead_letter_reason = ?3, dead_letter_at = ?4
        WHERE payment_id = ?1 AND dead_letter_at IS NULL AND due_at = ?5";
    let DeadLetter { payment_id, attempts, why, since } = order;
    won(connection, SQL, (payment_id.as_str(), attempts, why, micros(*since), micros(was_due)))
}

/// Makes an order that cannot be read a dead letter, and leaves the other columns as they are. Lost if another node has
/// done so, or if another order has the number now.
pub(super) fn unreadable_to_dead_letter(
    connection: &Connection,
    order: &UnreadableOrder,
    since: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET dead_letter_reason = ?3, dead_letter_at = ?4
        WHERE number = ?1 AND dead_letter_at IS NULL AND payment_id = coalesce(?2, payment_id)";
    let UnreadableOrder { number, payment_id } = order;
    let payment_id = payment_id.as_ref().map(PaymentId::as_str);
    won(connection, SQL, (number, payment_id, DeadLetter::UNREADABLE, micros(since)))
}

/// Lets a dead letter wait again.
pub(super) fn retry(connection: &Connection, id: &PaymentId, due_at: DateTime<Utc>) -> Result<CommitOutcome> {
    const SQL: &str =
        "UPDATE outbox SET attempts = 0, faults = 0, due_at = ?2, dead_letter_at = NULL, dead_letter_reason = NULL
        WHERE payment_id = ?1 AND dead_letter_at IS NOT NULL";
    won(connection, SQL, (id.as_str(), micros(due_at)))
}

/// Removes a dead letter, or lets it wait again if the bank was asked to cancel.
pub(super) fn resolve(connection: &Connection, id: &PaymentId) -> Result<CommitOutcome> {
    const TAKE_OUT: &str =
        "DELETE FROM outbox WHERE payment_id = ?1 AND dead_letter_at IS NOT NULL AND cancellation_requested IS NOT 1";
    const WAIT_AGAIN: &str =
        "UPDATE outbox SET attempts = 0, faults = 0, dead_letter_at = NULL, dead_letter_reason = NULL
        WHERE payment_id = ?1 AND dead_letter_at IS NOT NULL";
    match won(connection, TAKE_OUT, [id.as_str()])? {
        CommitOutcome::Applied => Ok(CommitOutcome::Applied),
        _ => won(connection, WAIT_AGAIN, [id.as_str()]),
    }
}

/// Lets an order wait for every answer of the bank. Lost if there is none.
pub(super) fn begin_cancelling(connection: &Connection, id: &PaymentId) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET cancellation_requested = 1 WHERE payment_id = ?1";
    won(connection, SQL, [id.as_str()])
}

/// Ends that, if the order exists.
pub(super) fn end_cancelling(connection: &Connection, id: &PaymentId) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET cancellation_requested = NULL WHERE payment_id = ?1";
    won(connection, SQL, [id.as_str()]).map(|_| CommitOutcome::Applied)
}

/// Runs a statement on the one order it names.
fn won(connection: &Connection, sql: &str, values: impl Params) -> Result<CommitOutcome> {
    let changed = connection.prepare_cached(sql)?.execute(values)?;
    debug_assert!(changed <= 1, "a payment has one order");
    Ok(if changed == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The orders due at a time, the longest waiting first and among equals the first enqueued, and what cannot be read
/// before the last of them.
pub(super) fn due(connection: &Connection, now: DateTime<Utc>, at_most: usize) -> Result<DueOrders> {
    const SQL: &str = "SELECT payment_id, attempts, faults, due_at, number FROM outbox
        WHERE dead_letter_at IS NULL AND due_at <= ?1 ORDER BY due_at, number";
    let mut statement = connection.prepare_cached(SQL)?;
    let mut rows = statement.query([micros(now)])?;
    let mut found = DueOrders::default();
    while found.orders.len() < at_most {
        let Some(row) = rows.next()? else { break };
        match order(&mut Columns::of(row)) {
            Ok(order) => {
                let product = payment::product(connection, &order.payment_id)?;
                found.orders.push(OutboxOrder { product, ..order });
            }
            Err(_) => found.unreadable.push(UnreadableOrder {
                number: row.get(4)?,
                payment_id: Columns::of(row).text(PaymentId::parse).ok(),
            }),
        }
    }
    Ok(found)
}

/// An order without the product of its payment.
fn order(columns: &mut Columns<'_>) -> Result<OutboxOrder> {
    Ok(OutboxOrder {
        payment_id: columns.text(PaymentId::parse)?,
        attempts: columns.value()?,
        faults: columns.value()?,
        due_at: columns.time()?,
        product: None,
    })
}

/// The orders due at a time, which are due again at another. No other transaction writes in between. What cannot be
/// read is left as it is.
pub(super) fn claim(
    connection: &Connection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    at_most: usize,
) -> Result<DueOrders> {
    let claimed = due(connection, now, at_most)?;
    let mut statement = connection.prepare_cached("UPDATE outbox SET due_at = ?2 WHERE payment_id = ?1")?;
    for order in &claimed.orders {
        statement.execute((order.payment_id.as_str(), micros(until)))?;
    }
    Ok(claimed)
}

/// When the next order is due, whether it can be read or not.
pub(super) fn next_due(connection: &Connection) -> Result<Option<DateTime<Utc>>> {
    const SQL: &str = "SELECT due_at FROM outbox WHERE dead_letter_at IS NULL ORDER BY due_at LIMIT 1";
    connection.prepare_cached(SQL)?.query_row([], |row| Columns::of(row).time()).optional()
}

/// Whether anything waits for a time after `after`, by a clock that is not behind that of the last payment.
pub(super) fn is_any_due_after(
    connection: &Connection,
    after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM outbox WHERE dead_letter_at IS NULL AND due_at > ?1
        AND (SELECT created_at FROM payment ORDER BY number DESC LIMIT 1) <= ?2 LIMIT 1";
    connection.prepare_cached(SQL)?.exists([micros(after), micros(now)])
}

/// Lets what waits for a time after `after` be due now. Gives how many those are.
pub(super) fn clamp_future_due_times(
    connection: &Connection,
    after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<usize> {
    const SQL: &str = "UPDATE outbox SET due_at = ?2 WHERE dead_letter_at IS NULL AND due_at > ?1
        AND (SELECT created_at FROM payment ORDER BY number DESC LIMIT 1) <= ?2";
    connection.prepare_cached(SQL)?.execute([micros(after), micros(now)])
}

/// How many orders wait.
pub(super) fn waiting(connection: &Connection) -> Result<u64> {
    let sql = "SELECT count(*) FROM outbox WHERE dead_letter_at IS NULL";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// The dead letters, and the orders that wait and cannot be read.
pub(super) fn dead_letters(connection: &Connection, at_most: usize) -> Result<Vec<DeadLetter>> {
    const DEAD_LETTERS: &str = "SELECT payment_id, attempts, dead_letter_at, dead_letter_reason FROM outbox
        WHERE dead_letter_at IS NOT NULL ORDER BY dead_letter_at, number LIMIT ?1";
    const WAITING: &str = "SELECT payment_id, attempts, faults, due_at FROM outbox
        WHERE dead_letter_at IS NULL ORDER BY due_at, number";
    let mut statement = connection.prepare_cached(DEAD_LETTERS)?;
    let listed = statement.query_map([limit(at_most)], |row| {
        let mut columns = Columns::of(row);
        let (payment_id, attempts) = (columns.any_text()?, legible(columns.value()?));
        Ok(DeadLetter { payment_id, attempts, since: columns.time()?, why: columns.any_text()? })
    })?;
    let mut listed = listed.collect::<Result<Vec<_>>>()?;

    let mut statement = connection.prepare_cached(WAITING)?;
    let mut rows = statement.query([])?;
    let bound = listed.len().saturating_add(at_most);
    while listed.len() < bound {
        let Some(row) = rows.next()? else { break };
        if order(&mut Columns::of(row)).is_err() {
            listed.push(unreadable(&mut Columns::of(row))?);
        }
    }
    // Stable: what was enqueued first stays first.
    listed.sort_by_key(|order| order.since);
    listed.truncate(at_most);
    Ok(listed)
}

/// How many dead letters there are, as far as they are counted.
pub(super) fn count_dead_letters(connection: &Connection, at_most: usize) -> Result<usize> {
    const SQL: &str = "SELECT count(*) FROM (SELECT 1 FROM outbox WHERE dead_letter_at IS NOT NULL LIMIT ?1)";
    let count: i64 = connection.prepare_cached(SQL)?.query_row([limit(at_most)], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Returns true if the order of a payment is a dead letter.
pub(super) fn is_dead_letter(connection: &Connection, id: &PaymentId) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM outbox WHERE payment_id = ?1 AND dead_letter_at IS NOT NULL";
    connection.prepare_cached(SQL)?.exists([id.as_str()])
}

/// The dead letter of a row from which no order can be read.
fn unreadable(columns: &mut Columns<'_>) -> Result<DeadLetter> {
    let (payment_id, attempts, _faults) =
        (columns.any_text()?, legible(columns.value()?), columns.value::<i64>()?);
    Ok(DeadLetter { payment_id, attempts, why: DeadLetter::UNREADABLE.to_owned(), since: columns.time()? })
}

/// A number of attempts; 0 where it is none.
fn legible(stored: i64) -> u32 {
    u32::try_from(stored).unwrap_or_default()
}
