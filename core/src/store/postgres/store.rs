//! The engine's store on a PostgreSQL database.

use std::convert::Infallible;
use std::ops::Range;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::connection::Connection;
use super::database::Database;
use super::failure;
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
    AuditLine, AuditPosition, AuditStore, Block, BlockStore, BlockedKind, CommitOutcome, Connections,
    ConsentFilter, ConsentStore, CountedAccess, DeadLetter, DueOrders, Event, OutboxStore, PaymentFilter,
    PaymentStore, PsuRows, PsuStore, QuotaStore, ReplayStore, RetentionStore, ScaStore, StatisticsStore,
    Store, Write,
};
use crate::types::{
    ActingPsu, AuthorisationId, BasketId, CertificateHash, CorporateKey, PaymentId, PsuKey, RequestId,
};

/// A [`Store`] that any number of nodes share.
///
/// It blocks the thread that calls it, as every store does. A host that runs an async runtime must call the engine
/// from a thread where blocking is allowed.
#[derive(Debug)]
pub struct PostgresStore {
    pub(super) database: Database,
}

impl PostgresStore {
    /// The store in the database of that URL (`postgresql://user@host/database`), brought to the present schema.
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for a URL that cannot be used, or sets no TLS mode where the server is
    /// on a network; [`Error::Store`](crate::Error::Store) where no server answers, or the database has a newer schema.
    pub fn open(url: &str) -> Result<Self> {
        Database::open(url).map(|database| Self { database })
    }
}

impl Store for PostgresStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        let done = self.database.write_unless(|connection| apply_all(connection, writes))?;
        Ok(done.map_or_else(|obstacle| obstacle, |()| CommitOutcome::Applied))
    }

    fn check_writable(&self) -> Result<()> {
        self.database.check_version()
    }

    fn connections(&self) -> Option<Connections> {
        self.database.connections()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        let stored = self.database.run(bank_identity::find)?;
        let (None, Some(id)) = (&stored, for_database_without) else { return Ok(stored) };
        self.database.run(|connection| bank_identity::keep(connection, id))?;
        self.database.run(bank_identity::find)
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

impl PaymentStore for PostgresStore {
    fn payment(&self, id: &PaymentId) -> Result<Option<Payment>> {
        self.database.run(|connection| payment::find(connection, id))
    }

    fn list_payments(
        &self,
        filter: &PaymentFilter,
        after: Option<&PaymentId>,
        limit: usize,
    ) -> Result<Vec<Payment>> {
        self.database.run(|connection| payment::list(connection, filter, after, limit))
    }

    fn events(&self, id: &PaymentId) -> Result<Vec<Event>> {
        self.database.run(|connection| event::all(connection, id))
    }

    fn basket(&self, id: &BasketId) -> Result<Option<Basket>> {
        self.database.run(|connection| basket::find(connection, id))
    }
}

impl ScaStore for PostgresStore {
    fn authorisation(&self, id: &AuthorisationId) -> Result<Option<Authorisation>> {
        self.database.run(|connection| authorisation::find(connection, id))
    }

    fn purge_authorisations(&self, until: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| authorisation::purge(connection, until, limit))
    }

    fn session(&self, tpp: &str, id: &str) -> Result<Option<Session>> {
        self.database.run(|connection| session::find(connection, tpp, id))
    }

    fn is_session_outdated(&self, session: &Session) -> Result<bool> {
        self.database.run(|connection| session::is_outdated(connection, session))
    }

    fn purge_sessions(&self, until: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| session::purge(connection, until, limit))
    }
}

impl PsuStore for PostgresStore {
    fn psu_by_id(&self, tpp: &str, psu_id: Uuid) -> Result<Option<PsuKey>> {
        self.database.run(|connection| psu::by_id(connection, tpp, psu_id))
    }

    fn psu_id(&self, tpp: &str, psu: &PsuKey) -> Result<Option<Uuid>> {
        self.database.run(|connection| psu::id_of(connection, tpp, psu))
    }

    fn corporate_by_id(&self, tpp: &str, psu: &PsuKey, corporate_id: Uuid) -> Result<Option<CorporateKey>> {
        self.database.run(|connection| psu::corporate_by_id(connection, tpp, psu, corporate_id))
    }

    fn corporate_of_id(&self, tpp: &str, corporate_id: Uuid) -> Result<Option<CorporateKey>> {
        self.database.run(|connection| psu::corporate_of_id(connection, tpp, corporate_id))
    }

    fn corporate_id(&self, tpp: &str, corporate: &CorporateKey) -> Result<Option<Uuid>> {
        self.database.run(|connection| psu::corporate_id_of(connection, tpp, corporate))
    }
}

impl ConsentStore for PostgresStore {
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
        self.database.run(|connection| consent::find(connection, tpp, psu))
    }

    fn list_consents(
        &self,
        filter: &ConsentFilter,
        below: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ListedConsent>> {
        self.database.run(|connection| consent::list(connection, filter, below, limit))
    }

    fn purge_consents(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| consent::purge(connection, before, limit))
    }
}

impl BlockStore for PostgresStore {
    fn find_block(
        &self,
        tpp: &str,
        certificate: CertificateHash,
        now: DateTime<Utc>,
    ) -> Result<Option<BlockedKind>> {
        self.database.run(|connection| block::find(connection, tpp, certificate, now))
    }

    fn list_blocks(&self, now: DateTime<Utc>) -> Result<Vec<Block>> {
        self.database.run(|connection| block::all(connection, now))
    }
}

impl QuotaStore for PostgresStore {
    fn access_count(&self, counted: &CountedAccess) -> Result<u32> {
        self.database.run(|connection| access_count::find(connection, counted))
    }

    fn purge_access_counts(&self, before: NaiveDate, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| access_count::purge(connection, before, limit))
    }
}

impl OutboxStore for PostgresStore {
    fn due_orders(&self, now: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        self.database.run(|connection| outbox::due(connection, now, limit))
    }

    fn claim_orders(&self, now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        let claimed = self.database.write_unless::<_, Infallible>(|connection| {
            outbox::claim(connection, now, until, limit).map(Ok)
        })?;
        claimed.map_err(|never| match never {})
    }

    fn next_order_due(&self) -> Result<Option<DateTime<Utc>>> {
        self.database.run(outbox::next_due)
    }

    fn has_order_due_after(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<bool> {
        self.database.run(|connection| outbox::is_any_due_after(connection, after, now))
    }

    fn clamp_future_due_times(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<usize> {
        self.database.run(|connection| outbox::clamp_future_due_times(connection, after, now))
    }

    fn waiting_orders(&self) -> Result<u64> {
        self.database.run(outbox::waiting)
    }

    fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>> {
        self.database.run(|connection| outbox::dead_letters(connection, limit))
    }

    fn count_dead_letters(&self, limit: usize) -> Result<usize> {
        self.database.run(|connection| outbox::count_dead_letters(connection, limit))
    }

    fn is_dead_letter(&self, id: &PaymentId) -> Result<bool> {
        self.database.run(|connection| outbox::is_dead_letter(connection, id))
    }
}

impl AuditStore for PostgresStore {
    fn audit_lines(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<AuditPosition>,
        limit: usize,
    ) -> Result<Vec<AuditLine>> {
        self.database.run(|connection| audit::within(connection, range, after, limit))
    }
}

impl StatisticsStore for PostgresStore {
    fn day_calls(&self, first: NaiveDate, last: NaiveDate, tpp: Option<&str>) -> Result<Vec<DayCalls>> {
        self.database.run(|connection| statistics::day_calls(connection, first, last, tpp))
    }

    fn outages(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<DateTime<Utc>>,
        limit: usize,
    ) -> Result<Vec<Outage>> {
        self.database.run(|connection| statistics::outages(connection, range, after, limit))
    }
}

impl RetentionStore for PostgresStore {
    fn purge_baskets(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| retention::purge_baskets(connection, before, limit))
    }

    fn purge_payments(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| retention::purge_payments(connection, before, limit))
    }

    fn purge_statistics(&self, day: NaiveDate, time: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| retention::purge_statistics(connection, day, time, limit))
    }

    fn rows_of_psu(&self, psu: &PsuKey) -> Result<PsuRows> {
        self.database.run(|connection| retention::rows_of_psu(connection, psu))
    }
}

impl ReplayStore for PostgresStore {
    fn used_request_ids(
        &self,
        since: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<(String, RequestId, DateTime<Utc>)>> {
        self.database.run(|connection| request_id::used_since(connection, since, limit))
    }

    fn purge_request_ids(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.database.sweep(|connection| request_id::purge(connection, before, limit))
    }
}

/// Applies the writes up to the first that meets an obstacle.
fn apply_all(connection: &mut Connection, writes: &[Write]) -> failure::Result<Result<(), CommitOutcome>> {
    for write in writes {
        match lost_if_taken(apply(connection, write))? {
            CommitOutcome::Applied => {}
            obstacle => return Ok(Err(obstacle)),
        }
    }
    Ok(Ok(()))
}

fn apply(connection: &mut Connection, write: &Write) -> failure::Result<CommitOutcome> {
    match write {
        Write::UseRequestId(used) => request_id::mark_used(connection, used),
        Write::InsertPayment { payment, duplicate_window_start, alternative_fingerprints } => {
            payment::insert(connection, payment, *duplicate_window_start, alternative_fingerprints)
        }
        Write::UpdatePayment(payment) => payment::update(connection, payment),
        Write::InsertBasket(basket) => basket::insert(connection, basket),
        Write::UpdateBasket(basket) => basket::update(connection, basket),
        Write::InsertAuthorisation(authorisation) => authorisation::insert(connection, authorisation),
        Write::UpdateAuthorisation(authorisation) => authorisation::update(connection, authorisation),
        Write::RememberPsu { tpp, psu, psu_id } => psu::remember(connection, tpp, psu, *psu_id),
        Write::RememberCorporate { tpp, psu, corporate, corporate_id } => {
            psu::remember_corporate(connection, tpp, psu, corporate, *corporate_id)
        }
        Write::OpenSession(opened) => session::open(connection, opened),
        Write::GrantConsent(granted) => consent::grant(connection, granted),
        Write::RevokeConsent { at, tpp, psu } => consent::revoke(connection, tpp, psu, *at),
        Write::NoteAccess { tpp, psu, at } => consent::note_access(connection, tpp, psu, *at),
        Write::Block(new) => block::put(connection, new),
        Write::Unblock { subject, at } => block::remove(connection, subject, *at),
        Write::CountAccess { counted, limit } => access_count::count(connection, counted, *limit),
        Write::CountCalls { counted, sum } => statistics::count(connection, counted, *sum),
        Write::NoteOutage(outage) => statistics::note_outage(connection, *outage),
        Write::ErasePsu(psu) => retention::erase(connection, psu),
        Write::EnqueueOrder(order) => outbox::enqueue(connection, order),
        Write::RescheduleOrder { order, was_due } => outbox::reschedule(connection, order, *was_due),
        Write::AnswerOrder { payment_id, again_at } => outbox::answer(connection, payment_id, *again_at),
        Write::RemoveOrder(id) => outbox::remove(connection, id),
        Write::WithdrawOrder(id) => outbox::withdraw(connection, id),
        Write::MoveToDeadLetters { order, was_due } => outbox::to_dead_letter(connection, order, *was_due),
        Write::MoveUnreadableToDeadLetters { order, since } => {
            outbox::unreadable_to_dead_letter(connection, order, *since)
        }
        Write::RetryOrder { payment_id, due_at } => outbox::retry(connection, payment_id, *due_at),
        Write::ResolveOrder(id) => outbox::resolve(connection, id),
        Write::BeginCancelling(id) => outbox::begin_cancelling(connection, id),
        Write::EndCancelling(id) => outbox::end_cancelling(connection, id),
        Write::AppendEvent(event) => event::append(connection, event),
        Write::AppendAudit(event) => audit::append(connection, event),
    }
}

/// A value that must be unique and is taken means that another node was first. Other constraints are bugs.
fn lost_if_taken(applied: failure::Result<CommitOutcome>) -> failure::Result<CommitOutcome> {
    match applied {
        Err(failure) if failure.is_taken() => Ok(CommitOutcome::VersionConflict),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::address;
    use super::super::privileges::tests::with_needed;
    use super::super::server::Server;
    use super::*;
    use crate::store::conformance::{Backend, Damage};
    use crate::store_conformance;

    /// Nodes that open one database each for itself, as processes do, by a role with the needed privileges alone.
    struct OnServer {
        owner: String,
        node: String,
    }

    impl Backend for OnServer {
        fn is_available() -> bool {
            Server::shared().is_some()
        }

        fn new() -> Self {
            let (owner, node, _) = with_needed(Server::shared().unwrap());
            Self { owner, node }
        }

        fn node(&self) -> Arc<dyn Store> {
            Arc::new(PostgresStore::open(&self.node).unwrap())
        }

        fn damage(&self, damage: &Damage) {
            let batch = format!("SET session_replication_role = replica; {}", damage.sql());
            let mut other_client = Connection::open(&address::read(&self.owner).unwrap()).unwrap();
            other_client.batch(&batch).unwrap();
        }
    }

    store_conformance!(OnServer);
}
