//! What an engine trusts, replaced while it runs.

use std::mem::MaybeUninit;

use engine::internal::rfc3339;
use engine::tools;

use crate::abi::{xs2a_slice, xs2a_str, xs2a_text};
use crate::engine::xs2a_engine;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, run};
use crate::time::instant;

/// Replaces the trust anchors by the certificates of `pem`, one or several. Only the new ones count from the next call
/// on. Gives their number. On a failure the old ones stay.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (no certificate, or one that cannot be read), XS2A_MISUSE
/// (the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_replace_trust_anchors(
    engine: *const xs2a_engine,
    pem: xs2a_str,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.replace_trust_anchors_with(pem.text("pem")?.as_bytes())?)
    })
}

/// Takes certificate revocation lists: one in DER, or one or several in PEM. Each replaces the earlier list of the same
/// issuer key. `authorities`: PEM of the certificates that may have issued them. They count from the next call on.
/// Gives the number of lists. On a failure no list is taken. They are not stored in the database:
/// supply them after every start, before the first request, or revoked certificates are accepted again.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (a list or an authority that cannot be read; a list that is
/// older than the one there, of no authority named, a delta list, without nextUpdate, with a wrong signature),
/// XS2A_MISUSE (an engine with the callback `revocation`; the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_supply_crl(
    engine: *const xs2a_engine,
    lists: xs2a_slice,
    authorities: xs2a_str,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let authorities = authorities.text("authorities")?.as_bytes();
        Ok(engine.supply_revocation_lists(lists.bytes("lists")?, authorities)?)
    })
}

/// Forgets every revocation list that was supplied.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_clear_crls(
    engine: *const xs2a_engine,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    // SAFETY: the header's contract on handles.
    run(error, || Ok(unsafe { xs2a_engine::borrow(engine)? }.clear_revocation_lists()?))
}

/// When the first revocation list expires (nextUpdate), by RFC 3339 in UTC: supply the next one before. NULL if there
/// is none, as after each start.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_next_crl_due(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let due = unsafe { xs2a_engine::borrow(engine)? }.next_revocation_list_due()?;
        Ok(due.and_then(|due| xs2a_text::owned(rfc3339(due))))
    })
}

/// Sets an extract of the European Banking Authority's register, JSON as published, in place of the previous one. From
/// the next call on, a TPP is refused that is not in it, or that it does not allow the service in the bank's country
/// (policy `country`); before the first extract every certificate that leads to a trust anchor counts. Gives the number
/// of institutions. On a failure the old one stays. It is not stored in the database: supply it after every start,
/// before the first request.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_CONFIG (another form), XS2A_MISUSE (an engine with the callback `is_registered`;
/// the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_replace_register(
    engine: *const xs2a_engine,
    json: xs2a_slice,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.replace_register(json.bytes("json")?)?)
    })
}

/// Forgets what the callback `is_registered` answered about an authorisation number, where answers are remembered
/// (`registry_ages` of the configuration): it is asked at that TPP's next call. For notices of withdrawal.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (an engine without that callback; the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_forget_registration(
    engine: *const xs2a_engine,
    organisation_id: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.forget_registration(organisation_id.text("organisation_id")?)?)
    })
}

/// Replaces the seal that answers are signed with: `certificate` and `private_key` are PEM. With NULL as `private_key`
/// the callback `sign` signs with the key of the certificate; it is called once here. The new seal counts from the next
/// call on; a call in progress may still be signed by the old one, which stays on a failure. An engine that signed no
/// answers signs them from then on.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (a certificate or a key that cannot be read; two that do not
/// belong together; a signature that does not verify), XS2A_BANK (the callback failed), XS2A_MISUSE (neither a private
/// key nor that callback; the engine of a sandbox).
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_replace_response_key(
    engine: *const xs2a_engine,
    certificate: xs2a_str,
    private_key: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let private_key = private_key.optional("private_key")?.map(str::as_bytes);
        Ok(engine.replace_response_key_with(certificate.text("certificate")?.as_bytes(), private_key)?)
    })
}

/// The certificates of an EU trusted list (XML of ETSI TS 119 612) for services that issue certificates of a type:
/// `certificate_type` is `qseal`, `qwac` or `any` (of the two), `at` the time by RFC 3339. Gives PEM, for
/// xs2a_engine_replace_trust_anchors(); empty where the list has none. The list's signature is NOT verified here:
/// verify it first. Certificates that cannot be read are left out.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (at), XS2A_MISUSE (another type), XS2A_CONFIG (no
/// trusted list; after its NextUpdate).
#[no_mangle]
pub extern "C" fn xs2a_trusted_list_anchors(
    verified_xml: xs2a_slice,
    certificate_type: xs2a_str,
    at: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let kind = certificate_type.text("certificate_type")?;
        let at = instant(at.text("at")?, "at")?;
        Ok(xs2a_text::owned(tools::trusted_list_anchors(verified_xml.bytes("verified_xml")?, kind, at)?))
    })
}
