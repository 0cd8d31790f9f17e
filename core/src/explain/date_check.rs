//! Why Date is refused.

use chrono::{DateTime, Utc};

use super::case::Case;
use super::explanation::Proof;
use super::finding::Finding;
use super::table;
use crate::limits::DATE_DEVIATION_SECONDS_MAX;
use crate::types::instant;
use crate::wire::http_date::{format_http_date, parse_http_date_at};

/// The half hours of the time zones, either way.
const HALF_HOURS_MAX: i64 = 28;

/// Explains `DAT-01` and `DAT-02`.
pub(super) fn explain_date(case: &Case<'_>) -> Option<Finding> {
    let value = case.headers.get("date")?;
    let text = String::from_utf8_lossy(&value);
    Some(match parse_http_date_at(&text, case.now) {
        Ok(date) => outside_window(date, case.now),
        Err(_) => Finding::new(&table::DATE_FORM, Proof::Form).with_detail(form_detail(&text)),
    })
}

fn outside_window(date: DateTime<Utc>, now: DateTime<Utc>) -> Finding {
    let ahead = date.timestamp() - now.timestamp();
    let window = DATE_DEVIATION_SECONDS_MAX as i64;
    let mut half_hours = (1..=HALF_HOURS_MAX).flat_map(|half| [half, -half]);
    match half_hours.find(|half| (ahead - half * 1800).abs() <= window) {
        Some(half) => {
            let offset = offset(half * 30);
            Finding::new(&table::DATE_LOCAL_TIME_AS_GMT, Proof::Clock).with_detail(format!(
                "Date is the time of the zone UTC{offset}; the bank's clock shows {}.",
                format_http_date(now)
            ))
        }
        None => {
            let direction = if ahead > 0 { "ahead of" } else { "behind" };
            Finding::new(&table::DATE_STALE, Proof::Clock).with_detail(format!(
                "Date is {} seconds {direction} the bank's clock, which shows {}.",
                ahead.abs(),
                format_http_date(now)
            ))
        }
    }
}

/// An offset from UTC of that many minutes, such as `+02:00`.
fn offset(minutes: i64) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// What the form is, if it is a frequent one, and the same time in the right form.
fn form_detail(text: &str) -> String {
    let known = iso(text).map(|time| ("ISO 8601", time)).or_else(|| {
        let number: i64 = text.parse().ok()?;
        let seconds = if number > 100_000_000_000 { number / 1000 } else { number };
        Some(("a number of seconds or milliseconds", DateTime::from_timestamp(seconds, 0)?))
    });
    match known {
        Some((form, time)) => {
            format!("Its form is {form}; as an HTTP date it is `{}`.", format_http_date(time))
        }
        None => "Its form is no HTTP date.".to_owned(),
    }
}

/// A time by ISO 8601; without an offset it is taken as UTC.
fn iso(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim().replacen(' ', "T", 1);
    instant::parse(&text).or_else(|| instant::parse(&format!("{text}Z")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(date: &str) -> &'static str {
        let now = instant::parse("2026-11-20T12:00:00Z").unwrap();
        let date = instant::parse(date).unwrap();
        outside_window(date, now).mistake.id
    }

    #[test]
    fn a_clock_in_another_zone_differs_from_a_late_request() {
        assert_eq!(id("2026-11-20T13:00:30Z"), "date-local-time-as-gmt");
        assert_eq!(id("2026-11-20T06:29:00Z"), "date-local-time-as-gmt");
        assert_eq!(id("2026-11-20T11:50:00Z"), "date-stale");
        assert_eq!(id("2026-11-22T12:00:00Z"), "date-stale");
    }

    #[test]
    fn other_forms_are_named() {
        for text in ["2026-11-20T12:00:00+01:00", "2026-11-20 11:00:00", "1795172400", "1795172400000"] {
            assert!(form_detail(text).contains("Fri, 20 Nov 2026 11:00:00 GMT"), "{text}");
        }
    }
}
