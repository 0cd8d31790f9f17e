//! Fault injection into calls of a sandbox, with which a TPP tests its handling of failures. A production engine has
//! none.

use std::any::Any;

use chrono::TimeDelta;

use crate::operation::Operation;
use crate::reason::Refusal;
use crate::wire::request::Request;

/// A signed and authorised call, before any look-up.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
#[cfg_attr(not(feature = "sandbox"), expect(unreachable_pub, reason = "a part of the sandbox's interface"))]
pub struct ObservedCall<'c> {
    /// Its operation.
    pub operation: &'static Operation,
    /// The organisation identifier of the TPP, such as `PSDNO-FSA-000001`.
    pub tpp: &'c str,
    /// The payment product that its path names.
    pub product: Option<&'static str>,
    /// The request as it came.
    pub request: &'c Request<'c>,
}

/// What is done to a call.
#[derive(Default)]
pub(crate) struct Interfered {
    /// The call is refused, as if by the bank itself.
    pub(crate) refusal: Option<Refusal>,
    /// The delay of the answer.
    pub(crate) delay: TimeDelta,
    /// Dropped on the thread of the call, after its last stage.
    pub(crate) lasts: Option<Box<dyn Any>>,
}

/// Injects faults into calls.
pub(crate) trait Interference: Send + Sync {
    /// Called once for each call, before any look-up. With `takes_scenario` the call may choose a fault for itself.
    fn call_begins(&self, call: &ObservedCall<'_>, takes_scenario: bool) -> Interfered;
}
