//! HTTP dates (RFC 9110 section 5.6.7), read as they come from the field and written as IMF-fixdate.
//!
//! Accepted: IMF-fixdate, the obsolete RFC 850 and asctime forms, an unpadded day, a numeric offset such as
//! `+0100`, the zones `UTC`, `UT` and `Z` in place of `GMT`, names in any case, and a leap second (read as the second
//! after). The name of the weekday must be one, but need not fit the date: it adds nothing that a clock could be
//! checked against.

use std::fmt::Write as _;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, TimeZone, Timelike, Utc};

use crate::reason::{Reason, Violation};
use crate::types::instant::is_in_calendar;

const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Reads an HTTP date where no clock is at hand: the two-digit year of an RFC 850 date is taken as 1970 to
/// 2069 (POSIX `%y`).
///
/// # Errors
/// [`Reason::DateMalformed`].
pub(crate) fn parse_http_date(text: &str) -> Result<DateTime<Utc>, Violation> {
    parse(text, |year| if year < 70 { 2000 + year } else { 1900 + year })
}

/// Reads an HTTP date. The two-digit year of an RFC 850 date is the one closest to `now` that is not more
/// than 50 years ahead, as RFC 9110 says.
///
/// # Errors
/// [`Reason::DateMalformed`].
pub(crate) fn parse_http_date_at(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, Violation> {
    parse(text, |year| {
        let latest = now.year().saturating_add(50);
        latest.saturating_sub((latest.saturating_sub(year)).rem_euclid(100))
    })
}

/// Writes a time as IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn format_http_date(time: DateTime<Utc>) -> String {
    // Written out: every answer has a Date, and what formats texts takes its time over each part.
    let weekday = WEEKDAYS.get(time.weekday().num_days_from_monday() as usize).and_then(|day| day.get(..3));
    let month = MONTHS.get(time.month0() as usize).copied();
    let mut text = String::with_capacity("Sun, 06 Nov 1994 08:49:37 GMT".len());
    text.push_str(weekday.unwrap_or_default());
    push_two_digits(&mut text, ", ", time.day());
    text.push(' ');
    text.push_str(month.unwrap_or_default());
    // Writing to a String does not fail. The year of a clock in another unit may have more than four digits.
    let _ = write!(text, " {:04}", time.year());
    push_two_digits(&mut text, " ", time.hour());
    push_two_digits(&mut text, ":", time.minute());
    push_two_digits(&mut text, ":", time.second());
    text.push_str(" GMT");
    text
}

/// Appends a separator and a number below 100.
fn push_two_digits(text: &mut String, between: &str, number: u32) {
    text.push_str(between);
    text.extend([number / 10, number % 10].into_iter().filter_map(|digit| char::from_digit(digit, 10)));
}

fn parse(text: &str, century: impl Fn(i32) -> i32) -> Result<DateTime<Utc>, Violation> {
    read(text, century).filter(|time| is_in_calendar(*time)).ok_or_else(|| Reason::DateMalformed.into())
}

fn read(text: &str, century: impl Fn(i32) -> i32) -> Option<DateTime<Utc>> {
    let mut tokens = text.split_ascii_whitespace();
    let mut next = || tokens.next();
    let (weekday, second, third) = (next()?, next()?, next()?);
    let (date, time, zone) = match (next(), next(), next(), next()) {
        // Sunday, 06-Nov-94 08:49:37 GMT
        (Some(zone), None, None, None) => (rfc850_day(weekday, second, century)?, third, zone),
        // Sun Nov  6 08:49:37 1994
        (Some(time), Some(year), None, None) => (asctime_day(weekday, second, third, year)?, time, "GMT"),
        // Sun, 06 Nov 1994 08:49:37 GMT
        (Some(year), Some(time), Some(zone), None) => {
            short_weekday(weekday.strip_suffix(',')?)?;
            (day(number(year, 4, 4)?, third, second)?, time, zone)
        }
        _ => return None,
    };
    let (time, leap) = clock(time)?;
    Utc.from_utc_datetime(&date.and_time(time)).checked_add_signed(leap)?.checked_sub_signed(offset(zone)?)
}

fn rfc850_day(weekday: &str, date: &str, century: impl Fn(i32) -> i32) -> Option<NaiveDate> {
    let name = weekday.strip_suffix(',')?;
    WEEKDAYS.iter().find(|day| day.eq_ignore_ascii_case(name))?;
    let mut parts = date.split('-');
    let (digits, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    parts.next().is_none().then_some(())?;
    day(century(number(year, 2, 2)?), month, digits)
}

fn asctime_day(weekday: &str, month: &str, digits: &str, year: &str) -> Option<NaiveDate> {
    short_weekday(weekday)?;
    day(number(year, 4, 4)?, month, digits)
}

fn short_weekday(name: &str) -> Option<()> {
    WEEKDAYS
        .iter()
        .any(|day| day.get(..3).is_some_and(|short| short.eq_ignore_ascii_case(name)))
        .then_some(())
}

fn day(year: i32, month: &str, digits: &str) -> Option<NaiveDate> {
    let month = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
    let day = number(digits, 1, 2)?;
    NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()? + 1, u32::try_from(day).ok()?)
}

/// A time of day, and the second that a leap second adds.
fn clock(text: &str) -> Option<(NaiveTime, Duration)> {
    let mut parts = text.split(':').map(|part| number(part, 2, 2).and_then(|part| u32::try_from(part).ok()));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(())?;
    let leap = u32::from(second == 60);
    let time = NaiveTime::from_hms_opt(hour, minute, second - leap)?;
    Some((time, Duration::seconds(i64::from(leap))))
}

fn offset(zone: &str) -> Option<Duration> {
    if ["GMT", "UTC", "UT", "Z"].iter().any(|name| name.eq_ignore_ascii_case(zone)) {
        return Some(Duration::zero());
    }
    let (sign, digits) = match (zone.strip_prefix('+'), zone.strip_prefix('-')) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        _ => return None,
    };
    let digits = i64::from(number(digits, 4, 4)?);
    let (hours, minutes) = (digits / 100, digits % 100);
    (hours < 24 && minutes < 60).then(|| Duration::minutes(sign * (hours * 60 + minutes)))
}

fn number(digits: &str, least: usize, most: usize) -> Option<i32> {
    let fits = (least..=most).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    fits.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn time(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    #[test]
    fn the_three_forms_of_the_rfc_are_one_time() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 09:49:37 +0100",
            "Sun, 06 Nov 1994 03:19:37 -0530",
            " sun, 06 nov 1994 08:49:37 gmt ",
            "Mon, 06 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(parse_http_date(text).unwrap(), time("1994-11-06T08:49:37Z"), "{text}");
        }
    }

    #[test]
    fn a_leap_second_is_the_second_after() {
        assert_eq!(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT").unwrap(), time("2017-01-01T00:00:00Z"));
    }

    #[test]
    fn a_two_digit_year_is_at_most_fifty_years_ahead() {
        let at = |text, now| parse_http_date_at(text, time(now)).unwrap().year();
        assert_eq!(at("Friday, 20-Nov-76 00:00:00 GMT", "2026-11-20T00:00:00Z"), 2076);
        assert_eq!(at("Friday, 20-Nov-77 00:00:00 GMT", "2026-11-20T00:00:00Z"), 1977);
        assert_eq!(at("Friday, 20-Nov-26 00:00:00 GMT", "2026-11-20T00:00:00Z"), 2026);
        assert_eq!(at("Friday, 20-Nov-99 00:00:00 GMT", "2099-11-20T00:00:00Z"), 2099);
    }

    #[test]
    fn dates_are_of_the_years_1_to_9999() {
        let is_read = |text| parse_http_date(text).is_ok();
        assert!(is_read("Mon, 01 Jan 0001 00:00:00 GMT") && is_read("Fri, 31 Dec 9999 23:59:59 GMT"));
        for text in [
            "Sun, 31 Dec 0000 23:59:59 GMT",
            "Mon, 01 Jan 0001 00:00:00 +0001",
            "Fri, 31 Dec 9999 23:59:60 GMT",
            "Fri, 31 Dec 9999 23:59:59 -0001",
        ] {
            assert!(!is_read(text), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "2026-11-20T00:00:00Z",
            "Sun 06 Nov 1994 08:49:37 GMT",
            "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 08:49:37 +2400",
            "Sun, 06 Nov 1994 08:49:37 +01:00",
            "Sun, 006 Nov 1994 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT x",
        ] {
            assert_eq!(parse_http_date(text).unwrap_err().reason, Reason::DateMalformed, "{text}");
        }
    }

    #[test]
    fn every_day_and_second_is_written_as_chrono_writes_it() {
        // Steps of a day, an hour, a minute and a second: each part takes each of its values.
        for seconds in (0..2 * 366).map(|step| step * 90_061) {
            let time = time("2024-02-27T23:50:00Z") + Duration::seconds(seconds);
            assert_eq!(format_http_date(time), time.format("%a, %d %b %Y %H:%M:%S GMT").to_string());
        }
    }

    #[test]
    fn a_year_has_at_least_four_digits_and_all_it_has() {
        let of_year = |year| format_http_date(Utc.with_ymd_and_hms(year, 1, 1, 0, 0, 0).unwrap());
        assert!(of_year(1).ends_with(" 01 Jan 0001 00:00:00 GMT"));
        assert!(of_year(12_345).ends_with(" 01 Jan 12345 00:00:00 GMT"));
        assert!(of_year(-1).ends_with(" 01 Jan -001 00:00:00 GMT"));
    }

    #[test]
    fn dates_of_other_writers_are_read() {
        let cases = include_str!("../../../tests/vectors/http_dates.json");
        for case in serde_json::from_str::<Vec<serde_json::Value>>(cases).unwrap() {
            let parsed = parse_http_date(case["text"].as_str().unwrap());
            match case["expected"].as_str() {
                Some(expected) => assert_eq!(parsed.unwrap(), time(expected), "{}", case["id"]),
                None => assert!(parsed.is_err(), "{}", case["id"]),
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(seconds in 0i64..253_402_300_800) {
            let time = DateTime::from_timestamp(seconds, 0).unwrap();
            prop_assert_eq!(parse_http_date(&format_http_date(time)).unwrap(), time);
        }

        #[test]
        fn no_input_panics(text in "\\PC{0,12}[,-]? ?\\PC*") {
            let _ = parse_http_date(&text);
            let _ = parse_http_date_at(&text, DateTime::<Utc>::MAX_UTC);
        }
    }
}
