//! Rows that are deleted by age, and those of a person.

use chrono::{DateTime, NaiveDate, Utc};

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::store::{CommitOutcome, PsuRows};
use crate::types::{PaymentId, PsuKey};

/// Deletes at most that many baskets of before a time, except rows that another transaction has locked.
pub(super) fn purge_baskets(
    connection: &mut Connection,
    before: DateTime<Utc>,
    at_most: usize,
) -> Result<u64> {
    const SQL: &str = "DELETE FROM basket WHERE ctid = ANY (ARRAY(SELECT ctid FROM basket
        WHERE created_at < $1 AND NOT EXISTS (SELECT 1 FROM authorisation WHERE basket_id = basket.id)
        LIMIT $2 FOR UPDATE SKIP LOCKED))";
    connection.execute(SQL, &[&micros(before), &limit(at_most)])
}

/// Deletes at most that many payments of before a time that are not open, except rows that another transaction has
/// locked.
pub(super) fn purge_payments(
    connection: &mut Connection,
    before: DateTime<Utc>,
    at_most: usize,
) -> Result<u64> {
    const SQL: &str = "DELETE FROM payment WHERE ctid = ANY (ARRAY(SELECT ctid FROM payment
        WHERE created_at < $1 AND basket IS NULL
            AND (authorised_at IS NULL OR status IN ('ACSC', 'RJCT', 'CANC'))
            AND NOT EXISTS (SELECT 1 FROM event WHERE payment = payment.number)
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE payment_id = payment.id)
            AND NOT EXISTS (SELECT 1 FROM authorisation WHERE payment_id = payment.id)
        LIMIT $2 FOR UPDATE SKIP LOCKED))";
    connection.execute(SQL, &[&micros(before), &limit(at_most)])
}

/// Deletes at most that many counts of days before one, and outages that ended before a time.
pub(super) fn purge_statistics(
    connection: &mut Connection,
    day: NaiveDate,
    time: DateTime<Utc>,
    at_most: usize,
) -> Result<u64> {
    const CALLS: &str = "DELETE FROM call_count WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM call_count WHERE day < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    const OUTAGES: &str = "DELETE FROM outage WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM outage WHERE ended_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    let calls = connection.execute(CALLS, &[&day.to_string(), &limit(at_most)])?;
    Ok(calls.max(connection.execute(OUTAGES, &[&micros(time), &limit(at_most)])?))
}

/// What there is of a person.
pub(super) fn rows_of_psu(connection: &mut Connection, psu: &PsuKey) -> Result<PsuRows> {
    const SQL: &str = "SELECT
        (SELECT count(*) FROM consent WHERE psu = $1),
        (SELECT count(*) FROM sca_session WHERE psu = $1),
        (SELECT count(*) FROM authorisation WHERE psu = $1),
        (SELECT count(*) FROM psu_id WHERE psu = $1),
        (SELECT count(*) FROM corporate_psu WHERE psu = $1),
        (SELECT count(*) FROM access_count WHERE psu = $1),
        (SELECT count(*) FROM payment WHERE psu = $1),
        (SELECT max(created_at) FROM payment WHERE psu = $1)";
    let open_payment = open_payment(connection, psu)?;
    let row = connection.row(SQL, &[&psu.as_str()])?.ok_or(Failure::Unknown)?;
    let mut columns = Columns::of(&row);
    Ok(PsuRows {
        consents: count(&mut columns)?,
        sessions: count(&mut columns)?,
        authorisations: count(&mut columns)?,
        psu_ids: count(&mut columns)?,
        corporate_psus: count(&mut columns)?,
        access_counts: count(&mut columns)?,
        payments: count(&mut columns)?,
        newest_payment: columns.optional_time()?,
        open_payment,
    })
}

fn count(columns: &mut Columns<'_>) -> Result<u64> {
    u64::try_from(columns.value::<i64>()?).map_err(|_| Failure::Unknown)
}

fn open_payment(connection: &mut Connection, psu: &PsuKey) -> Result<Option<PaymentId>> {
    const SQL: &str = "SELECT id FROM payment WHERE psu = $1
        AND ((authorised_at IS NOT NULL AND status NOT IN ('ACSC', 'RJCT', 'CANC'))
            OR EXISTS (SELECT 1 FROM outbox WHERE payment_id = payment.id)) LIMIT 1";
    let found = connection.row(SQL, &[&psu.as_str()])?;
    found.map(|row| Columns::of(&row).text(PaymentId::parse)).transpose()
}

/// Deletes the rows of a person but for payments, baskets, and the audit. Lost where a payment is open.
pub(super) fn erase(connection: &mut Connection, psu: &PsuKey) -> Result<CommitOutcome> {
    // First, because it waits for an SCA of the person that is being committed, whose payment is open then.
    const AUTHORISATIONS: &str = "DELETE FROM authorisation WHERE psu = $1";
    const REST: [&str; 5] = [
        "DELETE FROM consent WHERE psu = $1",
        "DELETE FROM sca_session WHERE psu = $1",
        "DELETE FROM psu_id WHERE psu = $1",
        "DELETE FROM corporate_psu WHERE psu = $1",
        "DELETE FROM access_count WHERE psu = $1",
    ];
    connection.execute(AUTHORISATIONS, &[&psu.as_str()])?;
    if open_payment(connection, psu)?.is_some() {
        return Ok(CommitOutcome::VersionConflict);
    }
    for sql in REST {
        connection.execute(sql, &[&psu.as_str()])?;
    }
    Ok(CommitOutcome::Applied)
}
