//! A store that reports every change of state made through it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::collector::Collector;
use super::moves::{begun, moved, moved_or_begun, Move};
use crate::basket::machine::BasketState;
use crate::consent::machine::ConsentStatus;
use crate::consent::record::{Consent, ListedConsent};
use crate::env::clock::Clock;
use crate::error::Result;
use crate::sandbox::journal::{SideEffect, StepsInProgress};
use crate::sca::machine::ScaStatus;
use crate::sca::record::Authorisation;
use crate::session::machine::SessionState;
use crate::session::record::Session;
use crate::store::sqlite::SqliteStore;
use crate::store::{
    AuditStore, BlockStore, CommitOutcome, ConsentFilter, ConsentStore, OutboxStore, PaymentStore, PsuStore,
    QuotaStore, ReplayStore, RetentionStore, ScaStore, StatisticsStore, Store, Write,
};
use crate::types::{ActingPsu, AuthorisationId, PsuKey};

/// The sandbox's store. It counts what is committed, and the sessions and consents that are met when their time is
/// over.
pub(crate) struct WatchedStore {
    inner: SqliteStore,
    clock: Arc<dyn Clock>,
    collector: Arc<Collector>,
    in_progress: Arc<StepsInProgress>,
}

/// A change of state, and the name of what changed; `None` for what is never looked up by name.
type Moved = (Move, Option<String>);

impl WatchedStore {
    /// Watches a store.
    pub(crate) fn new(
        inner: SqliteStore,
        clock: Arc<dyn Clock>,
        collector: Arc<Collector>,
        in_progress: Arc<StepsInProgress>,
    ) -> Self {
        Self { inner, clock, collector, in_progress }
    }

    /// Counts the changes, and notes them in the step under way.
    fn record_moves(&self, moves: &[Moved]) {
        self.collector.note_moves(moves.iter().map(|(moved, _)| *moved));
        for (moved, name) in moves {
            if let (Some(row), Some(name)) = (moved.transition, name) {
                let (machine, from, to) = (row.machine, row.from, row.to);
                let at = self.clock.now();
                self.in_progress.note(SideEffect::Moved { at, machine, name: name.clone(), from, to });
            }
        }
    }

    /// The changes that writes make once committed. Read before the commit, because some writes hold only the new
    /// state.
    fn moves_of(&self, writes: &[Write]) -> Result<Vec<Moved>> {
        let mut moves = Vec::new();
        for write in writes {
            match write {
                Write::InsertPayment { payment, .. } => moves.push((begun(payment.status), None)),
                // A hold and a release leave the status as it is.
                Write::AppendEvent(event) if event.from == event.to => {}
                Write::AppendEvent(event) => {
                    moves.push((moved(event.from, event.to), Some(event.payment_id.to_string())));
                }
                Write::InsertBasket(basket) => moves.push((begun(basket.state), None)),
                // Of baskets and authorisations nothing but the first state may become another.
                Write::UpdateBasket(basket) => {
                    moves.push((moved(BasketState::Open, basket.state), Some(basket.id.to_string())));
                }
                Write::InsertAuthorisation(authorisation) => {
                    moves.push((begun(authorisation.status), None));
                }
                Write::UpdateAuthorisation(authorisation) => {
                    moves.push((moved(ScaStatus::Started, authorisation.status), None));
                }
                Write::OpenSession(session) => moves.extend(self.session_moves(session)?),
                Write::GrantConsent(consent) => moves.push(self.grant_move(consent)?),
                Write::RevokeConsent { tpp, psu, .. } => moves.extend(self.revocation_moves(tpp, psu)?),
                Write::UseRequestId(_)
                | Write::UpdatePayment(_)
                | Write::RememberPsu { .. }
                | Write::RememberCorporate { .. }
                | Write::NoteAccess { .. }
                | Write::Block(_)
                | Write::Unblock { .. }
                | Write::CountAccess { .. }
                | Write::CountCalls { .. }
                | Write::NoteOutage(_)
                | Write::ErasePsu(_)
                | Write::EnqueueOrder(_)
                | Write::RescheduleOrder { .. }
                | Write::AnswerOrder { .. }
                | Write::RemoveOrder(_)
                | Write::WithdrawOrder(_)
                | Write::MoveToDeadLetters { .. }
                | Write::MoveUnreadableToDeadLetters { .. }
                | Write::RetryOrder { .. }
                | Write::ResolveOrder(_)
                | Write::BeginCancelling(_)
                | Write::EndCancelling(_)
                | Write::AppendAudit(_) => {}
            }
        }
        Ok(moves)
    }

    fn session_moves(&self, opened: &Session) -> Result<Vec<Moved>> {
        let now = opened.opened_at;
        let before = self.session(&opened.tpp, &opened.id)?.map(|session| session.state_at(now));
        let mut moves = vec![(moved_or_begun(before, SessionState::Open), Some(opened.id.clone()))];
        for replaced in self.inner.sessions_replaced_by(opened)? {
            let state = replaced.state_at(now);
            let name = || Some(replaced.id.clone());
            let met = met_over(state, SessionState::Open, SessionState::Expired);
            moves.extend(met.map(|met| (met, name())));
            moves.push((moved(state, SessionState::Replaced), name()));
        }
        Ok(moves)
    }

    fn grant_move(&self, consent: &Consent) -> Result<Moved> {
        let before = self.consent(&consent.tpp, &consent.psu)?;
        let before = before.map(|before| before.status_at(consent.granted_at));
        Ok((moved_or_begun(before, ConsentStatus::Valid), Some(consent_name(consent))))
    }

    fn revocation_moves(&self, tpp: &str, psu: &PsuKey) -> Result<Vec<Moved>> {
        let now = self.clock.now();
        let mut moves = Vec::new();
        for consent in self.inner.consents_of(tpp, psu)? {
            let status = consent.status_at(now);
            if status != ConsentStatus::RevokedByPsu {
                let name = || Some(consent_name(&consent));
                let met = met_over(status, ConsentStatus::Valid, ConsentStatus::Expired);
                moves.extend(met.map(|met| (met, name())));
                moves.push((moved(status, ConsentStatus::RevokedByPsu), name()));
            }
        }
        Ok(moves)
    }
}

/// The TPP and the context of a consent. The PSU is left out, as personal data.
fn consent_name(consent: &Consent) -> String {
    format!("of {} ({})", consent.tpp, consent.psu.context.as_str())
}

/// No write marks an expiry: it is noticed when the expired object is next read.
fn met_over<M: crate::machine::Machine>(state: M, before: M, over: M) -> Option<Move> {
    (state == over).then(|| moved(before, over))
}

impl Store for WatchedStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        let moves = self.moves_of(writes)?;
        let committed = self.inner.commit(writes)?;
        if committed == CommitOutcome::Applied {
            self.record_moves(&moves);
        }
        Ok(committed)
    }

    fn check_writable(&self) -> Result<()> {
        self.inner.check_writable()
    }

    fn bank_id(&self, for_database_without: Option<&str>) -> Result<Option<String>> {
        self.inner.bank_id(for_database_without)
    }

    fn payments(&self) -> &dyn PaymentStore {
        self.inner.payments()
    }

    fn sca(&self) -> &dyn ScaStore {
        self
    }

    fn psus(&self) -> &dyn PsuStore {
        self.inner.psus()
    }

    fn consents(&self) -> &dyn ConsentStore {
        self
    }

    fn blocks(&self) -> &dyn BlockStore {
        self.inner.blocks()
    }

    fn quotas(&self) -> &dyn QuotaStore {
        self.inner.quotas()
    }

    fn outbox(&self) -> &dyn OutboxStore {
        self.inner.outbox()
    }

    fn audit(&self) -> &dyn AuditStore {
        self.inner.audit()
    }

    fn statistics(&self) -> &dyn StatisticsStore {
        self.inner.statistics()
    }

    fn retention(&self) -> &dyn RetentionStore {
        self.inner.retention()
    }

    fn replay(&self) -> &dyn ReplayStore {
        self.inner.replay()
    }
}

impl ScaStore for WatchedStore {
    fn authorisation(&self, id: &AuthorisationId) -> Result<Option<Authorisation>> {
        self.inner.sca().authorisation(id)
    }

    fn purge_authorisations(&self, until: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.inner.sca().purge_authorisations(until, limit)
    }

    fn session(&self, tpp: &str, id: &str) -> Result<Option<Session>> {
        let found = self.inner.sca().session(tpp, id)?;
        if let Some(session) = &found {
            let state = session.state_at(self.clock.now());
            let met = met_over(state, SessionState::Open, SessionState::Expired);
            self.record_moves(met.map(|met| (met, Some(id.to_owned()))).as_slice());
        }
        Ok(found)
    }

    fn is_session_outdated(&self, session: &Session) -> Result<bool> {
        self.inner.sca().is_session_outdated(session)
    }

    fn purge_sessions(&self, until: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.inner.sca().purge_sessions(until, limit)
    }
}

impl ConsentStore for WatchedStore {
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
        let found = self.inner.consents().consent(tpp, psu)?;
        if let Some(consent) = &found {
            let status = consent.status_at(self.clock.now());
            let met = met_over(status, ConsentStatus::Valid, ConsentStatus::Expired);
            self.record_moves(met.map(|met| (met, Some(consent_name(consent)))).as_slice());
        }
        Ok(found)
    }

    fn list_consents(
        &self,
        filter: &ConsentFilter,
        below: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ListedConsent>> {
        self.inner.list_consents(filter, below, limit)
    }

    fn purge_consents(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        self.inner.purge_consents(before, limit)
    }
}
