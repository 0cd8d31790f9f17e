//! The bank behind an engine, as callbacks of the host.

use std::ffi::c_void;

use chrono::{DateTime, Utc};
use engine::env::clock::{from_micros, Clock};
use engine::env::logger::{LogLevel, Logger};
use engine::env::registry::{Applicant, TppRegistry};
use engine::json_bank::{AnswerWriter, BankCalls, BankMethod};
use engine::{Error, Result};

use crate::abi::{xs2a_str, Versioned};
use crate::error::xs2a_error;
use crate::guard::required;
use crate::writer::{lent, xs2a_writer};

/// The bank behind an engine. Fill it with zeros, then set `size`, `call` and the members you need.
///
/// A callback runs on the thread of the call that needs its answer. If the host calls the engine from several threads,
/// callbacks run on several threads. A callback may take long, but it must return. It may call the engine, but not free
/// it. An answer that took longer than the policy `bank_seconds_max` (10 by default) is logged and not used, except for
/// `submit_payment` and `cancel_payment`, which changed something at the bank.
/// A C++ exception, or a longjmp, out of a callback is undefined behaviour.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_bank_callbacks {
    /// sizeof(xs2a_bank_callbacks).
    size: usize,
    /// Passed to each callback unchanged.
    user_data: *mut c_void,
    /// Answers one question of the bank: `request` is a JSON object, the answer is JSON that it writes with
    /// xs2a_writer_write(). docs/bank.md lists the values of `method`, with their requests and answers. `method` and
    /// `request` are valid until the callback returns. Returns 0 if it wrote the answer, and any other number if the
    /// bank has no answer, for any reason: the TPP then gets SYSTEM_ERROR, and nothing is changed. Required.
    call: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            method: xs2a_str,
            request: xs2a_str,
            answer: *mut xs2a_writer,
        ) -> i32,
    >,
    /// Whether the TPP with this authorisation number, such as `PSDNO-FSA-912345678`, is registered: 1 if it is, 0
    /// if it is not, another number if that cannot be determined now. NULL: every certificate that leads to a
    /// trust anchor counts, or only the institutions in the extract of xs2a_engine_replace_register(). Called on
    /// every call of a TPP; with `registry_ages` in the configuration only if its last answer is older than that.
    is_registered: Option<unsafe extern "C" fn(user_data: *mut c_void, organisation_id: xs2a_str) -> i32>,
    /// The time in microseconds since 1970 in UTC. NULL: the machine's clock. For a time outside of the years 1 to
    /// 9999, TPPs are answered 500, and the host's own calls that need the time return XS2A_MISUSE.
    now: Option<unsafe extern "C" fn(user_data: *mut c_void) -> i64>,
    /// Takes a line of the engine's log, from `info` on: `level` is `info`, `warn` or `error`; `place` is the part of
    /// the library, such as `xs2a::engine::deliver`; `message` holds no data of a PSU and no key. Lines of an engine
    /// that this callback calls are dropped. NULL: nothing is logged.
    log: Option<
        unsafe extern "C" fn(user_data: *mut c_void, level: xs2a_str, place: xs2a_str, message: xs2a_str),
    >,
}

// SAFETY: repr(C), begins with its size; integers, pointers and optional functions are valid when zero.
unsafe impl Versioned for xs2a_bank_callbacks {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

/// Callbacks that an engine keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callbacks(xs2a_bank_callbacks);

// SAFETY: the header says that callbacks are called from any thread, so what `user_data` points to is made for that.
unsafe impl Send for Callbacks {}
// SAFETY: as above, and several at once.
unsafe impl Sync for Callbacks {}

impl Callbacks {
    /// `call` must be there.
    pub(crate) fn new(given: xs2a_bank_callbacks) -> std::result::Result<Self, xs2a_error> {
        required(given.call, "callbacks.call")?;
        Ok(Self(given))
    }

    pub(crate) fn has_registry(&self) -> bool {
        self.0.is_registered.is_some()
    }

    pub(crate) fn has_log(&self) -> bool {
        self.0.log.is_some()
    }

    pub(crate) fn has_clock(&self) -> bool {
        self.0.now.is_some()
    }
}

impl BankCalls for Callbacks {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> Result<()> {
        let Some(call) = self.0.call else { return Err(Error::Bank("there is no bank".to_owned())) };
        let (name, request) = (xs2a_str::of(method.name()), xs2a_str::of(request));
        // SAFETY: the host's function of this type; the texts live through the call.
        match lent(answer, |writer| unsafe { call(self.0.user_data, name, request, writer) }) {
            0 => Ok(()),
            code => Err(Error::Bank(format!("{method}: the callback gave {code}"))),
        }
    }
}

impl TppRegistry for Callbacks {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        let Some(is_registered) = self.0.is_registered else { return Ok(true) };
        // SAFETY: the host's function of this type; the text lives through the call.
        match unsafe { is_registered(self.0.user_data, xs2a_str::of(applicant.organisation_id)) } {
            0 => Ok(false),
            1 => Ok(true),
            code => Err(Error::Bank(format!("is_registered: the callback gave {code}"))),
        }
    }
}

impl Clock for Callbacks {
    fn now(&self) -> DateTime<Utc> {
        // SAFETY: the host's function of this type.
        from_micros(self.0.now.map_or(0, |now| unsafe { now(self.0.user_data) }))
    }
}

impl Logger for Callbacks {
    fn log(&self, level: LogLevel, target: &str, message: &str) {
        if let Some(log) = self.0.log {
            let (level, place) = (xs2a_str::of(level.as_str()), xs2a_str::of(target));
            // SAFETY: the host's function of this type; the texts live through the call.
            unsafe { log(self.0.user_data, level, place, xs2a_str::of(message)) };
        }
    }
}
