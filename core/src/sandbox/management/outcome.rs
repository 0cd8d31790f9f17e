//! What a handler of the sandbox's own routes returns.

use crate::handler_error::HandlerError;
use crate::reason::{Finding, Refusal};

/// The result of a handler.
pub(super) type Outcome<T> = Result<T, HandlerError>;

/// Nothing, where nothing was found; else the refusal that the findings amount to.
pub(super) fn unless_found(findings: Vec<Finding>) -> Outcome<()> {
    match Refusal::from_findings(findings) {
        Some(refusal) => Err(refusal.into()),
        None => Ok(()),
    }
}
