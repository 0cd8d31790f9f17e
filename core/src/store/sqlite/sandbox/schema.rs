//! The tables of a sandbox, beside those of the engine. Their version is one of its facts.

use rusqlite::Connection;

use super::fact;
use crate::error::Result;
use crate::store::sqlite::database_role::DatabaseRole;
use crate::store::sqlite::failure::failed;
use crate::store::sqlite::schema::{Sequence, ENGINE};

pub(in crate::store::sqlite) const SANDBOX: Sequence = Sequence {
    migrations: &[include_str!("../../../../migrations/sandbox/0001_sandbox.sql")],
    version: |connection, _| version(connection),
    set_version: |connection, _, version| {
        fact::set_number(connection, fact::SCHEMA_VERSION, i64::try_from(version).unwrap_or(i64::MAX))
    },
};

/// Creates the tables of a sandbox's database, or brings them to the present schema.
pub(super) fn migrate(connection: &Connection) -> Result<()> {
    ENGINE.migrate(connection, DatabaseRole::Sandbox)?;
    SANDBOX.migrate(connection, DatabaseRole::Sandbox)
}

/// The version of the tables; 0 for a database without them.
///
/// # Errors
/// [`Error::Store`](crate::Error::Store) for one that this library does not know.
fn version(connection: &Connection) -> Result<usize> {
    const HAS_TABLES: &str = "SELECT 1 FROM sqlite_schema WHERE name = 'sandbox_fact'";
    if !connection.prepare(HAS_TABLES).and_then(|mut query| query.exists([])).map_err(failed)? {
        return Ok(0);
    }
    SANDBOX.known(fact::number(connection, fact::SCHEMA_VERSION).map_err(failed)?)
}
