//! Instants as texts: RFC 3339, in UTC.

use chrono::{DateTime, Datelike as _, SecondsFormat, Utc};

/// Whether an instant is in the years 1 to 9999 (UTC), as RFC 3339 and the dates of other languages have them.
pub(crate) fn is_in_calendar(instant: DateTime<Utc>) -> bool {
    (1..=9999).contains(&instant.year())
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
