//! The months of a history, and the days in them on which something is booked.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use super::chance::Chance;
use crate::error::{Error, Result};

/// The days that a history covers: whole months, and the present one up to yesterday.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    first: NaiveDate,
    today: NaiveDate,
    months: u32,
}

impl Period {
    /// So many months before the present one; none where that is 0.
    ///
    /// # Errors
    /// [`Error::Misuse`] where it would begin before the year 1.
    pub(super) fn before(today: NaiveDate, months: u64) -> Result<Self> {
        let months = u32::try_from(months).unwrap_or(u32::MAX);
        let first = today.with_day(1).and_then(|first| first.checked_sub_months(Months::new(months)));
        let first = first.filter(|first| first.year() >= 1);
        let first =
            first.ok_or_else(|| Error::Misuse("`months`: the history begins before the year 1".into()))?;
        Ok(Self { first, today, months })
    }

    /// Its months, the present one, and the next: what is due on its first days may be paid before them.
    pub(super) fn months(self) -> impl Iterator<Item = Month> {
        let count = if self.months == 0 { 0 } else { self.months + 2 };
        let nth = move |n| self.first.checked_add_months(Months::new(n)).map(Month);
        (0..count).filter_map(nth)
    }

    /// Whether something can have been booked on that day.
    pub(super) fn has(self, day: NaiveDate) -> bool {
        day >= self.first && day < self.today
    }

    /// Its first day.
    pub(super) fn first(self) -> NaiveDate {
        self.first
    }
}

/// A month, by its first day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Month(NaiveDate);

impl Month {
    /// The one with that day.
    pub(super) fn of(day: NaiveDate) -> Self {
        Self(day.with_day(1).unwrap_or(day))
    }

    /// From 1 to 12.
    pub(super) fn number(self) -> u32 {
        self.0.month()
    }

    /// A day of it; the last one, where it is shorter.
    pub(super) fn day(self, day: u32) -> NaiveDate {
        (1..=day).rev().find_map(|day| self.0.with_day(day)).unwrap_or(self.0)
    }

    /// When something due on a day of it is paid: the Friday before, where that is a Saturday or a Sunday.
    pub(super) fn due(self, day: u32) -> NaiveDate {
        let day = self.day(day);
        let back = match day.weekday() {
            Weekday::Sat => 1,
            Weekday::Sun => 2,
            _ => 0,
        };
        day.checked_sub_days(Days::new(back)).unwrap_or(day)
    }

    /// Any day of it.
    pub(super) fn any_day(self, chance: &mut Chance) -> NaiveDate {
        self.day(u32::try_from(chance.between(1, self.day(31).day().into())).unwrap_or(1))
    }

    /// Any day of it from Monday to Friday.
    pub(super) fn any_weekday(self, chance: &mut Chance) -> NaiveDate {
        let all = (1..=31).filter_map(|day| self.0.with_day(day));
        let weekdays: Vec<_> = all.filter(|day| !is_weekend(*day)).collect();
        chance.pick(&weekdays).copied().unwrap_or(self.0)
    }
}

fn is_weekend(day: NaiveDate) -> bool {
    matches!(day.weekday(), Weekday::Sat | Weekday::Sun)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_period_ends_yesterday_and_begins_with_a_month() {
        let period = Period::before(day("2026-03-31"), 1).unwrap();
        for (text, is_in) in
            [("2026-01-31", false), ("2026-02-01", true), ("2026-03-30", true), ("2026-03-31", false)]
        {
            assert_eq!(period.has(day(text)), is_in, "{text}");
        }
        assert_eq!(period.months().map(Month::number).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(Period::before(day("2026-03-31"), 0).unwrap().months().count(), 0);
        assert!(Period::before(day("0001-01-15"), 0).is_ok());
        for months in [1, u64::MAX] {
            assert!(matches!(Period::before(day("0001-01-15"), months), Err(Error::Misuse(_))));
        }
    }

    #[test]
    fn a_day_that_a_month_lacks_is_its_last_and_a_weekend_the_friday_before() {
        let february = Month::of(day("2026-02-14"));
        assert_eq!(february.day(31), day("2026-02-28"));
        assert_eq!(february.due(28), day("2026-02-27"));
        assert_eq!(february.due(27), day("2026-02-27"));
        // The first is a Sunday: a payment due then is made in the month before.
        assert_eq!(february.due(1), day("2026-01-30"));
    }

    #[test]
    fn all_days_are_as_likely_and_weekdays_are_no_weekends() {
        let (mut chance, mut days, mut weekdays) = (Chance::of(1), BTreeMap::new(), BTreeMap::new());
        for _ in 0..2_800 {
            let february = Month::of(day("2026-02-01"));
            *days.entry(february.any_day(&mut chance)).or_insert(0) += 1;
            *weekdays.entry(february.any_weekday(&mut chance)).or_insert(0) += 1;
        }
        assert!(days.len() == 28 && days.values().all(|count| (60..140).contains(count)), "{days:?}");
        assert!(weekdays.len() == 20 && !weekdays.keys().any(|day| is_weekend(*day)), "{weekdays:?}");
        assert!(weekdays.values().all(|count| (90..190).contains(count)), "{weekdays:?}");
    }
}
