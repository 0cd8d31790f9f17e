//! What a table is: its columns, their types and what they mean.

use arrow_schema::{DataType, TimeUnit};

use super::generated_row::{RowsOf, Value};

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Text.
    Text,
    /// Text of which a table has few different values, such as a currency.
    Code,
    /// A signed sum with five decimals, the most that a currency has (XDR); most have two.
    Money,
    /// An exchange rate, with all its decimals.
    Rate,
    /// A day.
    Day,
    /// A moment, to the microsecond, in UTC.
    Time,
    /// A whole number.
    Number,
    /// True or false.
    Flag,
}

impl Kind {
    /// Digits and decimals of a decimal type; `None` for another type.
    pub(super) const fn decimals(self) -> Option<(u8, i8)> {
        match self {
            // A ledger holds 18 digits before the point.
            Self::Money => Some((23, 5)),
            Self::Rate => Some((38, 28)),
            _ => None,
        }
    }

    /// The type in Arrow.
    pub(super) fn data_type(self) -> DataType {
        match (self, self.decimals()) {
            (_, Some((digits, decimals))) => DataType::Decimal128(digits, decimals),
            (Self::Code, _) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            (Self::Day, _) => DataType::Date32,
            (Self::Time, _) => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            (Self::Number, _) => DataType::Int64,
            (Self::Flag, _) => DataType::Boolean,
            _ => DataType::Utf8,
        }
    }

    /// The type as Arrow's documentation calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "utf8",
            Self::Code => "dictionary of utf8",
            Self::Money => "decimal128(23, 5)",
            Self::Rate => "decimal128(38, 28)",
            Self::Day => "date32",
            Self::Time => "timestamp[us, UTC]",
            Self::Number => "int64",
            Self::Flag => "bool",
        }
    }
}

/// A column of a table.
#[derive(Debug)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// Whether a value may be null.
    pub is_optional: bool,
    /// Its value in a sandbox's database, in SQL.
    pub(super) sql: &'static str,
    /// Its value in a row of a population.
    pub(super) generated: Value,
    /// What it holds.
    pub meaning: &'static str,
    /// The column of a table that it joins with, such as `accounts.id`.
    pub refers_to: Option<&'static str>,
}

/// A column that has a value in every row.
pub(super) const fn has(name: &'static str, kind: Kind, sql: &'static str, meaning: &'static str) -> Column {
    Column { name, kind, is_optional: false, sql, generated: |_| None, meaning, refers_to: None }
}

/// A column that may be null.
pub(super) const fn may(name: &'static str, kind: Kind, sql: &'static str, meaning: &'static str) -> Column {
    Column { is_optional: true, ..has(name, kind, sql, meaning) }
}

impl Column {
    /// The same column, which joins with another.
    pub(super) const fn joins(self, refers_to: &'static str) -> Self {
        Self { refers_to: Some(refers_to), ..self }
    }

    /// The same column, with its value in a row of a population.
    pub(super) const fn of(self, generated: Value) -> Self {
        Self { generated, ..self }
    }
}

/// A table.
#[derive(Debug)]
#[non_exhaustive]
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// What a row is.
    pub meaning: &'static str,
    /// Where its rows are in a sandbox's database, in SQL.
    pub(super) from: &'static str,
    /// What its rows are sorted by, in SQL. It has an index, and is unique.
    pub(super) key: &'static str,
    /// What its rows are in a population, if it has such a table.
    pub(super) generated: Option<RowsOf>,
    /// Its columns.
    pub columns: &'static [Column],
}
