//! What a walk came to, for those who watch it: the audit of a bank, the journal of a sandbox.
//!
//! It decides nothing and is never answered.

use chrono::TimeDelta;

use super::commit::Committed;
use super::decide::Outcome;
use super::identify::Identified;
use super::stop::{reason_of, Stop};
use crate::operation::Operation;
use crate::reason::{Finding, Reason};

/// How far a call came, and what was said of it.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    operation: Option<&'static Operation>,
    claimed_tpp: Option<String>,
    reasons: Vec<Reason>,
    delay: TimeDelta,
}

impl Trace {
    /// The call is routed.
    pub(crate) fn note_operation(&mut self, operation: &'static Operation) {
        self.operation = Some(operation);
    }

    /// The certificate counts; the signature is not looked at yet.
    pub(crate) fn note_tpp(&mut self, identified: &Identified<'_>) {
        self.claimed_tpp = identified.certificate().organisation_id().map(str::to_owned);
    }

    /// The answer comes so much later than the call.
    pub(crate) fn note_delay(&mut self, delay: TimeDelta) {
        self.delay = delay;
    }

    /// The walk is over.
    pub(crate) fn note_end(&mut self, walked: &Result<Committed, Stop>) {
        self.reasons = match walked {
            Ok(committed) => match committed.outcome() {
                Outcome::Created { warnings, .. } => reasons(warnings.iter()),
                Outcome::ScaRequired { refusal, .. } => reasons(refusal.findings()),
                _ => Vec::new(),
            },
            Err(Stop::Refused(refusal)) => reasons(refusal.findings()),
            Err(Stop::MethodNotAllowed(_)) => vec![Reason::MethodNotAllowed],
            Err(Stop::Failed(error)) => vec![reason_of(error)],
        };
    }

    /// The operation that the call was routed to, also where it was refused for its headers or its size; `None`
    /// where there is none.
    pub(crate) fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// The organisation identifier in the certificate, where that counts. Whether the call is really this TPP's
    /// is known only where it was not refused for its signature.
    pub(crate) fn claimed_tpp(&self) -> Option<&str> {
        self.claimed_tpp.as_deref()
    }

    /// How long after the call its answer comes, by the clock of the engine.
    pub(crate) fn delay(&self) -> TimeDelta {
        self.delay
    }

    /// Every reason and warning of the answer, in its order.
    pub(crate) fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}

fn reasons<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Reason> {
    findings.map(|finding| finding.violation.reason).collect()
}
