//! What explains a refused call of a sandbox: its TPPs, and the calls before.

use std::sync::Arc;

use super::refused_call::{is_of_authentication, BankKnowledge, RefusedCall, SentRequest};
use crate::pipeline::refusal_explainer::{RefusalExplainer, RefusedRequest, ShownMistake};
use crate::policy::Policy;
use crate::sandbox::journal::{Journal, JournalEntry, Step};
use crate::store::sqlite::Database;
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;

/// How many calls before a refused one are looked at.
const EARLIER_CALLS_MAX: usize = 16;

/// Where an explanation finds what belongs to a call: the TPPs of the sandbox, and the calls before.
pub(super) struct CallExplainer {
    database: Arc<Database>,
    journal: Arc<Journal>,
}

impl CallExplainer {
    pub(super) fn new(database: Arc<Database>, journal: Arc<Journal>) -> Self {
        Self { database, journal }
    }

    pub(super) fn bank(&self, trust_anchors: TrustAnchors, policy: &Policy) -> Arc<BankKnowledge> {
        Arc::new(BankKnowledge {
            base_path: policy.base_path.clone(),
            key_id_issuer: policy.key_id_issuer,
            trust_anchors,
            certificates: self.certificates_of_tpps(),
        })
    }

    /// Certificates that cannot be read are left out: the explanation is then shorter, but still right.
    fn certificates_of_tpps(&self) -> Vec<Arc<Certificate>> {
        let tpps = self.database.read_books(|books| books.tpps()).unwrap_or_default();
        tpps.iter().filter_map(|tpp| Certificate::from_der(&tpp.certificate).ok()).map(Arc::new).collect()
    }

    /// `None` if authentication did not refuse it.
    pub(super) fn refused(&self, refused: RefusedRequest<'_>) -> Option<RefusedCall> {
        is_of_authentication(refused.reason).then(|| RefusedCall {
            request: SentRequest::of_request(refused.request),
            reason: refused.reason,
            at: refused.now,
            bank: self.bank(refused.trust_anchors, refused.policy),
            earlier: earlier_calls(&self.journal.entries()),
        })
    }
}

impl RefusalExplainer for CallExplainer {
    fn mistake(&self, refused: RefusedRequest<'_>) -> Option<ShownMistake> {
        let found = self.refused(refused)?.explain();
        Some(ShownMistake { id: found.mistake?, text: found.text })
    }
}

/// The last calls among the entries, the oldest first.
pub(super) fn earlier_calls(entries: &[Arc<JournalEntry>]) -> Vec<SentRequest> {
    let calls = entries.iter().rev().filter_map(|entry| match &entry.step {
        Step::Call(call) => Some(SentRequest::of_call(call.unpack())),
        _ => None,
    });
    let mut calls: Vec<_> = calls.take(EARLIER_CALLS_MAX).collect();
    calls.reverse();
    calls
}
