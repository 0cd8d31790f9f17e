//! Signing baskets.

use tokio_postgres::Row;

use super::columns::{micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::basket::record::Basket;
use crate::machine::Machine;
use crate::store::CommitOutcome;
use crate::types::{BasketId, Context, CorporateKey, PaymentId, PsuKey};

/// Adds a basket.
pub(super) fn insert(connection: &mut Connection, basket: &Basket) -> Result<CommitOutcome> {
    const SQL: &str =
        "INSERT INTO basket (id, version, tpp, payments, psu, context, corporate, state, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    write(connection, SQL, basket)?;
    Ok(CommitOutcome::Applied)
}

/// Replaces a basket that is one version behind.
pub(super) fn update(connection: &mut Connection, basket: &Basket) -> Result<CommitOutcome> {
    const SQL: &str =
        "UPDATE basket SET version = $2::bigint, tpp = $3, payments = $4, psu = $5, context = $6,
            corporate = $7, state = $8, created_at = $9
        WHERE id = $1 AND version = $2::bigint - 1";
    let updated = write(connection, SQL, basket)?;
    Ok(if updated == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The basket of an id.
pub(super) fn find(connection: &mut Connection, id: &BasketId) -> Result<Option<Basket>> {
    const SQL: &str = "SELECT id, version, tpp, payments, psu, context, corporate, state, created_at
        FROM basket WHERE id = $1";
    connection.row(SQL, &[&id.as_str()])?.map(|row| read(&row)).transpose()
}

/// Runs a statement on all columns of a basket, in the order of the table.
fn write(connection: &mut Connection, sql: &'static str, basket: &Basket) -> Result<u64> {
    let payments: Vec<_> = basket.payments.iter().map(PaymentId::as_str).collect();
    connection.execute(
        sql,
        &[
            &basket.id.as_str(),
            &i64::from(basket.version),
            &&*basket.tpp,
            &payments,
            &basket.psu.as_str(),
            &basket.context.as_str(),
            &basket.corporate.as_ref().map(CorporateKey::as_str),
            &basket.state.as_str(),
            &micros(basket.created_at),
        ],
    )
}

fn read(row: &Row) -> Result<Basket> {
    let mut columns = Columns::of(row);
    Ok(Basket {
        id: columns.text(BasketId::parse)?,
        version: columns.number()?,
        tpp: columns.value::<&str>()?.into(),
        payments: columns.texts(PaymentId::parse)?,
        psu: columns.text(|text| Some(PsuKey::new(text)))?,
        context: columns.text(|text| Context::parse(text).ok())?,
        corporate: columns.optional_text(|text| Some(CorporateKey::new(text)))?,
        state: columns.state()?,
        created_at: columns.time()?,
    })
}
