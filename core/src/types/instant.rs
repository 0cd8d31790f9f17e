//! Instants as texts: written by RFC 3339 in UTC, read by ISO 8601.

use chrono::{DateTime, Datelike as _, SecondsFormat, TimeDelta, Utc};

use crate::limits::CLOCKS_APART_SECONDS_MAX;

/// Whether an instant is in the years 1 to 9999 (UTC), as RFC 3339 and the dates of other languages have them.
pub(crate) fn is_in_calendar(instant: DateTime<Utc>) -> bool {
    (1..=9999).contains(&instant.year())
}

/// Returns true if less than `life` passed since an instant. Another node may have written it, by a clock that is
/// ahead: it counts up to [`CLOCKS_APART_SECONDS_MAX`] before its time, and no further, because it would live too long.
pub(crate) fn is_younger(since: DateTime<Utc>, now: DateTime<Utc>, life: TimeDelta) -> bool {
    let age = now.signed_duration_since(since);
    -TimeDelta::seconds(CLOCKS_APART_SECONDS_MAX) < age && age < life
}

/// The shortest exact form, such as `2026-09-01T10:00:00Z`.
pub fn rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// To the second.
pub(crate) fn rfc3339_seconds(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// To the microsecond, of one width for all: such texts sort as the instants do.
pub(crate) fn rfc3339_micros(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// An instant with its offset by ISO 8601, in the extended form: that of RFC 3339, and what languages write that leave
/// out seconds or minutes of the offset that are zero (`2026-09-01T10:00Z` of Java's `OffsetDateTime`), or the colon of
/// the offset (`+0200`).
pub(crate) fn parse(text: &str) -> Option<DateTime<Utc>> {
    let read = |text: &str| DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.to_utc());
    read(text).or_else(|| read(&completed(text)?))
}

/// The text with what RFC 3339 demands and ISO 8601 does not.
fn completed(text: &str) -> Option<String> {
    // As far as the minutes, both have the same.
    let (minutes, rest) = text.split_at_checked("2026-09-01T10:00".len())?;
    let (seconds, offset) = rest.split_at_checked(rest.find(['Z', 'z', '+', '-'])?)?;
    let seconds = if seconds.is_empty() { ":00" } else { seconds };
    let offset = match offset.split_at_checked("+02".len()) {
        Some((hours, "")) => format!("{hours}:00"),
        Some((hours, colonless)) if !colonless.starts_with(':') => format!("{hours}:{colonless}"),
        _ => offset.to_owned(),
    };
    Some(format!("{minutes}{}{offset}", seconds.trim_end().replace(',', ".")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_instant_is_younger_from_ten_minutes_ahead_until_its_life_is_over() {
        let now = parse("2026-09-01T10:00:00Z").unwrap();
        let microsecond = TimeDelta::microseconds(1);
        for life in [TimeDelta::minutes(5), TimeDelta::minutes(10), TimeDelta::hours(1), TimeDelta::days(180)]
        {
            for (age, expected) in [
                (TimeDelta::zero(), true),
                (life - microsecond, true),
                (life, false),
                (microsecond - TimeDelta::minutes(10), true),
                (-TimeDelta::minutes(10), false),
                (-life.max(TimeDelta::minutes(10)), false),
            ] {
                assert_eq!(is_younger(now - age, now, life), expected, "{age} of {life}");
            }
        }
        assert!(!is_younger(DateTime::<Utc>::MAX_UTC, now, TimeDelta::MAX));
        assert!(!is_younger(DateTime::<Utc>::MIN_UTC, now, TimeDelta::days(180)));
    }

    #[test]
    fn an_instant_is_read_in_each_extended_form_of_iso_8601() {
        let ten = parse("2026-09-01T10:00:00Z").unwrap();
        for text in [
            "2026-09-01T10:00Z",
            "2026-09-01T10:00+00:00",
            "2026-09-01T12:00+02",
            "2026-09-01T12:00:00+02",
            "2026-09-01T12:00:00+0200",
            "2026-09-01T04:30:00.000-0530",
            "2026-09-01T10:00:00,0Z",
            "2026-09-01t10:00z",
            "2026-09-01 10:00:00+00:00",
            "2026-09-01 12:00:00 +0200",
        ] {
            assert_eq!(parse(text), Some(ten), "{text}");
        }
        assert_eq!(parse("2026-09-01T10:00:00,25Z"), Some(ten + TimeDelta::milliseconds(250)));
    }

    #[test]
    fn what_names_no_instant_is_not_read() {
        for text in [
            "",
            "2026-09-01",
            "2026-09-01T10:00",
            "2026-09-01T10:00:00",
            "2026-09-01T10Z",
            "2026-9-1T10:00:00Z",
            "2026-09-01T10:0Z",
            "2026-09-01T24:01Z",
            "2026-02-30T10:00Z",
            "2026-09-01T10:00+2",
            "2026-09-01T10:00+020",
            "2026-09-01T10:00+02000",
            "2026-09-01T10:00+02 00",
            "2026-09-01T10:00Z ",
            "2026-09-01T10:00ZZ",
            "20260901T100000Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[0-9TZ:+,. æ-]{0,30}") {
            let _ = parse(&text);
        }
    }
}
