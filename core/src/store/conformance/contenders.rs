//! Of those who want the same at the same time, exactly one gets it.

use std::sync::Barrier;
use std::thread;

use super::model_consents::listed;
use super::samples::{
    acting, basket, basket_id, consent, count_access, counted, event, insert, insert_unlike_any_since,
    insert_unlike_since, opening_link, order, payment, payment_id, psu, remember_psu, request_id, session_by,
    time, TPP,
};
use super::Backend;
use crate::consent::record::ConsentEnd;
use crate::payment::record::Payment;
use crate::store::{CommitOutcome, ConsentFilter, Store, Write};
use crate::types::Context;

const CONTENDERS: u8 = 8;
const ROUNDS: u8 = 20;

/// Lets contenders, each on a node of its own, commit at the same time, and counts how that ended.
fn contend(backend: &impl Backend, writes: impl Fn(u8) -> Vec<Write> + Sync) -> Vec<CommitOutcome> {
    let start = Barrier::new(CONTENDERS.into());
    thread::scope(|scope| {
        let contend = |contender| {
            let (node, start, writes) = (backend.node(), &start, &writes);
            scope.spawn(move || {
                start.wait();
                node.commit(&writes(contender)).unwrap()
            })
        };
        let contenders: Vec<_> = (0..CONTENDERS).map(contend).collect();
        contenders.into_iter().map(|contender| contender.join().unwrap()).collect()
    })
}

fn assert_one_wins(outcomes: &[CommitOutcome], loss: CommitOutcome) {
    let wins = outcomes.iter().filter(|outcome| **outcome == CommitOutcome::Applied).count();
    let losses = outcomes.iter().filter(|outcome| **outcome == loss).count();
    assert_eq!((wins, losses), (1, usize::from(CONTENDERS) - 1), "{outcomes:?}");
}

pub(crate) fn one_of_many_updates_wins(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    for round in 0..ROUNDS {
        let version = u32::from(round) + 2;
        let outcomes = contend(backend, |contender| {
            let next = Payment { version, authorised_at: Some(time(contender.into())), ..payment(1) };
            let cause = format!("contender {contender}");
            vec![Write::UpdatePayment(Box::new(next)), Write::AppendEvent(event(1, contender.into(), &cause))]
        });
        assert_one_wins(&outcomes, CommitOutcome::VersionConflict);
        // The winner's two writes belong together.
        let (kept, history) = (
            store.payments().payment(&payment_id(1)).unwrap().unwrap(),
            store.payments().events(&payment_id(1)).unwrap(),
        );
        assert_eq!(history.len(), usize::from(round) + 1);
        assert_eq!(kept.authorised_at, history.last().map(|line| line.at));
    }
}

pub(crate) fn one_of_many_like_payments_wins(backend: &impl Backend) {
    for round in 0..ROUNDS {
        let outcomes = contend(backend, |contender| {
            let like =
                Payment { duplicate_fingerprint: [round; 32], ..payment(round * CONTENDERS + contender) };
            vec![insert_unlike_since(like, time(0))]
        });
        assert_one_wins(&outcomes, CommitOutcome::DuplicatePayment);
    }
}

pub(crate) fn one_of_many_payments_that_are_like_by_other_names_wins(backend: &impl Backend) {
    for round in 0..ROUNDS {
        let by_name = |contender: u8| {
            let mut duplicate_fingerprint = [round; 32];
            duplicate_fingerprint[0] = contender;
            duplicate_fingerprint
        };
        let outcomes = contend(backend, |contender| {
            let number = round * CONTENDERS + contender;
            let new = Payment { duplicate_fingerprint: by_name(contender), ..payment(number) };
            // Each in an order of its own.
            let others = (1..CONTENDERS).map(|step| by_name((contender + step) % CONTENDERS)).collect();
            vec![insert_unlike_any_since(new, others, time(0))]
        });
        assert_one_wins(&outcomes, CommitOutcome::DuplicatePayment);
    }
}

pub(crate) fn one_of_many_replays_wins(backend: &impl Backend) {
    for round in 0..ROUNDS {
        let outcomes = contend(backend, |contender| vec![request_id(TPP, round, contender.into())]);
        assert_one_wins(&outcomes, CommitOutcome::RequestReplayed);
    }
}

pub(crate) fn one_of_many_creations_under_one_request_id_wins(backend: &impl Backend) {
    let store = backend.node();
    for round in 0..ROUNDS {
        let number = |contender| 1 + round * CONTENDERS + contender;
        let outcomes = contend(backend, |contender| {
            let payment = payment(number(contender));
            let link = Write::InsertAuthorisation(opening_link(&payment));
            vec![request_id(TPP, round, 0), insert(payment), link]
        });
        assert_one_wins(&outcomes, CommitOutcome::RequestReplayed);
        let is_there =
            |contender: &u8| store.payments().payment(&payment_id(number(*contender))).unwrap().is_some();
        assert_eq!((0..CONTENDERS).filter(is_there).count(), 1);
    }
}

pub(crate) fn one_of_many_first_ids_of_a_person_wins(backend: &impl Backend) {
    for round in 0..ROUNDS {
        let outcomes =
            contend(backend, |contender| vec![remember_psu(TPP, round, round * CONTENDERS + contender)]);
        assert_one_wins(&outcomes, CommitOutcome::VersionConflict);
    }
}

pub(crate) fn one_of_many_deliveries_wins(backend: &impl Backend) {
    let store = backend.node();
    for round in 0..ROUNDS {
        store.commit(&[insert(payment(round)), Write::EnqueueOrder(order(round, 0, 0))]).unwrap();
        let outcomes = contend(backend, |_| vec![Write::RemoveOrder(payment_id(round))]);
        assert_one_wins(&outcomes, CommitOutcome::VersionConflict);
    }
}

pub(crate) fn every_order_is_claimed_by_one(backend: &impl Backend) {
    const LIMIT: usize = 3;
    let store = backend.node();
    for number in 0..CONTENDERS * 2 {
        store.commit(&[insert(payment(number)), Write::EnqueueOrder(order(number, 0, 0))]).unwrap();
    }
    let start = Barrier::new(CONTENDERS.into());
    let claimed = thread::scope(|scope| {
        let claim = |_| {
            let (node, start) = (backend.node(), &start);
            scope.spawn(move || {
                start.wait();
                node.outbox().claim_orders(time(0), time(1), LIMIT).unwrap().orders
            })
        };
        let contenders: Vec<_> = (0..CONTENDERS).map(claim).collect();
        contenders.into_iter().flat_map(|contender| contender.join().unwrap()).collect::<Vec<_>>()
    });
    // Whom the others kept from some may leave them for later.
    let rest = store.outbox().claim_orders(time(0), time(1), usize::MAX).unwrap().orders;
    let mut ids: Vec<_> = claimed.into_iter().chain(rest).map(|order| order.payment_id).collect();
    ids.sort();
    let mut all: Vec<_> = (0..CONTENDERS * 2).map(payment_id).collect();
    all.sort();
    assert_eq!(ids, all);
}

pub(crate) fn four_of_many_calls_without_the_psu_win(backend: &impl Backend) {
    for round in 0..ROUNDS {
        let outcomes = contend(backend, |_| vec![count_access(&counted(round), 4)]);
        let wins = outcomes.iter().filter(|outcome| **outcome == CommitOutcome::Applied).count();
        let losses = outcomes.iter().filter(|outcome| **outcome == CommitOutcome::QuotaExceeded).count();
        assert_eq!((wins, losses), (4, usize::from(CONTENDERS) - 4), "{outcomes:?}");
        assert_eq!(backend.node().quotas().access_count(&counted(round)).unwrap(), 4);
    }
}

pub(crate) fn one_of_many_sessions_is_the_open_one(backend: &impl Backend) {
    let store = backend.node();
    for round in 0..ROUNDS {
        let outcomes = contend(backend, |contender| {
            vec![Write::OpenSession(session_by(&format!("session {round}-{contender}"), round))]
        });
        assert!(outcomes.iter().all(|outcome| *outcome == CommitOutcome::Applied), "{outcomes:?}");
        let is_open = |contender: &u8| {
            let session = store.sca().session(TPP, &format!("session {round}-{contender}")).unwrap().unwrap();
            !session.is_replaced
        };
        assert_eq!((0..CONTENDERS).filter(is_open).count(), 1);
    }
}

pub(crate) fn a_revocation_among_many_grants_ends_one_of_them(backend: &impl Backend) {
    let store = backend.node();
    for round in 1..=ROUNDS {
        let granted = || consent(TPP, acting(round, Context::Private), &[1], &[], 0);
        store.commit(&[Write::GrantConsent(granted())]).unwrap();
        let outcomes = contend(backend, |contender| match contender {
            0 => vec![Write::RevokeConsent { at: time(1), tpp: TPP.into(), psu: psu(round) }],
            _ => vec![Write::GrantConsent(granted())],
        });
        assert!(outcomes.iter().all(|outcome| *outcome == CommitOutcome::Applied), "{outcomes:?}");
        let of_person = ConsentFilter { psu: Some(psu(round)), ..ConsentFilter::default() };
        let revoked = listed(&*store, &of_person)
            .into_iter()
            .filter(|(_, ended)| matches!(ended, Some((_, ConsentEnd::Revoked))));
        assert_eq!(revoked.count(), 1);
    }
}

pub(crate) fn one_of_many_baskets_gets_a_payment(backend: &impl Backend) {
    let store = backend.node();
    for round in 0..ROUNDS {
        store.commit(&[insert(payment(round))]).unwrap();
        let outcomes = contend(backend, |contender| {
            let number = round * CONTENDERS + contender;
            let taken = Payment { version: 2, basket: Some(basket_id(number)), ..payment(round) };
            vec![Write::InsertBasket(basket(number)), Write::UpdatePayment(Box::new(taken))]
        });
        assert_one_wins(&outcomes, CommitOutcome::VersionConflict);
        // The losers' baskets are not there.
        let found = (0..CONTENDERS).filter_map(|contender| {
            store
                .payments()
                .basket(&basket_id(round * CONTENDERS + contender))
                .unwrap()
                .map(|basket| basket.id)
        });
        let holder = store.payments().payment(&payment_id(round)).unwrap().unwrap().basket;
        assert_eq!(found.collect::<Vec<_>>(), holder.into_iter().collect::<Vec<_>>());
    }
}

pub(crate) fn no_update_is_lost(backend: &impl Backend) {
    backend.node().commit(&[insert(payment(1))]).unwrap();
    thread::scope(|scope| {
        for _ in 0..CONTENDERS {
            let node = backend.node();
            scope.spawn(move || (0..ROUNDS).for_each(|_| count_one_version_up(&*node)));
        }
    });
    let (contenders, rounds) = (u32::from(CONTENDERS), u32::from(ROUNDS));
    assert_eq!(
        backend.node().payments().payment(&payment_id(1)).unwrap().unwrap().version,
        1 + contenders * rounds
    );
}

/// Reads, decides and commits until no other writer comes in between.
fn count_one_version_up(node: &dyn Store) {
    loop {
        let mut next = node.payments().payment(&payment_id(1)).unwrap().unwrap();
        next.version += 1;
        match node.commit(&[Write::UpdatePayment(Box::new(next))]).unwrap() {
            CommitOutcome::Applied => return,
            lost => assert_eq!(lost, CommitOutcome::VersionConflict),
        }
    }
}
