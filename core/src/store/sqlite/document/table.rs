//! How tables and their columns are called in a document, and what form their values have there.

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::bank_tables::BANK;
use super::engine_tables::ENGINE;
use super::form::Form;
use super::whole_row::{WholeRow, Wrong};

/// A table, as an array of objects.
pub(super) struct Table {
    /// The member of the document.
    pub(super) section: &'static str,
    /// Its name in SQL.
    pub(super) name: &'static str,
    /// A column, and the values of it whose rows stay out.
    pub(super) left_out: Option<(&'static str, &'static [&'static str])>,
    /// What its rows are sorted by, in SQL.
    pub(super) order: &'static str,
    /// Its columns; all of them.
    pub(super) columns: &'static [Column],
    /// Reads the row of that id as the engine or the bank does: what each value for itself does not show.
    pub(super) proof: Option<Proof>,
    /// Where the rest of what is read so stands: a table, and the column in which it names the row.
    pub(super) rest: Option<(&'static str, &'static str)>,
    /// What its values say of each other.
    pub(super) check: Option<fn(&WholeRow<'_>) -> Vec<Wrong>>,
    /// A column whose value follows from the others of its row, whatever a document says.
    pub(super) derived: Option<Derived>,
}

/// The name of a column, and what its value follows from.
pub(super) type Derived = (&'static str, fn(&WholeRow<'_>) -> Option<Value>);

/// Fails, or finds nothing, where a row cannot be read; and what is said then.
pub(super) type Proof = (fn(&Connection, &str) -> Result<bool>, &'static str);

/// A column, as a member.
pub(super) struct Column {
    /// Its name in SQL.
    pub(super) name: &'static str,
    /// The name of the member.
    pub(super) member: &'static str,
    /// The form of its values.
    pub(super) form: Form,
    /// Whether it may be null, which in a document is absence.
    pub(super) is_optional: bool,
    /// What it refers to.
    pub(super) link: Link,
}

/// What a column refers to.
pub(super) enum Link {
    /// Nothing, or something that the tables themselves see to.
    None,
    /// What a row of that table has in that column, looked up when everything is there.
    Row(&'static str, &'static str),
    /// In the database the number of a row of that table, in the document its id.
    NumberOf(&'static str),
}

impl Table {
    pub(super) const fn new(
        section: &'static str,
        name: &'static str,
        order: &'static str,
        columns: &'static [Column],
    ) -> Self {
        Self {
            section,
            name,
            left_out: None,
            order,
            columns,
            proof: None,
            rest: None,
            check: None,
            derived: None,
        }
    }

    pub(super) const fn proven(self, proof: fn(&Connection, &str) -> Result<bool>) -> Self {
        self.whole(proof, "its members do not fit each other")
    }

    pub(super) const fn whole(
        mut self,
        proof: fn(&Connection, &str) -> Result<bool>,
        otherwise: &'static str,
    ) -> Self {
        self.proof = Some((proof, otherwise));
        self
    }

    pub(super) const fn with_rest_in(mut self, table: &'static str, column: &'static str) -> Self {
        self.rest = Some((table, column));
        self
    }

    pub(super) const fn checked(mut self, check: fn(&WholeRow<'_>) -> Vec<Wrong>) -> Self {
        self.check = Some(check);
        self
    }

    pub(super) const fn deriving(
        mut self,
        column: &'static str,
        value: fn(&WholeRow<'_>) -> Option<Value>,
    ) -> Self {
        self.derived = Some((column, value));
        self
    }

    pub(super) const fn without(mut self, column: &'static str, values: &'static [&'static str]) -> Self {
        self.left_out = Some((column, values));
        self
    }
}

impl Column {
    pub(super) const fn linked(mut self, link: Link) -> Self {
        self.link = link;
        self
    }

    /// Whether it has a number where a document has an id.
    pub(super) const fn is_by_id(&self) -> bool {
        matches!(self.link, Link::NumberOf(_))
    }
}

/// A column that is never null.
pub(super) const fn has(name: &'static str, member: &'static str, form: Form) -> Column {
    Column { name, member, form, is_optional: false, link: Link::None }
}

/// A column that may be null.
pub(super) const fn may(name: &'static str, member: &'static str, form: Form) -> Column {
    Column { name, member, form, is_optional: true, link: Link::None }
}

/// Every table, parents before children.
pub(super) fn tables() -> impl Iterator<Item = &'static Table> {
    BANK.iter().chain(ENGINE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::store::sqlite::sandbox::image;

    /// Tables that triggers derive from others.
    const DERIVED: &[&str] = &["sandbox_line_count"];

    fn names(connection: &Connection, sql: &str) -> BTreeSet<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn every_table_and_every_column_of_the_schema_is_in_a_document() {
        let connection = image::open_empty().unwrap();
        let kept = names(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table'");
        let told = tables().map(|table| table.name).chain(DERIVED.iter().copied());
        assert_eq!(kept, told.map(str::to_owned).collect());
        for table in tables() {
            let kept = names(&connection, &format!("SELECT name FROM pragma_table_info('{}')", table.name));
            let told: BTreeSet<_> = table.columns.iter().map(|column| column.name.to_owned()).collect();
            assert_eq!(kept, told, "{}", table.name);
        }
    }

    #[test]
    fn what_may_be_absent_is_what_may_be_null() {
        let connection = image::open_empty().unwrap();
        for table in tables() {
            let sql = format!(
                "SELECT name FROM pragma_table_info('{}') WHERE \"notnull\" = 0 AND pk = 0",
                table.name
            );
            let optional = table.columns.iter().filter(|column| column.is_optional);
            let optional: BTreeSet<_> = optional.map(|column| column.name.to_owned()).collect();
            assert_eq!(names(&connection, &sql), optional, "{}", table.name);
        }
    }

    #[test]
    fn sections_and_members_have_names_of_their_own() {
        let sections: BTreeSet<_> = tables().map(|table| table.section).collect();
        assert_eq!(sections.len(), tables().count());
        for table in tables() {
            let members: BTreeSet<_> = table.columns.iter().map(|column| column.member).collect();
            assert_eq!(members.len(), table.columns.len(), "{}", table.section);
            assert!(members.iter().all(|member| member.bytes().all(|byte| byte.is_ascii_alphanumeric())));
        }
    }
}
