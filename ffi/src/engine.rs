//! The engine: one call per request, and the two calls of the host's scheduler.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use engine::internal::rfc3339;
use engine::{Engine, Request, Response, RunReport};

use crate::abi::{xs2a_slice, xs2a_text};
use crate::bytes::xs2a_bytes;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{self, produce, required};
use crate::message::{xs2a_request, xs2a_response};

/// An engine. Any function may be called from any thread at the same time.
pub struct xs2a_engine {
    /// C sees only pointers to it, and they point to an `Engine` of the core.
    _opaque: [u8; 0],
}

impl xs2a_engine {
    /// # Safety
    /// `engine` is NULL, or points to an `Engine`, as what `xs2a_engine_new` and `xs2a_sandbox_engine` gave does, and
    /// that engine lives through `'a`.
    pub(crate) unsafe fn borrow<'a>(engine: *const Self) -> Result<&'a Engine, xs2a_error> {
        // SAFETY: this function's contract.
        required(unsafe { engine.cast::<Engine>().as_ref() }, "engine")
    }
}

/// Answers one request with `handle`, which may belong to any engine.
///
/// # Safety
/// As [`xs2a_request::read`].
pub(crate) unsafe fn answer(
    request: *const xs2a_request,
    handle: impl FnOnce(&Request<'_>) -> Response,
) -> Result<Option<Box<xs2a_response>>, xs2a_error> {
    // SAFETY: this function's contract.
    let request = unsafe { xs2a_request::read(request)? };
    let response = request.received()?.with(handle);
    Ok(guard::owned(xs2a_response(response)))
}

/// Gives the complete answer to one request. An answer of 400 or 500 is XS2A_OK: the call succeeds for every request of
/// a TPP.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_handle(
    engine: *const xs2a_engine,
    request: *const xs2a_request,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_response>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        // SAFETY: the header's contract on structs.
        unsafe { answer(request, |request| engine.handle(request)) }
    })
}

/// As xs2a_engine_handle() for one HTTP/1.1 request as bytes, and gives the answer as bytes to send. `message` is one
/// complete request and nothing after it, whose body has a Content-Length; any other is answered 400, with the section
/// of RFC 9112 that it breaks and the byte where. Close the connection after an answer that has `Connection: close`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_handle_http(
    engine: *const xs2a_engine,
    message: xs2a_slice,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_bytes>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(xs2a_bytes::owned(engine.handle_http(message.bytes("message")?).to_bytes()))
    })
}

/// What a run of due orders did. It has these members in every version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_run_report {
    /// Orders that the bank took.
    submitted: u64,
    /// Orders that are not delivered any more, because their payments ended before.
    withdrawn: u64,
    /// Orders that failed and will be delivered again.
    failed: u64,
    /// Orders that became dead letters: see xs2a_engine_dead_letters().
    dead_letters: u64,
}

impl From<RunReport> for xs2a_run_report {
    fn from(report: RunReport) -> Self {
        let count = |orders: usize| u64::try_from(orders).unwrap_or(u64::MAX);
        Self {
            submitted: count(report.submitted),
            withdrawn: count(report.withdrawn),
            failed: count(report.failed),
            dead_letters: count(report.dead_letters),
        }
    }
}

/// Delivers the due orders to the bank: for the host's scheduler. It also writes evidence of reads and statistics that
/// wait and deletes expired rows of the database, so a gateway without payments calls it from time to time too.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_run_due(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<xs2a_run_report>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.run_due()?.into())
    })
}

/// As xs2a_engine_run_due(), until `goes_on` returns 0; it is called before each order, on the thread of this call. For
/// a host that shuts down: a call to the bank is not interrupted, after it no order is delivered, and the other orders
/// stay due. The rules for callbacks at the beginning of this header apply.
///
/// Results: XS2A_NULL_ARGUMENT (goes_on too), XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_run_due_while(
    engine: *const xs2a_engine,
    goes_on: Option<unsafe extern "C" fn(user_data: *mut c_void) -> i32>,
    user_data: *mut c_void,
    out: Option<&mut MaybeUninit<xs2a_run_report>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let goes_on = required(goes_on, "goes_on")?;
        // SAFETY: the host's function of this type, with the pointer that belongs to it.
        Ok(engine.run_due_while(|| unsafe { goes_on(user_data) } != 0)?.into())
    })
}

/// When xs2a_engine_run_due() next has something to do, by RFC 3339 in UTC: to deliver an order, or to write evidence
/// of reads that waits. NULL if nothing waits now. The next read may add evidence. The next completed SCA may add an
/// order, and so may the next call, if the bank exempts payments from their SCA.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the callback `now` gave no year from 1 to 9999), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_next_due(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.next_due()?.and_then(|due| xs2a_text::owned(rfc3339(due))))
    })
}
