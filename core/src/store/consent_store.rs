//! Consents in a store.

use chrono::{DateTime, Utc};

use crate::consent::record::{Consent, ListedConsent};
use crate::error::Result;
use crate::types::{ActingPsu, PsuKey};

/// Which consents are listed: those of a person, of a TPP, of both, or all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsentFilter {
    /// The person who granted them.
    pub psu: Option<PsuKey>,
    /// The organisation identifier of the TPP.
    pub tpp: Option<String>,
}

/// The consents of PSUs to TPPs.
pub trait ConsentStore: Send + Sync {
    /// The newest consent of a PSU, in that role, to a TPP, also if it is expired or revoked.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>>;

    /// Consents that count and ended ones, the newest first: those with a number below `below`, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn list_consents(
        &self,
        filter: &ConsentFilter,
        below: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ListedConsent>>;

    /// Deletes at most that many of the consents that were revoked or replaced before a time. Returns how many.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn purge_consents(&self, before: DateTime<Utc>, limit: usize) -> Result<usize>;
}
