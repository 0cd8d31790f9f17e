//! The append-only history of payments. Nothing here changes or deletes a line.

use rusqlite::{Connection, Error, Result};

use super::columns::{micros, Columns};
use crate::machine::Machine;
use crate::store::seam::{Committed, Event};
use crate::types::PaymentId;

/// Appends a line to the history of a payment.
pub(super) fn append(connection: &Connection, event: &Event) -> Result<Committed> {
    const SQL: &str = "INSERT INTO event (payment, number, at, from_status, to_status, cause)
        SELECT payment.number,
            1 + (SELECT coalesce(max(event.number), 0) FROM event WHERE event.payment = payment.number),
            ?2, ?3, ?4, ?5
        FROM payment WHERE payment.id = ?1";
    let appended = connection.prepare_cached(SQL)?.execute((
        event.payment_id.as_str(),
        micros(event.at),
        event.from.as_str(),
        event.to.as_str(),
        &event.cause,
    ))?;
    // The history of nothing is a bug of the caller, not a race: payments are never deleted.
    if appended == 1 {
        Ok(Committed::Done)
    } else {
        Err(Error::StatementChangedRows(appended))
    }
}

/// The history of a payment, oldest first.
pub(super) fn all(connection: &Connection, id: &PaymentId) -> Result<Vec<Event>> {
    const SQL: &str = "SELECT event.at, event.from_status, event.to_status, event.cause
        FROM payment JOIN event ON event.payment = payment.number
        WHERE payment.id = ?1 ORDER BY event.number";
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
