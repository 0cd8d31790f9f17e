//! The clock of a sandbox, and times as text.

use std::mem::MaybeUninit;

use chrono::{DateTime, TimeDelta, Utc};
use engine::types::instant::rfc3339;

use crate::abi::{xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::sandbox::xs2a_sandbox;

pub(crate) fn instant(text: &str, argument: &str) -> Result<DateTime<Utc>, xs2a_error> {
    engine::tools::parse_time(text).map_err(|_| xs2a_error::argument(argument, "a time by RFC 3339"))
}

/// The time of the sandbox's clock, by RFC 3339 in UTC.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_now(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(rfc3339(required(sandbox, "sandbox")?.0.now()))))
}

/// Sets the clock to a time by RFC 3339; what the bank does on the way is done. The clock never goes back.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (no time), XS2A_MISUSE (earlier than now,
/// or after the year 9999), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_set_now(
    sandbox: Option<&xs2a_sandbox>,
    time: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(sandbox.0.set_now(instant(time.text("time")?, "time")?)?)
    })
}

/// Moves the clock forward by `seconds`; what the bank does on the way is done.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (negative, or beyond the year 9999), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_advance(
    sandbox: Option<&xs2a_sandbox>,
    seconds: i64,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let sandbox = required(sandbox, "sandbox")?;
        let beyond = || xs2a_error::misuse("the calendar does not go that far".to_owned());
        Ok(sandbox.0.advance(TimeDelta::try_seconds(seconds).ok_or_else(beyond)?)?)
    })
}

/// Moves the clock to the next time at which the bank does something, and does it. Gives that time by
/// RFC 3339; NULL where nothing waits: the clock then stays.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (beyond the year 9999), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_advance_to_next_event(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let event = required(sandbox, "sandbox")?.0.advance_to_next_event()?;
        Ok(event.and_then(|time| xs2a_text::owned(rfc3339(time))))
    })
}

#[cfg(test)]
mod tests {
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
