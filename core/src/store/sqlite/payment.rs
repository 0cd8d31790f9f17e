//! Payments.

use chrono::{DateTime, Utc};
use rusqlite::{params, Connection, Error, OptionalExtension, Result, Row};

use super::columns::{limit, micros, Columns};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::payment::stored;
use crate::store::{CommitOutcome, PaymentFilter};
use crate::types::{BasketId, Context, CorporateKey, DecimalText, IdentityNumber, PaymentId, PsuKey};

/// Adds a payment, unless it is a duplicate. No other transaction writes between the look and the insertion.
pub(super) fn insert(
    connection: &Connection,
    payment: &Payment,
    duplicate_window_start: Option<DateTime<Utc>>,
    alternative_fingerprints: &[[u8; 32]],
) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO payment (id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, duplicate_fingerprint, basket,
            identity, on_hold)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
    if let Some(window_start) = duplicate_window_start {
        for fingerprint in std::iter::once(&payment.duplicate_fingerprint).chain(alternative_fingerprints) {
            if has_duplicate(connection, fingerprint, payment, window_start)? {
                return Ok(CommitOutcome::DuplicatePayment);
            }
        }
    }
    write(connection, SQL, payment)?;
    Ok(CommitOutcome::Applied)
}

/// Finds the duplicates of a payment (psu ?3) by a fingerprint (?1), from the start of the window (?2).
const FIND_DUPLICATE: &str = "SELECT 1 FROM payment
    WHERE duplicate_fingerprint = ?1 AND created_at >= ?2 AND status NOT IN ('RJCT', 'CANC')
        AND (psu IS NULL OR ?3 IS NULL OR psu = ?3)
    LIMIT 1";

/// Returns true if a payment with that fingerprint makes this one a duplicate.
fn has_duplicate(
    connection: &Connection,
    fingerprint: &[u8; 32],
    payment: &Payment,
    window_start: DateTime<Utc>,
) -> Result<bool> {
    let psu = payment.psu.as_ref().map(PsuKey::as_str);
    connection.prepare_cached(FIND_DUPLICATE)?.exists(params![fingerprint, micros(window_start), psu])
}

/// Replaces a payment that is one version behind; the time of its creation and its fingerprint stay.
pub(super) fn update(connection: &Connection, payment: &Payment) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE payment SET version = ?2, tpp = ?3, product = ?4, psu = ?5, context = ?6,
            corporate = ?7, transfer = ?8, fee = ?9, fee_currency = ?10, status = ?11, funds = ?12,
            authorised_at = ?13, basket = ?16, identity = ?17, on_hold = ?18
        WHERE id = ?1 AND version = ?2 - 1";
    let updated = write(connection, SQL, payment)?;
    debug_assert!(updated <= 1, "an id names one payment");
    Ok(if updated == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The number of a payment's row, which its events refer to.
pub(super) fn number(connection: &Connection, id: &PaymentId) -> Result<Option<i64>> {
    const SQL: &str = "SELECT number FROM payment WHERE id = ?1";
    connection.prepare_cached(SQL)?.query_row([id.as_str()], |row| row.get(0)).optional()
}

/// The payment of an id.
pub(super) fn find(connection: &Connection, id: &PaymentId) -> Result<Option<Payment>> {
    const SQL: &str =
        "SELECT id, version, tpp, product, psu, context, corporate, transfer, fee, fee_currency,
            status, funds, authorised_at, created_at, duplicate_fingerprint, basket, identity,
            on_hold
        FROM payment WHERE id = ?1";
    connection.prepare_cached(SQL)?.query_row([id.as_str()], read).optional()
}

/// The product of a payment; `None` if there is no such payment, or the product cannot be read.
pub(super) fn product(connection: &Connection, id: &PaymentId) -> Result<Option<Product>> {
    const SQL: &str = "SELECT product FROM payment WHERE id = ?1";
    let found = connection
        .prepare_cached(SQL)?
        .query_row([id.as_str()], |row| Ok(Columns::of(row).optional_text(Product::of_path).ok().flatten()));
    found.optional().map(Option::flatten)
}

/// Selects payments by a condition on the person ?1, the TPP ?2 and the status ?3: created from ?4 on and at or before
/// ?5, and before the payment that was created at ?5 with the number ?6.
macro_rules! listing {
    ($condition:literal) => {
        concat!(
            "SELECT id, version, tpp, product, psu, context, corporate, transfer, fee, fee_currency,
                status, funds, authorised_at, created_at, duplicate_fingerprint, basket, identity, on_hold
            FROM payment
            WHERE created_at >= ?4 AND (created_at, number) < (?5, ?6) AND ",
            $condition,
            " ORDER BY created_at DESC, number DESC LIMIT ?7"
        )
    };
}

const ALL: &str = listing!("?1 IS NULL AND ?2 IS NULL AND ?3 IS NULL");
const OF_PSU: &str = listing!("psu = ?1 AND (?2 IS NULL OR tpp = ?2) AND (?3 IS NULL OR status = ?3)");
const OF_TPP: &str = listing!("?1 IS NULL AND tpp = ?2 AND (?3 IS NULL OR status = ?3)");
const OF_STATUS: &str = listing!("?1 IS NULL AND ?2 IS NULL AND status = ?3");

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
    connection: &Connection,
    filter: &PaymentFilter,
    after: Option<&PaymentId>,
    at_most: usize,
) -> Result<Vec<Payment>> {
    const POSITION: &str = "SELECT created_at, number FROM payment WHERE id = ?1";
    let end = (filter.created_to.map_or(i64::MAX, micros), i64::MIN);
    let before = match after {
        None => end,
        Some(id) => {
            let position = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let found = connection.prepare_cached(POSITION)?.query_row([id.as_str()], position).optional()?;
            let Some(position) = found else { return Ok(Vec::new()) };
            end.min(position)
        }
    };
    let mut statement = connection.prepare_cached(statement_of(filter))?;
    let rows = statement.query_map(
        params![
            filter.psu.as_ref().map(PsuKey::as_str),
            filter.tpp,
            filter.status.map(PaymentStatus::as_str),
            filter.created_from.map_or(i64::MIN, micros),
            before.0,
            before.1,
            limit(at_most),
        ],
        read,
    )?;
    rows.collect()
}

/// Runs a statement on all columns of a payment, in the order of the table.
fn write(connection: &Connection, sql: &str, payment: &Payment) -> Result<usize> {
    let order =
        stored::to_text(&payment.order).map_err(|error| Error::ToSqlConversionFailure(Box::new(error)))?;
    let fee = DecimalText::of(payment.fee.value());
    connection.prepare_cached(sql)?.execute(params![
        payment.id.as_str(),
        payment.version,
        payment.tpp,
        payment.product.path(),
        payment.psu.as_ref().map(PsuKey::as_str),
        payment.context.map(Context::as_str),
        payment.corporate.as_ref().map(CorporateKey::as_str),
        order,
        fee.as_str(),
        payment.fee.currency().code(),
        payment.status.as_str(),
        payment.funds_available,
        payment.authorised_at.map(micros),
        micros(payment.created_at),
        payment.duplicate_fingerprint,
        payment.basket.as_ref().map(BasketId::as_str),
        payment.identity.as_ref().map(IdentityNumber::as_str),
        payment.on_hold,
    ])
}

fn read(row: &Row<'_>) -> Result<Payment> {
    let mut columns = Columns::of(row);
    Ok(Payment {
        id: columns.text(PaymentId::parse)?,
        version: columns.value()?,
        tpp: columns.value()?,
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
        duplicate_fingerprint: columns.value()?,
        basket: columns.optional_text(BasketId::parse)?,
        identity: columns.optional_text(|text| IdentityNumber::parse(text).ok())?,
        on_hold: columns.value()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::schema;

    #[test]
    fn duplicates_are_found_by_their_fingerprint_within_the_window() {
        let plan = schema::plan(FIND_DUPLICATE);
        let index = "payment_by_fingerprint (duplicate_fingerprint=? AND created_at>?)";
        assert!(plan.contains(index) && !plan.contains("SCAN"), "{plan}");
    }

    #[test]
    fn each_page_of_payments_is_read_from_an_index_in_its_order() {
        for (sql, index) in [
            (ALL, "payment_by_time (created_at"),
            (OF_PSU, "payment_by_psu (psu=? AND created_at"),
            (OF_TPP, "payment_by_tpp (tpp=? AND created_at"),
            (OF_STATUS, "payment_by_status (status=? AND created_at"),
        ] {
            let plan = schema::plan(sql);
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
