//! What an operator handles: dead letters, the audit, the state of the engine.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use engine::internal::rfc3339;
use serde::Serialize;

use crate::abi::{xs2a_str, xs2a_text};
use crate::engine::xs2a_engine;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::json::written;
use crate::time::instant;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderView<'o> {
    payment_id: &'o str,
    attempts: u32,
    why: &'o str,
    since: String,
}

/// Lists the dead letters, orders that are not delivered to the bank until an operator acts: a JSON array of
/// `{"paymentId","attempts","why","since"}`, the oldest first, at most 1000. Their payments do not change until
/// xs2a_engine_retry_order(), or until xs2a_engine_report_payment_status() reports its status. An order that cannot be
/// read in the store is among them, with the stored value as its payment id.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_dead_letters(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let orders = unsafe { xs2a_engine::borrow(engine)? }.dead_letters()?;
        let views = orders.iter().map(|order| OrderView {
            payment_id: order.payment_id.as_str(),
            attempts: order.attempts,
            why: &order.why,
            since: rfc3339(order.since),
        });
        written(&views.collect::<Vec<_>>())
    })
}

/// Whether the engine can do its work now, as a JSON object (docs/guide/gateway.md): `{"ok":true,…}`. It reads the
/// database and writes nothing. What fails is part of the result.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_health(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let health = unsafe { xs2a_engine::borrow(engine)? }.health();
        Ok(xs2a_text::owned(health.to_json()?))
    })
}

/// The figures of the engine in Prometheus' text format, version 0.0.4 (docs/guide/gateway.md).
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_metrics(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let metrics = unsafe { xs2a_engine::borrow(engine)? }.metrics()?;
        Ok(xs2a_text::owned(metrics))
    })
}

/// Lets a dead letter be delivered again, from now on.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_NOT_FOUND (the payment has no dead letter), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_retry_order(
    engine: *const xs2a_engine,
    payment_id: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.retry_order(payment_id.text("payment_id")?)?)
    })
}

/// Hands the lines of the audit from the time `start` until before `end`, both by RFC 3339, to `take_line`, oldest
/// first: each a JSON object in one line (docs/guide/audit.md), which is valid until the callback returns. If the
/// callback returns anything but 0, the export ends, without an error. The rules for callbacks at the beginning of this
/// header apply. The audit is read in pages: memory does not grow with its length.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (start, end), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_audit(
    engine: *const xs2a_engine,
    start: xs2a_str,
    end: xs2a_str,
    take_line: Option<unsafe extern "C" fn(user_data: *mut c_void, line: xs2a_str) -> i32>,
    user_data: *mut c_void,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let range = instant(start.text("start")?, "start")?..instant(end.text("end")?, "end")?;
        let take_line = required(take_line, "take_line")?;
        for line in engine.audit(range) {
            // SAFETY: the host's function of this type; the text lives through the call.
            if unsafe { take_line(user_data, xs2a_str::of(&line?)) } != 0 {
                break;
            }
        }
        Ok(())
    })
}
