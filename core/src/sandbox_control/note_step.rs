//! Steps in the journal of a sandbox, and calls in its coverage.

use chrono::{DateTime, Utc};

use super::sandbox::Sandbox;
use super::sca_answer::ScaAnswer;
use crate::error::Result;
use crate::limits::BODY_BYTES_MAX;
use crate::pipeline::trace::Trace;
use crate::reason::Reason;
use crate::sandbox::journal::{AuthoriseStep, CallFacts, Draws, PackedCall, Step, StepInProgress};
use crate::sca::callback::Redirect;
use crate::wire::request::Request;
use crate::wire::response::Response;

/// When something began. What happens until it is noted or dropped belongs to it.
pub(super) struct Begun {
    at: DateTime<Utc>,
    drawn: u64,
    in_progress: StepInProgress,
}

impl Sandbox {
    pub(super) fn begin(&self) -> Begun {
        let in_progress = self.notes.in_progress.begin();
        Begun { at: self.now(), drawn: self.entropy.position().counter, in_progress }
    }

    /// Notes a step that is done.
    pub(super) fn note(&self, begun: Begun, step: Step) {
        let draws = Draws { before: begun.drawn, after: self.entropy.position().counter };
        self.notes.journal.push(begun.at, draws, step, begun.in_progress.happened());
    }

    /// Notes a call and its answer. Without a trace it was for the SCA site.
    pub(super) fn note_call(
        &self,
        begun: Begun,
        request: &Request<'_>,
        answer: &Response,
        trace: Option<&Trace>,
    ) {
        // A body larger than both limits is refused for its size alone, so its remaining bytes do not matter.
        let body_bytes_max = self.engine.policy().body_bytes_max.max(BODY_BYTES_MAX).saturating_add(1);
        let facts = trace.map_or_else(CallFacts::default, |trace| facts(answer, trace));
        if let Some(trace) = trace {
            self.notes.coverage.note_call(trace.operation(), answer.status(), &facts.reasons);
        }
        let keep = |value: &[u8]| self.notes.journal.keep(value);
        self.note(begun, Step::Call(PackedCall::new(request, answer, facts, body_bytes_max, keep)));
    }

    pub(super) fn note_authorise(
        &self,
        begun: Begun,
        sca_redirect: &str,
        answer: &ScaAnswer,
        ended: &Result<Redirect>,
    ) {
        let ScaAnswer { customer_number, context, agreement, accounts, approve } = answer.clone();
        let step = AuthoriseStep {
            sca_redirect: sca_redirect.to_owned(),
            customer_number,
            context,
            agreement,
            accounts,
            approve,
            outcome: ended.as_ref().map(|redirect| redirect.url.clone()).map_err(ToString::to_string),
            reason: ended.as_ref().ok().and_then(|redirect| redirect.reason),
        };
        self.note(begun, Step::Authorise(step));
    }

    /// A fork begins with the origin of the policy, wherever its parent is served.
    pub(super) fn note_other_origin(&self, parent: &Self) {
        let origin = self.sca_origin();
        if origin != parent.sca_origin() {
            self.note(self.begin(), Step::SetScaOrigin { origin });
        }
    }
}

fn facts<'t>(answer: &Response, trace: &'t Trace) -> CallFacts<'t> {
    let operation = trace.operation().map(|operation| operation.name);
    CallFacts { operation, tpp: trace.claimed_tpp(), reasons: reasons(answer, trace) }
}

/// The reasons in the trace; if it has none, the reason in the answer.
fn reasons(answer: &Response, trace: &Trace) -> Vec<Reason> {
    match (trace.reasons(), answer.reason()) {
        ([], Some(id)) => Reason::ALL.iter().copied().filter(|reason| reason.id() == id).collect(),
        (reasons, _) => reasons.to_vec(),
    }
}
