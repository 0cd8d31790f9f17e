//! The append-only history of payments. Nothing here changes or deletes a line.

use super::columns::{micros, Columns};
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;
use crate::machine::Machine;
use crate::store::{CommitOutcome, Event, EVENT_WITHOUT_PAYMENT};
use crate::types::PaymentId;

/// Appends a line to the history of a payment.
pub(super) fn append(connection: &mut Connection, event: &Event) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO event (payment, at, from_status, to_status, cause)
        SELECT payment.number, $2::bigint, $3::text, $4::text, $5::text FROM payment WHERE payment.id = $1";
    let (id, at) = (event.payment_id.as_str(), micros(event.at));
    let appended =
        connection.execute(SQL, &[&id, &at, &event.from.as_str(), &event.to.as_str(), &event.cause])?;
    // The history of nothing is a bug of the caller, not a race: payments are never deleted.
    if appended == 1 {
        Ok(CommitOutcome::Applied)
    } else {
        Err(Failure::Said(Error::Store(EVENT_WITHOUT_PAYMENT.into())))
    }
}

/// The history of a payment, oldest first.
pub(super) fn all(connection: &mut Connection, id: &PaymentId) -> Result<Vec<Event>> {
    const SQL: &str = "SELECT event.at, event.from_status, event.to_status, event.cause
        FROM payment JOIN event ON event.payment = payment.number
        WHERE payment.id = $1 ORDER BY event.number";
    let rows = connection.rows(SQL, &[&id.as_str()])?;
    let read = |row| {
        let mut columns = Columns::of(row);
        Ok(Event {
            payment_id: id.clone(),
            at: columns.time()?,
            from: columns.state()?,
            to: columns.state()?,
            cause: columns.value()?,
        })
    };
    rows.iter().map(read).collect()
}
