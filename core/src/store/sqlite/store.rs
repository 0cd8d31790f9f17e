//! The engine's store on an SQLite database.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::apply::apply;
use super::database::Database;
use super::group_commit::GroupCommit;
use super::{
    access_count, audit, authorisation, bank_identity, basket, block, consent, event, outbox, payment, psu,
    request_id, retention, session, statistics,
};
use crate::basket::record::Basket;
use crate::consent::record::{Consent, ListedConsent};
use crate::error::Result;
use crate::payment::record::Payment;
use crate::sca::record::Authorisation;
use crate::session::record::Session;
use crate::statistics::record::{DayCalls, Outage};
use crate::store::{
    AuditLine, AuditPosition, AuditStore, Block, BlockStore, BlockedKind, CommitOutcome, ConsentFilter,
    ConsentStore, CountedAccess, DeadLetter, DueOrders, Event, OutboxStore, PaymentFilter, PaymentStore,
    PsuRows, PsuStore, QuotaStore, ReplayStore, RetentionStore, ScaStore, StatisticsStore, Store, Write,
};
use crate::types::{
    ActingPsu, AuthorisationId, BasketId, CertificateHash, CorporateKey, PaymentId, PsuKey, RequestId,
};

/// A [`Store`] on a [`Database`], which others may use beside it.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    database: Arc<Database>,
    /// For a file: a commit in memory has no `fsync` to share.
    group: Option<Arc<GroupCommit>>,
}

impl SqliteStore {
    /// The store on that database.
    pub fn new(database: Arc<Database>) -> Self {
        let group = database.path().is_some().then(|| Arc::new(GroupCommit::new(apply)));
        Self { database, group }
    }

    /// The database below.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The sessions that stop counting when this one is opened.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn sessions_replaced_by(&self, session: &Session) -> Result<Vec<Session>> {
        self.database.read(|connection| session::replaced_by(connection, session))
    }

    /// What a person opened to a TPP, in every context; the accounts are left out.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn consents_of(&self, tpp: &str, psu: &PsuKey) -> Result<Vec<Consent>> {
        self.database.read(|connection| consent::of_person(connection, tpp, psu))
    }
}

impl Store for SqliteStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        if let Some(group) = &self.group {
            return group.commit(&self.database, writes);
        }
        let applied = self.database.write_unless(|connection| apply(connection, writes))?;
        Ok(applied.map_or_else(|obstacle| obstacle, |()| CommitOutcome::Applied))
    }

    fn check_writable(&self) -> Result<()> {
        self.database.check_writable()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        let stored = self.database.read_once(bank_identity::find)?;
        match (stored, for_database_without) {
            (None, Some(id)) => self.database.write(|connection| bank_identity::keep(connection, id)),
            (stored, _) => Ok(stored),
        }
    }

    fn payments(&self) -> &dyn PaymentStore {
        self
    }

    fn sca(&self) -> &dyn ScaStore {
        self
    }

    fn psus(&self) -> &dyn PsuStore {
        self
    }

    fn consents(&self) -> &dyn ConsentStore {
        self
    }

    fn blocks(&self) -> &dyn BlockStore {
        self
    }

    fn quotas(&self) -> &dyn QuotaStore {
        self
    }

    fn outbox(&self) -> &dyn OutboxStore {
        self
    }

    fn audit(&self) -> &dyn AuditStore {
        self
    }

    fn statistics(&self) -> &dyn StatisticsStore {
        self
    }

    fn retention(&self) -> &dyn RetentionStore {
        self
    }

    fn replay(&self) -> &dyn ReplayStore {
        self
    }
}

impl PaymentStore for SqliteStore {
    fn payment(&self, id: &PaymentId) -> Result<Option<Payment>> {
        self.database.read_once(|connection| payment::find(connection, id))
    }

    fn list_payments(
        &self,
        filter: &PaymentFilter,
        after: Option<&PaymentId>,
        limit: usize,
    ) -> Result<Vec<Payment>> {
        self.database.read(|connection| payment::list(connection, filter, after, limit))
    }

    fn events(&self, id: &PaymentId) -> Result<Vec<Event>> {
        self.database.read(|connection| event::all(connection, id))
    }

    fn basket(&self, id: &BasketId) -> Result<Option<Basket>> {
        self.database.read_once(|connection| basket::find(connection, id))
    }
}

impl ScaStore for SqliteStore {
    fn authorisation(&self, id: &AuthorisationId) -> Result<Option<Authorisation>> {
        self.database.read_once(|connection| authorisation::find(connection, id))
    }

    fn purge_authorisations(&self, until: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| authorisation::purge(connection, until, limit))
    }

    fn session(&self, tpp: &str, id: &str) -> Result<Option<Session>> {
        self.database.read_once(|connection| session::find(connection, tpp, id))
    }

    fn is_session_outdated(&self, session: &Session) -> Result<bool> {
        self.database.read(|connection| session::is_outdated(connection, session))
    }

    fn purge_sessions(&self, until: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| session::purge(connection, until, limit))
    }
}

impl PsuStore for SqliteStore {
    fn psu_by_id(&self, tpp: &str, psu_id: Uuid) -> Result<Option<PsuKey>> {
        self.database.read_once(|connection| psu::by_id(connection, tpp, psu_id))
    }

    fn psu_id(&self, tpp: &str, psu: &PsuKey) -> Result<Option<Uuid>> {
        self.database.read_once(|connection| psu::id_of(connection, tpp, psu))
    }

    fn corporate_by_id(&self, tpp: &str, psu: &PsuKey, corporate_id: Uuid) -> Result<Option<CorporateKey>> {
        self.database.read_once(|connection| psu::corporate_by_id(connection, tpp, psu, corporate_id))
    }

    fn corporate_of_id(&self, tpp: &str, corporate_id: Uuid) -> Result<Option<CorporateKey>> {
        self.database.read_once(|connection| psu::corporate_of_id(connection, tpp, corporate_id))
    }

    fn corporate_id(&self, tpp: &str, corporate: &CorporateKey) -> Result<Option<Uuid>> {
        self.database.read_once(|connection| psu::corporate_id_of(connection, tpp, corporate))
    }
}

impl ConsentStore for SqliteStore {
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
        self.database.read(|connection| consent::find(connection, tpp, psu))
    }

    fn list_consents(
        &self,
        filter: &ConsentFilter,
        below: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ListedConsent>> {
        self.database.read(|connection| consent::list(connection, filter, below, limit))
    }

    fn purge_consents(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| consent::purge(connection, before, limit))
    }
}

impl BlockStore for SqliteStore {
    fn find_block(
        &self,
        tpp: &str,
        certificate: CertificateHash,
        now: DateTime<Utc>,
    ) -> Result<Option<BlockedKind>> {
        self.database.read_once(|connection| block::find(connection, tpp, certificate, now))
    }

    fn list_blocks(&self, now: DateTime<Utc>) -> Result<Vec<Block>> {
        self.database.read(|connection| block::all(connection, now))
    }
}

impl QuotaStore for SqliteStore {
    fn access_count(&self, counted: &CountedAccess) -> Result<u32> {
        self.database.read_once(|connection| access_count::find(connection, counted))
    }

    fn purge_access_counts(&self, before: NaiveDate, limit: usize) -> Result<usize> {
        self.database.write(|connection| access_count::purge(connection, before, limit))
    }
}

impl OutboxStore for SqliteStore {
    fn due_orders(&self, now: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        self.database.read(|connection| outbox::due(connection, now, limit))
    }

    fn claim_orders(&self, now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        self.database.write(|connection| outbox::claim(connection, now, until, limit))
    }

    fn next_order_due(&self) -> Result<Option<DateTime<Utc>>> {
        self.database.read(outbox::next_due)
    }

    fn has_order_due_after(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<bool> {
        self.database.read_once(|connection| outbox::is_any_due_after(connection, after, now))
    }

    fn clamp_future_due_times(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<usize> {
        self.database.write(|connection| outbox::clamp_future_due_times(connection, after, now))
    }

    fn waiting_orders(&self) -> Result<u64> {
        self.database.read_once(outbox::waiting)
    }

    fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>> {
        self.database.read(|connection| outbox::dead_letters(connection, limit))
    }

    fn count_dead_letters(&self, limit: usize) -> Result<usize> {
        self.database.read_once(|connection| outbox::count_dead_letters(connection, limit))
    }

    fn is_dead_letter(&self, id: &PaymentId) -> Result<bool> {
        self.database.read_once(|connection| outbox::is_dead_letter(connection, id))
    }
}

impl AuditStore for SqliteStore {
    fn audit_lines(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<AuditPosition>,
        limit: usize,
    ) -> Result<Vec<AuditLine>> {
        self.database.read(|connection| audit::within(connection, range, after, limit))
    }
}

impl StatisticsStore for SqliteStore {
    fn day_calls(&self, first: NaiveDate, last: NaiveDate, tpp: Option<&str>) -> Result<Vec<DayCalls>> {
        self.database.read(|connection| statistics::day_calls(connection, first, last, tpp))
    }

    fn outages(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<DateTime<Utc>>,
        limit: usize,
    ) -> Result<Vec<Outage>> {
        self.database.read(|connection| statistics::outages(connection, range, after, limit))
    }
}

impl RetentionStore for SqliteStore {
    fn purge_baskets(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| retention::purge_baskets(connection, before, limit))
    }

    fn purge_payments(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| retention::purge_payments(connection, before, limit))
    }

    fn purge_statistics(&self, day: NaiveDate, time: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| retention::purge_statistics(connection, day, time, limit))
    }

    fn rows_of_psu(&self, psu: &PsuKey) -> Result<PsuRows> {
        self.database.read(|connection| retention::rows_of_psu(connection, psu))
    }
}

impl ReplayStore for SqliteStore {
    fn used_request_ids(
        &self,
        since: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<(String, RequestId, DateTime<Utc>)>> {
        self.database.read(|connection| request_id::used_since(connection, since, limit))
    }

    fn purge_request_ids(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.write(|connection| request_id::purge(connection, before, limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance::{Backend, Damage};
    use crate::store_conformance;

    fn change_rows(database: &Database, damage: &Damage) {
        let batch = format!("PRAGMA defer_foreign_keys = ON; {}", damage.sql());
        database.write(|connection| connection.execute_batch(&batch)).unwrap();
    }

    /// Nodes that share one database in memory.
    struct Memory(Arc<Database>);

    impl Backend for Memory {
        fn new() -> Self {
            Self(Arc::new(Database::open_memory().unwrap()))
        }

        fn node(&self) -> Arc<dyn Store> {
            Arc::new(SqliteStore::new(self.0.clone()))
        }

        fn damage(&self, damage: &Damage) {
            change_rows(&self.0, damage);
        }
    }

    /// Nodes that open one file each for itself, as processes do.
    struct File(tempfile::TempDir);

    impl File {
        fn open(&self) -> Database {
            Database::open_file(self.0.path().join("bank.db")).unwrap()
        }
    }

    impl Backend for File {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn node(&self) -> Arc<dyn Store> {
            Arc::new(SqliteStore::new(Arc::new(self.open())))
        }

        fn damage(&self, damage: &Damage) {
            change_rows(&self.open(), damage);
        }
    }

    /// Callers of one store on a file: they commit in groups.
    struct Shared {
        store: SqliteStore,
        file: File,
    }

    impl Backend for Shared {
        fn new() -> Self {
            let file = <File as Backend>::new();
            Self { store: SqliteStore::new(Arc::new(file.open())), file }
        }

        fn node(&self) -> Arc<dyn Store> {
            Arc::new(self.store.clone())
        }

        fn damage(&self, damage: &Damage) {
            self.file.damage(damage);
        }
    }

    mod in_memory {
        use super::*;
        store_conformance!(Memory);
    }

    mod shared {
        use super::*;
        store_conformance!(Shared);
    }

    mod in_a_file {
        use super::*;
        store_conformance!(File);
    }
}
