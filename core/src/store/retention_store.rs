//! What a store deletes by age, and what it keeps of a person.

use chrono::{DateTime, NaiveDate, Utc};

use crate::error::Result;
use crate::types::{PaymentId, PsuKey};

/// The rows of a person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PsuRows {
    /// Consents, ended ones too.
    pub consents: u64,
    /// Sessions.
    pub sessions: u64,
    /// Authorisations, answered or not.
    pub authorisations: u64,
    /// Ids by which TPPs know the person.
    pub psu_ids: u64,
    /// Corporate customers that were opened to the person for a TPP.
    pub corporate_psus: u64,
    /// Counts of calls without the PSU.
    pub access_counts: u64,
    /// Payments, which [`Write::ErasePsu`](super::Write::ErasePsu) leaves.
    pub payments: u64,
    /// When the newest of them was created.
    pub newest_payment: Option<DateTime<Utc>>,
    /// A payment that was authorised and has no final status, or has an order for the bank.
    pub open_payment: Option<PaymentId>,
}

/// Rows by age, and those of a person.
pub trait RetentionStore: Send + Sync {
    /// Deletes signing baskets that were created before that time, at most `limit`, but no basket that an authorisation
    /// is for. Returns their number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_baskets(&self, before: DateTime<Utc>, limit: usize) -> Result<usize>;

    /// Deletes payments that were created before that time, at most `limit`, but none that has a history, an order for
    /// the bank, an authorisation or an open basket. Returns their number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_payments(&self, before: DateTime<Utc>, limit: usize) -> Result<usize>;

    /// Deletes counts of calls of days before that one, at most `limit`, and outages that ended before that time, at
    /// most `limit`. Returns the larger of both numbers.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_statistics(&self, day: NaiveDate, time: DateTime<Utc>, limit: usize) -> Result<usize>;

    /// What there is of a person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn rows_of_psu(&self, psu: &PsuKey) -> Result<PsuRows>;
}
