//! The bank behind an engine, as callbacks of the host.

use std::ffi::c_void;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use engine::env::{
    Applicant, Clock, IssuedCertificate, LogRecord, Logger, ResponseSigner, Revocation, RevocationStatus,
    TppRegistry,
};
use engine::internal::from_micros;
use engine::json_bank::{AnswerWriter, BankCalls, BankMethod};
use engine::{Error, Result};

use crate::abi::{xs2a_slice, xs2a_str, Versioned};
use crate::error::xs2a_error;
use crate::guard::required;
use crate::writer::{lent, xs2a_writer};

/// The bank behind an engine. Fill it with zeros, then set `size`, `call` and the members you need.
///
/// A callback runs on the thread of the call that needs its answer. If the host calls the engine from several threads,
/// callbacks run on several threads. A callback may take long, but it must return. It may call the engine, but not free
/// it. An answer that took longer than the policy `bank_seconds_max` (10 by default) is logged and not used, except for
/// `submit_payment` and `cancel_payment`, which changed something at the bank; so is one after which all questions of
/// the call took longer than `call_bank_seconds_max` (30).
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
    /// bank has no answer, for any reason, which it may state with xs2a_writer_fail(): the TPP then gets SYSTEM_ERROR,
    /// and nothing is changed. Required.
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
    /// Takes a record of the engine's log, from `info` on: `level` is `info`, `warn` or `error`; `target` is the part
    /// of the library, such as `xs2a::engine::deliver`; `message` is the same text each time; `fields` are the values,
    /// a JSON object in one line, such as `{"tpp":"PSDNO-FSA-912345678","attempt":3}`. No text of a certificate can
    /// end its string. Nothing of it is data of a PSU or a key. Records of an engine that this callback calls are
    /// dropped. NULL: nothing is logged.
    log: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            level: xs2a_str,
            target: xs2a_str,
            message: xs2a_str,
            fields: xs2a_str,
        ),
    >,
    /// Whether a certificate is revoked, for revocation by OCSP or by a service of yours: 0 if it is not, 1 if it is,
    /// 2 if no answer is current (policy `stale_crl`), 3 if the source has none about it (policy `missing_crl`),
    /// another number if that cannot be determined now: the TPP is answered 500. `certificate` and `issuer` are DER;
    /// `issuer` is empty if the certificate is itself a trust anchor. Called on every call of a TPP for every
    /// certificate of the chain except its anchor: keep each answer until its nextUpdate. NULL: the lists of
    /// xs2a_engine_supply_crl() decide. Not used by a sandbox.
    revocation: Option<
        unsafe extern "C" fn(user_data: *mut c_void, certificate: xs2a_slice, issuer: xs2a_slice) -> i32,
    >,
    /// Signs the bank's answers with a key that is not in this process, such as one in an HSM: RSASSA-PKCS1-v1_5 with
    /// SHA-256 over `text` (the hash included), by the key of `certificate`, which is DER. It writes the bytes of the
    /// signature with xs2a_writer_write(), and returns 0; any other number if it cannot sign, with the reason by
    /// xs2a_writer_fail(). Each signature is verified with the certificate. Where it fails, the TPP is answered 500
    /// without a signature and without data, and calls are refused, unprocessed, until it works again. Called for each
    /// answer, where `response_key` of the configuration or xs2a_engine_replace_response_key() has a certificate
    /// without a private key. It must return: the answer waits for it. NULL: there is no such function.
    sign: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            certificate: xs2a_slice,
            text: xs2a_slice,
            signature: *mut xs2a_writer,
        ) -> i32,
    >,
    /// Frees what `user_data` points to. Called once, when no callback will be called any more: by
    /// xs2a_engine_free(), and by xs2a_engine_new() if that fails, unless `callbacks` is NULL or its `size` unknown: so
    /// do not free the data after a failure. It may not call the engine. NULL: nothing is called.
    destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}

// SAFETY: repr(C), begins with its size; integers, pointers and optional functions are valid when zero.
unsafe impl Versioned for xs2a_bank_callbacks {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

/// Callbacks that an engine keeps. The last part of an engine that drops them ends the host's data.
#[derive(Debug)]
pub(crate) struct Callbacks(xs2a_bank_callbacks);

impl Drop for Callbacks {
    fn drop(&mut self) {
        if let Some(destroy) = self.0.destroy {
            // SAFETY: the host's function of this type; no callback is called with the data after this.
            unsafe { destroy(self.0.user_data) };
        }
    }
}

// SAFETY: the header says that callbacks are called from any thread, so what `user_data` points to is made for that.
unsafe impl Send for Callbacks {}
// SAFETY: as above, and several at once.
unsafe impl Sync for Callbacks {}

impl Callbacks {
    /// `call` must be there.
    pub(crate) fn new(given: xs2a_bank_callbacks) -> std::result::Result<Arc<Self>, xs2a_error> {
        // Before anything can fail: the host's data ends with it.
        let kept = Arc::new(Self(given));
        required(given.call, "callbacks.call")?;
        Ok(kept)
    }

    pub(crate) fn has_registry(&self) -> bool {
        self.0.is_registered.is_some()
    }

    pub(crate) fn has_revocation(&self) -> bool {
        self.0.revocation.is_some()
    }

    pub(crate) fn has_signer(&self) -> bool {
        self.0.sign.is_some()
    }

    pub(crate) fn has_log(&self) -> bool {
        self.0.log.is_some()
    }

    pub(crate) fn has_clock(&self) -> bool {
        self.0.now.is_some()
    }
}

fn unexplained(code: i32) -> String {
    format!("the callback gave {code}")
}

impl BankCalls for Callbacks {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> Result<()> {
        let Some(call) = self.0.call else { return Err(Error::Bank("there is no bank".to_owned())) };
        let (name, request) = (xs2a_str::of(method.name()), xs2a_str::of(request));
        // SAFETY: the host's function of this type; the texts live through the call.
        let (code, why) = lent(answer, |writer| unsafe { call(self.0.user_data, name, request, writer) });
        match code {
            0 => Ok(()),
            code => Err(Error::Bank(format!("{method}: {}", why.unwrap_or_else(|| unexplained(code))))),
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
            code => Err(Error::Bank(format!("is_registered: {}", unexplained(code)))),
        }
    }
}

impl Revocation for Callbacks {
    fn status(&self, certificate: &IssuedCertificate<'_>) -> Result<RevocationStatus> {
        let Some(revocation) = self.0.revocation else { return Ok(RevocationStatus::Unlisted) };
        let issuer = xs2a_slice::of(certificate.issuer.unwrap_or_default());
        // SAFETY: the host's function of this type; the bytes live through the call.
        match unsafe { revocation(self.0.user_data, xs2a_slice::of(certificate.der), issuer) } {
            0 => Ok(RevocationStatus::Good),
            1 => Ok(RevocationStatus::Revoked),
            2 => Ok(RevocationStatus::Stale),
            3 => Ok(RevocationStatus::Unlisted),
            code => Err(Error::Bank(format!("revocation: {}", unexplained(code)))),
        }
    }
}

impl ResponseSigner for Callbacks {
    fn sign(&self, certificate: &[u8], text: &[u8]) -> Result<Vec<u8>> {
        let failed = |why: &str| Err(Error::Bank(format!("sign: {why}")));
        let Some(sign) = self.0.sign else { return failed("there is no callback") };
        let (certificate, text) = (xs2a_slice::of(certificate), xs2a_slice::of(text));
        let mut signature = AnswerWriter::default();
        // SAFETY: the host's function of this type; the bytes live through the call.
        let (code, why) =
            lent(&mut signature, |writer| unsafe { sign(self.0.user_data, certificate, text, writer) });
        match code {
            0 => signature.finished().or_else(|why| failed(&why)),
            code => failed(&why.unwrap_or_else(|| unexplained(code))),
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
    fn log(&self, record: &LogRecord) {
        if let Some(log) = self.0.log {
            let (level, target) = (xs2a_str::of(record.level().as_str()), xs2a_str::of(record.target()));
            let (message, fields) = (xs2a_str::of(record.message()), record.fields_json());
            // SAFETY: the host's function of this type; the texts live through the call.
            unsafe { log(self.0.user_data, level, target, message, xs2a_str::of(&fields)) };
        }
    }
}
