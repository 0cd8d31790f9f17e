//! `Table`: columns to be read, as often as wanted.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{Field, Schema, SchemaRef};

use super::catalog::SCHEMA_VERSION;
use super::column::{Column, Definition};
use super::reader::{ArrowArrayStream, ArrowSchema, Reader};
use super::rows::{Origin, Rows};
use super::watched::{Watch, WatchedOrigin};
use crate::error::{Error, Result};

/// A table of a sandbox, or some of its columns. It holds no rows: each reading begins with the first row of that
/// moment.
///
/// A reading takes some thousand rows at a time, and holds nothing in between. Each part is one state of the sandbox;
/// rows that are added after the reading began are left out.
#[derive(Clone)]
pub struct Table {
    definition: &'static Definition,
    columns: Vec<&'static Column>,
    schema: SchemaRef,
    origin: Arc<dyn Origin>,
}

impl Table {
    /// A table, or some of its columns.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a column that does not exist or is named twice, and for none at all.
    pub(super) fn of(
        definition: &'static Definition,
        columns: Option<&[&str]>,
        origin: Arc<dyn Origin>,
    ) -> Result<Self> {
        let columns = match columns {
            Some(names) => chosen(definition, names)?,
            None => definition.columns.iter().collect(),
        };
        let fields: Vec<_> = columns.iter().map(|column| field(column)).collect();
        let about =
            [("xs2a.table", definition.name.to_owned()), ("xs2a.version", SCHEMA_VERSION.to_string())];
        let about: HashMap<_, _> = about.map(|(key, value)| (key.to_owned(), value)).into();
        let schema = Arc::new(Schema::new_with_metadata(fields, about));
        Ok(Self { definition, columns, schema, origin })
    }

    /// The name of the table.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// The names of its columns, in their order.
    #[must_use]
    pub fn column_names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.name).collect()
    }

    /// The same table, whose readings call `watch` after each part: some thousand rows, or a neighbourhood of a
    /// population. An error that it returns ends the reading, and a file that is being written stays as it was.
    #[must_use]
    pub fn watched(&self, watch: Watch) -> Self {
        let inner = Arc::clone(&self.origin);
        Self { origin: Arc::new(WatchedOrigin { inner, watch }), ..self.clone() }
    }

    /// The schema, for Arrow's C data interface.
    ///
    /// # Errors
    /// [`Error::Internal`] where Arrow refuses it.
    pub fn exported_schema(&self) -> Result<ArrowSchema> {
        let exported = ArrowSchema::try_from(self.schema.as_ref());
        exported.map_err(|error| Error::Internal(format!("the schema of a table: {error}")))
    }

    /// The rows, for Arrow's C stream interface. Any thread may read them; an error ends them.
    #[must_use]
    pub fn arrow_stream(&self) -> ArrowArrayStream {
        ArrowArrayStream::new(Box::new(self.reader()))
    }

    /// The columns.
    pub(super) fn columns(&self) -> &[&'static Column] {
        &self.columns
    }

    /// The rows from the first one.
    pub(super) fn rows(&self) -> Box<dyn Rows> {
        self.origin.rows(&self.columns)
    }

    /// The same in batches.
    pub(super) fn reader(&self) -> Reader {
        Reader::of(SchemaRef::clone(&self.schema), self.columns.clone(), self.rows())
    }
}

/// The columns of those names.
fn chosen(definition: &'static Definition, names: &[&str]) -> Result<Vec<&'static Column>> {
    if names.is_empty() {
        return Err(Error::Misuse(format!("no column of `{}` is named", definition.name)));
    }
    let mut columns: Vec<&'static Column> = Vec::with_capacity(names.len());
    for name in names {
        let column = definition.columns.iter().find(|column| column.name == *name);
        let known = definition.columns.iter().map(|column| column.name);
        let column =
            column.ok_or_else(|| unknown(&format!("column of `{}`", definition.name), name, known))?;
        if columns.iter().any(|other| other.name == *name) {
            return Err(Error::Misuse(format!("column `{name}` is named twice")));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// The error for a name that does not exist, with those that do.
pub(super) fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Error {
    Error::Misuse(format!("`{name}` is no {what}: {}", known.collect::<Vec<_>>().join(", ")))
}

fn field(column: &Column) -> Field {
    Field::new(column.name, column.kind.data_type(), column.is_optional)
}
