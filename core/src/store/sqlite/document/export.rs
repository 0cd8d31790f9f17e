//! From a database to a document.

use std::borrow::Cow;

use rusqlite::Connection;

use super::all_tables::tables;
use super::table::{Column, Link, Table};
use crate::error::{Error, Result};
use crate::store::sqlite::failure::failed;
use crate::store::sqlite::Database;
use crate::wire::canonical;
use crate::wire::json::Json;

/// The members of a row that are not null, in the order of the table.
pub(crate) type Row = Vec<(&'static str, Json<'static>)>;

impl Database {
    /// The names of the sections of a document, in their order there: parents before children.
    pub fn section_names() -> impl Iterator<Item = &'static str> {
        tables().map(|table| table.section)
    }

    /// Every section with its rows, written.
    ///
    /// # Errors
    /// [`Error::Store`], also where the database holds what this library does not write.
    pub fn sections(&self) -> Result<Vec<(&'static str, String)>> {
        self.read(|connection| {
            Ok(tables().map(|table| Ok((table.section, written(connection, table)?))).collect())
        })?
    }

    /// The rows of each section in turn, with the section's name.
    ///
    /// # Errors
    /// As [`Database::sections`].
    pub fn rows_of_sections(&self) -> Result<Vec<(&'static str, Vec<Row>)>> {
        self.read(|connection| {
            Ok(tables().map(|table| Ok((table.section, rows(connection, table)?))).collect())
        })?
    }
}

fn written(connection: &Connection, table: &'static Table) -> Result<String> {
    let mut text = String::from("[");
    each_row(connection, table, |row| {
        let members = row.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect();
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&canonical::write(&Json::Object(members))?);
        Ok(())
    })?;
    text.push(']');
    Ok(text)
}

fn rows(connection: &Connection, table: &'static Table) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    each_row(connection, table, |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

fn each_row(
    connection: &Connection,
    table: &'static Table,
    mut take: impl FnMut(Row) -> Result<()>,
) -> Result<()> {
    let columns: Vec<_> = table.columns.iter().map(|column| select(table, column)).collect();
    let filter = table
        .left_out
        .map_or("1".to_owned(), |(column, values)| format!("{column} NOT IN ('{}')", values.join("', '")));
    let (columns, rows, order) = (columns.join(", "), table.name, table.order);
    let query = format!("SELECT {columns} FROM {rows} WHERE {filter} ORDER BY {order}");
    let mut statement = connection.prepare(&query).map_err(failed)?;
    let mut found = statement.query([]).map_err(failed)?;
    while let Some(stored) = found.next().map_err(failed)? {
        let mut row = Row::with_capacity(table.columns.len());
        for (index, column) in table.columns.iter().enumerate() {
            let value = stored.get_ref(index).map_err(failed)?;
            let foreign =
                |_| Error::Store(format!("{}.{} holds what cannot be read", table.name, column.name).into());
            if let Some(shown) = column.form.show(value).map_err(foreign)? {
                row.push((column.member, shown));
            }
        }
        take(row)?;
    }
    Ok(())
}

fn select(table: &Table, column: &Column) -> String {
    match column.link {
        Link::NumberOf(other) => {
            format!("(SELECT {other}.id FROM {other} WHERE {other}.number = {}.{})", table.name, column.name)
        }
        Link::None | Link::Row(..) => column.name.to_owned(),
    }
}
