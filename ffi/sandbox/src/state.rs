//! The state of a sandbox as text, its policies, and the proof that its books balance.

use std::mem::MaybeUninit;

use crate::abi::{xs2a_slice, xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::json::written;
use crate::sandbox::xs2a_sandbox;

/// The whole state as canonical JSON (RFC 8785): for xs2a_sandbox_import_json(), to read, to keep under version
/// control, and to change by hand. Equal states are equal texts. Policies and base path are not in it.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_export_json(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(required(sandbox, "sandbox")?.0.export_json()?)))
}

/// Takes the state that an exported text holds, in any spelling of the same JSON. Invalid values are reported with
/// their places (JSON Pointer), up to twenty at once; nothing is changed then. References between rows are checked if
/// each row is valid by itself; sums and the keys of TPPs are checked last.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no exported sandbox of this version, or invalid
/// values), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_import_json(
    sandbox: Option<&xs2a_sandbox>,
    json: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || Ok(required(sandbox, "sandbox")?.0.import_json(json.text("json")?)?))
}

/// What changed from one snapshot to another, in words, as a JSON array of texts: `["payment enc!!…: RCVD → ACSC"]`.
/// An empty array: no difference. At most 1001 lines: beyond a thousand the last has the number of the others.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a whole snapshot of this version), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_snapshot_diff(
    before: xs2a_slice,
    after: xs2a_slice,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || written(&engine::diff(before.bytes("before")?, after.bytes("after")?)?))
}

/// Every policy with its present value, as a JSON object.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_policy(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(required(sandbox, "sandbox")?.0.policy()?)))
}

/// Changes the policies that a JSON object names, from the next call on; the others stay. Each call is answered
/// under one set of policies. They are not part of a snapshot; a fork begins with the present ones.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_CONFIG (an unknown key or an invalid value; nothing is
/// changed then).
#[no_mangle]
pub extern "C" fn xs2a_sandbox_set_policy(
    sandbox: Option<&xs2a_sandbox>,
    policy: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || Ok(required(sandbox, "sandbox")?.0.set_policy(policy.text("policy")?)?))
}

/// Accounts whose balance differs from the sum of their bookings, as a JSON array: normally empty. Each entry is
/// `{"resourceId":…,"bban":…,"proven":{…},"booked":{…}}`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_reconcile(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(required(sandbox, "sandbox")?.0.reconcile_json()?)))
}
