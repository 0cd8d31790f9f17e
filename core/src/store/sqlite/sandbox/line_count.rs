//! How many lines an account has, and which one has how many newer ones.
//!
//! The table of counts is kept by triggers, by month and by day. Finding a place in a list reads the months of the
//! account, the days of one month, and the index of the lines of one day.

use chrono::{Datelike, NaiveDate};
use rusqlite::{params, Params, Row};

use super::books::Books;
use super::ledger_account::AccountKey;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;

const ALL: &str = "SELECT coalesce(sum(lines), 0) FROM sandbox_line_count WHERE account = ? AND level = 0";
const OF_LATER_MONTHS: &str = "SELECT coalesce(sum(lines), 0) FROM sandbox_line_count \
    WHERE account = ?1 AND level = 0 AND period > substr(?2, 1, 7)";
const OF_LATER_DAYS: &str = "SELECT coalesce(sum(lines), 0) FROM sandbox_line_count \
    WHERE account = ?1 AND level = 1 AND period > ?2 AND period <= substr(?2, 1, 7) || '-31'";

const MONTHS: &str = "SELECT lines, period FROM sandbox_line_count WHERE account = ? AND level = 0 \
    ORDER BY period DESC";
const DAYS: &str = "SELECT lines, period FROM sandbox_line_count WHERE account = ?1 AND level = 1 \
    AND period BETWEEN ?2 || '-01' AND ?2 || '-31' ORDER BY period DESC";
const NUMBERS: &str = "SELECT number FROM sandbox_transaction WHERE account = ? AND booking_date = ? \
    ORDER BY number DESC LIMIT 1 OFFSET ?";

/// A line's place in the history of its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Its booking date, as stored.
    pub(super) day: String,
    /// Its number.
    pub(super) number: i64,
}

impl Books<'_> {
    /// How many lines of an account were booked in a period, both ends inclusive.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn count_lines(
        &self,
        account: &AccountKey,
        from: Option<NaiveDate>,
        to: Option<NaiveDate>,
    ) -> Result<u64> {
        let since = match from.map(|day| day.pred_opt()) {
            Some(Some(day)) if day.year() >= 0 => self.lines_after(account, day)?,
            _ => self.sum(ALL, [account.as_str()])?,
        };
        let after = to.map_or(Ok(0), |day| self.lines_after(account, day))?;
        Ok(since.saturating_sub(after))
    }

    /// How many lines of an account were booked after a day.
    pub(super) fn lines_after(&self, account: &AccountKey, day: NaiveDate) -> Result<u64> {
        let values = [account.as_str(), &day.to_string()];
        Ok(self.sum(OF_LATER_MONTHS, values)? + self.sum(OF_LATER_DAYS, values)?)
    }

    fn sum(&self, query: &str, params: impl Params) -> Result<u64> {
        Ok(self.row(query, params, |row| row.get(0))?.unwrap_or_default())
    }

    /// The line of an account that has that many newer ones; `None` where there are not as many.
    pub(super) fn line_after(&self, account: &AccountKey, newer: u64) -> Result<Option<Place>> {
        let account = account.as_str();
        let mut newer = newer;
        let Some(month) = self.span(MONTHS, [account], &mut newer)? else { return Ok(None) };
        let Some(day) = self.span(DAYS, [account, &month], &mut newer)? else { return Ok(None) };
        let number = self.row(NUMBERS, params![account, day, newer], |row| row.get(0))?;
        Ok(number.map(|number| Place { day, number }))
    }

    /// The first of these spans, each with the number of its lines, that holds the line with that many newer ones. What
    /// the spans before it hold is taken off.
    fn span(&self, query: &str, params: impl Params, newer: &mut u64) -> Result<Option<String>> {
        self.find(query, params, |row: &Row<'_>| {
            let mut columns = Columns::of(row);
            let lines = columns.value()?;
            if *newer < lines {
                return columns.value().map(Some);
            }
            *newer -= lines;
            Ok(None)
        })
    }
}
