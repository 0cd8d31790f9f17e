//! Times as text.

use chrono::{DateTime, Utc};

use crate::error::xs2a_error;

pub(crate) fn instant(text: &str, argument: &str) -> Result<DateTime<Utc>, xs2a_error> {
    engine::tools::parse_time(text).map_err(|_| xs2a_error::argument(argument, "a time by RFC 3339"))
}

#[cfg(test)]
mod tests {
    use engine::internal::rfc3339;

    use super::*;

    #[test]
    fn a_time_in_any_zone_comes_back_in_utc_in_its_shortest_form() {
        let pairs = [
            ("2026-09-01T12:00:00+02:00", "2026-09-01T10:00:00Z"),
            ("2026-09-01T10:00:00.000Z", "2026-09-01T10:00:00Z"),
            ("2026-09-01T10:00:00.25Z", "2026-09-01T10:00:00.250Z"),
        ];
        for (given, expected) in pairs {
            assert_eq!(rfc3339(instant(given, "time").unwrap()), expected);
        }
    }

    #[test]
    fn a_time_without_a_zone_is_refused() {
        for text in ["", "2026-09-01", "2026-09-01T10:00:00"] {
            assert!(instant(text, "time").is_err(), "{text}");
        }
    }
}
