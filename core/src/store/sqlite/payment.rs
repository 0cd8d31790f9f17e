//! Payments.

use rusqlite::{params, Connection, Error, OptionalExtension, Result, Row};

use super::columns::{micros, Columns};
use super::creation::Creation;
use super::known_likenesses::KnownLikenesses;
use super::opening_link;
use crate::machine::Machine;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::payment::stored;
use crate::sca::record::Authorisation;
use crate::store::seam::{Committed, UsedRequestId};
use crate::types::{BasketId, Context, CorporateKey, DecimalText, IdentityNumber, PaymentId, PsuKey};

/// How far the times of payments may run against the order of their rows, in microseconds: an hour, for clocks are set
/// back.
pub(super) const DISORDER_MAX: i64 = 60 * 60 * 1_000_000;

/// Adds a payment, unless a like one stands in the way. Nobody else writes between the look and the insertion.
pub(super) fn insert(
    connection: &Connection,
    likenesses: &KnownLikenesses,
    creation: &Creation<'_>,
) -> Result<Committed> {
    const SQL: &str = "INSERT INTO payment (id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, likeness, basket, identity,
            request_id, link, link_redirect_uri, link_session_id, link_language, link_brand)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
            ?18, ?19, ?20, ?21, ?22, ?23)";
    let payment = creation.payment;
    let alike = std::iter::once(&payment.likeness).chain(creation.also_like);
    match creation.refuse_like_since {
        Some(since) if likenesses.stand_in_the_way(connection, alike, payment, since)? => {
            return Ok(Committed::LogicalDuplicate);
        }
        Some(_) => {}
        None => likenesses.keep_up(connection, payment)?,
    }
    write(connection, SQL, payment, creation.used, creation.link)?;
    likenesses.add(connection.last_insert_rowid(), payment);
    Ok(Committed::Done)
}

/// Replaces a payment that is one version behind; when it was created and what it looks like stay. Its link leaves the
/// row.
pub(super) fn update(
    connection: &Connection,
    likenesses: &KnownLikenesses,
    payment: &Payment,
) -> Result<Committed> {
    const SQL: &str = "UPDATE payment SET version = ?2, tpp = ?3, product = ?4, psu = ?5, context = ?6,
            corporate = ?7, transfer = ?8, fee = ?9, fee_currency = ?10, status = ?11, funds = ?12,
            authorised_at = ?13, basket = ?16, identity = ?17,
            link = ?19, link_redirect_uri = ?20, link_session_id = ?21, link_language = ?22, link_brand = ?23
        WHERE id = ?1 AND version = ?2 - 1";
    likenesses.payment_changed();
    opening_link::copy_that_of(connection, payment)?;
    let updated = write(connection, SQL, payment, None, None)?;
    Ok(if updated == 1 { Committed::Done } else { Committed::RaceLost })
}

/// The payment of an id.
pub(super) fn find(connection: &Connection, id: &PaymentId) -> Result<Option<Payment>> {
    const SQL: &str = "SELECT id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, likeness, basket, identity
        FROM payment WHERE id = ?1";
    connection.prepare_cached(SQL)?.query_row([id.as_str()], read).optional()
}

/// Runs a statement on all columns of a payment, in the order of the table.
fn write(
    connection: &Connection,
    sql: &str,
    payment: &Payment,
    used: Option<&UsedRequestId>,
    link: Option<&Authorisation>,
) -> Result<usize> {
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
        payment.likeness,
        payment.basket.as_ref().map(BasketId::as_str),
        payment.identity.as_ref().map(IdentityNumber::as_str),
        used.map(|used| used.request_id.as_bytes()),
        link.map(|link| link.id.as_str()),
        link.map(|link| link.redirect_uri.as_str()),
        link.map(|link| &link.session_id),
        link.map(|link| link.language.tag()),
        link.and_then(|link| link.brand.as_ref()),
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
        likeness: columns.value()?,
        basket: columns.optional_text(BasketId::parse)?,
        identity: columns.optional_text(|text| IdentityNumber::parse(text).ok())?,
    })
}
