//! The tables of a sandbox, beside those of the engine. Their version is one of its facts.

use rusqlite::Connection;

use super::fact;
use crate::error::Result;
use crate::store::migration::Migration;
use crate::store::sqlite::database_role::DatabaseRole;
use crate::store::sqlite::failure::failed;
use crate::store::sqlite::schema::{Sequence, ENGINE};

pub(in crate::store::sqlite) const SANDBOX: Sequence = Sequence {
    migrations: &[Migration {
        sql: include_str!("../../../../migrations/sandbox/0001_sandbox.sql"),
        oldest_writer: 1,
    }],
    version: |connection, _| version(connection),
    set_version: |connection, _, migrations| {
        let version = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
        fact::set_number(connection, fact::SCHEMA_VERSION, version)
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
    SANDBOX.check_writer(fact::number(connection, fact::SCHEMA_VERSION).map_err(failed)?, None)
}
