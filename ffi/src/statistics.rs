//! The statistics of the interface.

use std::mem::MaybeUninit;

use crate::abi::{xs2a_str, xs2a_text};
use crate::engine::xs2a_engine;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::produce;

/// The figures of the interface for each day (Europe/Oslo) from the first to the last, as `YYYY-MM-DD`, at most 400
/// (docs/guide/statistics.md). `tpp`: the organisation identifier of the TPP whose requests are counted; empty: all.
/// Gives a JSON array of `{"day","seconds","uptimePercent","downtimeSeconds","aisp","pisp","all","operations"}`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (other days), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_statistics(
    engine: *const xs2a_engine,
    first_day: xs2a_str,
    last_day: xs2a_str,
    tpp: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let tpp = tpp.optional("tpp")?.filter(|tpp| !tpp.is_empty());
        let (first, last) = (first_day.text("first_day")?, last_day.text("last_day")?);
        Ok(xs2a_text::owned(engine.statistics_json(first, last, tpp)?))
    })
}

/// As xs2a_engine_statistics(), as a CSV (RFC 4180) with a header and a row for each day, without operations.
///
/// Results: as xs2a_engine_statistics().
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_statistics_csv(
    engine: *const xs2a_engine,
    first_day: xs2a_str,
    last_day: xs2a_str,
    tpp: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let tpp = tpp.optional("tpp")?.filter(|tpp| !tpp.is_empty());
        let (first, last) = (first_day.text("first_day")?, last_day.text("last_day")?);
        Ok(xs2a_text::owned(engine.statistics_csv(first, last, tpp)?))
    })
}
