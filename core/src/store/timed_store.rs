//! The store with the time that calls wait for it.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::audit_store::{AuditLine, AuditPosition, AuditStore};
use super::block_store::{Block, BlockStore, BlockedKind};
use super::consent_store::{ConsentFilter, ConsentStore};
use super::outbox_store::{DeadLetter, DueOrders, OutboxStore};
use super::payment_store::{Event, PaymentFilter, PaymentStore};
use super::psu_store::PsuStore;
use super::quota_store::{CountedAccess, QuotaStore};
use super::replay_store::ReplayStore;
use super::retention_store::{PsuRows, RetentionStore};
use super::sca_store::ScaStore;
use super::seam::{CommitOutcome, Connections, Store};
use super::statistics_store::StatisticsStore;
use super::write::Write;
use crate::basket::record::Basket;
use crate::consent::record::{Consent, ListedConsent};
use crate::env::current_call::using_store;
use crate::error::Result;
use crate::payment::record::Payment;
use crate::sca::record::Authorisation;
use crate::session::record::Session;
use crate::statistics::record::{DayCalls, Outage};
use crate::types::{
    ActingPsu, AuthorisationId, BasketId, CertificateHash, CorporateKey, PaymentId, PsuKey, RequestId,
};

/// A store whose time is added to that of the call.
pub(crate) struct TimedStore(pub(crate) Arc<dyn Store>);

/// The methods of a subject, each measured. `Trait of accessor { method(argument: Type) -> Answer; }`
macro_rules! timed {
    ($( $subject:ident of $accessor:ident {
        $( $method:ident($($argument:ident: $type:ty),*) -> $answer:ty; )+
    } )+) => { $(
        impl $subject for TimedStore { $(
            fn $method(&self, $($argument: $type),*) -> Result<$answer> {
                using_store(|| self.0.$accessor().$method($($argument),*))
            }
        )+ }
    )+ };
}

timed! {
    PaymentStore of payments {
        payment(id: &PaymentId) -> Option<Payment>;
        list_payments(filter: &PaymentFilter, after: Option<&PaymentId>, limit: usize) -> Vec<Payment>;
        events(id: &PaymentId) -> Vec<Event>;
        basket(id: &BasketId) -> Option<Basket>;
    }
    ScaStore of sca {
        authorisation(id: &AuthorisationId) -> Option<Authorisation>;
        purge_authorisations(until: DateTime<Utc>, limit: usize) -> usize;
        session(tpp: &str, id: &str) -> Option<Session>;
        is_session_outdated(session: &Session) -> bool;
        purge_sessions(until: DateTime<Utc>, limit: usize) -> usize;
    }
    PsuStore of psus {
        psu_by_id(tpp: &str, psu_id: Uuid) -> Option<PsuKey>;
        psu_id(tpp: &str, psu: &PsuKey) -> Option<Uuid>;
        corporate_by_id(tpp: &str, psu: &PsuKey, corporate_id: Uuid) -> Option<CorporateKey>;
        corporate_of_id(tpp: &str, corporate_id: Uuid) -> Option<CorporateKey>;
        corporate_id(tpp: &str, corporate: &CorporateKey) -> Option<Uuid>;
    }
    ConsentStore of consents {
        consent(tpp: &str, psu: &ActingPsu) -> Option<Consent>;
        list_consents(filter: &ConsentFilter, below: Option<i64>, limit: usize) -> Vec<ListedConsent>;
        purge_consents(before: DateTime<Utc>, limit: usize) -> usize;
    }
    BlockStore of blocks {
        find_block(tpp: &str, certificate: CertificateHash, now: DateTime<Utc>) -> Option<BlockedKind>;
        list_blocks(now: DateTime<Utc>) -> Vec<Block>;
    }
    QuotaStore of quotas {
        access_count(counted: &CountedAccess) -> u32;
        purge_access_counts(before: NaiveDate, limit: usize) -> usize;
    }
    OutboxStore of outbox {
        waiting_orders() -> u64;
        due_orders(now: DateTime<Utc>, limit: usize) -> DueOrders;
        claim_orders(now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> DueOrders;
        next_order_due() -> Option<DateTime<Utc>>;
        has_order_due_after(after: DateTime<Utc>, now: DateTime<Utc>) -> bool;
        clamp_future_due_times(after: DateTime<Utc>, now: DateTime<Utc>) -> usize;
        dead_letters(limit: usize) -> Vec<DeadLetter>;
        count_dead_letters(limit: usize) -> usize;
        is_dead_letter(id: &PaymentId) -> bool;
    }
    AuditStore of audit {
        audit_lines(range: &Range<DateTime<Utc>>, after: Option<AuditPosition>, limit: usize) -> Vec<AuditLine>;
    }
    StatisticsStore of statistics {
        day_calls(first: NaiveDate, last: NaiveDate, tpp: Option<&str>) -> Vec<DayCalls>;
        outages(range: &Range<DateTime<Utc>>, after: Option<DateTime<Utc>>, limit: usize) -> Vec<Outage>;
    }
    RetentionStore of retention {
        purge_baskets(before: DateTime<Utc>, limit: usize) -> usize;
        purge_payments(before: DateTime<Utc>, limit: usize) -> usize;
        purge_statistics(day: NaiveDate, time: DateTime<Utc>, limit: usize) -> usize;
        rows_of_psu(psu: &PsuKey) -> PsuRows;
    }
    ReplayStore of replay {
        used_request_ids(since: DateTime<Utc>, limit: usize) -> Vec<(String, RequestId, DateTime<Utc>)>;
        purge_request_ids(before: DateTime<Utc>, limit: usize) -> usize;
    }
}

impl Store for TimedStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        using_store(|| self.0.commit(writes))
    }

    fn check_writable(&self) -> Result<()> {
        using_store(|| self.0.check_writable())
    }

    fn connections(&self) -> Option<Connections> {
        self.0.connections()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        using_store(|| self.0.bank_id(for_database_without))
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
