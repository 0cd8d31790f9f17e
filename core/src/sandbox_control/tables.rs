//! The tables of a sandbox.

use super::sandbox::Sandbox;
use crate::error::Result;
use crate::tables::{names_in_store, table_of_store, Table};

impl Sandbox {
    /// The names of the tables that [`Sandbox::table`] gives. docs/tables.md has their columns.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static str> {
        names_in_store().collect()
    }

    /// A table of what the bank holds; with `columns` those alone, in that order. It does not keep the sandbox open:
    /// once that is dropped, reading the table is an error.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a table or a column that does not exist, for a column that is named
    /// twice, and for no column.
    pub fn table(&self, name: &str, columns: Option<&[&str]>) -> Result<Table> {
        table_of_store(&self.database, name, columns)
    }
}
