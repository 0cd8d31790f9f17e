//! Which bank a database belongs to.

use rusqlite::{Connection, OptionalExtension, Result};

/// The id of the bank.
pub(super) fn find(connection: &Connection) -> Result<Option<String>> {
    const SQL: &str = "SELECT bank_id FROM bank_identity";
    connection.prepare_cached(SQL)?.query_row([], |row| row.get(0)).optional()
}

/// Stores an id unless there is one, and returns the one that is stored.
pub(super) fn keep(connection: &Connection, id: &str) -> Result<Option<String>> {
    const SQL: &str = "INSERT INTO bank_identity (number, bank_id) VALUES (1, ?1) ON CONFLICT DO NOTHING";
    connection.prepare_cached(SQL)?.execute([id])?;
    find(connection)
}
