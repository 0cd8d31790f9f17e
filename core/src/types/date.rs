//! Calendar dates of the bank, which are those of Europe/Oslo.

use chrono::{
    DateTime, Datelike, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone,
    Utc,
};
use chrono_tz::Europe::Oslo;

/// Reads `YYYY-MM-DD` (contract: Conventions; ISO 8601): ten ASCII characters, a day that exists, in the years 1 to
/// 9999. `None` for any other text.
///
/// A year 0 needs an agreement by ISO 8601, and dates of other languages do not have it; Python's, for one.
pub(crate) fn parse(text: &str) -> Option<NaiveDate> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return None };
    let year = i32::try_from(number(&[y1, y2, y3, y4])?).ok()?;
    NaiveDate::from_ymd_opt(year, number(&[m1, m2])?, number(&[d1, d2])?).filter(has_written_year)
}

/// Whether the year is one from 1 to 9999: a day that [`parse`] reads, and JSON and HTTP can carry.
pub(crate) fn has_written_year(day: &NaiveDate) -> bool {
    (1..=9999).contains(&day.year())
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| Some(sum * 10 + char::from(*digit).to_digit(10)?))
}

/// The date in Oslo at an instant.
pub fn oslo_day(instant: DateTime<Utc>) -> NaiveDate {
    let offset = Oslo.offset_from_utc_datetime(&instant.naive_utc()).fix();
    instant.naive_utc().checked_add_offset(offset).unwrap_or(instant.naive_utc()).date()
}

/// The date in Oslo on which something is booked at an instant: that of [`oslo_day`], and in the last hour of 9999
/// (UTC) the last one that can be written.
pub(crate) fn booking_day(instant: DateTime<Utc>) -> NaiveDate {
    let day = oslo_day(instant);
    NaiveDate::from_ymd_opt(9999, 12, 31).map_or(day, |last| day.min(last))
}

/// The first instant of a date in Oslo.
pub(crate) fn oslo_midnight(date: NaiveDate) -> DateTime<Utc> {
    oslo_time(date, 0, 0)
}

/// How many seconds are left of the day in Oslo, rounded up: never 0.
pub(crate) fn seconds_left_of_day(instant: DateTime<Utc>) -> i64 {
    let today = oslo_day(instant);
    let left = oslo_midnight(today.succ_opt().unwrap_or(today)).signed_duration_since(instant);
    (left.num_seconds() + i64::from(left.subsec_nanos() > 0)).max(1)
}

/// The instant at which clocks in Oslo show a time of a date; hour 24 and minute 60 count on.
///
/// A time that the clocks skip in spring counts from the clock before the change (02:30 is the instant they
/// show 03:30), and one they show twice in autumn is the first of the two (RFC 5545, section 3.3.5). So
/// every time of every date has one instant, and later times never have earlier ones on days without a skip.
pub(crate) fn oslo_time(date: NaiveDate, hour: u32, minute: u32) -> DateTime<Utc> {
    let since_midnight = TimeDelta::minutes(i64::from(hour) * 60 + i64::from(minute));
    let midnight = date.and_time(NaiveTime::MIN);
    instant_of(midnight.checked_add_signed(since_midnight).unwrap_or(midnight))
}

fn instant_of(local: NaiveDateTime) -> DateTime<Utc> {
    let offset = match Oslo.offset_from_local_datetime(&local) {
        MappedLocalTime::Single(offset) | MappedLocalTime::Ambiguous(offset, _) => offset,
        MappedLocalTime::None => {
            let day_before = local.checked_sub_signed(TimeDelta::days(1)).unwrap_or(local);
            Oslo.offset_from_utc_datetime(&day_before)
        }
    };
    local.checked_sub_offset(offset.fix()).unwrap_or(local).and_utc()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::vectors;

    fn instant(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn every_vector_has_the_day_it_says() {
        for row in vectors::read("oslo_days.json") {
            assert_eq!(
                oslo_day(instant(&row.text("instant"))).to_string(),
                row.text("expected"),
                "{}",
                row.text("id")
            );
        }
    }

    #[test]
    fn every_vector_has_the_instant_it_says() {
        for row in vectors::read("oslo_times.json") {
            let date = parse(&row.text("date")).unwrap();
            let time: NaiveTime = format!("{}:00", row.text("time")).parse().unwrap();
            let minutes = time.signed_duration_since(NaiveTime::MIN).num_minutes();
            let ours = oslo_time(date, 0, minutes as u32);
            assert_eq!(ours, instant(&row.text("expected")), "{}", row.text("id"));
        }
    }

    #[test]
    fn a_day_begins_at_midnight_in_oslo() {
        assert_eq!(oslo_day(instant("2026-11-19T22:59:59Z")), parse("2026-11-19").unwrap());
        assert_eq!(oslo_day(instant("2026-11-19T23:00:00Z")), parse("2026-11-20").unwrap());
        assert_eq!(oslo_midnight(parse("2026-11-20").unwrap()), instant("2026-11-19T23:00:00Z"));
        assert_eq!(oslo_midnight(parse("2026-07-20").unwrap()), instant("2026-07-19T22:00:00Z"));
    }

    #[test]
    fn what_is_booked_has_a_date_that_can_be_written() {
        for (time, day) in [
            ("2026-11-19T23:00:00Z", "2026-11-20"),
            ("9999-12-30T23:00:00Z", "9999-12-31"),
            ("9999-12-31T22:59:59Z", "9999-12-31"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31"),
        ] {
            assert_eq!(booking_day(instant(time)), parse(day).unwrap(), "{time}");
        }
    }

    #[test]
    fn a_day_has_23_or_25_hours_where_the_clocks_change() {
        for (time, left) in [
            ("2026-09-01T10:00:00Z", 12 * 3600),
            ("2026-03-28T23:00:00Z", 23 * 3600),
            ("2026-10-24T22:00:00Z", 25 * 3600),
            ("2026-03-29T21:59:59Z", 1),
            ("2026-10-25T22:59:59Z", 1),
            ("2026-09-01T21:59:58.000001Z", 2),
            ("2026-09-01T21:59:59.999999Z", 1),
            ("2026-09-01T22:00:00Z", 24 * 3600),
        ] {
            assert_eq!(seconds_left_of_day(instant(time)), left, "{time}");
        }
        assert!(seconds_left_of_day(DateTime::<Utc>::MAX_UTC) >= 1);
    }

    #[test]
    fn a_skipped_time_counts_from_the_clock_before_the_change() {
        let spring = parse("2026-03-29").unwrap();
        assert_eq!(oslo_time(spring, 1, 59), instant("2026-03-29T00:59:00Z"));
        assert_eq!(oslo_time(spring, 2, 30), instant("2026-03-29T01:30:00Z"));
        assert_eq!(oslo_time(spring, 3, 30), instant("2026-03-29T01:30:00Z"));
    }

    #[test]
    fn a_time_shown_twice_is_the_first() {
        let autumn = parse("2026-10-25").unwrap();
        assert_eq!(oslo_time(autumn, 2, 30), instant("2026-10-25T00:30:00Z"));
        assert_eq!(oslo_time(autumn, 3, 0), instant("2026-10-25T02:00:00Z"));
    }

    #[test]
    fn hours_beyond_the_day_count_on() {
        let date = parse("2026-11-20").unwrap();
        assert_eq!(oslo_time(date, 24, 0), oslo_midnight(date.succ_opt().unwrap()));
        assert_eq!(oslo_time(date, 6, 60), oslo_time(date, 7, 0));
    }

    #[test]
    fn the_ends_of_time_do_not_panic() {
        for date in [NaiveDate::MIN, NaiveDate::MAX] {
            let _ = (oslo_midnight(date), oslo_time(date, u32::MAX, u32::MAX));
        }
        for instant in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
            let _ = oslo_day(instant);
        }
    }

    #[test]
    fn a_day_that_exists_is_read_and_another_is_not() {
        for text in ["2026-02-28", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        for text in ["2026-02-29", "1900-02-29", "2026-00-10", "2026-13-01", "2026-04-31", "2026-01-00"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn there_is_no_year_0() {
        assert_eq!(parse("0001-01-01"), NaiveDate::from_ymd_opt(1, 1, 1));
        for text in ["0000-12-31", "0000-01-01", "0000-00-00"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn another_spelling_is_refused() {
        let spellings =
            ["", "2026-1-01", "20260101", "+2026-01-01", "-026-01-01", "2026-01-01T00:00", " 2026-01-01"];
        for text in spellings.into_iter().chain(["2026/01/01", "２026-01-01", "2026-01-0x", "12026-01-01"]) {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,12}") {
            let _ = parse(&text);
        }

        #[test]
        fn spelling_and_reading_again_is_identity(days in 0_u64..3_652_059) {
            let date = NaiveDate::from_ymd_opt(1, 1, 1).unwrap() + chrono::Days::new(days);
            prop_assert_eq!(parse(&date.to_string()).unwrap(), date);
        }

        #[test]
        fn midnight_belongs_to_its_day_and_the_second_before_does_not(days in 700_000_u64..770_000) {
            let date = NaiveDate::from_ymd_opt(0, 1, 1).unwrap() + chrono::Days::new(days);
            let midnight = oslo_midnight(date);
            prop_assert_eq!(oslo_day(midnight), date);
            prop_assert_eq!(oslo_day(midnight - TimeDelta::seconds(1)), date.pred_opt().unwrap());
        }
    }
}
