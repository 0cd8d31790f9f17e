//! Random commits against a store and against a model too naive to be wrong.

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use super::model_consents::Consents;
use super::model_outbox::{done_if, Outbox, Outcome, NUMBERS};
use super::model_payments::assert_pages;
use super::samples::{
    acting, acting_for, answer, audited, authorisation, authorisation_id, basket, basket_id, consent,
    corporate, count_access, counted, dead_letter, event, full_authorisation, full_basket, full_payment,
    insert, opening_link, order, payment, payment_id, psu, remember_corporate, remember_psu, request_id,
    reschedule, retry, session, time, to_dead_letters, uuid, OTHER_TPP, TPP,
};
use super::Backend;
use crate::audit::record::AuditEvent;
use crate::basket::record::Basket;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::sca::record::{Authorisation, Purpose};
use crate::session::record::Session;
use crate::store::{AuditLine, CommitOutcome, CountedAccess, Event, Store, UsedRequestId, Write};
use crate::types::{ActingPsu, AuthorisationId, Context, PaymentId};

const CASES: u32 = 24;
const COMMITS_MAX: usize = 60;

/// Everything a store keeps, as plain lists.
#[derive(Debug, Clone, Default)]
struct Model {
    used: Vec<UsedRequestId>,
    payments: Vec<Payment>,
    baskets: Vec<Basket>,
    authorisations: Vec<Authorisation>,
    persons: Vec<Write>,
    corporates: Vec<Write>,
    /// Each with the newest authorisation of the time when it was replaced.
    sessions: Vec<(Session, Option<AuthorisationId>)>,
    consents: Consents,
    /// One line per counted call.
    accesses: Vec<CountedAccess>,
    outbox: Outbox,
    events: Vec<Event>,
    audit: Vec<AuditEvent>,
}

/// What is replaced only by the version after its own.
trait Versioned: Clone {
    /// Whether that is the next version of this one.
    fn is_before(&self, next: &Self) -> bool;
}

macro_rules! versioned {
    ($($thing:ty),+) => { $(
        impl Versioned for $thing {
            fn is_before(&self, next: &Self) -> bool {
                self.id == next.id && self.version + 1 == next.version
            }
        }
    )+ };
}

versioned!(Payment, Basket, Authorisation);

fn replace<T: Versioned>(all: &mut [T], next: &T) -> Outcome {
    let present = all.iter_mut().find(|present| present.is_before(next));
    done_if(present.map(|present| *present = next.clone()).is_some(), CommitOutcome::VersionConflict)
}

impl Model {
    fn commit(&mut self, writes: &[Write]) -> Outcome {
        let mut next = self.clone();
        for write in writes {
            match next.apply(write) {
                Some(CommitOutcome::Applied) => {}
                other => return other,
            }
        }
        *self = next;
        Some(CommitOutcome::Applied)
    }

    fn apply(&mut self, write: &Write) -> Outcome {
        match write {
            Write::UseRequestId(used) => self.use_request_id(used),
            Write::InsertPayment { payment, duplicate_window_start, alternative_fingerprints } => {
                self.insert_payment(payment, *duplicate_window_start, alternative_fingerprints)
            }
            Write::UpdatePayment(next) => replace(&mut self.payments, next),
            Write::InsertBasket(new) => {
                let free = !self.baskets.iter().any(|present| present.id == new.id);
                self.baskets.push(new.clone());
                done_if(free, CommitOutcome::VersionConflict)
            }
            Write::UpdateBasket(next) => replace(&mut self.baskets, next),
            Write::InsertAuthorisation(new) => self.insert_authorisation(new),
            Write::UpdateAuthorisation(next) => replace(&mut self.authorisations, next),
            Write::RememberPsu { .. } => self.remember_psu(write),
            Write::RememberCorporate { .. } => self.remember_corporate(write),
            Write::OpenSession(opened) => self.open_session(opened),
            Write::GrantConsent(_) | Write::RevokeConsent { .. } | Write::NoteAccess { .. } => {
                self.consents.apply(write)
            }
            // Blocks, statistics and erasure are tested apart.
            Write::Block(_)
            | Write::Unblock { .. }
            | Write::CountCalls { .. }
            | Write::NoteOutage(_)
            | Write::ErasePsu(_) => None,
            Write::CountAccess { counted, limit } => {
                let calls = self.accesses.iter().filter(|present| *present == counted).count();
                self.accesses.push(counted.clone());
                done_if(calls < *limit as usize, CommitOutcome::QuotaExceeded)
            }
            Write::EnqueueOrder(order) => {
                let queued = self.outbox.apply(write);
                queued
                    .filter(|queued| *queued != CommitOutcome::Applied || self.has_payment(&order.payment_id))
            }
            Write::RescheduleOrder { .. }
            | Write::AnswerOrder { .. }
            | Write::RemoveOrder(_)
            | Write::WithdrawOrder(_)
            | Write::MoveToDeadLetters { .. }
            | Write::MoveUnreadableToDeadLetters { .. }
            | Write::RetryOrder { .. }
            | Write::ResolveOrder(_)
            | Write::BeginCancelling(_)
            | Write::EndCancelling(_) => self.outbox.apply(write),
            Write::AppendEvent(event) => {
                self.events.push(event.clone());
                self.has_payment(&event.payment_id).then_some(CommitOutcome::Applied)
            }
            Write::AppendAudit(event) => {
                self.audit.push(event.clone());
                Some(CommitOutcome::Applied)
            }
        }
    }

    fn insert_payment(
        &mut self,
        payment: &Payment,
        duplicate_window_start: Option<DateTime<Utc>>,
        alternative_fingerprints: &[[u8; 32]],
    ) -> Outcome {
        let in_the_way = |other: &Payment| {
            (other.duplicate_fingerprint == payment.duplicate_fingerprint
                || alternative_fingerprints.contains(&other.duplicate_fingerprint))
                && duplicate_window_start.is_some_and(|since| other.created_at >= since)
                && !matches!(other.status, PaymentStatus::Rjct | PaymentStatus::Canc)
                && (other.psu.is_none() || payment.psu.is_none() || other.psu == payment.psu)
        };
        if self.payments.iter().any(in_the_way) {
            return Some(CommitOutcome::DuplicatePayment);
        }
        let free = !self.has_payment(&payment.id);
        self.payments.push(payment.clone());
        done_if(free, CommitOutcome::VersionConflict)
    }

    fn insert_authorisation(&mut self, new: &Authorisation) -> Outcome {
        if self.authorisations.iter().any(|present| present.id == new.id) {
            return Some(CommitOutcome::VersionConflict);
        }
        let is_sound = match &new.purpose {
            Purpose::Payment(id) | Purpose::Cancellation(id) => self.has_payment(id),
            Purpose::Basket(_) | Purpose::Consent | Purpose::Identification => true,
        };
        self.authorisations.push(new.clone());
        is_sound.then_some(CommitOutcome::Applied)
    }

    fn open_session(&mut self, opened: &Session) -> Outcome {
        if self.is_outdated(opened) {
            return Some(CommitOutcome::VersionConflict);
        }
        let newest = self.authorisations.iter().map(|present| &present.id).max();
        let newest = newest.unwrap_or(&opened.first_sca).clone();
        let place = self.sessions.iter().position(|(present, _)| is_named_as(present, opened));
        let before = place.map(|place| self.sessions.remove(place).0);
        let renewed = before.filter(|before| !before.is_replaced && is_of_same_psu(before, opened));
        for (present, replaced_after) in &mut self.sessions {
            if is_of_same_psu(present, opened) && !present.is_replaced {
                present.is_replaced = true;
                *replaced_after = Some(newest.clone());
            }
        }
        let first_sca = renewed.map_or_else(|| opened.first_sca.clone(), |renewed| renewed.first_sca);
        self.sessions.push((Session { first_sca, ..opened.clone() }, None));
        Some(CommitOutcome::Applied)
    }

    fn is_outdated(&self, opened: &Session) -> bool {
        self.sessions.iter().filter(|(present, _)| is_of_same_psu(present, opened)).any(
            |(present, replaced_after)| match is_named_as(present, opened) {
                true => replaced_after.as_ref().is_some_and(|newest| *newest >= opened.first_sca),
                false => !present.is_replaced && present.first_sca > opened.first_sca,
            },
        )
    }

    fn remember_psu(&mut self, write: &Write) -> Outcome {
        let clashes = |present: &Write| match (present, write) {
            (Write::RememberPsu { tpp: t, psu: p, psu_id: i }, Write::RememberPsu { tpp, psu, psu_id }) => {
                t == tpp && (p == psu || i == psu_id)
            }
            _ => false,
        };
        let clash = self.persons.iter().any(clashes);
        self.persons.push(write.clone());
        done_if(!clash, CommitOutcome::VersionConflict)
    }

    fn has_payment(&self, id: &PaymentId) -> bool {
        self.payments.iter().any(|present| present.id == *id)
    }

    fn use_request_id(&mut self, used: &UsedRequestId) -> Outcome {
        let same = |past: &&mut UsedRequestId| past.tpp == used.tpp && past.request_id == used.request_id;
        match self.used.iter_mut().find(same) {
            Some(past) if past.at >= used.since => return Some(CommitOutcome::RequestReplayed),
            Some(past) => *past = used.clone(),
            None => self.used.push(used.clone()),
        }
        Some(CommitOutcome::Applied)
    }

    fn remember_corporate(&mut self, write: &Write) -> Outcome {
        let clashes = |present: &Write| match (present, write) {
            (
                Write::RememberCorporate { tpp: t, corporate: c, corporate_id: i, .. },
                Write::RememberCorporate { tpp, corporate, corporate_id, .. },
            ) => present == write || (t == tpp && (c == corporate) != (i == corporate_id)),
            _ => false,
        };
        let clash = self.corporates.iter().any(clashes);
        self.corporates.push(write.clone());
        done_if(!clash, CommitOutcome::VersionConflict)
    }

    /// Compares all that can be asked.
    fn assert_derived_from(&self, store: &dyn Store) {
        for number in 0..NUMBERS {
            let id = payment_id(number);
            assert_eq!(
                store.payments().payment(&id).unwrap().as_ref(),
                self.payments.iter().find(|payment| payment.id == id)
            );
            let history: Vec<_> =
                self.events.iter().filter(|event| event.payment_id == id).cloned().collect();
            assert_eq!(store.payments().events(&id).unwrap(), history);
            let id = basket_id(number);
            assert_eq!(
                store.payments().basket(&id).unwrap().as_ref(),
                self.baskets.iter().find(|basket| basket.id == id)
            );
            let id = authorisation_id(number);
            let expected = self.authorisations.iter().find(|authorisation| authorisation.id == id);
            assert_eq!(store.sca().authorisation(&id).unwrap().as_ref(), expected);
        }
        assert_pages(&self.payments, store);
        self.assert_persons_of(store);
        self.assert_access_of(store);
        self.outbox.assert_derived_from(store, &self.payments);
        self.assert_audit_of(store);
        let mut used: Vec<_> =
            self.used.iter().map(|used| (used.tpp.to_string(), used.request_id, used.at)).collect();
        used.sort_by_key(|(tpp, id, at)| (*at, tpp.clone(), *id));
        assert_eq!(store.replay().used_request_ids(time(-1_000), 99).unwrap(), used);
    }

    fn assert_audit_of(&self, store: &dyn Store) {
        let (mut noted, mut histories) = (Vec::new(), 0);
        for line in store.audit().audit_lines(&(time(-1_000)..time(1_000)), None, 9_999).unwrap() {
            match line {
                AuditLine::Noted { event, .. } => noted.push(event),
                AuditLine::Payment { .. } => histories += 1,
            }
        }
        let mut expected = self.audit.clone();
        expected.sort_by_key(|event| event.at);
        assert!(noted == expected && histories == self.events.len());
    }

    fn assert_access_of(&self, store: &dyn Store) {
        for (session, _) in &self.sessions {
            assert_eq!(store.sca().session(&session.tpp, &session.id).unwrap().as_ref(), Some(session));
        }
        self.consents.assert_derived_from(store);
        for account in 0..NUMBERS {
            let calls = self.accesses.iter().filter(|present| **present == counted(account)).count();
            assert_eq!(store.quotas().access_count(&counted(account)).unwrap() as usize, calls);
        }
    }

    fn assert_persons_of(&self, store: &dyn Store) {
        for write in &self.persons {
            let Write::RememberPsu { tpp, psu, psu_id } = write else { continue };
            assert_eq!(store.psus().psu_by_id(tpp, *psu_id).unwrap().as_ref(), Some(psu));
            assert_eq!(store.psus().psu_id(tpp, psu).unwrap(), Some(*psu_id));
        }
        for (tpp, person, customer, id) in combinations() {
            let known = self.corporates.contains(&remember_corporate(tpp, person, customer, id));
            let found = store.psus().corporate_by_id(tpp, &psu(person), uuid(id)).unwrap();
            assert_eq!(found == Some(corporate(customer)), known);
        }
    }
}

fn is_named_as(present: &Session, other: &Session) -> bool {
    (&present.tpp, &present.id) == (&other.tpp, &other.id)
}

fn is_of_same_psu(present: &Session, other: &Session) -> bool {
    present.tpp == other.tpp && (&present.psu.psu, present.psu.context) == (&other.psu.psu, other.psu.context)
}

fn combinations() -> impl Iterator<Item = (&'static str, u8, u8, u8)> {
    let numbers = || 0..NUMBERS;
    [TPP, OTHER_TPP].into_iter().flat_map(move |tpp| {
        numbers().flat_map(move |person| {
            numbers().flat_map(move |customer| numbers().map(move |id| (tpp, person, customer, id)))
        })
    })
}

fn a_write() -> impl Strategy<Value = Write> {
    let numbers = || 0..NUMBERS;
    let tpp = || select(vec![TPP, OTHER_TPP]);
    let micros = || -150_i64..150;
    // So few that an order is often due when it is thought to be.
    let due = || select(vec![-20_i64, 0, 20]);
    prop_oneof![
        (tpp(), numbers(), micros()).prop_map(|(tpp, id, at)| request_id(tpp, id, at)),
        (a_payment(), micros(), any::<bool>(), other_fingerprints()).prop_map(
            |(payment, since, alike, alternative_fingerprints)| Write::InsertPayment {
                payment: payment.into(),
                duplicate_window_start: alike.then_some(time(since)),
                alternative_fingerprints,
            }
        ),
        a_payment().prop_map(insert),
        a_payment().prop_map(|payment| Write::UpdatePayment(Box::new(payment))),
        a_payment().prop_map(|payment| Write::UpdatePayment(Box::new(payment))),
        a_basket().prop_map(Write::InsertBasket),
        a_basket().prop_map(Write::UpdateBasket),
        an_authorisation().prop_map(Write::InsertAuthorisation),
        an_authorisation().prop_map(Write::UpdateAuthorisation),
        (tpp(), numbers(), numbers()).prop_map(|(tpp, person, id)| remember_psu(tpp, person, id)),
        (tpp(), numbers(), numbers(), numbers())
            .prop_map(|(tpp, person, customer, id)| remember_corporate(tpp, person, customer, id)),
        (tpp(), numbers(), an_acting_psu(), micros(), numbers()).prop_map(|(tpp, id, psu, at, sca)| {
            let first_sca = authorisation_id(sca);
            Write::OpenSession(Session { psu, first_sca, ..session(tpp, &id.to_string(), 0, at) })
        }),
        (tpp(), an_acting_psu(), numbers(), micros())
            .prop_map(|(tpp, psu, number, at)| Write::GrantConsent(consent(tpp, psu, &[number], &[1], at))),
        (tpp(), numbers(), micros()).prop_map(|(tpp, person, at)| Write::RevokeConsent {
            at: time(at),
            tpp: tpp.into(),
            psu: psu(person)
        }),
        (tpp(), an_acting_psu(), micros()).prop_map(|(tpp, psu, at)| Write::NoteAccess {
            tpp: tpp.into(),
            psu,
            at: time(at)
        }),
        (numbers(), 0..4_u32).prop_map(|(account, limit)| count_access(&counted(account), limit)),
        (numbers(), due()).prop_map(|(number, due)| Write::EnqueueOrder(order(number, 0, due))),
        (numbers(), 0..9_u32, due(), due())
            .prop_map(|(number, attempts, was, due)| reschedule(was, order(number, attempts, due))),
        (numbers(), due()).prop_map(|(number, due)| answer(number, due)),
        numbers().prop_map(|number| Write::RemoveOrder(payment_id(number))),
        numbers().prop_map(|number| Write::WithdrawOrder(payment_id(number))),
        (numbers(), 0..9_u32, due(), micros()).prop_map(|(number, attempts, was, since)| to_dead_letters(
            was,
            dead_letter(number, attempts, since)
        )),
        (numbers(), due()).prop_map(|(number, due)| retry(number, due)),
        numbers().prop_map(|number| Write::ResolveOrder(payment_id(number))),
        numbers().prop_map(|number| Write::BeginCancelling(payment_id(number))),
        numbers().prop_map(|number| Write::EndCancelling(payment_id(number))),
        (numbers(), micros()).prop_map(|(number, at)| Write::AppendEvent(event(number, at, "cause"))),
        micros().prop_map(|at| Write::AppendAudit(audited(at))),
    ]
}

fn an_acting_psu() -> impl Strategy<Value = ActingPsu> {
    (0..NUMBERS, prop::option::of(0..NUMBERS)).prop_map(|(person, customer)| match customer {
        Some(customer) => acting_for(person, customer),
        None => acting(person, Context::Private),
    })
}

/// A payment. Its creation time and fingerprint never change, and its status follows from number and version: a
/// rejected or cancelled payment stays so, as stores assume.
fn a_payment() -> impl Strategy<Value = Payment> {
    (0..NUMBERS, 1..4_u32, any::<bool>()).prop_map(|(number, version, full)| {
        let status = match version + u32::from(number % 3) {
            1 | 2 => PaymentStatus::Rcvd,
            3 => PaymentStatus::Acsp,
            _ => PaymentStatus::Rjct,
        };
        let base = if full { full_payment(number) } else { payment(number) };
        let created_at = time(100 - 100 * i64::from(number));
        Payment { version, status, created_at, duplicate_fingerprint: [number % 2; 32], ..base }
    })
}

fn other_fingerprints() -> impl Strategy<Value = Vec<[u8; 32]>> {
    select(vec![vec![], vec![[0; 32]], vec![[1; 32], [0; 32]], vec![[9; 32]]])
}

fn a_basket() -> impl Strategy<Value = Basket> {
    (0..NUMBERS, 1..4_u32, any::<bool>()).prop_map(|(number, version, full)| {
        let base = if full { full_basket(number) } else { basket(number) };
        Basket { version, ..base }
    })
}

/// An authorisation of the payment of its own number, so that only inserting can miss the payment.
fn an_authorisation() -> impl Strategy<Value = Authorisation> {
    (0..NUMBERS, 1..4_u32, any::<bool>()).prop_map(|(number, version, full)| {
        let base = if full { full_authorisation(number, number) } else { authorisation(number, number) };
        Authorisation { version, ..base }
    })
}

/// The creation of a payment as a call makes it: the use of a request id, the payment and its link.
fn a_creation() -> impl Strategy<Value = Vec<Write>> {
    (a_payment(), 0..NUMBERS, any::<bool>(), any::<bool>()).prop_map(|(payment, id, is_by_id, has_link)| {
        let micros = payment.created_at.timestamp_micros() - time(0).timestamp_micros();
        let link = Write::InsertAuthorisation(opening_link(&payment));
        let used = is_by_id.then(|| request_id(&payment.tpp, id, micros));
        used.into_iter().chain([insert(payment)]).chain(has_link.then_some(link)).collect()
    })
}

fn a_commit() -> impl Strategy<Value = Vec<Write>> {
    let others = || prop::collection::vec(a_write(), 0..4);
    prop_oneof![
        5 => others(),
        1 => (a_creation(), others()).prop_map(|(creation, others)| [creation, others].concat()),
    ]
}

pub(crate) fn random_commits_end_as_in_a_naive_model<B: Backend>(_: &B) {
    let commits = prop::collection::vec(a_commit(), 0..COMMITS_MAX);
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&commits, |commits| {
        let backend = B::new();
        let store = backend.node();
        let mut model = Model::default();
        for writes in &commits {
            prop_assert_eq!(store.commit(writes).ok(), model.commit(writes), "{:?}", writes);
            model.assert_derived_from(&*store);
            // Nothing is so old, but a store may put it elsewhere then.
            prop_assert!(store.sca().purge_authorisations(time(-1_000), 1).unwrap() <= 1);
        }
        Ok(())
    });
    checked.unwrap();
}
