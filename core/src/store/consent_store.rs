//! What a store keeps of consents.

use crate::consent::record::Consent;
use crate::error::Result;
use crate::types::ActingPsu;

/// What PSUs opened to TPPs.
pub trait ConsentStore: Send + Sync {
    /// What a PSU, in that role, opened to a TPP: also where that is over or was taken back.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>>;
}
