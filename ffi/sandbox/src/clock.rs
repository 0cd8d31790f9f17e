//! The clock of a sandbox.

use std::mem::MaybeUninit;

use chrono::TimeDelta;
use engine::types::instant::rfc3339;

use crate::abi::{xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::sandbox::xs2a_sandbox;
use crate::time::instant;

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

/// Sets the clock to a time by RFC 3339; every event of the bank up to that time takes place. The clock never goes
/// back.
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

/// Moves the clock forward by `seconds`; every event of the bank up to that time takes place.
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
        let beyond = || xs2a_error::misuse("the time is after the year 9999".to_owned());
        Ok(sandbox.0.advance(TimeDelta::try_seconds(seconds).ok_or_else(beyond)?)?)
    })
}

/// Moves the clock to the time of the bank's next event, which then takes place. Gives that time by
/// RFC 3339; NULL if no event waits: the clock then does not move.
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
