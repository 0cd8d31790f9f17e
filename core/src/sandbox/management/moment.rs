//! Dates of transactions made by hand, which must lie in the past (contract: Sandbox account transaction).

use chrono::{DateTime, Datelike, NaiveDate, Utc};

use super::handler_context::quiet;
use crate::reason::Reason;
use crate::types::{date, instant};
use crate::wire::json::Json;
use crate::wire::reader::{Member, Reader};

/// A date, or a date-time with an offset (contract: Conventions).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// A day of Europe/Oslo.
    Day(NaiveDate),
    /// An instant.
    At(DateTime<Utc>),
}

impl Moment {
    fn parse(text: &str) -> Option<Self> {
        let day = date::parse(text).map(Self::Day);
        let instant = || instant::parse(text).map(Self::At);
        day.or_else(instant).filter(|moment| (1..=9999).contains(&moment.day().year()))
    }

    /// The day in Oslo.
    pub(super) fn day(self) -> NaiveDate {
        match self {
            Self::Day(day) => day,
            Self::At(instant) => date::oslo_day(instant),
        }
    }

    /// Whether it lies before that time: a day does from its beginning on.
    pub(super) fn is_before(self, now: DateTime<Utc>) -> bool {
        let begin = match self {
            Self::Day(day) => date::oslo_midnight(day),
            Self::At(instant) => instant,
        };
        begin < now
    }

    /// Whether it lies after another: two instants by the clock, else by the day.
    pub(super) fn is_after(self, other: Self) -> bool {
        match (self, other) {
            (Self::At(this), Self::At(other)) => this > other,
            _ => self.day() > other.day(),
        }
    }
}

impl Member for Moment {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let moment = Self::parse(reader.string(value)?);
        reader.keep(moment.ok_or(Reason::MemberNotMoment))
    }
}

/// Leaves what is wrong with the dates of one object: each must lie before `now`, and the booking not after
/// the value. Dates that cannot be read are left to the reading of the object.
pub(super) fn check_dates(item: &Json<'_>, now: DateTime<Utc>, reader: &mut Reader) {
    let [booking, value] =
        ["bookingDate", "valueDate"].map(|name| (name, quiet::<Moment>(item, name, reader)));
    for (name, moment) in [booking, value] {
        if moment.is_some_and(|moment| !moment.is_before(now)) {
            reader.within(name, |reader| reader.error(Reason::DateNotPast));
        }
    }
    if booking.1.zip(value.1).is_some_and(|(booking, value)| booking.is_after(value)) {
        reader.within(booking.0, |reader| reader.error(Reason::BookedAfterValue));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Moment> {
        Moment::parse(text)
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_date_and_a_date_time_with_an_offset_are_read() {
        assert!(matches!(read("2026-09-01"), Some(Moment::Day(_))));
        assert!(matches!(read("2026-09-01T12:00:00+02:00"), Some(Moment::At(_))));
        assert!(matches!(read("2026-09-01T12:00+0200"), Some(Moment::At(_))));
        for text in ["", "2026-9-1", "01.09.2026", "2026-02-30", "2026-09-01T12:00:00", "2026-09-01 "] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_moment_lies_in_the_years_1_to_9999_of_oslo() {
        // By its mean solar time Oslo was 43 minutes ahead.
        for text in ["0001-01-01", "0000-12-31T23:30:00Z", "9999-12-31", "9999-12-31T22:59:59Z"] {
            assert!(read(text).is_some(), "{text}");
        }
        for text in ["0000-12-31", "0000-01-01", "0000-12-31T23:00:00Z", "9999-12-31T23:00:00Z"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_second_before_now_lies_in_the_past_and_now_does_not() {
        let now = at("2026-09-01T10:00:00Z");
        assert!(read("2026-09-01T11:59:59+02:00").unwrap().is_before(now));
        assert!(!read("2026-09-01T12:00:00+02:00").unwrap().is_before(now));
    }

    #[test]
    fn today_lies_in_the_past_from_its_first_second_on() {
        let today = read("2026-09-01").unwrap();
        assert!(!today.is_before(at("2026-08-31T22:00:00Z")));
        assert!(today.is_before(at("2026-08-31T22:00:01Z")));
        assert!(!read("2026-09-02").unwrap().is_before(at("2026-09-01T21:59:59Z")));
    }

    #[test]
    fn instants_compare_by_the_clock_and_days_by_the_day() {
        let (morning, noon, day) =
            (read("2026-09-01T08:00:00Z"), read("2026-09-01T12:00:00Z"), read("2026-09-01"));
        assert!(noon.unwrap().is_after(morning.unwrap()) && !morning.unwrap().is_after(noon.unwrap()));
        assert!(!noon.unwrap().is_after(day.unwrap()) && !day.unwrap().is_after(morning.unwrap()));
        assert!(read("2026-09-02").unwrap().is_after(noon.unwrap()));
    }
}
