//! The public suite, run by a store outside of the crate: SQLite in a file, with the subject of payments replaced.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use tempfile::TempDir;
use xs2a::internal::{Database, SqliteStore};
use xs2a::store::conformance::{check, Backend, Damage};
use xs2a::store::{
    AuditStore, Basket, BlockStore, CommitOutcome, ConsentStore, Event, OutboxStore, Payment, PaymentFilter,
    PaymentStore, PsuStore, QuotaStore, ReplayStore, RetentionStore, ScaStore, StatisticsStore, Store, Write,
};
use xs2a::types::{BasketId, PaymentId};
use xs2a::Result;

/// Reads of payments by all stores of this process.
static READS: AtomicUsize = AtomicUsize::new(0);

/// A store that counts how often a payment is read.
struct CountingStore(SqliteStore);

impl Store for CountingStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        self.0.commit(writes)
    }

    fn check_writable(&self) -> Result<()> {
        self.0.check_writable()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        self.0.bank_id(for_database_without)
    }

    fn payments(&self) -> &dyn PaymentStore {
        self
    }

    fn sca(&self) -> &dyn ScaStore {
        self.0.sca()
    }

    fn psus(&self) -> &dyn PsuStore {
        self.0.psus()
    }

    fn consents(&self) -> &dyn ConsentStore {
        self.0.consents()
    }

    fn blocks(&self) -> &dyn BlockStore {
        self.0.blocks()
    }

    fn quotas(&self) -> &dyn QuotaStore {
        self.0.quotas()
    }

    fn outbox(&self) -> &dyn OutboxStore {
        self.0.outbox()
    }

    fn audit(&self) -> &dyn AuditStore {
        self.0.audit()
    }

    fn statistics(&self) -> &dyn StatisticsStore {
        self.0.statistics()
    }

    fn retention(&self) -> &dyn RetentionStore {
        self.0.retention()
    }

    fn replay(&self) -> &dyn ReplayStore {
        self.0.replay()
    }
}

impl PaymentStore for CountingStore {
    fn payment(&self, id: &PaymentId) -> Result<Option<Payment>> {
        READS.fetch_add(1, Ordering::Relaxed);
        self.0.payments().payment(id)
    }

    fn list_payments(
        &self,
        filter: &PaymentFilter,
        after: Option<&PaymentId>,
        limit: usize,
    ) -> Result<Vec<Payment>> {
        self.0.payments().list_payments(filter, after, limit)
    }

    fn events(&self, id: &PaymentId) -> Result<Vec<Event>> {
        self.0.payments().events(id)
    }

    fn basket(&self, id: &BasketId) -> Result<Option<Basket>> {
        self.0.payments().basket(id)
    }
}

struct InFile(TempDir);

impl InFile {
    fn path(&self) -> PathBuf {
        self.0.path().join("bank.db")
    }
}

impl Backend for InFile {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn node(&self) -> Arc<dyn Store> {
        Arc::new(CountingStore(SqliteStore::new(Arc::new(Database::open_file(self.path()).unwrap()))))
    }

    fn damage(&self, damage: &Damage) {
        let mut connection = rusqlite::Connection::open(self.path()).unwrap();
        let transaction = connection.transaction().unwrap();
        let batch = format!("PRAGMA defer_foreign_keys = ON; {}", damage.sql());
        transaction.execute_batch(&batch).unwrap();
        transaction.commit().unwrap();
    }
}

xs2a::store_conformance!(InFile);

#[test]
fn the_suite_reads_by_the_subject_that_is_replaced() {
    check::<InFile>("payments::every_field_comes_back");
    assert!(READS.load(Ordering::Relaxed) > 0);
}

#[test]
#[should_panic(expected = "no behaviour is named payments::none")]
fn an_unknown_behaviour_is_an_error() {
    check::<InFile>("payments::none");
}

/// A store that loses histories.
struct Forgetful(InFile);

struct ForgetfulStore(Arc<dyn Store>);

impl Store for ForgetfulStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        let is_kept = |write: &&Write| !matches!(write, Write::AppendEvent(_));
        self.0.commit(&writes.iter().filter(is_kept).cloned().collect::<Vec<_>>())
    }

    fn check_writable(&self) -> Result<()> {
        self.0.check_writable()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        self.0.bank_id(for_database_without)
    }

    fn payments(&self) -> &dyn PaymentStore {
        self.0.payments()
    }

    fn sca(&self) -> &dyn ScaStore {
        self.0.sca()
    }

    fn psus(&self) -> &dyn PsuStore {
        self.0.psus()
    }

    fn consents(&self) -> &dyn ConsentStore {
        self.0.consents()
    }

    fn blocks(&self) -> &dyn BlockStore {
        self.0.blocks()
    }

    fn quotas(&self) -> &dyn QuotaStore {
        self.0.quotas()
    }

    fn outbox(&self) -> &dyn OutboxStore {
        self.0.outbox()
    }

    fn audit(&self) -> &dyn AuditStore {
        self.0.audit()
    }

    fn statistics(&self) -> &dyn StatisticsStore {
        self.0.statistics()
    }

    fn retention(&self) -> &dyn RetentionStore {
        self.0.retention()
    }

    fn replay(&self) -> &dyn ReplayStore {
        self.0.replay()
    }
}

impl Backend for Forgetful {
    fn new() -> Self {
        Self(InFile::new())
    }

    fn node(&self) -> Arc<dyn Store> {
        Arc::new(ForgetfulStore(self.0.node()))
    }

    fn damage(&self, damage: &Damage) {
        self.0.damage(damage);
    }
}

#[test]
#[should_panic(expected = "assertion")]
fn a_store_that_loses_histories_is_found() {
    check::<Forgetful>("events::they_come_back_in_the_order_appended");
}
