//! The seam every store implements.
//!
//! Reads are grouped by subject, one trait each; all changes of one call are one [`Store::commit`], all or nothing.
//! What must hold between reading and writing (a version, a replay, a duplicate) is checked again inside the commit,
//! so that of two nodes that decide at the same time only one succeeds.
//!
//! A store that keeps all subjects in one place returns itself for each of them. A wrapper returns those of the store
//! inside, and itself for the subject that it replaces.

use super::audit_store::AuditStore;
use super::block_store::BlockStore;
use super::consent_store::ConsentStore;
use super::outbox_store::OutboxStore;
use super::payment_store::PaymentStore;
use super::psu_store::PsuStore;
use super::quota_store::QuotaStore;
use super::replay_store::ReplayStore;
use super::retention_store::RetentionStore;
use super::sca_store::ScaStore;
use super::statistics_store::StatisticsStore;
use super::write::Write;
use crate::error::Result;

/// How a commit ended. Only [`CommitOutcome::Applied`] changed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommitOutcome {
    /// All writes are in, durably.
    Applied,
    /// A version had moved on, or a unique value was taken.
    VersionConflict,
    /// A duplicate payment exists.
    DuplicatePayment,
    /// The request id was used within its window.
    RequestReplayed,
    /// The allowed number of calls without the PSU was reached that day.
    QuotaExceeded,
}

/// The connections of a store that has a pool of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Open and not in use.
    pub idle: usize,
    /// In use, or being opened.
    pub taken: usize,
    /// How many there may be.
    pub max: usize,
}

/// What the engine needs of a database. Every method may fail with
/// [`Error::Store`](crate::Error::Store), and with [`Error::Record`](crate::Error::Record) if the database works and
/// the one record in question cannot be read.
pub trait Store: Send + Sync {
    /// Applies the writes in order, all or nothing.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome>;

    /// Fails if this process must not write to the database any more, because a newer library has migrated it or its
    /// files were removed. The engine calls it before an order leaves for the bank, whose answer it could not store.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn check_writable(&self) -> Result<()>;

    /// The id of the bank that the database belongs to. A database without one gets the given id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>>;

    /// The state of the pool, for a store that has one.
    fn connections(&self) -> Option<Connections> {
        None
    }

    /// Payments, their histories, and signing baskets.
    fn payments(&self) -> &dyn PaymentStore;

    /// Authorisations, and the sessions that a completed SCA opens.
    fn sca(&self) -> &dyn ScaStore;

    /// The ids by which a TPP knows persons and corporate customers.
    fn psus(&self) -> &dyn PsuStore;

    /// The consents of PSUs to TPPs.
    fn consents(&self) -> &dyn ConsentStore;

    /// Whose calls are refused.
    fn blocks(&self) -> &dyn BlockStore;

    /// How often a TPP read account data without the PSU.
    fn quotas(&self) -> &dyn QuotaStore;

    /// Orders on their way to the bank, and dead letters.
    fn outbox(&self) -> &dyn OutboxStore;

    /// The audit, and the histories of payments in it.
    fn audit(&self) -> &dyn AuditStore;

    /// Calls by day, and outages.
    fn statistics(&self) -> &dyn StatisticsStore;

    /// Rows by age, and those of a person.
    fn retention(&self) -> &dyn RetentionStore;

    /// The request ids of the replay window.
    fn replay(&self) -> &dyn ReplayStore;
}
