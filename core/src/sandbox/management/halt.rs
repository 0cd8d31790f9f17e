//! Why a handler ends before its goal: the TPP's doing, or the host's.

use crate::error::Error;
use crate::reason::{Finding, Reason, Refusal};

/// The one way out of every handler.
#[derive(Debug)]
pub(super) enum Halt {
    /// Answered with what to mend.
    Refused(Refusal),
    /// Logged, and answered with a neutral SYSTEM_ERROR.
    Failed(Error),
}

/// What a handler comes to.
pub(super) type Outcome<T> = Result<T, Halt>;

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.into())
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Nothing, where nothing was found; else the refusal that the findings amount to.
pub(super) fn unless_found(findings: Vec<Finding>) -> Outcome<()> {
    match Refusal::from_findings(findings) {
        Some(refusal) => Err(refusal.into()),
        None => Ok(()),
    }
}
