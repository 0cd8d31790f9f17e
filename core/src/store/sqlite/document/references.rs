//! References between rows. A refused row is reported once, with its own faults; the rows that refer to it are not
//! reported.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rusqlite::types::Value;
use rusqlite::{params_from_iter, Connection, Result};

use super::all_tables::tables;
use super::form::hex;
use super::table::{Link, Table};

/// What one or more columns of a row name.
pub(super) struct Reference {
    /// Their places among the columns of the table.
    pub(super) columns: Vec<usize>,
    key: Key,
}

/// What rows go by: the table, and columns of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    table: String,
    columns: Vec<String>,
}

/// The result of looking up the row that a reference names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// It is there.
    There,
    /// It was refused, or may have been: the key of a refused row could not be read.
    Refused,
    /// The document has no such row.
    Nowhere,
}

/// Whom rows name, and which rows were refused.
pub(super) struct References<'c> {
    connection: &'c Connection,
    /// By the name of the table.
    of_tables: BTreeMap<&'static str, Vec<Reference>>,
    /// What rows are named by.
    keys: BTreeSet<Key>,
    /// What refused rows go by.
    refused: HashSet<(Key, Vec<String>)>,
    /// Keys of which a refused row has an unreadable value.
    unread: HashSet<Key>,
}

impl<'c> References<'c> {
    /// Those of the schema, and those that the tables of a document declare.
    pub(super) fn of_schema(connection: &'c Connection) -> Result<Self> {
        let (mut of_tables, mut keys) = (BTreeMap::new(), BTreeSet::new());
        for table in tables() {
            let references = foreign_keys(connection, table)?;
            keys.extend(references.iter().map(|reference| reference.key.clone()));
            keys.extend(table.columns.iter().filter_map(|column| match column.link {
                Link::Row(other, named_by) => Some(Key::one(other, named_by)),
                Link::None | Link::NumberOf(_) => None,
            }));
            keys.extend(table.rest.map(|(other, column)| Key::one(other, column)));
            of_tables.insert(table.name, references);
        }
        Ok(Self { connection, of_tables, keys, refused: HashSet::new(), unread: HashSet::new() })
    }

    /// What the rows of a table name, beside what is looked up when everything is there.
    pub(super) fn of(&self, table: &Table) -> &[Reference] {
        self.of_tables.get(table.name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Remembers a row that was refused. What of it could not be read is null.
    pub(super) fn refuse(&mut self, table: &Table, values: &[Value]) {
        for key in self.keys.iter().filter(|key| key.table == table.name) {
            let value = |name: &String| {
                let place = table.columns.iter().position(|column| column.name == name)?;
                part(values.get(place)?)
            };
            match key.columns.iter().map(value).collect::<Option<Vec<_>>>() {
                Some(parts) => drop(self.refused.insert((key.clone(), parts))),
                None => drop(self.unread.insert(key.clone())),
            }
        }
    }

    /// Remembers that rows of a table could not be read at all.
    pub(super) fn refuse_unread(&mut self, table: &Table) {
        self.refuse(table, &[]);
    }

    /// What became of the row that a reference of a row names.
    pub(super) fn look_up(&self, reference: &Reference, values: &[Value]) -> Result<Named> {
        let named: Vec<_> = reference.columns.iter().filter_map(|place| values.get(*place)).collect();
        match named.iter().copied().map(part).collect::<Option<Vec<_>>>() {
            Some(parts) => self.named(&reference.key, &parts, &named),
            // An absent value refers to nothing; an unreadable one is reported at its own place.
            None => Ok(Named::There),
        }
    }

    /// What became of the row of a table that has that text in a column.
    pub(super) fn look_up_one(&self, table: &str, column: &str, text: &str) -> Result<Named> {
        self.named(&Key::one(table, column), &[text.to_owned()], &[&Value::Text(text.to_owned())])
    }

    fn named(&self, key: &Key, parts: &[String], values: &[&Value]) -> Result<Named> {
        let equal: Vec<_> = key.columns.iter().map(|column| format!("{column} = ?")).collect();
        let query = format!("SELECT EXISTS (SELECT 1 FROM {} WHERE {})", key.table, equal.join(" AND "));
        let mut statement = self.connection.prepare_cached(&query)?;
        Ok(match statement.query_row(params_from_iter(values), |row| row.get(0))? {
            true => Named::There,
            false if self.is_refused(key, parts) => Named::Refused,
            false => Named::Nowhere,
        })
    }

    fn is_refused(&self, key: &Key, parts: &[String]) -> bool {
        self.unread.contains(key) || self.refused.contains(&(key.clone(), parts.to_vec()))
    }
}

impl Key {
    fn one(table: &str, column: &str) -> Self {
        Self { table: table.to_owned(), columns: vec![column.to_owned()] }
    }
}

/// The foreign keys of a table in the schema. A reference by row number in the database is by id here.
fn foreign_keys(connection: &Connection, table: &Table) -> Result<Vec<Reference>> {
    const SQL: &str =
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq";
    let mut statement = connection.prepare_cached(SQL)?;
    let mut rows = statement.query([table.name])?;
    let mut found: BTreeMap<i64, Reference> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (other, from, to): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let place = table.columns.iter().position(|column| column.name == from);
        let by_id = place.and_then(|place| table.columns.get(place)).is_some_and(|column| column.is_by_id());
        let reference = found.entry(row.get(0)?).or_insert_with(|| Reference {
            columns: Vec::new(),
            key: Key { table: other, columns: Vec::new() },
        });
        reference.columns.extend(place);
        reference.key.columns.push(if by_id { "id".to_owned() } else { to });
    }
    Ok(found.into_values().collect())
}

/// A part of a key.
fn part(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Blob(bytes) => Some(hex(bytes)),
        Value::Null | Value::Real(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::sandbox::image;

    #[test]
    fn every_foreign_key_of_the_schema_names_an_earlier_table() {
        let connection = image::open_empty().unwrap();
        let references = References::of_schema(&connection).unwrap();
        let mut before = BTreeSet::new();
        let mut count = 0;
        for table in tables() {
            for reference in references.of(table) {
                assert!(before.contains(reference.key.table.as_str()), "{}", table.section);
                assert!(references.keys.contains(&reference.key), "{}", table.section);
                assert_eq!(reference.columns.len(), reference.key.columns.len(), "{}", table.section);
                count += reference.columns.len();
            }
            before.insert(table.name);
        }
        const SQL: &str = "SELECT count(*) FROM sqlite_schema, pragma_foreign_key_list(sqlite_schema.name)
            WHERE sqlite_schema.type = 'table'";
        assert_eq!(count, connection.query_row(SQL, [], |row| row.get::<_, usize>(0)).unwrap());
    }

    #[test]
    fn what_rows_are_named_by_are_columns_of_theirs() {
        let connection = image::open_empty().unwrap();
        for key in References::of_schema(&connection).unwrap().keys {
            let table = tables().find(|table| table.name == key.table).unwrap();
            for name in key.columns {
                assert!(table.columns.iter().any(|column| column.name == name), "{}.{name}", key.table);
            }
        }
    }
}
