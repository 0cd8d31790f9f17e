//! Faults: what a test makes go wrong on purpose.
//!
//! They belong to this sandbox object and not to its state: a snapshot holds none, `restore` and `initialize` leave
//! them, and a fork begins without any. What chance does depends on the faults that were set since then, and on those
//! that were left.

use std::sync::Arc;

use super::sandbox::Sandbox;
use crate::engine::ScaOutcome;
use crate::env::clock::Clock;
use crate::error::{Error, Result};
use crate::pipeline::trace::Trace;
use crate::reason::Violation;
use crate::sandbox::faults::{Fault, FaultSpec, ScaEnd};
use crate::sandbox::journal::{FaultStep, SideEffect, Step};
use crate::sca::callback::Redirect;
use crate::types::AuthorisationId;
use crate::wire::json;
use crate::wire::request::Request;
use crate::wire::response::Response;

impl Sandbox {
    /// Sets a fault. A call meets it after its signature, its TPP and that TPP's role were found right, and before
    /// anything is looked up for it: what is wrong with the call itself is answered as ever. Of several faults that
    /// would end a call, the one set first does.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a code, status, operation, product, outcome or number that does not exist, and for what
    /// does not belong to the kind.
    pub fn add_fault(&self, spec: FaultSpec) -> Result<Arc<Fault>> {
        let begun = self.begin();
        let fault = self.faults.add(spec)?;
        let json = json::write_text(fault.spec())?;
        let has_predicate = fault.spec().when.is_some();
        let step = FaultStep { id: fault.id(), words: fault.words(), json, has_predicate };
        self.note(begun, Step::SetFault(step));
        Ok(fault)
    }

    /// The faults that are set, the first one first. One that has no times left stays until it is taken away.
    pub fn faults(&self) -> Vec<Arc<Fault>> {
        self.faults.list()
    }

    /// As [`Sandbox::faults`], as the text of a JSON array: each fault's own members, with `id`, `seen` and `hits`.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub fn faults_json(&self) -> Result<String> {
        json::write_text(&self.faults().iter().map(Arc::as_ref).collect::<Vec<_>>())
    }

    /// Takes a fault away. Whether it was there.
    pub fn remove_fault(&self, id: u64) -> bool {
        let begun = self.begin();
        let Some(fault) = self.faults.remove(id) else { return false };
        self.note(begun, Step::RemoveFault { id, seen: fault.seen(), hits: fault.hits() });
        true
    }

    /// Takes every fault away.
    pub fn clear_faults(&self) {
        let begun = self.begin();
        if self.faults.clear() {
            self.note(begun, Step::ClearFaults);
        }
    }

    /// The engine's answer. Where a fault makes it slow, the clock has moved when it comes.
    pub(super) fn answer_call(&self, request: &Request<'_>) -> (Response, Trace) {
        let (response, trace) = self.engine.handle_traced(request);
        if !trace.delay().is_zero() {
            let by = trace.delay();
            self.notes.in_progress.note(SideEffect::AnswerLate { by });
            if let Err(error) = self.move_clock_by(by) {
                tracing::error!(%error, "the clock could not be moved while an answer was slow");
            }
        }
        (response, trace)
    }

    /// The fault that an SCA meets. Where it has the PSU come too late, the clock has moved.
    pub(super) fn sca_fault(&self, id: &str, outcome: &ScaOutcome) -> Result<Option<ScaEnd>> {
        let ScaOutcome::Approved { .. } = outcome else { return Ok(None) };
        let Some(open) = self.engine.authorisation(id)? else { return Ok(None) };
        let fault = self.faults.sca(&open.authorisation.tpp);
        if matches!(fault, Some(ScaEnd::Expired)) {
            self.outlive(id)?;
        }
        Ok(fault)
    }

    /// Ends an SCA as its PSU has it, or as a fault does.
    pub(super) fn end_sca(&self, id: &str, outcome: &ScaOutcome, fault: Option<ScaEnd>) -> Result<Redirect> {
        match fault {
            None | Some(ScaEnd::Expired) => self.engine.complete_sca(id, outcome),
            Some(ScaEnd::Aborted) => self.engine.complete_sca(id, &ScaOutcome::Aborted),
            Some(ScaEnd::Failed(reason)) => self.engine.refuse_sca(id, &Violation::from(reason)),
        }
    }

    /// Moves the clock to where a link is dead.
    fn outlive(&self, id: &str) -> Result<()> {
        let missing = || Error::Internal("an open authorisation is missing".to_owned());
        let id = AuthorisationId::parse(id).ok_or_else(missing)?;
        let dies_at = self.engine.context.store().sca().authorisation(&id)?.ok_or_else(missing)?.expires_at();
        self.move_clock(dies_at.max(self.clock.now()))
    }
}
