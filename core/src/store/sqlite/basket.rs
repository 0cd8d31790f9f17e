//! Signing baskets.

use rusqlite::{params, Connection, OptionalExtension, Result, Row};

use super::columns::{micros, Columns};
use crate::basket::record::Basket;
use crate::machine::Machine;
use crate::store::CommitOutcome;
use crate::types::{BasketId, Context, CorporateKey, PaymentId, PsuKey};

/// Adds a basket.
pub(super) fn insert(connection: &Connection, basket: &Basket) -> Result<CommitOutcome> {
    const SQL: &str =
        "INSERT INTO basket (id, version, tpp, payments, psu, context, corporate, state, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    write(connection, SQL, basket)?;
    Ok(CommitOutcome::Applied)
}

/// Replaces a basket that is one version behind.
pub(super) fn update(connection: &Connection, basket: &Basket) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE basket SET version = ?2, tpp = ?3, payments = ?4, psu = ?5, context = ?6,
            corporate = ?7, state = ?8, created_at = ?9
        WHERE id = ?1 AND version = ?2 - 1";
    let updated = write(connection, SQL, basket)?;
    Ok(if updated == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The basket of an id.
pub(super) fn find(connection: &Connection, id: &BasketId) -> Result<Option<Basket>> {
    const SQL: &str = "SELECT id, version, tpp, payments, psu, context, corporate, state, created_at
        FROM basket WHERE id = ?1";
    connection.prepare_cached(SQL)?.query_row([id.as_str()], read).optional()
}

/// Runs a statement on all columns of a basket, in the order of the table.
fn write(connection: &Connection, sql: &str, basket: &Basket) -> Result<usize> {
    let payments: Vec<_> = basket.payments.iter().map(PaymentId::as_str).collect();
    connection.prepare_cached(sql)?.execute(params![
        basket.id.as_str(),
        basket.version,
        basket.tpp,
        payments.join(" "),
        basket.psu.as_str(),
        basket.context.as_str(),
        basket.corporate.as_ref().map(CorporateKey::as_str),
        basket.state.as_str(),
        micros(basket.created_at),
    ])
}

fn read(row: &Row<'_>) -> Result<Basket> {
    let mut columns = Columns::of(row);
    Ok(Basket {
        id: columns.text(BasketId::parse)?,
        version: columns.value()?,
        tpp: columns.value()?,
        payments: columns.text(|text| text.split(' ').map(PaymentId::parse).collect())?,
        psu: columns.text(|text| Some(PsuKey::new(text)))?,
        context: columns.text(|text| Context::parse(text).ok())?,
        corporate: columns.optional_text(|text| Some(CorporateKey::new(text)))?,
        state: columns.state()?,
        created_at: columns.time()?,
    })
}
