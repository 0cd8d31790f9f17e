//! The append-only history of payments. Nothing here changes or deletes a line.

use rusqlite::{Connection, Error, Result};

use super::columns::{micros, Columns};
use super::payment;
use crate::machine::Machine;
use crate::store::{CommitOutcome, Event};
use crate::types::PaymentId;

/// Appends a line to the history of a payment.
pub(super) fn append(connection: &Connection, event: &Event) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO event (payment, number, at, from_status, to_status, cause)
        VALUES (?1, 1 + (SELECT coalesce(max(number), 0) FROM event WHERE payment = ?1), ?2, ?3, ?4, ?5)";
    // The history of nothing is a bug of the caller, not a race: payments are never deleted.
    let payment = payment::number(connection, &event.payment_id)?.ok_or(Error::StatementChangedRows(0))?;
    connection.prepare_cached(SQL)?.execute((
        payment,
        micros(event.at),
        event.from.as_str(),
        event.to.as_str(),
        &event.cause,
    ))?;
    Ok(CommitOutcome::Applied)
}

/// The history of a payment, oldest first.
pub(super) fn all(connection: &Connection, id: &PaymentId) -> Result<Vec<Event>> {
    const SQL: &str = "SELECT at, from_status, to_status, cause FROM event
        WHERE payment = (SELECT number FROM payment WHERE id = ?1) ORDER BY number";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map([id.as_str()], |row| {
        let mut columns = Columns::of(row);
        Ok(Event {
            payment_id: id.clone(),
            at: columns.time()?,
            from: columns.state()?,
            to: columns.state()?,
            cause: columns.value()?,
        })
    })?;
    rows.collect()
}
