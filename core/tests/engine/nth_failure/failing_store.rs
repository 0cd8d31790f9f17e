//! A store of which one operation fails: the n-th, of any kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use parking_lot::Mutex;
use uuid::Uuid;
use xs2a::store::{
    AuditLine, AuditPosition, AuditStore, Authorisation, Basket, Block, BlockStore, BlockedKind,
    CommitOutcome, Consent, ConsentFilter, ConsentStore, CountedAccess, DayCalls, DeadLetter, DueOrders,
    Event, ListedConsent, Outage, OutboxStore, Payment, PaymentFilter, PaymentStore, PsuRows, PsuStore,
    QuotaStore, ReplayStore, RetentionStore, ScaStore, Session, StatisticsStore, Store, Write,
};
use xs2a::types::{
    ActingPsu, AuthorisationId, BasketId, CertificateHash, CorporateKey, PaymentId, PsuKey, RequestId,
};
use xs2a::{Error, Result};

/// What the failure says.
pub(crate) const FAILURE: &str = "the operation fails on purpose";

pub(crate) struct FailingStore {
    pub(crate) inner: Arc<dyn Store>,
    /// How many operations go well before one fails; `None`: all do.
    left: Mutex<Option<usize>>,
    /// The operations that were asked for.
    pub(crate) asked: Mutex<BTreeSet<&'static str>>,
}

impl FailingStore {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Self {
        Self { inner, left: Mutex::default(), asked: Mutex::default() }
    }

    /// Lets the n-th operation from now on fail, counted from 1.
    pub(crate) fn fail_at(&self, number: usize) {
        *self.left.lock() = Some(number - 1);
    }

    /// Lets every operation go well again. Returns true if one has failed.
    pub(crate) fn recover(&self) -> bool {
        self.left.lock().take().is_none()
    }

    fn reach(&self, name: &'static str) -> Result<()> {
        self.asked.lock().insert(name);
        let mut left = self.left.lock();
        match *left {
            Some(0) => {
                *left = None;
                Err(Error::Store(FAILURE.into()))
            }
            Some(operations) => {
                *left = Some(operations - 1);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// The methods of a subject, each of which may fail.
macro_rules! subject {
    ($names:ident $subject:ident $trait:ident {
        $( fn $name:ident($( $argument:ident: $type:ty ),*) -> $returned:ty; )+
    }) => {
        /// Their names.
        const $names: &[&str] = &[$( stringify!($name) ),+];

        impl $trait for FailingStore {
            $( fn $name(&self, $( $argument: $type ),*) -> Result<$returned> {
                self.reach(stringify!($name))?;
                self.inner.$subject().$name($( $argument ),*)
            } )+
        }
    };
}

impl Store for FailingStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        self.reach("commit")?;
        self.inner.commit(writes)
    }

    fn check_writable(&self) -> Result<()> {
        self.reach("check_writable")?;
        self.inner.check_writable()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        self.reach("bank_id")?;
        self.inner.bank_id(for_database_without)
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

    fn replay(&self) -> &dyn ReplayStore {
        self
    }

    fn statistics(&self) -> &dyn StatisticsStore {
        self
    }

    fn retention(&self) -> &dyn RetentionStore {
        self
    }
}

const OF_STORE: &[&str] = &["commit", "check_writable", "bank_id"];

subject! { OF_PAYMENTS payments PaymentStore {
    fn payment(id: &PaymentId) -> Option<Payment>;
    fn list_payments(filter: &PaymentFilter, after: Option<&PaymentId>, limit: usize) -> Vec<Payment>;
    fn events(id: &PaymentId) -> Vec<Event>;
    fn basket(id: &BasketId) -> Option<Basket>;
} }

subject! { OF_SCA sca ScaStore {
    fn authorisation(id: &AuthorisationId) -> Option<Authorisation>;
    fn purge_authorisations(until: DateTime<Utc>, limit: usize) -> usize;
    fn session(tpp: &str, id: &str) -> Option<Session>;
    fn is_session_outdated(session: &Session) -> bool;
    fn purge_sessions(until: DateTime<Utc>, limit: usize) -> usize;
} }

subject! { OF_PSUS psus PsuStore {
    fn psu_by_id(tpp: &str, psu_id: Uuid) -> Option<PsuKey>;
    fn psu_id(tpp: &str, psu: &PsuKey) -> Option<Uuid>;
    fn corporate_by_id(tpp: &str, psu: &PsuKey, corporate_id: Uuid) -> Option<CorporateKey>;
    fn corporate_of_id(tpp: &str, corporate_id: Uuid) -> Option<CorporateKey>;
    fn corporate_id(tpp: &str, corporate: &CorporateKey) -> Option<Uuid>;
} }

subject! { OF_CONSENTS consents ConsentStore {
    fn consent(tpp: &str, psu: &ActingPsu) -> Option<Consent>;
    fn list_consents(filter: &ConsentFilter, below: Option<i64>, limit: usize) -> Vec<ListedConsent>;
    fn purge_consents(before: DateTime<Utc>, limit: usize) -> usize;
} }

subject! { OF_BLOCKS blocks BlockStore {
    fn find_block(tpp: &str, certificate: CertificateHash, now: DateTime<Utc>) -> Option<BlockedKind>;
    fn list_blocks(now: DateTime<Utc>) -> Vec<Block>;
} }

subject! { OF_QUOTAS quotas QuotaStore {
    fn access_count(counted: &CountedAccess) -> u32;
    fn purge_access_counts(before: NaiveDate, limit: usize) -> usize;
} }

subject! { OF_OUTBOX outbox OutboxStore {
    fn waiting_orders() -> u64;
    fn due_orders(now: DateTime<Utc>, limit: usize) -> DueOrders;
    fn claim_orders(now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> DueOrders;
    fn next_order_due() -> Option<DateTime<Utc>>;
    fn has_order_due_after(after: DateTime<Utc>, now: DateTime<Utc>) -> bool;
    fn clamp_future_due_times(after: DateTime<Utc>, now: DateTime<Utc>) -> usize;
    fn dead_letters(limit: usize) -> Vec<DeadLetter>;
    fn count_dead_letters(limit: usize) -> usize;
    fn is_dead_letter(id: &PaymentId) -> bool;
} }

subject! { OF_AUDIT audit AuditStore {
    fn audit_lines(
        range: &std::ops::Range<DateTime<Utc>>,
        after: Option<AuditPosition>,
        limit: usize
    ) -> Vec<AuditLine>;
} }

subject! { OF_REPLAY replay ReplayStore {
    fn used_request_ids(since: DateTime<Utc>, limit: usize) -> Vec<(String, RequestId, DateTime<Utc>)>;
    fn purge_request_ids(before: DateTime<Utc>, limit: usize) -> usize;
} }

subject! { OF_STATISTICS statistics StatisticsStore {
    fn day_calls(first: NaiveDate, last: NaiveDate, tpp: Option<&str>) -> Vec<DayCalls>;
    fn outages(
        range: &std::ops::Range<DateTime<Utc>>,
        after: Option<DateTime<Utc>>,
        limit: usize
    ) -> Vec<Outage>;
} }

subject! { OF_RETENTION retention RetentionStore {
    fn purge_baskets(before: DateTime<Utc>, limit: usize) -> usize;
    fn purge_payments(before: DateTime<Utc>, limit: usize) -> usize;
    fn purge_statistics(day: NaiveDate, time: DateTime<Utc>, limit: usize) -> usize;
    fn rows_of_psu(psu: &PsuKey) -> PsuRows;
} }

/// Every operation of a store.
pub(crate) fn operations() -> BTreeSet<&'static str> {
    let all = [
        OF_STORE,
        OF_PAYMENTS,
        OF_SCA,
        OF_PSUS,
        OF_CONSENTS,
        OF_BLOCKS,
        OF_QUOTAS,
        OF_OUTBOX,
        OF_AUDIT,
        OF_REPLAY,
        OF_STATISTICS,
        OF_RETENTION,
    ];
    all.into_iter().flatten().copied().collect()
}
