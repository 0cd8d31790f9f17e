//! Interference: what a sandbox does to a call on purpose, so that a TPP can be seen to cope. A production engine
//! has none.

use std::any::Any;

use chrono::TimeDelta;

use crate::operation::Operation;
use crate::reason::Reason;
use crate::wire::request::Request;

/// A call that its TPP signed and may make; nothing was looked up for it yet.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ObservedCall<'c> {
    /// Where it leads.
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
    /// The call is refused for this reason, as if it were the bank's own.
    pub(crate) refusal: Option<Reason>,
    /// By how much the answer comes later.
    pub(crate) delay: TimeDelta,
    /// Dropped on the thread of the call, once its walk is over.
    pub(crate) lasts: Option<Box<dyn Any>>,
}

/// Injects faults into calls.
pub(crate) trait Interference: Send + Sync {
    /// Called once for each call, before any look-up.
    fn call_begins(&self, call: &ObservedCall<'_>) -> Interfered;
}
