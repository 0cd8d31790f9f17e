//! Payments.

use std::convert::Infallible;

use rusqlite::{params, Connection, Error, OptionalExtension, Result, Row};

use super::columns::{micros, Columns};
use super::creation::Creation;
use super::known_likenesses::KnownLikenesses;
use super::new_payment_place::{KnownEnd, NewPlace};
use super::opening_link;
use super::payment_place::{self, number_of};
use super::transaction::attempt;
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

/// Adds a payment, unless a like one stands in the way, or it is there. Nobody else writes between the look and the
/// insertion.
pub(super) fn insert(
    connection: &Connection,
    likenesses: &KnownLikenesses,
    end: &KnownEnd,
    creation: &Creation<'_>,
) -> Result<Committed> {
    let payment = creation.payment;
    let alike = std::iter::once(&payment.likeness).chain(creation.also_like);
    match creation.refuse_like_since {
        Some(since) if likenesses.stand_in_the_way(connection, alike, payment, since)? => {
            return Ok(Committed::LogicalDuplicate);
        }
        Some(_) => {}
        None => likenesses.keep_up(connection, payment)?,
    }
    match end.place_of(connection, &payment.id)? {
        NewPlace::Own(number) => append(connection, creation, number)?,
        NewPlace::Elsewhere(number) => append_elsewhere(connection, creation, number)?,
        NewPlace::Taken => return Ok(Committed::RaceLost),
    }
    likenesses.add(connection.last_insert_rowid(), payment);
    Ok(Committed::Done)
}

/// Adds a payment at another number than its place, or changes nothing.
fn append_elsewhere(connection: &Connection, creation: &Creation<'_>, number: i64) -> Result<()> {
    let added = attempt::<_, Infallible>(connection, |connection| {
        append(connection, creation, number)?;
        payment_place::note(connection, &creation.payment.id, number).map(Ok)
    });
    added.map(|Ok(())| ())
}

/// Adds a payment at a number behind all others.
fn append(connection: &Connection, creation: &Creation<'_>, number: i64) -> Result<()> {
    const SQL: &str = "INSERT INTO payment (id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, likeness, basket, identity,
            request_id, link, link_redirect_uri, link_session_id, link_language, link_brand, number)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
            ?18, ?19, ?20, ?21, ?22, ?23, ?24)";
    let Creation { payment, used, link, .. } = creation;
    write(connection, SQL, payment, *used, *link, number).map(drop)
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
        WHERE number = ?24 AND version = ?2 - 1";
    likenesses.payment_changed();
    let Some(number) = payment_place::find(connection, &payment.id)? else { return Ok(Committed::RaceLost) };
    opening_link::copy_that_of(connection, number, payment.version)?;
    let updated = write(connection, SQL, payment, None, None, number)?;
    Ok(if updated == 1 { Committed::Done } else { Committed::RaceLost })
}

/// The payment of an id.
pub(super) fn find(connection: &Connection, id: &PaymentId) -> Result<Option<Payment>> {
    const SQL: &str = concat!(
        "SELECT id, version, tpp, product, psu, context, corporate, transfer,
            fee, fee_currency, status, funds, authorised_at, created_at, likeness, basket, identity
        FROM payment WHERE number = ",
        number_of!("?1", "?2")
    );
    let mut statement = connection.prepare_cached(SQL)?;
    statement.query_row((id.as_str(), payment_place::of_payment(id)), read).optional()
}

/// The product of a payment; `None` where it is not there, or cannot be read.
pub(super) fn product(connection: &Connection, id: &PaymentId) -> Result<Option<Product>> {
    const SQL: &str = concat!("SELECT product FROM payment WHERE number = ", number_of!("?1", "?2"));
    let mut statement = connection.prepare_cached(SQL)?;
    let found = statement.query_row((id.as_str(), payment_place::of_payment(id)), |row| {
        Ok(Columns::of(row).optional_text(Product::of_path).ok().flatten())
    });
    found.optional().map(Option::flatten)
}

/// Runs a statement on all columns of a payment, in the order of the table.
fn write(
    connection: &Connection,
    sql: &str,
    payment: &Payment,
    used: Option<&UsedRequestId>,
    link: Option<&Authorisation>,
    number: i64,
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
        number,
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
