//! The ids by which TPPs know persons and corporate customers.

use rusqlite::{Connection, OptionalExtension, Params, Result};
use uuid::Uuid;

use crate::store::CommitOutcome;
use crate::types::{CorporateKey, PsuKey};

/// Gives a person an id for a TPP. Fails where the person has one, or another has this one.
pub(super) fn remember(
    connection: &Connection,
    tpp: &str,
    psu: &PsuKey,
    psu_id: Uuid,
) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO psu_id (tpp, psu_id, psu) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(SQL)?.execute((tpp, psu_id.as_bytes(), psu.as_str()))?;
    Ok(CommitOutcome::Applied)
}

/// The person behind an id.
pub(super) fn by_id(connection: &Connection, tpp: &str, psu_id: Uuid) -> Result<Option<PsuKey>> {
    const SQL: &str = "SELECT psu FROM psu_id WHERE tpp = ?1 AND psu_id = ?2";
    Ok(first::<String>(connection, SQL, (tpp, psu_id.as_bytes()))?.map(PsuKey::new))
}

/// The id of a person.
pub(super) fn id_of(connection: &Connection, tpp: &str, psu: &PsuKey) -> Result<Option<Uuid>> {
    const SQL: &str = "SELECT psu_id FROM psu_id WHERE tpp = ?1 AND psu = ?2";
    Ok(first(connection, SQL, (tpp, psu.as_str()))?.map(Uuid::from_bytes))
}

/// Opens a corporate customer to a person of a TPP, under the one id the TPP has for it. Fails where the
/// TPP knows the customer by another id, another customer by this one, or the person has it already.
pub(super) fn remember_corporate(
    connection: &Connection,
    tpp: &str,
    psu: &PsuKey,
    corporate: &CorporateKey,
    corporate_id: Uuid,
) -> Result<CommitOutcome> {
    const NAME: &str =
        "INSERT INTO corporate_id (tpp, corporate_id, corporate) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    // Finds nothing where the insertion met another id or another customer.
    const OPEN: &str = "INSERT INTO corporate_psu (tpp, corporate_id, psu)
        SELECT tpp, corporate_id, ?4 FROM corporate_id WHERE tpp = ?1 AND corporate_id = ?2 AND corporate = ?3";
    let id = corporate_id.as_bytes();
    connection.prepare_cached(NAME)?.execute((tpp, id, corporate.as_str()))?;
    let opened = connection.prepare_cached(OPEN)?.execute((tpp, id, corporate.as_str(), psu.as_str()))?;
    Ok(if opened == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

/// The corporate customer behind an id, if it was opened to the person.
pub(super) fn corporate_by_id(
    connection: &Connection,
    tpp: &str,
    psu: &PsuKey,
    corporate_id: Uuid,
) -> Result<Option<CorporateKey>> {
    const SQL: &str = "SELECT corporate FROM corporate_psu JOIN corporate_id USING (tpp, corporate_id)
        WHERE tpp = ?1 AND corporate_id = ?2 AND psu = ?3";
    let found = first::<String>(connection, SQL, (tpp, corporate_id.as_bytes(), psu.as_str()))?;
    Ok(found.map(CorporateKey::new))
}

/// The corporate customer behind an id, whether it was opened to a person or not.
pub(super) fn corporate_of_id(
    connection: &Connection,
    tpp: &str,
    corporate_id: Uuid,
) -> Result<Option<CorporateKey>> {
    const SQL: &str = "SELECT corporate FROM corporate_id WHERE tpp = ?1 AND corporate_id = ?2";
    let found = first::<String>(connection, SQL, (tpp, corporate_id.as_bytes()))?;
    Ok(found.map(CorporateKey::new))
}

/// The id of a corporate customer, whether it was opened to a person or not.
pub(super) fn corporate_id_of(
    connection: &Connection,
    tpp: &str,
    corporate: &CorporateKey,
) -> Result<Option<Uuid>> {
    const SQL: &str = "SELECT corporate_id FROM corporate_id WHERE tpp = ?1 AND corporate = ?2";
    Ok(first(connection, SQL, (tpp, corporate.as_str()))?.map(Uuid::from_bytes))
}

fn first<T: rusqlite::types::FromSql>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<Option<T>> {
    connection.prepare_cached(sql)?.query_row(params, |row| row.get(0)).optional()
}
