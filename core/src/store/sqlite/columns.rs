//! How values become columns and rows become values.
//!
//! Times are microseconds since 1970, enums their names on the wire. A value this library does not know is
//! an error of the store, never a panic and never a guess.

use chrono::{DateTime, Utc};
use rusqlite::types::{FromSql, Type};
use rusqlite::{Error, Result, Row};

use crate::env::clock::from_micros;
use crate::machine::Machine;
use crate::types::{ActingPsu, Context, Currency, Money, PsuKey};

/// A stored value that no constructor takes. The error does not show the value, which may be personal data.
#[derive(Debug, thiserror::Error)]
#[error("the stored value is not one this library writes")]
struct Unknown;

/// The columns of one row, read from left to right.
pub(super) struct Columns<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> Columns<'r> {
    /// The first column comes first.
    pub(super) fn of(row: &'r Row<'r>) -> Self {
        Self { row, next: 0 }
    }

    /// The next column as it is.
    pub(super) fn value<T: FromSql>(&mut self) -> Result<T> {
        let index = self.next;
        self.next += 1;
        self.row.get(index)
    }

    /// The next column as a text that `read` makes sense of.
    pub(super) fn text<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        self.optional_text(read)?.ok_or_else(|| self.unknown())
    }

    /// The next column as a text, with every value that it can hold.
    pub(super) fn any_text(&mut self) -> Result<String> {
        let index = self.next;
        self.next += 1;
        Ok(String::from_utf8_lossy(self.row.get_ref(index)?.as_bytes()?).into_owned())
    }

    /// The next column as such a text, or `None` where it is null.
    pub(super) fn optional_text<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>> {
        let index = self.next;
        self.next += 1;
        let Some(text) = self.row.get_ref(index)?.as_str_or_null()? else { return Ok(None) };
        read(text).map(Some).ok_or_else(|| self.unknown())
    }

    /// The next column as a whole number that `read` makes sense of.
    pub(super) fn number<T>(&mut self, read: impl FnOnce(i64) -> Option<T>) -> Result<T> {
        read(self.value()?).ok_or_else(|| self.unknown())
    }

    /// The next column as a state of a machine.
    pub(super) fn state<M: Machine>(&mut self) -> Result<M> {
        self.text(M::parse)
    }

    /// The next column as a time.
    pub(super) fn time(&mut self) -> Result<DateTime<Utc>> {
        self.value().map(from_micros)
    }

    /// The next column as a time, or `None` where it is null.
    pub(super) fn optional_time(&mut self) -> Result<Option<DateTime<Utc>>> {
        Ok(self.value::<Option<i64>>()?.map(from_micros))
    }

    /// The next two columns, a number and a currency, as a sum.
    pub(super) fn money(&mut self) -> Result<Money> {
        let number: String = self.value()?;
        let currency = self.text(|code| Currency::parse(code).ok())?;
        Money::parse(&number, currency).map_err(|_| self.unknown())
    }

    /// The next three columns, person, context and customer (empty in the private context), as a PSU in a role.
    pub(super) fn acting_psu(&mut self) -> Result<ActingPsu> {
        let psu = self.text(|text| Some(PsuKey::new(text)))?;
        let context = self.text(|text| Context::parse(text).ok())?;
        self.text(|corporate| ActingPsu::from_stored(psu, context, corporate))
    }

    /// That the column just read holds what this library does not write.
    pub(super) fn unknown(&self) -> Error {
        Error::FromSqlConversionFailure(self.next.saturating_sub(1), Type::Text, Box::new(Unknown))
    }
}

/// A time as it is stored.
pub(super) fn micros(time: DateTime<Utc>) -> i64 {
    time.timestamp_micros()
}

/// A number of rows as SQL takes it.
pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::payment::machine::PaymentStatus;

    /// Reads the one row of a query.
    fn read<T>(sql: &str, work: impl FnOnce(&mut Columns<'_>) -> Result<T>) -> Result<T> {
        Connection::open_in_memory().unwrap().query_row(sql, [], |row| work(&mut Columns::of(row)))
    }

    #[test]
    fn columns_are_read_from_left_to_right() {
        let row = "SELECT 7, 'RCVD', NULL, 1, NULL, '-1.50', 'NOK'";
        let read = read(row, |columns| {
            assert_eq!(columns.value::<u32>()?, 7);
            assert_eq!(columns.state::<PaymentStatus>()?, PaymentStatus::Rcvd);
            assert_eq!(columns.optional_text(PaymentStatus::parse)?, None);
            assert_eq!(columns.time()?, from_micros(1));
            assert_eq!(columns.optional_time()?, None);
            columns.money()
        });
        assert_eq!(read.unwrap().to_string(), "-1.50");
    }

    #[test]
    fn an_unknown_stored_value_is_an_error_that_does_not_show_the_value() {
        let error = read("SELECT 'PERSONAL'", |columns| columns.state::<PaymentStatus>()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("not one this library writes") && !text.contains("PERSONAL"), "{text}");
        for sql in ["SELECT NULL", "SELECT 1", "SELECT x'FF'", "SELECT ''", "SELECT 'rcvd'"] {
            assert!(read(sql, |columns| columns.state::<PaymentStatus>()).is_err(), "{sql}");
        }
        for sql in ["SELECT '1.5', 'NOK'", "SELECT '1.50', 'QQQ'", "SELECT 1.5, 'NOK'", "SELECT '1.50', NULL"]
        {
            assert!(read(sql, |columns| columns.money()).is_err(), "{sql}");
        }
        assert!(read("SELECT 'p', 'PRIVATE', 'c'", |columns| columns.acting_psu()).is_err());
        assert!(read("SELECT -1", |columns| columns.value::<u32>()).is_err());
        assert!(read("SELECT 1", |columns| columns.value::<u8>().and(columns.value::<u8>())).is_err());
    }

    #[test]
    fn times_of_every_size_come_back() {
        for stored in [0, -1, 1_795_168_800_123_456, -62_135_596_800_000_000] {
            assert_eq!(micros(from_micros(stored)), stored);
        }
        assert!(
            read("SELECT 9223372036854775807", |columns| columns.time()).is_ok(),
            "the end of the calendar"
        );
    }
}
