//! A mistake that is proven.

use super::explanation::Proof;
use super::mistake::Mistake;

/// A mistake with its proof.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) mistake: &'static Mistake,
    /// A second one in the same text.
    pub(super) also: Option<&'static Mistake>,
    pub(super) proof: Proof,
    /// The text that was signed or hashed.
    pub(super) signed: Option<Vec<u8>>,
    /// A sentence about the case at hand.
    pub(super) detail: Option<String>,
}

impl Finding {
    pub(super) fn new(mistake: &'static Mistake, proof: Proof) -> Self {
        Self { mistake, also: None, proof, signed: None, detail: None }
    }

    pub(super) fn with_signed(self, signed: impl Into<Vec<u8>>) -> Self {
        Self { signed: Some(signed.into()), ..self }
    }

    pub(super) fn with_detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    /// What was done, and what to do instead.
    pub(super) fn text(&self) -> String {
        let also = self.also.filter(|also| also.id != self.mistake.id);
        let sentences = [
            Some(self.mistake.sentence),
            also.map(|also| also.sentence),
            self.detail.as_deref(),
            Some(self.mistake.advice),
            also.map(|also| also.advice),
        ];
        sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
