//! How tables and their columns are called in a document, and what form their values have there.

use chrono::NaiveDate;
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use rust_decimal::Decimal;

use super::form::Form;
use crate::types::{Currency, Money};

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
    /// Where the other rows of the proof are: a table, and its column that refers to the row.
    pub(super) rest: Option<(&'static str, &'static str)>,
    /// What its values say of each other.
    pub(super) check: Option<fn(&WholeRow<'_>) -> Vec<Wrong>>,
    /// A column whose value is computed from the others of its row; its value in a document is not used.
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

/// A row as it will be stored, each value of its form.
pub(super) struct WholeRow<'r> {
    pub(super) table: &'static Table,
    /// In the order of the table's columns.
    pub(super) values: &'r [Value],
}

/// The column that is at fault, and why.
pub(super) type Wrong = (&'static str, &'static str);

impl WholeRow<'_> {
    pub(super) fn value(&self, column: &str) -> Option<&Value> {
        let place = self.table.columns.iter().position(|known| known.name == column)?;
        self.values.get(place)
    }

    /// A text that is there.
    pub(super) fn text(&self, column: &str) -> Option<&str> {
        match self.value(column) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_absent(&self, column: &str) -> bool {
        matches!(self.value(column), None | Some(Value::Null))
    }

    /// A day that is there.
    pub(super) fn day(&self, column: &str) -> Option<NaiveDate> {
        self.text(column)?.parse().ok()
    }

    /// A sum that is there, in the currency of another column.
    pub(super) fn sum(&self, column: &str, currency: &str) -> Option<Money> {
        let currency = Currency::parse(self.text(currency)?).ok()?;
        Money::parse(self.text(column)?, currency).ok()
    }

    pub(super) fn is_negative(&self, column: &str) -> bool {
        let sum = self.text(column).and_then(|sum| sum.parse::<Decimal>().ok());
        sum.is_some_and(|sum| sum < Decimal::ZERO)
    }
}
