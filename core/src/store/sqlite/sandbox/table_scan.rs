//! The rows of one table, a part at a time: between the parts nothing is held, and the sandbox can be written.

use std::borrow::Cow;
use std::sync::Weak;

use chrono::NaiveDate;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row};
use rust_decimal::Decimal;

use crate::error::{Error, Result};
use crate::store::sqlite::failure::failed;
use crate::store::sqlite::Database;

/// How many rows one part has at most. Other writes of a database in memory wait while it is read.
const ROWS: usize = 16_384;

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell<'a> {
    /// None.
    Null,
    /// A text. In the database a sum, a rate and a day are texts too.
    Text(Cow<'a, str>),
    /// A whole number, microseconds since 1970, or 0 or 1.
    Integer(i64),
    /// A sum or a rate.
    Decimal(Decimal),
    /// A day.
    Day(NaiveDate),
}

/// Takes the value of a column; the columns of a row come in their order, and the rows one after the other.
pub(crate) type TakeCell<'t> = &'t mut dyn FnMut(usize, Cell<'_>) -> Result<()>;

/// What is read, in SQL.
#[derive(Debug)]
pub(crate) struct ScanQuery {
    pub(crate) from: &'static str,
    /// What the rows are sorted by: unique, and with an index.
    pub(crate) key: &'static str,
    pub(crate) columns: Vec<&'static str>,
}

/// A reading of a table that has got so far.
pub(crate) struct TableScan {
    database: Weak<Database>,
    query: ScanQuery,
    /// The keys of the rows that are left: the first one, whether it was read already, and the last one.
    left: Option<(Value, bool, Value)>,
    has_begun: bool,
}

impl TableScan {
    /// One that begins with the first row when the first part is asked for.
    pub(crate) fn of(database: Weak<Database>, query: ScanQuery) -> Self {
        Self { database, query, left: None, has_begun: false }
    }

    /// Reads the next part: one state of the database. Rows that were added since the reading began are left out.
    /// Returns false at the end.
    ///
    /// # Errors
    /// [`Error::Misuse`] where the sandbox was closed; [`Error::Store`]; what `take` fails with.
    pub(crate) fn read(&mut self, take: TakeCell<'_>) -> Result<bool> {
        let database = self
            .database
            .upgrade()
            .ok_or_else(|| Error::Misuse("the sandbox of the table is closed".to_owned()))?;
        database.read(|connection| {
            if !self.has_begun {
                self.left = self.keys(connection)?;
                self.has_begun = true;
            }
            let Some((first, was_read, last)) = self.left.take() else { return Ok(Ok(false)) };
            let part = self.read_part(connection, (first, was_read, &last), take)?;
            Ok(part.map(|reached| {
                self.left = reached.map(|reached| (reached, true, last));
                true
            }))
        })?
    }

    /// The first key and the last one; `None` of a table without rows.
    fn keys(&self, connection: &Connection) -> rusqlite::Result<Option<(Value, bool, Value)>> {
        let ScanQuery { from, key, .. } = self.query;
        let query = format!("SELECT (SELECT min({key}) FROM {from}), (SELECT max({key}) FROM {from})");
        let keys: (Value, Value) = connection.query_row(&query, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Some(keys).filter(|(first, _)| *first != Value::Null).map(|(first, last)| (first, false, last)))
    }

    /// Reads rows up to the last key, and returns the key that it reached if there may be more.
    fn read_part(
        &self,
        connection: &Connection,
        (first, was_read, last): (Value, bool, &Value),
        take: TakeCell<'_>,
    ) -> rusqlite::Result<Result<Option<Value>>> {
        let ScanQuery { from, key, columns } = &self.query;
        let (columns, beyond) = (columns.join(", "), if was_read { ">" } else { ">=" });
        let query = format!(
            "SELECT {key}, {columns} FROM {from} WHERE {key} {beyond} ? AND {key} <= ? ORDER BY {key} LIMIT {ROWS}"
        );
        let mut statement = connection.prepare_cached(&query)?;
        let mut rows = statement.query((first, last))?;
        let (mut count, mut reached) = (0, Value::Null);
        while let Some(row) = rows.next()? {
            if let Err(error) = self.take_row(row, take) {
                return Ok(Err(error));
            }
            count += 1;
            if count == ROWS {
                reached = row.get(0)?;
            }
        }
        Ok(Ok(Some(reached).filter(|reached| *reached != Value::Null)))
    }

    fn take_row(&self, row: &Row<'_>, take: TakeCell<'_>) -> Result<()> {
        for (column, sql) in self.query.columns.iter().enumerate() {
            let foreign = || Error::Store(format!("{sql} holds what cannot be read").into());
            let cell = match row.get_ref(column + 1).map_err(failed)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(number) => Cell::Integer(number),
                ValueRef::Text(bytes) => {
                    Cell::Text(Cow::Borrowed(std::str::from_utf8(bytes).map_err(|_| foreign())?))
                }
                ValueRef::Real(_) | ValueRef::Blob(_) => return Err(foreign()),
            };
            take(column, cell)?;
        }
        Ok(())
    }
}
