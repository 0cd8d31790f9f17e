//! From a document to a database: every value is looked at by itself, then what they say of each other.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{params_from_iter, Connection, ErrorCode, Statement};

use super::all_tables::tables;
use super::between_rows::RULES;
use super::faults::{segment, Faults};
use super::references::{Named, Reference, References};
use super::table::{Column, Link, Table, WholeRow};

use crate::error::Result;
use crate::store::sqlite::failure::failed;
use crate::store::sqlite::sandbox::image;
use crate::store::sqlite::Database;
use crate::wire::json::Json;
use crate::wire::reader::{find, Members};

const MISSING: &str = "is missing";
const DANGLING: &str = "names what is not there";

/// What is looked up when everything is there: where it was named, the table and the column, the id.
type ToLookUp = (String, &'static str, &'static str, String);

impl Database {
    /// A database in memory with what the sections of a document hold. Every fault is added to `faults`; the database
    /// is complete if none was added.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) where memory runs out.
    pub fn of_sections(members: &Members<'_>, faults: &mut Faults) -> Result<Self> {
        let connection = image::open_empty()?;
        let work = connection.unchecked_transaction().map_err(failed)?;
        let references = References::of_schema(&connection).map_err(failed)?;
        let mut loading =
            Loading { connection: &connection, faults, references, named: Vec::new(), proofs: Vec::new() };
        tables().try_for_each(|table| loading.section(table, members))?;
        loading.look_up()?;
        loading.look_between(members)?;
        work.commit().map_err(failed)?;
        Ok(Self::in_memory(connection))
    }
}

struct Loading<'l> {
    connection: &'l Connection,
    faults: &'l mut Faults,
    references: References<'l>,
    named: Vec<ToLookUp>,
    proofs: Vec<(String, &'static Table, String)>,
}

impl Loading<'_> {
    fn section(&mut self, table: &'static Table, members: &Members<'_>) -> Result<()> {
        let pointer = format!("/{}", table.section);
        let rows = match find(members, table.section) {
            Some(Json::Array(rows)) => rows.as_slice(),
            other => {
                self.faults.add(&pointer, if other.is_some() { "must be an array" } else { MISSING });
                self.references.refuse_unread(table);
                return Ok(());
            }
        };
        let mut statement = self.connection.prepare(&insertion(table)).map_err(failed)?;
        for (index, row) in rows.iter().enumerate() {
            self.row(table, row, &format!("{pointer}/{index}"), &mut statement)?;
        }
        Ok(())
    }

    fn row(
        &mut self,
        table: &'static Table,
        row: &Json<'_>,
        pointer: &str,
        insertion: &mut Statement<'_>,
    ) -> Result<()> {
        let Json::Object(members) = row else {
            self.faults.add(pointer, "must be an object");
            self.references.refuse_unread(table);
            return Ok(());
        };
        let before = self.faults.count();
        let mut values = self.values(table, members, pointer);
        if self.faults.count() > before {
            return self.refuse(table, &values, pointer).map(drop);
        }
        // What is wrong here goes in all the same: others may name it, and are not at fault.
        self.look_at_whole(table, &mut values, pointer);
        match insertion.execute(params_from_iter(&values)) {
            Ok(_) => {}
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                let is_dangling = self.refuse(table, &values, pointer)?;
                match constraint(&error) {
                    DANGLING if is_dangling => {}
                    what => self.faults.add(pointer, what),
                }
                return Ok(());
            }
            Err(error) => return Err(failed(error)),
        }
        if let (Some(_), Some(Json::String(id))) = (table.proof, id_of(members)) {
            self.proofs.push((pointer.to_owned(), table, id.to_string()));
        }
        Ok(())
    }

    /// The values of a row in the order of its columns; null after a fault.
    fn values(&mut self, table: &Table, members: &Members<'_>, pointer: &str) -> Vec<Value> {
        for (index, (name, _)) in members.iter().enumerate() {
            let place = || format!("{pointer}/{}", segment(name));
            if !table.columns.iter().any(|column| column.member == name) {
                self.faults.add(&place(), "is not known");
            } else if members.iter().take(index).any(|(earlier, _)| earlier == name) {
                self.faults.add(&place(), "is there twice");
            }
        }
        table.columns.iter().map(|column| self.value(table, column, members, pointer)).collect()
    }

    /// Leaves a row out. What it names itself is looked up all the same: whether something of that is not there.
    fn refuse(&mut self, table: &'static Table, values: &[Value], pointer: &str) -> Result<bool> {
        let mut is_dangling = false;
        for reference in self.references.of(table) {
            let named = self.references.look_up(reference, values).map_err(failed)?;
            is_dangling |= named != Named::There;
            if named == Named::Nowhere {
                self.faults.add(&place_of(table, reference, pointer), DANGLING);
            }
        }
        self.references.refuse(table, values);
        Ok(is_dangling)
    }

    /// What the values of a row say of each other, and what follows from them.
    fn look_at_whole(&mut self, table: &'static Table, values: &mut [Value], pointer: &str) {
        let member = |name: &str| {
            let column = table.columns.iter().find(|column| column.name == name);
            column.map_or("", |column| column.member)
        };
        let row = WholeRow { table, values };
        for (column, what) in table.check.map(|check| check(&row)).unwrap_or_default() {
            self.faults.add(&format!("{pointer}/{}", member(column)), what);
        }
        let Some((name, value)) = table.derived else { return };
        let Some(value) = value(&row) else { return };
        let places = table.columns.iter().zip(values);
        places.filter(|(column, _)| column.name == name).for_each(|(_, place)| *place = value.clone());
    }

    fn value(&mut self, table: &Table, column: &Column, members: &Members<'_>, pointer: &str) -> Value {
        let place = || format!("{pointer}/{}", column.member);
        let Some(shown) = find(members, column.member) else {
            if !column.is_optional {
                self.faults.add(&place(), MISSING);
            }
            return Value::Null;
        };
        let beside = |name: &str| {
            let column = table.columns.iter().find(|column| column.name == name)?;
            find(members, column.member)
        };
        match column.form.read(shown, beside) {
            Ok(value) => {
                if let Link::Row(other, named_by) = column.link {
                    let ids = words(&value).map(|id| (place(), other, named_by, id.to_owned()));
                    self.named.extend(ids);
                }
                value
            }
            Err(what) => {
                self.faults.add(&place(), what);
                Value::Null
            }
        }
    }

    /// Whom rows name, and what each is as a whole.
    fn look_up(&mut self) -> Result<()> {
        for (pointer, table, named_by, id) in std::mem::take(&mut self.named) {
            if self.references.look_up_one(table, named_by, &id).map_err(failed)? == Named::Nowhere {
                self.faults.add(&pointer, DANGLING);
            }
        }
        for (pointer, table, id) in std::mem::take(&mut self.proofs) {
            let Some((proof, otherwise)) = table.proof else { continue };
            if !matches!(proof(self.connection, &id), Ok(true)) && !self.is_rest_refused(table, &id)? {
                self.faults.add(&pointer, otherwise);
            }
        }
        Ok(())
    }

    /// Whether a row may be whole but for one that was refused.
    fn is_rest_refused(&self, table: &Table, id: &str) -> Result<bool> {
        let Some((rest, column)) = table.rest else { return Ok(false) };
        Ok(self.references.look_up_one(rest, column, id).map_err(failed)? == Named::Refused)
    }

    /// What rows of several tables must agree in.
    fn look_between(&mut self, members: &Members<'_>) -> Result<()> {
        for rule in RULES {
            let mut statement = self.connection.prepare(rule.broken).map_err(failed)?;
            let numbers = statement.query_map([], |row| row.get(0)).map_err(failed)?;
            let numbers: Vec<_> = numbers.collect::<rusqlite::Result<_>>().map_err(failed)?;
            for index in places(find(members, rule.section), &numbers) {
                self.faults.add(&format!("/{}/{index}/{}", rule.section, rule.member), rule.what);
            }
        }
        Ok(())
    }
}

/// Where a row names another: its member, or the row where it takes several.
fn place_of(table: &Table, reference: &Reference, pointer: &str) -> String {
    match reference.columns.as_slice() {
        [place] => {
            let member = table.columns.get(*place).map_or("", |column| column.member);
            format!("{pointer}/{member}")
        }
        _ => pointer.to_owned(),
    }
}

/// The positions of the rows with those numbers in their section.
fn places(section: Option<&Json<'_>>, numbers: &[i64]) -> Vec<usize> {
    let rows = match section {
        Some(Json::Array(rows)) if !numbers.is_empty() => rows.as_slice(),
        _ => &[],
    };
    let numbered = rows.iter().enumerate().filter_map(|(index, row)| match row.member("number") {
        Some(Json::Integer(number)) => Some((*number, index)),
        _ => None,
    });
    let places: HashMap<_, _> = numbered.collect();
    numbers.iter().map(|number| places.get(number).copied().unwrap_or_default()).collect()
}

/// The id of a row that has a proof: its own, or that of its payment.
fn id_of<'m, 'j>(members: &'m Members<'j>) -> Option<&'m Json<'j>> {
    find(members, "id").or_else(|| find(members, "payment"))
}

fn words(value: &Value) -> impl Iterator<Item = &str> {
    let text = match value {
        Value::Text(text) => text.as_str(),
        _ => "",
    };
    text.split_ascii_whitespace()
}

fn insertion(table: &Table) -> String {
    let names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
    let places: Vec<_> = table.columns.iter().map(place).collect();
    format!("INSERT INTO {} ({}) VALUES ({})", table.name, names.join(", "), places.join(", "))
}

fn place(column: &Column) -> String {
    match column.link {
        Link::NumberOf(other) => format!("(SELECT number FROM {other} WHERE id = ?)"),
        Link::None | Link::Row(..) => "?".to_owned(),
    }
}

/// Why SQLite refuses a row. Its own text names tables and columns, which the reader of a document does not know.
fn constraint(error: &rusqlite::Error) -> &'static str {
    use rusqlite::ffi;
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID,
        ) => "has an id or a number that another one has",
        Some(ffi::SQLITE_CONSTRAINT_FOREIGNKEY | ffi::SQLITE_CONSTRAINT_NOTNULL) => DANGLING,
        _ => "holds a value that cannot be",
    }
}
