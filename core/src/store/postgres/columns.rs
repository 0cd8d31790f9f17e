//! How values become columns and rows become values.
//!
//! Times are microseconds since 1970, enums their names on the wire. A value this library does not know is
//! an error of the store, never a panic and never a guess.

use chrono::{DateTime, Utc};
use tokio_postgres::types::FromSql;
use tokio_postgres::Row;

use super::failure::{Failure, Result};
use crate::env::clock::from_micros;
use crate::machine::Machine;
use crate::types::{ActingPsu, Context, Currency, Money, PsuKey};

/// The columns of one row, read from left to right.
pub(super) struct Columns<'r> {
    row: &'r Row,
    next: usize,
}

impl<'r> Columns<'r> {
    /// The first column comes first.
    pub(super) fn of(row: &'r Row) -> Self {
        Self { row, next: 0 }
    }

    /// So many columns are left out.
    pub(super) fn after(row: &'r Row, left_out: usize) -> Self {
        Self { row, next: left_out }
    }

    /// The next column as it is.
    pub(super) fn value<T: FromSql<'r>>(&mut self) -> Result<T> {
        let index = self.next;
        self.next += 1;
        self.row.try_get(index).map_err(|_| Failure::Unknown)
    }

    /// The next column as a number that is never negative.
    pub(super) fn number(&mut self) -> Result<u32> {
        u32::try_from(self.value::<i64>()?).map_err(|_| Failure::Unknown)
    }

    /// The next column as a text that `read` makes sense of.
    pub(super) fn text<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        read(self.value()?).ok_or(Failure::Unknown)
    }

    /// The next column as such a text, or `None` where it is null.
    pub(super) fn optional_text<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(text) = self.value::<Option<&str>>()? else { return Ok(None) };
        read(text).map(Some).ok_or(Failure::Unknown)
    }

    /// The next column as a list of such texts.
    pub(super) fn texts<T, L: FromIterator<T>>(&mut self, read: impl Fn(&str) -> Option<T>) -> Result<L> {
        let texts: Vec<&str> = self.value()?;
        texts.into_iter().map(read).collect::<Option<L>>().ok_or(Failure::Unknown)
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
        let number: &str = self.value()?;
        let currency = self.text(|code| Currency::parse(code).ok())?;
        Money::parse(number, currency).map_err(|_| Failure::Unknown)
    }

    /// The next three columns, person, context and customer (empty in the private context), as a PSU in a role.
    pub(super) fn acting_psu(&mut self) -> Result<ActingPsu> {
        let psu = self.text(|text| Some(PsuKey::new(text)))?;
        let context = self.text(|text| Context::parse(text).ok())?;
        self.text(|corporate| ActingPsu::from_stored(psu, context, corporate))
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
