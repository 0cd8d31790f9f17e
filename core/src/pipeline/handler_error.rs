//! Why a walk ends before its goal.

use crate::error::Error;
use crate::reason::{Reason, Refusal, Violation};

/// The one way out of every stage.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The TPP's doing: answered with what to mend.
    Refused(Refusal),
    /// A known path with a wrong method: answered with the methods it takes.
    MethodNotAllowed(Vec<&'static str>),
    /// The host's doing: logged, and answered with a neutral SYSTEM_ERROR.
    Failed(Error),
}

impl Stop {
    /// The same, with the number of fields of each header that is refused.
    pub(crate) fn counting(self, fields: impl Fn(&str) -> usize) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(refusal.counting(fields)),
            other => other,
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.into())
    }
}

impl From<Violation> for Stop {
    fn from(violation: Violation) -> Self {
        Self::Refused(Refusal::new(violation))
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The row that answers for an error of the host's side.
pub(crate) fn reason_of(error: &Error) -> Reason {
    match error {
        Error::Store(_) | Error::Record(_) => Reason::StoreFailed,
        Error::OutcomeUnknown(_) => Reason::OutcomeUnknown,
        Error::Bank(_) | Error::BankAnswer(_) => Reason::BankFailed,
        Error::Config(_) | Error::Misuse(_) | Error::Internal(_) => Reason::Internal,
    }
}
