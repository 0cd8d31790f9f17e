//! What an operator asks and does: consents, payments, blocking, and erasing a person.

use std::mem::MaybeUninit;

use engine::store::BlockedSubject;
use engine::types::PsuKey;

use crate::abi::{xs2a_str, xs2a_text};
use crate::engine::xs2a_engine;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, run};
use crate::time::instant;

/// Lists consents that count and ended ones, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `after`
/// (the `id` of the last row of the page before) and `limit` (1 to 1000, 200 if absent); empty: all. Gives a JSON array
/// of `{"id","state","tpp","psu","context","purpose","accounts","cardAccounts","grantedAt","validUntil"}`, and
/// `tppName`, `corporate`, `lastAccessAt`, `endedAt`, `endedWhy`, each if there is one. `state` is valid, expired,
/// revokedByPsu or replaced; `endedWhy` is expired, revoked or replaced. A consent that was revoked or replaced is
/// listed for two years from then. `lastAccessAt` is at most a minute too early.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another query), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_consents(
    engine: *const xs2a_engine,
    query: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(xs2a_text::owned(engine.consents_json(query.text("query")?)?))
    })
}

/// Lists payments, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `status`, `createdFrom`,
/// `createdTo` (times by RFC 3339, the second exclusive), `after` and `limit` as above; empty: all. Gives a JSON array
/// of `{"id","tpp","product","status","order","fee","createdAt"}`, and `psu`, `context`, `corporate`, `fundsAvailable`,
/// `onHold`, `basketId`, `authorisedAt`, each if there is one. A page is shorter than `limit` if its orders have 8 MiB:
/// the end of the list is an empty page.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another query), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_payments(
    engine: *const xs2a_engine,
    query: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(xs2a_text::owned(engine.payments_json(query.text("query")?)?))
    })
}

/// Shows one payment: an object as xs2a_engine_payments() lists, with `events`, its history, oldest first: an array of
/// `{"at","from","to","cause"}`. NULL if no payment has the id.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_payment(
    engine: *const xs2a_engine,
    payment_id: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.payment_json(payment_id.text("payment_id")?)?.and_then(xs2a_text::owned))
    })
}

/// Refuses the calls of a TPP, or those made with one certificate, on every node from its next call on, in place of an
/// earlier block of the same subject. One of both is given, the other is empty: `tpp`, the organisation identifier;
/// `certificate`, the SHA-256 of its DER as 64 hexadecimal digits. `until`: when the block ends by itself, by RFC 3339;
/// empty: it does not. `why`, at most 400 characters, is for the operator alone. A call that is being answered is
/// completed; what PSUs approved before stays.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (until), XS2A_MISUSE (both or none, or another form;
/// an `until` that is not later than now; another `why`), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_block(
    engine: *const xs2a_engine,
    tpp: xs2a_str,
    certificate: xs2a_str,
    until: xs2a_str,
    why: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        let until = given(&until, "until")?.map(|until| instant(until, "until")).transpose()?;
        Ok(engine.block(subject(&tpp, &certificate)?, until, why.text("why")?)?)
    })
}

/// Removes a block, named as for xs2a_engine_block(). `out`: 1; 0 if there was none.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (both or none, or another form), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_unblock(
    engine: *const xs2a_engine,
    tpp: xs2a_str,
    certificate: xs2a_str,
    out: Option<&mut MaybeUninit<i32>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(engine.unblock(subject(&tpp, &certificate)?)?.into())
    })
}

/// Lists the blocks that have not ended: a JSON array of `{"tpp","since","why"}` or `{"certificate","since","why"}`,
/// with `until` if the block ends by itself.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_blocked(
    engine: *const xs2a_engine,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(xs2a_text::owned(engine.blocked_json()?))
    })
}

/// Deletes what the database has of a person and no law keeps: consents, sessions, links, the ids by which TPPs know
/// the person, counts of calls (docs/guide/retention.md). `psu`: the bank's own reference. Gives a JSON object:
/// `erased`, the number of deleted rows by their kind, and `kept`, an array of `{"what","count","until","why"}`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFLICT (a payment of the person is open; the message names
/// it), XS2A_STORE.
#[no_mangle]
pub unsafe extern "C" fn xs2a_engine_erase_psu(
    engine: *const xs2a_engine,
    psu: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on handles.
        let engine = unsafe { xs2a_engine::borrow(engine)? };
        Ok(xs2a_text::owned(engine.erase_psu_json(&PsuKey::new(psu.text("psu")?))?))
    })
}

fn subject(tpp: &xs2a_str, certificate: &xs2a_str) -> Result<BlockedSubject, xs2a_error> {
    let (tpp, certificate) = (given(tpp, "tpp")?, given(certificate, "certificate")?);
    Ok(BlockedSubject::named(tpp, certificate)?)
}

/// A text that is not empty.
fn given<'t>(text: &'t xs2a_str, argument: &str) -> Result<Option<&'t str>, xs2a_error> {
    Ok(text.optional(argument)?.filter(|text| !text.is_empty()))
}
