//! Which bank a database belongs to.

use super::columns::Columns;
use super::connection::Connection;
use super::failure::Result;

/// The id of the bank.
pub(super) fn find(connection: &mut Connection) -> Result<Option<String>> {
    const SQL: &str = "SELECT bank_id FROM bank_identity";
    connection.row(SQL, &[])?.map(|row| Columns::of(&row).value()).transpose()
}

/// Stores an id unless there is one.
pub(super) fn keep(connection: &mut Connection, id: &str) -> Result<()> {
    const SQL: &str = "INSERT INTO bank_identity (number, bank_id) VALUES (1, $1) ON CONFLICT DO NOTHING";
    connection.execute(SQL, &[&id]).map(drop)
}
