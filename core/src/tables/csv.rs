//! Rows as text: CSV, and the first rows to look at.

use std::io::Write as _;
use std::path::Path;

use super::column::{Column, Kind};
use super::rows::Rows;
use super::table::Table;
use super::whole_file::{write_whole, Out, Unfinished};
use crate::env::clock::from_micros;
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::Cell;
use crate::types::instant::rfc3339_micros;

/// What a line ends with (RFC 4180).
const LINE_END: &str = "\r\n";

impl Table {
    /// Writes the table as a CSV file by RFC 4180, with a line of names: UTF-8, times by RFC 3339, null as nothing and
    /// an empty text as `""`. The file is there whole or not at all; one of that name is replaced.
    ///
    /// # Errors
    /// [`Error::Store`] where the rows cannot be read, the folder does not exist or cannot be written, or the disk is
    /// full; [`Error::Misuse`] where the sandbox is closed. Nothing is changed then.
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |out| write(self.columns(), self.rows(), out))
    }

    /// The first rows as texts, as in a CSV file but not quoted; `None` for null.
    ///
    /// # Errors
    /// As [`Table::write_csv`].
    pub fn first_rows(&self, count: usize) -> Result<Vec<Vec<Option<String>>>> {
        first_rows(self.columns(), self.rows(), count)
    }
}

/// Writes the names of the columns and every row.
fn write(
    columns: &[&'static Column],
    mut rows: Box<dyn Rows>,
    out: &mut Out<'_>,
) -> std::result::Result<(), Unfinished> {
    let names: Vec<_> = columns.iter().map(|column| column.name).collect();
    let mut text = names.join(",") + LINE_END;
    loop {
        out.write_all(text.as_bytes()).map_err(Unfinished::file)?;
        text.clear();
        let is_part = rows.next_part(&mut |column, cell| {
            if let Some(value) = shown(kind_of(columns, column)?, cell) {
                push_field(&mut text, &value);
            }
            text.push_str(if column + 1 == columns.len() { LINE_END } else { "," });
            Ok(())
        });
        if !is_part.map_err(Unfinished::Rows)? {
            return Ok(());
        }
    }
}

/// The first rows, not quoted.
fn first_rows(
    columns: &[&'static Column],
    mut rows: Box<dyn Rows>,
    count: usize,
) -> Result<Vec<Vec<Option<String>>>> {
    let mut first: Vec<Vec<Option<String>>> = Vec::new();
    let mut is_part = true;
    while is_part && first.len() < count {
        is_part = rows.next_part(&mut |column, cell| {
            if column == 0 && first.len() < count {
                first.push(Vec::new());
            }
            // A row after the last one that is wanted finds that one filled.
            if let Some(row) = first.last_mut().filter(|row| row.len() == column) {
                row.push(shown(kind_of(columns, column)?, cell));
            }
            Ok(())
        })?;
    }
    Ok(first)
}

fn kind_of(columns: &[&'static Column], column: usize) -> Result<Kind> {
    let column = columns.get(column).map(|column| column.kind);
    column.ok_or_else(|| Error::Internal("a row has more values than columns".to_owned()))
}

/// A value as text; `None` for null.
fn shown(kind: Kind, cell: Cell<'_>) -> Option<String> {
    Some(match (kind, cell) {
        (_, Cell::Null) => return None,
        (_, Cell::Text(text)) => text.into_owned(),
        (Kind::Time, Cell::Integer(micros)) => rfc3339_micros(from_micros(micros)),
        (Kind::Flag, Cell::Integer(flag)) => (flag != 0).to_string(),
        (_, Cell::Integer(number)) => number.to_string(),
        (_, Cell::Decimal(decimal)) => decimal.to_string(),
        (_, Cell::Day(day)) => day.to_string(),
    })
}

/// Quotes what is empty, and what has a comma, a quote or a line break.
fn push_field(line: &mut String, value: &str) {
    if value.is_empty() || value.contains([',', '"', '\r', '\n']) {
        line.push('"');
        line.push_str(&value.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_quoted_where_it_must_be() {
        for (value, written) in [
            ("Husleie", "Husleie"),
            ("", "\"\""),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("two\nlines", "\"two\nlines\""),
        ] {
            let mut line = String::new();
            push_field(&mut line, value);
            assert_eq!(line, written);
        }
    }
}
