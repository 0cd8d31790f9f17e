//! Authorisations.

use chrono::{DateTime, Utc};
use rusqlite::{params, Connection, OptionalExtension, Result, Row};

use super::columns::{limit, micros, Columns};
use crate::machine::Machine;
use crate::reason::Language;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::CommitOutcome;
use crate::types::{
    AuthorisationId, BasketId, Context, CorporateKey, IdentityNumber, PaymentId, PsuKey, RedirectUri,
};

/// Adds an authorisation.
pub(super) fn insert(connection: &Connection, authorisation: &Authorisation) -> Result<CommitOutcome> {
    const SQL: &str =
        "INSERT INTO authorisation (id, version, tpp, payment_id, redirect_uri, session_id, psu,
            identity, context, corporate, language, created_at, status, purpose, basket_id, brand,
            psu_language, redirect_preferred, tpp_name)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
    write(connection, SQL, authorisation)?;
    Ok(CommitOutcome::Applied)
}

/// Replaces an authorisation that is one version behind.
pub(super) fn update(connection: &Connection, authorisation: &Authorisation) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE authorisation SET version = ?2, tpp = ?3, payment_id = ?4, redirect_uri = ?5,
            session_id = ?6, psu = ?7, identity = ?8, context = ?9, corporate = ?10, language = ?11,
            created_at = ?12, status = ?13, purpose = ?14, basket_id = ?15, brand = ?16, psu_language = ?17,
            redirect_preferred = ?18, tpp_name = ?19
        WHERE id = ?1 AND version = ?2 - 1";
    let updated = write(connection, SQL, authorisation)?;
    Ok(if updated == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The authorisation of an id.
pub(super) fn find(connection: &Connection, id: &AuthorisationId) -> Result<Option<Authorisation>> {
    const SQL: &str = "SELECT id, version, tpp, redirect_uri, session_id, psu, identity, context,
            corporate, language, created_at, status, purpose, payment_id, basket_id, brand,
            psu_language, redirect_preferred, tpp_name
        FROM authorisation WHERE id = ?1";
    connection.prepare_cached(SQL)?.query_row([id.as_str()], read).optional()
}

/// Deletes at most that many of those created at or before a time.
pub(super) fn purge(connection: &Connection, until: DateTime<Utc>, at_most: usize) -> Result<usize> {
    const SQL: &str = "DELETE FROM authorisation WHERE id IN
        (SELECT id FROM authorisation WHERE created_at <= ?1 LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((micros(until), limit(at_most)))
}

/// Runs a statement on all columns of an authorisation, in the order of the table.
fn write(connection: &Connection, sql: &str, authorisation: &Authorisation) -> Result<usize> {
    let (purpose, payment_id, basket_id) = authorisation.purpose.parts();
    connection.prepare_cached(sql)?.execute(params![
        authorisation.id.as_str(),
        authorisation.version,
        authorisation.tpp,
        payment_id.map(PaymentId::as_str),
        authorisation.redirect_uri.as_str(),
        authorisation.session_id,
        authorisation.psu.as_ref().map(PsuKey::as_str),
        authorisation.identity.as_ref().map(IdentityNumber::as_str),
        authorisation.context.map(Context::as_str),
        authorisation.corporate.as_ref().map(CorporateKey::as_str),
        authorisation.language.tag(),
        micros(authorisation.created_at),
        authorisation.status.as_str(),
        purpose,
        basket_id.map(BasketId::as_str),
        authorisation.brand,
        authorisation.psu_language.tag(),
        authorisation.redirect_preferred,
        authorisation.tpp_name,
    ])
}

fn read(row: &Row<'_>) -> Result<Authorisation> {
    let mut columns = Columns::of(row);
    Ok(Authorisation {
        id: columns.text(AuthorisationId::parse)?,
        version: columns.value()?,
        tpp: columns.value()?,
        redirect_uri: columns.text(|text| RedirectUri::parse(text).ok())?,
        session_id: columns.value()?,
        psu: columns.optional_text(|text| Some(PsuKey::new(text)))?,
        identity: columns.optional_text(|text| IdentityNumber::parse(text).ok())?,
        context: columns.optional_text(|text| Context::parse(text).ok())?,
        corporate: columns.optional_text(|text| Some(CorporateKey::new(text)))?,
        language: columns.text(Language::of_tag)?,
        created_at: columns.time()?,
        status: columns.state()?,
        purpose: read_purpose(&mut columns)?,
        brand: columns.value()?,
        psu_language: columns.text(Language::of_tag)?,
        redirect_preferred: columns.value()?,
        tpp_name: columns.value()?,
    })
}

/// Three columns: the purpose, and the id of the payment or of the basket it is for.
fn read_purpose(columns: &mut Columns<'_>) -> Result<Purpose> {
    let purpose: String = columns.value()?;
    let payment = columns.optional_text(PaymentId::parse)?;
    let basket = columns.optional_text(BasketId::parse)?;
    Purpose::from_parts(&purpose, payment, basket).ok_or_else(|| columns.unknown())
}
