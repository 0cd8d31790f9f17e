//! What a store keeps of PSU-IDs.

use uuid::Uuid;

use crate::error::Result;
use crate::types::{CorporateKey, PsuKey};

/// The ids by which a TPP knows persons and corporate customers.
pub trait PsuStore: Send + Sync {
    /// The person that a TPP knows by this PSU-ID.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn psu_by_id(&self, tpp: &str, psu_id: Uuid) -> Result<Option<PsuKey>>;

    /// The PSU-ID by which a TPP knows this person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn psu_id(&self, tpp: &str, psu: &PsuKey) -> Result<Option<Uuid>>;

    /// The corporate customer that a TPP knows by this PSU-Corporate-ID, if it was opened to this person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn corporate_by_id(&self, tpp: &str, psu: &PsuKey, corporate_id: Uuid) -> Result<Option<CorporateKey>>;

    /// The corporate customer that a TPP knows by this PSU-Corporate-ID, opened to any person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn corporate_of_id(&self, tpp: &str, corporate_id: Uuid) -> Result<Option<CorporateKey>>;

    /// The PSU-Corporate-ID by which a TPP knows this corporate customer, opened to any person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn corporate_id(&self, tpp: &str, corporate: &CorporateKey) -> Result<Option<Uuid>>;
}
