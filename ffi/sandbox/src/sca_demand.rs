//! SCA by risk: what the sandbox's bank says of a person.

use std::mem::MaybeUninit;

use crate::abi::xs2a_str;
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{required, run};
use crate::sandbox::xs2a_sandbox;

/// Sets the result of the bank's risk analysis for a private customer from now on. `demanded`: reading accounts is
/// answered 401 SCA_INVALID with an scaRedirect until this person completes an SCA. `exempt`: a payment with their
/// PSU-ID is authorised without an SCA, and a TPP-Session-ID that was never seen reads accounts as a call without one
/// does. `as_ruled`: neither; this is the initial value.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (no private customer has this number, or an unknown demand),
/// XS2A_STORE.
#[no_mangle]
pub extern "C" fn xs2a_sandbox_set_sca_demand(
    sandbox: Option<&xs2a_sandbox>,
    customer_number: xs2a_str,
    demand: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let (customer, demand) = (customer_number.text("customer_number")?, demand.text("demand")?);
        Ok(required(sandbox, "sandbox")?.0.set_sca_demand(customer, demand)?)
    })
}
