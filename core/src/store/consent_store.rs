//! Consents in a store.

use crate::consent::record::Consent;
use crate::error::Result;
use crate::types::ActingPsu;

/// The consents of PSUs to TPPs.
pub trait ConsentStore: Send + Sync {
    /// The consent of a PSU, in that role, to a TPP, also if it is expired or revoked.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>>;
}
