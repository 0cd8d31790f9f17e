//! Payments.

use chrono::{DateTime, Utc};
use tokio_postgres::types::ToSql;
use tokio_postgres::Row;

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::payment::stored;
use crate::store::{CommitOutcome, PaymentFilter};
use crate::types::{BasketId, Context, CorporateKey, IdentityNumber, PaymentId, PsuKey};

/// The lock of a fingerprint. Without it two transactions that insert duplicates would not see each other's payment. It
/// is held to the end of the transaction.
const LOCK: &str = "SELECT 1 FROM pg_advisory_xact_lock(1, hashtext(encode($1::bytea, 'hex')))";

/// Adds a payment, unless it is a duplicate. Check and insertion are one statement, but for the alternative
/// fingerprints, which the locks protect. Without the start of a window, the comparison with null finds nothing.
pub(super) fn insert(
    connection: &mut Connection,
    payment: &Payment,
    duplicate_window_start: Option<DateTime<Utc>>,
    alternative_fingerprints: &[[u8; 32]],
) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO payment (id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, basket, identity, on_hold,
            created_at, duplicate_fingerprint)
        SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text,
            $9::text, $10::text, $11::text, $12::boolean, $13::bigint, $14::text, $15::text, $16::text,
            $17::bigint, $18::bytea
        WHERE NOT EXISTS (
            SELECT 1 FROM payment
            WHERE duplicate_fingerprint = $18 AND created_at >= $19 AND status NOT IN ('RJCT', 'CANC')
                AND (psu IS NULL OR $5 IS NULL OR psu = $5))";
    if duplicate_window_start.is_some() {
        // In one order, so that two transactions that need the same locks do not wait for each other.
        let mut fingerprints = [&[payment.duplicate_fingerprint], alternative_fingerprints].concat();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        for fingerprint in fingerprints {
            connection.row(LOCK, &[&fingerprint.as_slice()])?;
        }
    }
    for fingerprint in alternative_fingerprints {
        if has_duplicate(connection, fingerprint, payment, duplicate_window_start)? {
            return Ok(CommitOutcome::DuplicatePayment);
        }
    }
    let (created_at, fingerprint) = (micros(payment.created_at), payment.duplicate_fingerprint.as_slice());
    let inserted =
        write(connection, SQL, payment, &[&created_at, &fingerprint, &duplicate_window_start.map(micros)])?;
    Ok(if inserted == 1 { CommitOutcome::Applied } else { CommitOutcome::DuplicatePayment })
}

/// Returns true if a payment with that fingerprint makes this one a duplicate.
fn has_duplicate(
    connection: &mut Connection,
    fingerprint: &[u8; 32],
    payment: &Payment,
    since: Option<DateTime<Utc>>,
) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM payment
        WHERE duplicate_fingerprint = $1::bytea AND created_at >= $2::bigint AND status NOT IN ('RJCT', 'CANC')
            AND (psu IS NULL OR $3::text IS NULL OR psu = $3::text)
        LIMIT 1";
    let psu = payment.psu.as_ref().map(PsuKey::as_str);
    Ok(connection.row(SQL, &[&fingerprint.as_slice(), &since.map(micros), &psu])?.is_some())
}

/// Replaces a payment that is one version behind; the time of its creation and its fingerprint stay.
pub(super) fn update(connection: &mut Connection, payment: &Payment) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE payment SET version = $2, tpp = $3, product = $4, psu = $5, context = $6,
            corporate = $7, transfer = $8, fee = $9, fee_currency = $10, status = $11, funds = $12,
            authorised_at = $13, basket = $14, identity = $15, on_hold = $16
        WHERE id = $1 AND version = $17";
    let present_version = i64::from(payment.version) - 1;
    let updated = write(connection, SQL, payment, &[&present_version])?;
    Ok(if updated == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The payment of an id.
pub(super) fn find(connection: &mut Connection, id: &PaymentId) -> Result<Option<Payment>> {
    const SQL: &str = "SELECT id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, duplicate_fingerprint, basket, identity,
            on_hold
        FROM payment WHERE id = $1";
    connection.row(SQL, &[&id.as_str()])?.map(|row| read(&row)).transpose()
}

/// Selects payments by a condition on the person $1, the TPP $2 and the status $3: created from $4 on and at or before
/// $5, and before the payment that was created at $5 with the number $6.
macro_rules! listing {
    ($condition:literal) => {
        concat!(
            "SELECT id, version, tpp, product, psu, context, corporate, transfer, fee, fee_currency,
                status, funds, authorised_at, created_at, duplicate_fingerprint, basket, identity, on_hold
            FROM payment
            WHERE created_at >= $4 AND (created_at, number) < ($5, $6) AND ",
            $condition,
            " ORDER BY created_at DESC, number DESC LIMIT $7"
        )
    };
}

const ALL: &str = listing!("$1::text IS NULL AND $2::text IS NULL AND $3::text IS NULL");
const OF_PSU: &str =
    listing!("psu = $1::text AND ($2::text IS NULL OR tpp = $2) AND ($3::text IS NULL OR status = $3)");
const OF_TPP: &str = listing!("$1::text IS NULL AND tpp = $2::text AND ($3::text IS NULL OR status = $3)");
const OF_STATUS: &str = listing!("$1::text IS NULL AND $2::text IS NULL AND status = $3::text");

/// The statement that reads the filter's payments from the narrowest index.
fn statement_of(filter: &PaymentFilter) -> &'static str {
    match filter {
        PaymentFilter { psu: Some(_), .. } => OF_PSU,
        PaymentFilter { tpp: Some(_), .. } => OF_TPP,
        PaymentFilter { status: Some(_), .. } => OF_STATUS,
        _ => ALL,
    }
}

/// The payments of a filter, the newest first, from those after a payment on.
pub(super) fn list(
    connection: &mut Connection,
    filter: &PaymentFilter,
    after: Option<&PaymentId>,
    at_most: usize,
) -> Result<Vec<Payment>> {
    const POSITION: &str = "SELECT created_at, number FROM payment WHERE id = $1";
    let end = (filter.created_to.map_or(i64::MAX, micros), i64::MIN);
    let before = match after {
        None => end,
        Some(id) => {
            let Some(row) = connection.row(POSITION, &[&id.as_str()])? else { return Ok(Vec::new()) };
            let mut columns = Columns::of(&row);
            end.min((columns.value()?, columns.value()?))
        }
    };
    let rows = connection.rows(
        statement_of(filter),
        &[
            &filter.psu.as_ref().map(PsuKey::as_str),
            &filter.tpp,
            &filter.status.map(PaymentStatus::as_str),
            &filter.created_from.map_or(i64::MIN, micros),
            &before.0,
            &before.1,
            &limit(at_most),
        ],
    )?;
    rows.iter().map(read).collect()
}

/// Runs a statement on what may change of a payment, in the order of the table, and on what else it takes.
fn write(
    connection: &mut Connection,
    sql: &'static str,
    payment: &Payment,
    others: &[&(dyn ToSql + Sync)],
) -> Result<u64> {
    let order = stored::to_text(&payment.order)
        .map_err(|_| Failure::Said(Error::Internal("an order has no text".to_owned())))?;
    let columns: [&(dyn ToSql + Sync); 16] = [
        &payment.id.as_str(),
        &i64::from(payment.version),
        &&*payment.tpp,
        &payment.product.path(),
        &payment.psu.as_ref().map(PsuKey::as_str),
        &payment.context.map(Context::as_str),
        &payment.corporate.as_ref().map(CorporateKey::as_str),
        &order,
        &payment.fee.to_string(),
        &payment.fee.currency().code(),
        &payment.status.as_str(),
        &payment.funds_available,
        &payment.authorised_at.map(micros),
        &payment.basket.as_ref().map(BasketId::as_str),
        &payment.identity.as_ref().map(IdentityNumber::as_str),
        &payment.on_hold,
    ];
    connection.execute(sql, &[&columns[..], others].concat())
}

fn read(row: &Row) -> Result<Payment> {
    let mut columns = Columns::of(row);
    Ok(Payment {
        id: columns.text(PaymentId::parse)?,
        version: columns.number()?,
        tpp: columns.value::<&str>()?.into(),
        product: columns.text(Product::of_path)?,
        psu: columns.optional_text(|text| Some(PsuKey::new(text)))?,
        context: columns.optional_text(|text| Context::parse(text).ok())?,
        corporate: columns.optional_text(|text| Some(CorporateKey::new(text)))?,
        order: columns.text(|text| stored::from_text(text).ok())?,
        fee: columns.money()?,
        status: columns.state()?,
        funds_available: columns.value()?,
        authorised_at: columns.optional_time()?,
        created_at: columns.time()?,
        duplicate_fingerprint: columns.value::<&[u8]>()?.try_into().map_err(|_| Failure::Unknown)?,
        basket: columns.optional_text(BasketId::parse)?,
        identity: columns.optional_text(|text| IdentityNumber::parse(text).ok())?,
        on_hold: columns.value()?,
    })
}
