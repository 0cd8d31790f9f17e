//! An engine over the host's own bank: how it is made, and what the bank reports to it.

use std::mem::MaybeUninit;
use std::sync::Arc;

use engine::bank::PaymentStatus;
use engine::json_bank::JsonBank;
use engine::types::{Machine, PsuKey};
use engine::{Engine, EngineConfig};

use crate::abi::{self, xs2a_str, xs2a_text};
use crate::bank::{xs2a_bank_callbacks, Callbacks};
use crate::engine::xs2a_engine;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{self, produce, required, run};
use crate::only_library::check_only_library;

/// Makes an engine over the host's own bank. `config`: a JSON object, such as
/// `{"database":"sqlite:///var/lib/xs2a.db","trust_anchors":"-----BEGIN CERTIFICATE-----…","policy":{}}`;
/// docs/configuration.md lists its keys. The callbacks are copied; what `user_data` points to must outlive the engine,
/// and is freed by the callback `destroy`, also if this call fails. Owned by the caller: free it with
/// xs2a_engine_free().
///
/// Results: XS2A_NULL_ARGUMENT (callbacks, their `call`, or out), XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_CONFIG,
/// XS2A_STORE, XS2A_MISUSE (libxs2a and libxs2a_sandbox are both loaded), XS2A_BANK (the callback `sign` failed).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_new(
    config: xs2a_str,
    callbacks: *const xs2a_bank_callbacks,
    out: Option<&mut MaybeUninit<*mut xs2a_engine>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // First, because the host's data ends with it if anything fails.
        // SAFETY: the header's contract on structs.
        let callbacks = Callbacks::new(unsafe { abi::read(callbacks, "callbacks")? })?;
        let out = required(out, "out")?;
        check_only_library()?;
        let mut builder = EngineConfig::from_json(config.text("config")?)?.builder();
        builder = builder.bank(Arc::new(JsonBank::new(Arc::clone(&callbacks))));
        if callbacks.has_registry() {
            builder = builder.registry(Arc::clone(&callbacks) as Arc<_>);
        }
        if callbacks.has_revocation() {
            builder = builder.revocation(Arc::clone(&callbacks) as Arc<_>);
        }
        if callbacks.has_signer() {
            builder = builder.response_signer(Arc::clone(&callbacks) as Arc<_>);
        }
        if callbacks.has_clock() {
            builder = builder.clock(Arc::clone(&callbacks) as Arc<_>);
        }
        if callbacks.has_log() {
            builder = builder.logger(callbacks);
        }
        out.write(Box::into_raw(Box::new(builder.build()?)).cast());
        Ok(())
    })
}

/// Frees an engine that xs2a_engine_new() made, after it has written evidence of reads that waits; that this fails is
/// logged. Call it after the last call of the engine and of its callbacks has
/// returned. NULL does nothing. Do not free the engine of a sandbox: it belongs to the sandbox.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_free(engine: *mut xs2a_engine) {
    guard::total((), || {
        if !engine.is_null() {
            // SAFETY: the header's contract on handles: it came from `xs2a_engine_new`, and is freed once.
            let engine = unsafe { Box::from_raw(engine.cast::<Engine>()) };
            // A failure is logged; no caller gets it.
            drop(engine.close());
        }
    });
}

/// What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`), as JSON:
/// `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, `tppName` if the register or the TPP's
/// certificate has a name, and those of `person`, `identity`, `context`, `corporate` and `brand` that the call named.
/// `kind` is payment, cancellation, basket, consent or identification; `orders` are payment bodies, with amounts and
/// payees, each with its `paymentId`, `product` and `fee` as the bank receives them, and empty for the last two.
/// `person` and `corporate` are the bank's own references of the person and company that must complete the SCA;
/// `identity` is the person by the number of X-PSU-IDENTITY. NULL if the link is unknown, used or expired.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_authorisation(
    engine: *const xs2a_engine,
    id: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.authorisation_json(id.text("id")?)?.and_then(xs2a_text::owned))
    })
}

/// Ends an authorisation with the PSU's answer, and gives the URL to send the PSU to. `outcome`, JSON:
/// `{"outcome":"approved","psu":{"person":…,"context":"PRIVATE"},"accounts":[…],"cardAccounts":[…]}`, with `corporate`
/// in `psu` for the context `CORPORATE`, and without the account ids if the PSU opens all (they are only read for a
/// consent); or one of `{"outcome":"aborted"}`, `failed`, `psuUnknown`,
/// `otherPsu`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_NOT_FOUND (the link is unknown), XS2A_EXPIRED (it is used, or older
/// than 10 minutes), XS2A_NOT_OFFERED (an account), XS2A_MISUSE (another form), XS2A_STORE, XS2A_BANK. After the last
/// four the link stays open. After XS2A_OUTCOME_UNKNOWN it may be
/// used: ask xs2a_engine_authorisation().
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_complete_sca(
    engine: *const xs2a_engine,
    id: xs2a_str,
    outcome: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let redirect = engine.complete_sca_json(id.text("id")?, outcome.text("outcome")?)?;
        Ok(xs2a_text::owned(redirect.url))
    })
}

/// Revokes the consents of a person (the bank's own reference) to a TPP, in every context. `out`: 1 if there was one
/// that was not revoked before, an expired one included; else 0, and nothing is changed. The TPP is not notified: its
/// next call is answered CONSENT_UNKNOWN.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (U+0000 in the reference), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_revoke_consent(
    engine: *const xs2a_engine,
    person: xs2a_str,
    organisation_id: xs2a_str,
    out: Option<&mut MaybeUninit<i32>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let (person, tpp) = (person.text("person")?, organisation_id.text("organisation_id")?);
        Ok(engine.revoke_consent(tpp, &PsuKey::new(person))?.into())
    })
}

/// Reports the status of a payment at the bank, such as `ACSC` for one that was settled. `funds_available`: 1 if
/// the funds were available, 0 if they were not, below zero if that is unknown. A payment on hold is released by any
/// status.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (status), XS2A_NOT_FOUND (no such payment),
/// XS2A_CONFLICT (a status that cannot follow), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_report_payment_status(
    engine: *const xs2a_engine,
    payment_id: xs2a_str,
    status: xs2a_str,
    funds_available: i8,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let payment_id = payment_id.text("payment_id")?;
        let status = PaymentStatus::parse(status.text("status")?)
            .ok_or_else(|| xs2a_error::argument("status", "a status of a payment, such as ACSC"))?;
        let funds = (funds_available >= 0).then_some(funds_available != 0);
        Ok(engine.report_payment_status(payment_id, status, funds)?)
    })
}

/// Reports that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
/// xs2a_engine_report_payment_status() reports a status, PDNG where it is merely released. `why` is part of that
/// psuMessage, and may be empty.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_NOT_FOUND (no such payment), XS2A_CONFLICT (one that cannot become
/// PDNG), XS2A_MISUSE (a `why` of more than 400 characters), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_report_payment_on_hold(
    engine: *const xs2a_engine,
    payment_id: xs2a_str,
    why: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.report_payment_on_hold(payment_id.text("payment_id")?, Some(why.text("why")?))?)
    })
}
