//! Rows become columns.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Date32Builder, Decimal128Builder, Int64Builder, StringBuilder,
    StringDictionaryBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::column::{Column, Kind};
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::Cell;

/// The columns of a batch that grows.
pub(super) struct Batch {
    columns: Vec<(&'static Column, Values)>,
}

/// The values of one column.
enum Values {
    Text(StringBuilder),
    Code(StringDictionaryBuilder<Int32Type>),
    Decimal(Decimal128Builder),
    Day(Date32Builder),
    Time(TimestampMicrosecondBuilder),
    Number(Int64Builder),
    Flag(BooleanBuilder),
}

impl Batch {
    /// One without rows.
    pub(super) fn of(columns: &[&'static Column]) -> Self {
        Self { columns: columns.iter().map(|column| (*column, Values::of(column.kind))).collect() }
    }

    /// Adds the value of a column.
    ///
    /// # Errors
    /// [`Error::Store`] for a value that the column cannot hold.
    pub(super) fn take(&mut self, column: usize, cell: Cell<'_>) -> Result<()> {
        let Some((column, values)) = self.columns.get_mut(column) else {
            return Err(Error::Internal(format!("a row has {column} values or more")));
        };
        values.append(column.kind, cell).ok_or_else(|| {
            Error::Store(format!("a value of column `{}` is no {}", column.name, column.kind.name()).into())
        })
    }

    /// Whether it has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.columns.first().is_none_or(|(_, values)| values.builder().is_empty())
    }

    /// The columns, whole.
    ///
    /// # Errors
    /// [`Error::Internal`] where they do not fit the schema.
    pub(super) fn finish(mut self, schema: SchemaRef) -> Result<RecordBatch> {
        let columns = self.columns.iter_mut().map(|(_, values)| values.finish()).collect();
        RecordBatch::try_new(schema, columns).map_err(|error| Error::Internal(format!("a batch: {error}")))
    }
}

impl Values {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Code => Self::Code(StringDictionaryBuilder::new()),
            Kind::Money | Kind::Rate => {
                Self::Decimal(Decimal128Builder::new().with_data_type(kind.data_type()))
            }
            Kind::Day => Self::Day(Date32Builder::new()),
            Kind::Time => Self::Time(TimestampMicrosecondBuilder::new().with_data_type(kind.data_type())),
            Kind::Number => Self::Number(Int64Builder::new()),
            Kind::Flag => Self::Flag(BooleanBuilder::new()),
        }
    }

    /// Adds a value; `None` where it is none of that kind.
    fn append(&mut self, kind: Kind, cell: Cell<'_>) -> Option<()> {
        let is_null = cell == Cell::Null;
        match self {
            Self::Text(values) => values.append_option(or_null(is_null, text(&cell))?),
            Self::Code(values) => values.append_option(or_null(is_null, text(&cell))?),
            Self::Decimal(values) => values.append_option(or_null(is_null, scaled(kind, &cell))?),
            Self::Day(values) => values.append_option(or_null(is_null, day(&cell))?),
            Self::Time(values) => values.append_option(or_null(is_null, number(&cell))?),
            Self::Number(values) => values.append_option(or_null(is_null, number(&cell))?),
            Self::Flag(values) => {
                values.append_option(or_null(is_null, number(&cell).map(|flag| flag != 0))?)
            }
        }
        Some(())
    }

    fn builder(&self) -> &dyn ArrayBuilder {
        match self {
            Self::Text(values) => values,
            Self::Code(values) => values,
            Self::Decimal(values) => values,
            Self::Day(values) => values,
            Self::Time(values) => values,
            Self::Number(values) => values,
            Self::Flag(values) => values,
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(values.finish()),
            Self::Code(values) => Arc::new(values.finish()),
            Self::Decimal(values) => Arc::new(values.finish()),
            Self::Day(values) => Arc::new(values.finish()),
            Self::Time(values) => Arc::new(values.finish()),
            Self::Number(values) => Arc::new(values.finish()),
            Self::Flag(values) => Arc::new(values.finish()),
        }
    }
}

/// `Some(None)` for null, else the value that was read; `None` where it was not.
fn or_null<T>(is_null: bool, read: Option<T>) -> Option<Option<T>> {
    if is_null {
        Some(None)
    } else {
        read.map(Some)
    }
}

fn text<'c>(cell: &'c Cell<'_>) -> Option<&'c str> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}

fn number(cell: &Cell<'_>) -> Option<i64> {
    match cell {
        Cell::Integer(number) => Some(*number),
        _ => None,
    }
}

/// Days since 1970.
fn day(cell: &Cell<'_>) -> Option<i32> {
    let day: NaiveDate = match cell {
        Cell::Day(day) => *day,
        _ => text(cell)?.parse().ok()?,
    };
    i32::try_from(day.signed_duration_since(NaiveDate::default()).num_days()).ok()
}

/// The digits of a decimal, with as many decimals as its kind has.
fn scaled(kind: Kind, cell: &Cell<'_>) -> Option<i128> {
    let decimal = match cell {
        Cell::Decimal(decimal) => *decimal,
        _ => Decimal::from_str_exact(text(cell)?).ok()?,
    };
    let (digits, decimals) = kind.decimals()?;
    let missing = u32::try_from(decimals).ok()?.checked_sub(decimal.scale())?;
    let scaled = decimal.mantissa().checked_mul(10_i128.checked_pow(missing)?)?;
    (scaled.unsigned_abs() < 10_u128.checked_pow(digits.into())?).then_some(scaled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_gets_the_decimals_of_its_kind_and_no_digit_is_lost() {
        let sum = |text: &str| scaled(Kind::Money, &Cell::Text(text.into()));
        assert_eq!(sum("-21.10"), Some(-2_110_000));
        assert_eq!(sum("0"), Some(0));
        assert_eq!(sum("1.00001"), Some(100_001));
        assert_eq!(sum("1.000001"), None);
        assert_eq!(sum("999999999999999999.99999"), Some(10_i128.pow(23) - 1));
        assert_eq!(sum("1000000000000000000.00"), None);
        for text in ["", "1,0", "x"] {
            assert_eq!(sum(text), None, "{text}");
        }
        assert_eq!(scaled(Kind::Rate, &Cell::Text("11.725".into())), Some(11_725 * 10_i128.pow(25)));
        assert_eq!(
            scaled(Kind::Rate, &Cell::Text("9999999999.5".into())),
            Some(99_999_999_995 * 10_i128.pow(27))
        );
        assert_eq!(scaled(Kind::Rate, &Cell::Text("10000000000".into())), None);
        assert_eq!(scaled(Kind::Text, &Cell::Text("1".into())), None);
    }

    #[test]
    fn a_day_is_counted_from_1970_in_both_directions() {
        for (text, days) in [("1970-01-01", 0), ("1969-12-31", -1), ("2026-09-01", 20_697)] {
            assert_eq!(day(&Cell::Text(text.into())), Some(days), "{text}");
        }
        assert_eq!(day(&Cell::Text("2026-02-30".into())), None);
        assert_eq!(day(&Cell::Integer(0)), None);
    }
}
