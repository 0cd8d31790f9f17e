//! What goes wrong on purpose: faults, and a request for every code.

use std::mem::MaybeUninit;

use engine::FaultSpec;

use crate::abi::{xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{produce, required, run};
use crate::sandbox::xs2a_sandbox;

/// Sets a fault, a JSON object with what goes wrong, and when. `kind`: `refusal` (the default) with `code` and, where
/// a code has several, `status`; `bank_down`; `no_rate`; `slow` with `seconds`, by which the clock moves;
/// `sca` with `outcome`: `aborted`, `expired`, or `failed` with a `code`; `submit_payment`: the bank does not take an
/// authorised payment, which is delivered again. Conditions: `operation`, `tpp` (its organisation id), `product`,
/// `target` (a part of it). How often: `nth`, `times`, `probability`. docs/guide/testing.md describes all. Gives the
/// number of the fault. Faults are not part of a snapshot, and a fork begins without faults; `slow` needs
/// xs2a_sandbox_handle().
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (an invalid fault).
#[no_mangle]
pub extern "C" fn xs2a_sandbox_add_fault(
    sandbox: Option<&xs2a_sandbox>,
    json: xs2a_str,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(sandbox.0.add_fault(FaultSpec::from_json(json.text("json")?)?)?.id())
    })
}

/// The active faults as a JSON array, the oldest first: each as it was written, with `id`, `seen` (how often its
/// conditions were met) and `hits` (how often it struck).
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_faults(
    sandbox: Option<&xs2a_sandbox>,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(required(sandbox, "sandbox")?.0.faults_json()?)))
}

/// Removes a fault by its number.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (no such fault is set).
#[no_mangle]
pub extern "C" fn xs2a_sandbox_remove_fault(
    sandbox: Option<&xs2a_sandbox>,
    id: u64,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || match required(sandbox, "sandbox")?.0.remove_fault(id) {
        true => Ok(()),
        false => Err(xs2a_error::misuse(format!("no fault {id} is set"))),
    })
}

/// Removes every fault.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_clear_faults(
    sandbox: Option<&xs2a_sandbox>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        required(sandbox, "sandbox")?.0.clear_faults();
        Ok(())
    })
}

/// A signed request that the sandbox answers with a code of the contract, such as `KID_INVALID`, if it is the next
/// request, as a JSON object: `method`, `target`, `headers` (an array of `name` and `value`), `body` as text, and the
/// answer to expect: `code`, `status`, `reason`. Prepares the sandbox for it: registers a TPP, may open accounts or
/// order payments for customers, and for CONSENT_EXPIRED moves the clock by 180 days. Use a fork if the sandbox must
/// not change.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no such code; the default data set was
/// changed), XS2A_BANK (an active fault makes the bank fail), XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_provoke(
    sandbox: Option<&xs2a_sandbox>,
    code: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let sandbox = required(sandbox, "sandbox")?;
        Ok(xs2a_text::owned(sandbox.0.provoke(code.text("code")?)?.to_json()?))
    })
}
