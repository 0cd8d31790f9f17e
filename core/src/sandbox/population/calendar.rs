//! The days of a history: holidays, banking days, and how much is bought on each.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, Months, NaiveDate, TimeDelta, Utc, Weekday};

use super::country::CalendarData;
use crate::error::{Error, Result};
use crate::types::date::{oslo_midnight, seconds_left_of_day};

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

    /// Whether anything is booked in it.
    pub(super) fn has_history(self) -> bool {
        self.months > 0
    }

    /// Its first day.
    pub(super) fn first(self) -> NaiveDate {
        self.first
    }

    /// Its days, in order.
    pub(super) fn days(self) -> impl Iterator<Item = NaiveDate> {
        let today = if self.has_history() { self.today } else { self.first };
        self.first.iter_days().take_while(move |day| *day < today)
    }
}

/// A day of a history.
#[derive(Debug, Clone, Copy)]
pub(super) struct Day {
    pub(super) date: NaiveDate,
    /// When the day begins, in Oslo, from which what is booked on it bears interest.
    value_midnight: DateTime<Utc>,
    pub(super) is_banking: bool,
    /// Whether shops are closed, as on Sundays and holidays.
    pub(super) is_closed: bool,
    /// The next three banking days.
    pub(super) next_banking: [NaiveDate; 3],
    /// How much is bought on it, in percent of an average day.
    pub(super) shopping: i64,
    /// On a banking day a bit for each day of a month on which something due is paid now.
    due: u32,
}

impl Day {
    /// Whether what is due on that day of each month is paid now: on the banking day before, if it is none. A day that
    /// a month lacks is its last one.
    pub(super) fn pays(&self, day_of_month: u32) -> bool {
        self.due >> day_of_month.min(31) & 1 == 1
    }

    /// When a line of it is made, given the time of day in seconds: on its value date, because an API shows no line
    /// with a value date to come.
    pub(super) fn made_at(&self, seconds: u32) -> DateTime<Utc> {
        let length = seconds_left_of_day(self.value_midnight);
        self.value_midnight + TimeDelta::seconds(i64::from(seconds).min(length - 1).max(0))
    }

    /// When a purchase of it is booked: on the same day, or so many banking days later.
    pub(super) fn booked_after(&self, delay: usize) -> NaiveDate {
        let later = delay.checked_sub(1).and_then(|nth| self.next_banking.get(nth));
        later.copied().unwrap_or(self.date)
    }

    /// From 1 to 12.
    pub(super) fn month(&self) -> u32 {
        self.date.month()
    }

    /// The value of this month in a row of twelve.
    pub(super) fn of_month<T: Copy + Default>(&self, months: &[T; 12]) -> T {
        usize::try_from(self.date.month0()).ok().and_then(|at| months.get(at)).copied().unwrap_or_default()
    }

    /// Whether it is the first of its month.
    pub(super) fn begins_month(&self) -> bool {
        self.date.day() == 1
    }

    /// Whether it is the last of its month.
    pub(super) fn ends_month(&self) -> bool {
        ends_month(self.date)
    }

    /// The day from which what is booked on it bears interest.
    pub(super) fn value_date(&self) -> NaiveDate {
        let [next, ..] = self.next_banking;
        if self.is_banking {
            self.date
        } else {
            next
        }
    }
}

fn ends_month(date: NaiveDate) -> bool {
    date.succ_opt().is_none_or(|next| next.day() == 1)
}

/// Knows the holidays of a country.
#[derive(Debug)]
pub(super) struct Calendar {
    holidays: BTreeSet<(u32, u32)>,
    easter: BTreeSet<i64>,
    weekdays: [i64; 7],
    months: [i64; 12],
    on_holidays: i64,
    days: BTreeMap<(u32, u32), i64>,
}

impl Calendar {
    /// `None` if a day of the data is none.
    pub(super) fn of(data: &CalendarData) -> Option<Self> {
        let special = data.days.iter().map(|(day, percent)| Some((day_of_year(day)?, *percent)));
        Some(Self {
            holidays: data.holidays.iter().map(|day| day_of_year(day)).collect::<Option<_>>()?,
            easter: data.easter.iter().copied().collect(),
            weekdays: data.weekdays,
            months: data.months,
            on_holidays: data.on_holidays,
            days: special.collect::<Option<_>>()?,
        })
    }

    /// What a date is.
    pub(super) fn day(&self, date: NaiveDate) -> Day {
        let after = |date: NaiveDate| self.banking_from(date.succ_opt().unwrap_or(date));
        let next = after(date);
        let is_banking = self.is_banking(date);
        let is_closed = date.weekday() == Weekday::Sun || self.is_holiday(date);
        let second = after(next);
        let next_banking = [next, second, after(second)];
        let due = if is_banking { due_between(date, next) } else { 0 };
        Day {
            date,
            value_midnight: oslo_midnight(if is_banking { date } else { next }),
            is_banking,
            is_closed,
            next_banking,
            shopping: self.shopping(date),
            due,
        }
    }

    /// The first banking day on or after a date; far beyond the calendar the date itself.
    pub(super) fn banking_from(&self, date: NaiveDate) -> NaiveDate {
        date.iter_days().take(MOST_CLOSED_DAYS).find(|date| self.is_banking(*date)).unwrap_or(date)
    }

    fn is_banking(&self, date: NaiveDate) -> bool {
        !matches!(date.weekday(), Weekday::Sat | Weekday::Sun) && !self.is_holiday(date)
    }

    fn is_holiday(&self, date: NaiveDate) -> bool {
        let from_easter = easter(date.year()).map(|easter| (date - easter).num_days());
        self.holidays.contains(&(date.month(), date.day()))
            || from_easter.is_some_and(|days| self.easter.contains(&days))
    }

    fn shopping(&self, date: NaiveDate) -> i64 {
        let percent = |row: &[i64], at: u32| {
            usize::try_from(at).ok().and_then(|at| row.get(at)).copied().unwrap_or_default()
        };
        let usual = percent(&self.weekdays, date.weekday().num_days_from_monday())
            * percent(&self.months, date.month0());
        let special = self.days.get(&(date.month(), date.day())).copied();
        let closed = self.is_holiday(date).then_some(self.on_holidays);
        usual * special.or(closed).unwrap_or(100) / 10_000
    }
}

/// More days than ever follow each other without a banking day.
const MOST_CLOSED_DAYS: usize = 12;

/// The bits of the days of a month from one date to before another.
fn due_between(from: NaiveDate, until: NaiveDate) -> u32 {
    let bits = |date: NaiveDate| if ends_month(date) { u32::MAX << date.day() } else { 1 << date.day() };
    let dates = from.iter_days().take(MOST_CLOSED_DAYS).take_while(|date| *date < until);
    dates.fold(0, |due, date| due | bits(date))
}

/// A day such as 12-25.
fn day_of_year(text: &str) -> Option<(u32, u32)> {
    let (month, day) = text.split_once('-')?;
    let (month, day) = (month.parse().ok()?, day.parse().ok()?);
    NaiveDate::from_ymd_opt(2000, month, day).map(|_| (month, day))
}

/// Easter Sunday of a year (the Gregorian rule of Meeus, Jones and Butcher).
fn easter(year: i32) -> Option<NaiveDate> {
    let (golden, century, rest) = (year % 19, year / 100, year % 100);
    let epact = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7;
    let late = (golden + 11 * epact + 22 * weekday) / 451;
    let days = epact + weekday - 7 * late + 114;
    NaiveDate::from_ymd_opt(year, u32::try_from(days / 31).ok()?, u32::try_from(days % 31 + 1).ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::country::Country;
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn calendar() -> Calendar {
        Calendar::of(&Country::norway().unwrap().calendar).unwrap()
    }

    #[test]
    fn easter_is_where_the_almanac_has_it() {
        // From the tables of the Astronomical Applications Department of the U.S. Naval Observatory.
        for day in [
            "1818-03-22",
            "1943-04-25",
            "2000-04-23",
            "2008-03-23",
            "2019-04-21",
            "2024-03-31",
            "2025-04-20",
            "2026-04-05",
            "2027-03-28",
            "2038-04-25",
            "2100-03-28",
        ] {
            let day = date(day);
            assert_eq!(easter(day.year()), Some(day));
        }
    }

    #[test]
    fn norways_holidays_are_no_banking_days() {
        let calendar = calendar();
        // Maundy Thursday, Good Friday and Easter Monday; 1 May; Ascension; 17 May (a Sunday) and Whit Monday.
        for (text, is_banking) in [
            ("2026-01-01", false),
            ("2026-01-02", true),
            ("2026-04-01", true),
            ("2026-04-02", false),
            ("2026-04-03", false),
            ("2026-04-06", false),
            ("2026-04-07", true),
            ("2026-05-01", false),
            ("2026-05-14", false),
            ("2026-05-15", true),
            ("2027-05-17", false),
            ("2027-05-18", true),
            ("2026-05-25", false),
            ("2026-12-24", true),
            ("2026-12-25", false),
            ("2026-12-26", false),
            ("2026-12-28", true),
        ] {
            assert_eq!(calendar.day(date(text)).is_banking, is_banking, "{text}");
        }
    }

    #[test]
    fn what_is_due_on_a_closed_day_is_paid_on_the_banking_day_before() {
        let calendar = calendar();
        // 15 August 2026 is a Saturday; the first of August as well.
        let friday = calendar.day(date("2026-08-14"));
        assert!([14, 15, 16].iter().all(|day| friday.pays(*day)) && !friday.pays(13) && !friday.pays(17));
        assert!((1..=31).all(|day| !calendar.day(date("2026-08-15")).pays(day)));
        let july = calendar.day(date("2026-07-31"));
        assert!(july.pays(31) && july.pays(1) && july.pays(2) && !july.pays(3));
        // A day that a month lacks is its last one.
        let february = calendar.day(date("2026-02-27"));
        assert!([27, 28, 29, 30, 31, 1].iter().all(|day| february.pays(*day)) && !february.pays(2));
        // From Wednesday before Easter to Tuesday after it.
        let easter = calendar.day(date("2026-04-01"));
        assert!((1..=6).all(|day| easter.pays(day)) && !easter.pays(7));
    }

    #[test]
    fn each_day_of_a_month_is_paid_once() {
        let calendar = calendar();
        for day in [1, 15, 28, 31] {
            let paid = date("2025-01-02").iter_days().take(730).filter(|date| calendar.day(*date).pays(day));
            assert!((23..=25).contains(&paid.count()), "{day}");
        }
    }

    #[test]
    fn a_period_ends_yesterday_and_begins_with_a_month() {
        let period = Period::before(date("2026-03-31"), 1).unwrap();
        let days: Vec<_> = period.days().collect();
        assert_eq!((days.first(), days.last()), (Some(&date("2026-02-01")), Some(&date("2026-03-30"))));
        assert_eq!(Period::before(date("2026-03-31"), 0).unwrap().days().count(), 0);
        assert!(Period::before(date("0001-01-15"), 0).is_ok());
        for months in [1, u64::MAX] {
            assert!(matches!(Period::before(date("0001-01-15"), months), Err(Error::Misuse(_))));
        }
    }

    #[test]
    fn the_end_of_the_calendar_is_no_panic() {
        let calendar = calendar();
        for text in ["0001-01-01", "9999-12-31", "2026-12-31"] {
            calendar.day(date(text));
        }
        calendar.day(NaiveDate::MAX);
    }
}
