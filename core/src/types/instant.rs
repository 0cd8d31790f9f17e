//! Instants as texts: RFC 3339, in UTC.

use chrono::{DateTime, SecondsFormat, Utc};

/// The shortest exact form, such as `2026-09-01T10:00:00Z`.
pub(crate) fn rfc3339(instant: DateTime<Utc>) -> String {
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
