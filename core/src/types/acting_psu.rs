//! A PSU in the role it acts in.

use super::{Context, CorporateKey, PsuKey};

/// A PSU in the role it acts in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActingPsu {
    /// The person.
    pub psu: PsuKey,
    /// Private or corporate.
    pub context: Context,
    /// The corporate customer the person acts for, in the corporate context.
    pub corporate: Option<CorporateKey>,
}

impl ActingPsu {
    /// Whether every store can keep both references.
    pub(crate) fn is_storable(&self) -> bool {
        self.psu.is_storable() && self.corporate.as_ref().is_none_or(CorporateKey::is_storable)
    }
}
