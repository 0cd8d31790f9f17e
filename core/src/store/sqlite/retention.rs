//! Rows that are deleted by age, and those of a person.

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::{Connection, OptionalExtension, Result};

use super::columns::{limit, micros, Columns};
use crate::store::{CommitOutcome, PsuRows};
use crate::types::{PaymentId, PsuKey};

/// Deletes at most that many baskets of before a time.
pub(super) fn purge_baskets(connection: &Connection, before: DateTime<Utc>, at_most: usize) -> Result<usize> {
    const SQL: &str = "DELETE FROM basket WHERE id IN (SELECT id FROM basket
        WHERE created_at < ?1 AND NOT EXISTS (SELECT 1 FROM authorisation WHERE basket_id = basket.id) LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((micros(before), limit(at_most)))
}

/// Deletes at most that many payments of before a time that are not open.
pub(super) fn purge_payments(
    connection: &Connection,
    before: DateTime<Utc>,
    at_most: usize,
) -> Result<usize> {
    const SQL: &str = "DELETE FROM payment WHERE number IN (SELECT number FROM payment
        WHERE created_at < ?1 AND basket IS NULL
            AND (authorised_at IS NULL OR status IN ('ACSC', 'RJCT', 'CANC'))
            AND NOT EXISTS (SELECT 1 FROM event WHERE payment = payment.number)
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE payment_id = payment.id)
            AND NOT EXISTS (SELECT 1 FROM authorisation WHERE payment_id = payment.id)
        LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((micros(before), limit(at_most)))
}

/// Deletes at most that many counts of days before one, and outages that ended before a time.
pub(super) fn purge_statistics(
    connection: &Connection,
    day: NaiveDate,
    time: DateTime<Utc>,
    at_most: usize,
) -> Result<usize> {
    const CALLS: &str = "DELETE FROM call_count WHERE (day, tpp, operation, ended) IN
        (SELECT day, tpp, operation, ended FROM call_count WHERE day < ?1 LIMIT ?2)";
    const OUTAGES: &str = "DELETE FROM outage WHERE began_at IN
        (SELECT began_at FROM outage WHERE ended_at < ?1 LIMIT ?2)";
    let calls = connection.prepare_cached(CALLS)?.execute((day.to_string(), limit(at_most)))?;
    let outages = connection.prepare_cached(OUTAGES)?.execute((micros(time), limit(at_most)))?;
    Ok(calls.max(outages))
}

/// What there is of a person.
pub(super) fn rows_of_psu(connection: &Connection, psu: &PsuKey) -> Result<PsuRows> {
    const SQL: &str = "SELECT
        (SELECT count(*) FROM consent WHERE psu = ?1),
        (SELECT count(*) FROM sca_session WHERE psu = ?1),
        (SELECT count(*) FROM authorisation WHERE psu = ?1),
        (SELECT count(*) FROM psu_id WHERE psu = ?1),
        (SELECT count(*) FROM corporate_psu WHERE psu = ?1),
        (SELECT count(*) FROM access_count WHERE psu = ?1),
        (SELECT count(*) FROM payment WHERE psu = ?1),
        (SELECT max(created_at) FROM payment WHERE psu = ?1)";
    let open_payment = open_payment(connection, psu)?;
    connection.prepare_cached(SQL)?.query_row([psu.as_str()], |row| {
        let mut columns = Columns::of(row);
        let mut count = || columns.number(|number| u64::try_from(number).ok());
        Ok(PsuRows {
            consents: count()?,
            sessions: count()?,
            authorisations: count()?,
            psu_ids: count()?,
            corporate_psus: count()?,
            access_counts: count()?,
            payments: count()?,
            newest_payment: columns.optional_time()?,
            open_payment,
        })
    })
}

fn open_payment(connection: &Connection, psu: &PsuKey) -> Result<Option<PaymentId>> {
    const SQL: &str = "SELECT id FROM payment WHERE psu = ?1
        AND ((authorised_at IS NOT NULL AND status NOT IN ('ACSC', 'RJCT', 'CANC'))
            OR EXISTS (SELECT 1 FROM outbox WHERE payment_id = payment.id)) LIMIT 1";
    let mut statement = connection.prepare_cached(SQL)?;
    statement.query_row([psu.as_str()], |row| Columns::of(row).text(PaymentId::parse)).optional()
}

/// Deletes the rows of a person but for payments, baskets, and the audit. Lost where a payment is open.
pub(super) fn erase(connection: &Connection, psu: &PsuKey) -> Result<CommitOutcome> {
    const SQL: [&str; 7] = [
        "DELETE FROM consent_account WHERE consent IN (SELECT number FROM consent WHERE psu = ?1)",
        "DELETE FROM consent WHERE psu = ?1",
        "DELETE FROM sca_session WHERE psu = ?1",
        "DELETE FROM authorisation WHERE psu = ?1",
        "DELETE FROM psu_id WHERE psu = ?1",
        "DELETE FROM corporate_psu WHERE psu = ?1",
        "DELETE FROM access_count WHERE psu = ?1",
    ];
    if open_payment(connection, psu)?.is_some() {
        return Ok(CommitOutcome::VersionConflict);
    }
    for sql in SQL {
        connection.prepare_cached(sql)?.execute([psu.as_str()])?;
    }
    Ok(CommitOutcome::Applied)
}
