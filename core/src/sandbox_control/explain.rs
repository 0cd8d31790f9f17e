//! Refused calls of a sandbox, explained when that is asked for, and in the journal.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::call_explainer::earlier_calls;
use super::refused_call::{is_of_authentication, BankKnowledge, RefusedCall, SentRequest};
use super::sandbox::Sandbox;
use crate::explain::Explanation;
use crate::limits::EXPLAINED_ENTRIES_MAX;
use crate::pipeline::refusal_explainer::RefusedRequest;
use crate::sandbox::journal::{JournalEntry, Mistakes, NamedMistake, Step};
use crate::tpp::trust::TrustAnchors;
use crate::wire::request::Request;
use crate::wire::response::Response;

impl Sandbox {
    /// What explains an answer to a call at that time; `None` if it was not refused by authentication.
    pub fn refused_call(
        &self,
        request: &Request<'_>,
        answer: &Response,
        at: DateTime<Utc>,
    ) -> Option<RefusedCall> {
        let reason = answer.reason().filter(|reason| is_of_authentication(reason))?;
        let policy = self.engine.policy();
        let trust_anchors = self.trust_anchors();
        self.explainer.refused(RefusedRequest { request, reason, now: at, policy: &policy, trust_anchors })
    }

    /// Explains the entry of the journal with that number, by the present policy and trust anchors. `None` if there is
    /// no such entry, or if authentication did not refuse it.
    pub fn explain_entry(&self, number: u64) -> Option<Explanation> {
        let entries = self.journal();
        let place = entries.iter().position(|entry| entry.number == number && is_refused(entry))?;
        Some(last_refused(entries.get(..=place)?, &self.bank_knowledge())?.explain())
    }

    /// The proven mistakes of the entries after those that are skipped: of the newest refused ones, because each takes
    /// a search.
    pub(super) fn mistakes_of(&self, entries: &[Arc<JournalEntry>], skipped: usize) -> Mistakes {
        let refused = entries.iter().enumerate().skip(skipped).rev().filter(|(_, entry)| is_refused(entry));
        if refused.clone().next().is_none() {
            return Mistakes::new();
        }
        let bank = self.bank_knowledge();
        let explained = refused.take(EXPLAINED_ENTRIES_MAX).filter_map(|(place, entry)| {
            let found = last_refused(entries.get(..=place)?, &bank)?.explain();
            let (id, proof) = (found.mistake?, found.proof?.as_str());
            Some((entry.number, NamedMistake { id, proof, text: found.text }))
        });
        explained.collect()
    }

    fn bank_knowledge(&self) -> Arc<BankKnowledge> {
        self.explainer.bank(self.trust_anchors(), &self.engine.policy())
    }

    fn trust_anchors(&self) -> TrustAnchors {
        self.engine.context.with_trust(TrustAnchors::clone)
    }
}

/// Returns true if the entry is a call that authentication refused.
fn is_refused(entry: &JournalEntry) -> bool {
    matches!(&entry.step, Step::Call(call) if call.reason().is_some_and(is_of_authentication))
}

/// The call of the last entry; `None` if authentication did not refuse it.
fn last_refused(entries: &[Arc<JournalEntry>], bank: &Arc<BankKnowledge>) -> Option<RefusedCall> {
    let (entry, before) = entries.split_last()?;
    let Step::Call(call) = &entry.step else { return None };
    Some(RefusedCall {
        reason: call.reason().filter(|reason| is_of_authentication(reason))?,
        request: SentRequest::of_call(call.unpack()),
        at: entry.at,
        bank: Arc::clone(bank),
        earlier: earlier_calls(before),
    })
}
