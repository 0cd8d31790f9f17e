//! Why a call ends before it is answered as asked.

use crate::error::Error;
use crate::reason::{Reason, Refusal, Violation};

/// The one error of every stage of a call, and of the bank's own operations.
#[derive(Debug)]
pub(crate) enum HandlerError {
    /// The TPP's fault: answered with what to correct.
    Refused(Refusal),
    /// The host's fault: logged, and answered with a neutral SYSTEM_ERROR.
    Failed(Error),
}

impl HandlerError {
    /// The same, with the number of fields of each header that is refused.
    pub(crate) fn counting(self, fields: impl Fn(&str) -> usize) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(refusal.counting(fields)),
            failed @ Self::Failed(_) => failed,
        }
    }

    /// Every reason of the answer, in its order.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        match self {
            Self::Refused(refusal) => refusal.findings().map(|finding| finding.violation.reason).collect(),
            Self::Failed(error) => vec![reason_of(error)],
        }
    }
}

impl From<Refusal> for HandlerError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Reason> for HandlerError {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.into())
    }
}

impl From<Violation> for HandlerError {
    fn from(violation: Violation) -> Self {
        Self::Refused(Refusal::new(violation))
    }
}

impl From<Error> for HandlerError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The reason by which an error of the host's side is answered.
pub(crate) fn reason_of(error: &Error) -> Reason {
    match error {
        Error::Store(_) | Error::Record(_) => Reason::StoreFailed,
        Error::OutcomeUnknown(_) => Reason::OutcomeUnknown,
        Error::Bank(_) | Error::BankAnswer(_) => Reason::BankFailed,
        Error::Config(_) | Error::Internal(_) => Reason::Internal,
        Error::Misuse(_)
        | Error::NotFound(_)
        | Error::Expired(_)
        | Error::Conflict(_)
        | Error::NotOffered(_) => Reason::Internal,
    }
}
