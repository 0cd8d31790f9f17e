//! What a store keeps of quotas.

use std::sync::Arc;

use chrono::NaiveDate;

use crate::error::Result;
use crate::types::PsuKey;

/// What calls without the PSU are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CountedAccess {
    /// The TPP.
    pub tpp: Arc<str>,
    /// The person.
    pub psu: PsuKey,
    /// The id of the account or card account.
    pub account: String,
    /// The name of the operation.
    pub operation: String,
    /// The day (Europe/Oslo).
    pub day: NaiveDate,
}

/// How often a TPP read account data without the PSU.
pub trait QuotaStore: Send + Sync {
    /// How many calls without the PSU were counted.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn access_count(&self, counted: &CountedAccess) -> Result<u32>;

    /// Deletes the counts of days before that one, at most `limit`. Returns their number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_access_counts(&self, before: NaiveDate, limit: usize) -> Result<usize>;
}
