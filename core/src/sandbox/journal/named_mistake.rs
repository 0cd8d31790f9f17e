//! The mistake behind a refused call, as the journal shows it.

use std::collections::BTreeMap;

use super::redact::Redaction;

/// A mistake that is proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedMistake {
    /// Its id, such as `trailing-newline`.
    pub id: &'static str,
    /// Why it is certain, such as `hash`.
    pub proof: &'static str,
    /// What was done, and what to do instead.
    pub text: String,
}

/// The mistakes of entries, by the number of the entry.
pub(crate) type Mistakes = BTreeMap<u64, NamedMistake>;

impl NamedMistake {
    /// In one line.
    pub(super) fn line(&self, redaction: Redaction) -> String {
        format!("mistake: {} (proof: {}). {}", self.id, self.proof, redaction.text(&self.text))
    }
}
