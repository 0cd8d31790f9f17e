//! From a database to a document.

use std::borrow::Cow;

use rusqlite::{params_from_iter, Connection};

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
            Ok(tables().map(|table| Ok((table.section, written(connection, table, &ALL)?))).collect())
        })?
    }

    /// The newest rows of a section, newest first, written; with `only` those whose member has that text.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a section or a member that does not exist; [`Error::Store`] as [`Database::sections`].
    pub fn newest_rows(&self, section: &str, only: Option<(&str, &str)>, limit: u32) -> Result<String> {
        let table = tables().find(|table| table.section == section).ok_or_else(|| {
            let known: Vec<_> = Self::section_names().collect();
            Error::Misuse(format!("`{section}` is no section of the state: {}", known.join(", ")))
        })?;
        let condition = only.map(|(member, value)| Ok::<_, Error>((condition(table, member)?, value)));
        let chosen = Chosen { condition: condition.transpose()?, newest: Some(limit) };
        self.read(|connection| Ok(written(connection, table, &chosen)))?
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

/// Which rows, in which order.
struct Chosen<'c> {
    /// A condition in SQL with one parameter, and its value.
    condition: Option<(String, &'c str)>,
    /// Only so many of the last, the last one first.
    newest: Option<u32>,
}

const ALL: Chosen<'static> = Chosen { condition: None, newest: None };

fn written(connection: &Connection, table: &'static Table, chosen: &Chosen<'_>) -> Result<String> {
    let mut text = String::from("[");
    each_row(connection, table, chosen, |row| {
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
    each_row(connection, table, &ALL, |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

fn each_row(
    connection: &Connection,
    table: &'static Table,
    chosen: &Chosen<'_>,
    mut take: impl FnMut(Row) -> Result<()>,
) -> Result<()> {
    let columns: Vec<_> = table.columns.iter().map(|column| select(table, column)).collect();
    let filter = table
        .left_out
        .map_or("1".to_owned(), |(column, values)| format!("{column} NOT IN ('{}')", values.join("', '")));
    let (columns, rows) = (columns.join(", "), table.name);
    let condition = chosen.condition.as_ref().map_or("1", |(condition, _)| condition);
    let order = order(table, chosen.newest);
    let query = format!("SELECT {columns} FROM {rows} WHERE {filter} AND {condition} ORDER BY {order}");
    let mut statement = connection.prepare(&query).map_err(failed)?;
    let value = chosen.condition.iter().map(|(_, value)| value);
    let mut found = statement.query(params_from_iter(value)).map_err(failed)?;
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

/// The rows whose column of that member has a text.
fn condition(table: &Table, member: &str) -> Result<String> {
    let column = table
        .columns
        .iter()
        .find(|column| column.member == member)
        .ok_or_else(|| Error::Misuse(format!("a row of `{}` has no member `{member}`", table.section)))?;
    let name = column.name;
    Ok(match column.link {
        Link::NumberOf(other) => format!("{name} = (SELECT number FROM {other} WHERE id = ?)"),
        Link::None | Link::Row(..) => format!("{name} = ?"),
    })
}

fn order(table: &Table, newest: Option<u32>) -> String {
    let Some(limit) = newest else { return table.order.to_owned() };
    let columns: Vec<_> = table.order.split(", ").map(|column| format!("{column} DESC")).collect();
    format!("{} LIMIT {limit}", columns.join(", "))
}

fn select(table: &Table, column: &Column) -> String {
    match column.link {
        Link::NumberOf(other) => {
            format!("(SELECT {other}.id FROM {other} WHERE {other}.number = {}.{})", table.name, column.name)
        }
        Link::None | Link::Row(..) => column.name.to_owned(),
    }
}
