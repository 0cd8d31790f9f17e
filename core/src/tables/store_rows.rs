//! Tables of a sandbox, read from its database.

use std::sync::{Arc, Weak};

use super::catalog::TABLES;
use super::column::{Column, Definition};
use super::rows::{Origin, Rows};
use super::table::{unknown, Table};
use crate::error::Result;
use crate::store::sqlite::sandbox::{ScanQuery, TableScan, TakeCell};
use crate::store::sqlite::Database;

/// The names of a sandbox's tables.
pub(crate) fn names_in_store() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|table| table.name)
}

/// A table of a sandbox; with `columns` those alone, in that order.
///
/// # Errors
/// [`Error::Misuse`](crate::Error::Misuse) for a table or a column that does not exist, and for a column that is named
/// twice.
pub(crate) fn table_of_store(
    database: &Arc<Database>,
    name: &str,
    columns: Option<&[&str]>,
) -> Result<Table> {
    let definition = TABLES.iter().find(|table| table.name == name);
    let definition = definition.ok_or_else(|| unknown("table", name, names_in_store()))?;
    let origin = StoredTable { database: Arc::downgrade(database), definition };
    Table::of(definition, columns, Arc::new(origin))
}

/// A table that does not keep its sandbox open.
struct StoredTable {
    database: Weak<Database>,
    definition: &'static Definition,
}

impl Origin for StoredTable {
    fn rows(&self, columns: &[&'static Column]) -> Box<dyn Rows> {
        let Definition { from, key, .. } = *self.definition;
        let columns = columns.iter().map(|column| column.sql).collect();
        Box::new(TableScan::of(Weak::clone(&self.database), ScanQuery { from, key, columns }))
    }
}

impl Rows for TableScan {
    fn next_part(&mut self, take: TakeCell<'_>) -> Result<bool> {
        self.read(take)
    }
}
