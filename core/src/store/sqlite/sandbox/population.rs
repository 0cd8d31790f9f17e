//! Populations whose lives go on when the clock moves.

use chrono::NaiveDate;
use rusqlite::{params, Row};

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;

/// A population whose lives go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPopulation {
    /// Which population of the sandbox it is.
    pub number: i64,
    /// What it was generated from, as JSON.
    pub origin: String,
    /// The first day of the month with which its history begins.
    pub first_day: NaiveDate,
    /// The day on which the lives begin.
    pub begin_day: NaiveDate,
    /// The day before which everything is booked.
    pub lived_until: NaiveDate,
}

const INSERT: &str = "INSERT INTO sandbox_population (number, origin, first_day, begin_day, lived_until) \
    VALUES (?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT number, origin, first_day, begin_day, lived_until FROM sandbox_population \
    ORDER BY number";

impl Books<'_> {
    /// Stores a population whose lives go on.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_population(&self, population: &StoredPopulation) -> Result<()> {
        let StoredPopulation { number, origin, first_day, begin_day, lived_until } = population;
        let [first_day, begin_day, lived_until] =
            [first_day, begin_day, lived_until].map(NaiveDate::to_string);
        self.change(INSERT, params![number, origin, first_day, begin_day, lived_until]).map(drop)
    }

    /// The populations whose lives go on, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn populations(&self) -> Result<Vec<StoredPopulation>> {
        self.rows(SELECT, [], read)
    }

    /// The earliest of the days before which everything of a population is booked; `None` if no lives go on.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn earliest_day_to_live(&self) -> Result<Option<NaiveDate>> {
        let earliest = "SELECT min(lived_until) FROM sandbox_population";
        let read = |text: &str| text.parse().ok();
        Ok(self.row(earliest, [], |row| Columns::of(row).optional_text(read))?.flatten())
    }

    /// Notes until when everything of a population is booked.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn set_lived_until(&self, number: i64, day: NaiveDate) -> Result<()> {
        let update = "UPDATE sandbox_population SET lived_until = ? WHERE number = ?";
        self.change(update, params![day.to_string(), number]).map(drop)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredPopulation> {
    let mut columns = Columns::of(row);
    Ok(StoredPopulation {
        number: columns.value()?,
        origin: columns.value()?,
        first_day: columns.text(|text| text.parse().ok())?,
        begin_day: columns.text(|text| text.parse().ok())?,
        lived_until: columns.text(|text| text.parse().ok())?,
    })
}
