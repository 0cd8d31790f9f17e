//! The ids by which TPPs know persons and corporate customers.

use tokio_postgres::types::FromSqlOwned;
use uuid::Uuid;

use super::client::Values;
use super::columns::Columns;
use super::connection::Connection;
use super::failure::Result;
use crate::store::CommitOutcome;
use crate::types::{CorporateKey, PsuKey};

/// Gives a person an id for a TPP. Fails where the person has one, or another has this one.
pub(super) fn remember(
    connection: &mut Connection,
    tpp: &str,
    psu: &PsuKey,
    psu_id: Uuid,
) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO psu_id (tpp, psu_id, psu) VALUES ($1, $2, $3)";
    connection.execute(SQL, &[&tpp, &psu_id, &psu.as_str()])?;
    Ok(CommitOutcome::Applied)
}

/// The person behind an id.
pub(super) fn by_id(connection: &mut Connection, tpp: &str, psu_id: Uuid) -> Result<Option<PsuKey>> {
    const SQL: &str = "SELECT psu FROM psu_id WHERE tpp = $1 AND psu_id = $2";
    Ok(first::<String>(connection, SQL, &[&tpp, &psu_id])?.map(PsuKey::new))
}

/// The id of a person.
pub(super) fn id_of(connection: &mut Connection, tpp: &str, psu: &PsuKey) -> Result<Option<Uuid>> {
    const SQL: &str = "SELECT psu_id FROM psu_id WHERE tpp = $1 AND psu = $2";
    first(connection, SQL, &[&tpp, &psu.as_str()])
}

/// Opens a corporate customer to a person of a TPP, under the one id the TPP has for it. Fails where the
/// TPP knows the customer by another id, another customer by this one, or the person has it already.
pub(super) fn remember_corporate(
    connection: &mut Connection,
    tpp: &str,
    psu: &PsuKey,
    corporate: &CorporateKey,
    corporate_id: Uuid,
) -> Result<CommitOutcome> {
    const NAME: &str =
        "INSERT INTO corporate_id (tpp, corporate_id, corporate) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    // Finds nothing if the insertion met another id or another customer, also one of another node: the insertion waited
    // for the end of that transaction, and this statement takes a new snapshot.
    const OPEN: &str = "INSERT INTO corporate_psu (tpp, corporate_id, psu)
        SELECT tpp, corporate_id, $4::text FROM corporate_id
        WHERE tpp = $1 AND corporate_id = $2 AND corporate = $3";
    connection.execute(NAME, &[&tpp, &corporate_id, &corporate.as_str()])?;
    let opened = connection.execute(OPEN, &[&tpp, &corporate_id, &corporate.as_str(), &psu.as_str()])?;
    Ok(if opened == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The corporate customer behind an id, if it was opened to the person.
pub(super) fn corporate_by_id(
    connection: &mut Connection,
    tpp: &str,
    psu: &PsuKey,
    corporate_id: Uuid,
) -> Result<Option<CorporateKey>> {
    const SQL: &str = "SELECT corporate FROM corporate_psu JOIN corporate_id USING (tpp, corporate_id)
        WHERE tpp = $1 AND corporate_id = $2 AND psu = $3";
    let found = first::<String>(connection, SQL, &[&tpp, &corporate_id, &psu.as_str()])?;
    Ok(found.map(CorporateKey::new))
}

/// The corporate customer behind an id, opened to any person.
pub(super) fn corporate_of_id(
    connection: &mut Connection,
    tpp: &str,
    corporate_id: Uuid,
) -> Result<Option<CorporateKey>> {
    const SQL: &str = "SELECT corporate FROM corporate_id WHERE tpp = $1 AND corporate_id = $2";
    let found = first::<String>(connection, SQL, &[&tpp, &corporate_id])?;
    Ok(found.map(CorporateKey::new))
}

/// The id of a corporate customer, opened to any person.
pub(super) fn corporate_id_of(
    connection: &mut Connection,
    tpp: &str,
    corporate: &CorporateKey,
) -> Result<Option<Uuid>> {
    const SQL: &str = "SELECT corporate_id FROM corporate_id WHERE tpp = $1 AND corporate = $2";
    first(connection, SQL, &[&tpp, &corporate.as_str()])
}

fn first<T: FromSqlOwned>(
    connection: &mut Connection,
    sql: &'static str,
    values: Values<'_>,
) -> Result<Option<T>> {
    connection.row(sql, values)?.map(|row| Columns::of(&row).value()).transpose()
}
