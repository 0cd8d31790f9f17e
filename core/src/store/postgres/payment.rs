//! Payments.

use chrono::{DateTime, Utc};
use tokio_postgres::types::ToSql;
use tokio_postgres::Row;

use super::columns::{micros, Columns};
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;
use crate::machine::Machine;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::payment::stored;
use crate::store::seam::Committed;
use crate::types::{BasketId, Context, CorporateKey, IdentityNumber, PaymentId, PsuKey};

/// The lock of those who insert a payment that no like one may stand beside. Without it two of them would not see
/// each other's payment. It is held to the end of the transaction.
const LOCK: &str = "SELECT 1 FROM pg_advisory_xact_lock(1, hashtext(encode($1::bytea, 'hex')))";

/// Adds a payment, unless a like one stands in the way. Check and insertion are one statement, but for what else is
/// like it: the locks keep others out meanwhile. Without a time to look back to, the comparison with null finds
/// nothing.
pub(super) fn insert(
    connection: &mut Connection,
    payment: &Payment,
    refuse_like_since: Option<DateTime<Utc>>,
    also_like: &[[u8; 32]],
) -> Result<Committed> {
    // The condition on the status is that of the partial index.
    const SQL: &str = "INSERT INTO payment (id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, basket, identity, created_at, likeness)
        SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text,
            $9::text, $10::text, $11::text, $12::boolean, $13::bigint, $14::text, $15::text, $16::bigint,
            $17::bytea
        WHERE NOT EXISTS (
            SELECT 1 FROM payment
            WHERE likeness = $17 AND created_at >= $18 AND status NOT IN ('RJCT', 'CANC')
                AND (psu IS NULL OR $5 IS NULL OR psu = $5))";
    if refuse_like_since.is_some() {
        // In one order, so that of two who want the same ones none waits for the other in a circle.
        let mut likenesses = [&[payment.likeness], also_like].concat();
        likenesses.sort_unstable();
        likenesses.dedup();
        for likeness in likenesses {
            connection.row(LOCK, &[&likeness.as_slice()])?;
        }
    }
    for likeness in also_like {
        if stands_in_the_way(connection, likeness, payment, refuse_like_since)? {
            return Ok(Committed::LogicalDuplicate);
        }
    }
    let (created_at, likeness) = (micros(payment.created_at), payment.likeness.as_slice());
    let inserted =
        write(connection, SQL, payment, &[&created_at, &likeness, &refuse_like_since.map(micros)])?;
    Ok(if inserted == 1 { Committed::Done } else { Committed::LogicalDuplicate })
}

/// Whether a payment of that likeness stands in this one's way.
fn stands_in_the_way(
    connection: &mut Connection,
    likeness: &[u8; 32],
    payment: &Payment,
    since: Option<DateTime<Utc>>,
) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM payment
        WHERE likeness = $1::bytea AND created_at >= $2::bigint AND status NOT IN ('RJCT', 'CANC')
            AND (psu IS NULL OR $3::text IS NULL OR psu = $3::text)
        LIMIT 1";
    let psu = payment.psu.as_ref().map(PsuKey::as_str);
    Ok(connection.row(SQL, &[&likeness.as_slice(), &since.map(micros), &psu])?.is_some())
}

/// Replaces a payment that is one version behind; when it was created and what it looks like stay.
pub(super) fn update(connection: &mut Connection, payment: &Payment) -> Result<Committed> {
    const SQL: &str = "UPDATE payment SET version = $2, tpp = $3, product = $4, psu = $5, context = $6,
            corporate = $7, transfer = $8, fee = $9, fee_currency = $10, status = $11, funds = $12,
            authorised_at = $13, basket = $14, identity = $15
        WHERE id = $1 AND version = $16";
    let present_version = i64::from(payment.version) - 1;
    let updated = write(connection, SQL, payment, &[&present_version])?;
    Ok(if updated == 1 { Committed::Done } else { Committed::RaceLost })
}

/// The payment of an id.
pub(super) fn find(connection: &mut Connection, id: &PaymentId) -> Result<Option<Payment>> {
    const SQL: &str = "SELECT id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, likeness, basket, identity
        FROM payment WHERE id = $1";
    connection.row(SQL, &[&id.as_str()])?.map(|row| read(&row)).transpose()
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
    let columns: [&(dyn ToSql + Sync); 15] = [
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
        likeness: columns.value::<&[u8]>()?.try_into().map_err(|_| Failure::Unknown)?,
        basket: columns.optional_text(BasketId::parse)?,
        identity: columns.optional_text(|text| IdentityNumber::parse(text).ok())?,
    })
}
