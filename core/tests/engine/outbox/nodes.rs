//! Several nodes on one store, and what a crash or a failing store leaves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;
use xs2a::bank::PaymentStatus;
use xs2a::env::ManualClock;
use xs2a::internal::{Database, REPLAY_WINDOW_SECONDS};
use xs2a::store::{CommitOutcome, OutboxOrder, Store, UsedRequestId, Write};
use xs2a::{Error, RunReport};

use crate::outbox::delivery::{answer, submitted};
use crate::setup::{node, node_by, Mood, Setup, TPP};

/// The default lease.
pub(crate) const LEASE: TimeDelta = TimeDelta::seconds(60);

#[test]
fn two_engines_on_one_store_deliver_an_order_once() {
    let setup = Setup::new();
    let created = setup.ordered();
    assert_eq!(node(&setup, 60).run_due().unwrap(), submitted(1));
    assert_eq!(setup.run(), RunReport::default());
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
    assert_eq!(setup.bank.taken(), 1);
}

/// What a second node reports that delivers while the bank is asked by the first, and what the first does.
fn at_the_same_time(lease_seconds: u32) -> (Setup, RunReport, RunReport) {
    let setup = Setup::new();
    (0..3).for_each(|_| drop(setup.ordered()));
    let (first, second) = (node(&setup, lease_seconds), node(&setup, lease_seconds));
    let (beside, mut asked) = (Arc::new(parking_lot::Mutex::new(RunReport::default())), 0);
    let reported = Arc::clone(&beside);
    setup.bank.follow(move |_| {
        asked += 1;
        if asked == 1 {
            *reported.lock() = second.run_due().unwrap();
        }
        answer(PaymentStatus::Acsc)
    });
    let report = first.run_due().unwrap();
    let beside = *beside.lock();
    (setup, report, beside)
}

#[test]
fn two_nodes_share_the_orders_and_deliver_each_once() {
    let (setup, first, second) = at_the_same_time(60);
    assert_eq!((first, second), (submitted(1), submitted(2)));
    assert_eq!(setup.bank.taken(), 3);
}

#[test]
fn without_a_lease_the_bank_is_asked_twice_and_the_order_counted_once() {
    let (setup, first, second) = at_the_same_time(0);
    assert_eq!((first, second), (RunReport::default(), submitted(3)));
    // The one that both asked about at the same time; the others the first node found gone.
    assert_eq!(setup.bank.taken(), 4);
    assert_eq!(setup.next(), None);
}

#[test]
fn orders_of_a_dead_node_are_due_when_its_lease_ends() {
    let setup = Setup::new();
    let created = setup.ordered();
    *setup.store.mood.lock() = Mood::Failing;
    assert!(matches!(setup.engine.run_due(), Err(Error::Store(_))));
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);
    *setup.store.mood.lock() = Mood::Well;
    let second = node(&setup, 60);
    assert_eq!(setup.next(), Some(setup.now() + LEASE));
    setup.wait(LEASE - TimeDelta::microseconds(1));
    assert_eq!(second.run_due().unwrap(), RunReport::default());
    setup.wait(TimeDelta::microseconds(1));
    assert_eq!(second.run_due().unwrap(), submitted(1));
    let taken = setup.bank.taken.lock().clone();
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[0], taken[1], "the same key");
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
}

#[test]
fn a_store_that_fails_in_the_middle_loses_nothing() {
    let setup = Setup::new();
    let created: Vec<_> = (0..3).map(|_| setup.ordered()).collect();
    let (store, mut asked) = (Arc::clone(&setup.store), 0);
    setup.bank.follow(move |_| {
        asked += 1;
        *store.mood.lock() = if asked == 2 { Mood::Failing } else { Mood::Well };
        answer(PaymentStatus::Acsc)
    });
    assert!(matches!(setup.engine.run_due(), Err(Error::Store(_))));
    // With the store gone the bank is not asked about the third.
    assert_eq!(setup.bank.taken(), 2);
    *setup.store.mood.lock() = Mood::Well;
    let settled = |setup: &Setup| {
        let settled = created.iter().filter(|payment| setup.payment(payment).status == PaymentStatus::Acsc);
        settled.count()
    };
    assert_eq!(settled(&setup), 1);
    setup.wait(LEASE);
    assert_eq!(setup.run(), submitted(2));
    assert_eq!((settled(&setup), setup.bank.taken()), (3, 4));
}

#[test]
fn what_fails_at_a_slow_bank_waits_from_the_end_of_its_turn_on() {
    let setup = Setup::new();
    setup.ordered();
    let clock = Arc::clone(&setup.clock);
    let later = setup.now() + TimeDelta::seconds(30);
    let first = setup.ordered();
    let first = setup.payment(&first).id;
    setup.bank.follow(move |order| {
        if order.payment_id == first {
            return Err(Error::Bank("the line is dead".to_owned()));
        }
        clock.set(later).unwrap();
        answer(PaymentStatus::Acsc)
    });
    let report = setup.run();
    assert_eq!((report.submitted, report.failed), (1, 1));
    assert!(setup.next().unwrap() > later);
}

#[test]
fn many_nodes_in_many_threads_deliver_every_order_once() {
    const ORDERS: usize = 60;
    let directory = tempfile::tempdir().unwrap();
    let setup = Setup::over(Database::open_file(directory.path().join("bank.db")).unwrap());
    (0..ORDERS).for_each(|_| drop(setup.ordered()));
    let total = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let report = node(&setup, 60).run_due().unwrap();
                assert_eq!(report, submitted(report.submitted));
                total.fetch_add(report.submitted, Ordering::Relaxed);
            });
        }
    });
    assert_eq!((total.into_inner(), setup.bank.taken(), setup.next()), (ORDERS, ORDERS, None));
}

#[test]
fn orders_postponed_by_a_wrong_clock_are_delivered_when_it_is_right() {
    let setup = Setup::new();
    setup.ordered();
    setup.bank.feel("submit_payment", Mood::Failing);
    let ahead = Arc::new(ManualClock::new(setup.now() + TimeDelta::days(3_650)));
    assert_eq!(node_by(&setup, &ahead, 60).run_due().unwrap().failed, 1);
    setup.bank.feel("submit_payment", Mood::Well);
    assert_eq!(setup.next(), Some(setup.now()));
    assert_eq!(setup.run(), submitted(1));
    assert_eq!(setup.next(), None);
}

#[test]
fn a_node_whose_clock_is_behind_takes_no_order_of_another() {
    let setup = Setup::new();
    setup.ordered();
    setup.bank.feel("submit_payment", Mood::Failing);
    assert_eq!(setup.run().failed, 1);
    setup.bank.feel("submit_payment", Mood::Well);
    let behind = node_by(&setup, &Arc::new(ManualClock::new(setup.now() - TimeDelta::days(20_000))), 60);
    assert_eq!(behind.run_due().unwrap(), RunReport::default());
    assert_eq!(behind.next_due().unwrap(), setup.next());
    assert!(setup.next().unwrap() > setup.now());
}

/// Ids that are used now, as the store receives them.
fn ids_used_now(setup: &Setup, ids: u128) -> Vec<Write> {
    let (at, since) = (setup.now(), setup.now() - TimeDelta::seconds(REPLAY_WINDOW_SECONDS));
    let used = |id| UsedRequestId { tpp: TPP.into(), request_id: Uuid::from_u128(id).into(), at, since };
    (0..ids).map(|id| Write::UseRequestId(used(id))).collect()
}

/// How many of them are left.
fn ids_left(setup: &Setup) -> usize {
    setup.store.replay().used_request_ids(DateTime::<Utc>::MIN_UTC, usize::MAX).unwrap().len()
}

#[test]
fn rows_that_gathered_without_runs_are_purged_by_one_run() {
    let setup = Setup::new();
    setup.store.commit(&ids_used_now(&setup, 4_001)).unwrap();
    setup.wait(TimeDelta::days(3));
    setup.run();
    assert_eq!(ids_left(&setup), 0);
}

#[test]
fn a_node_minutes_ahead_purges_no_request_id_that_others_need() {
    let setup = Setup::new();
    setup.store.commit(&ids_used_now(&setup, 1)).unwrap();
    let ahead_by = |ahead: TimeDelta| {
        let clock = Arc::new(ManualClock::new(setup.now() + ahead));
        node_by(&setup, &clock, 60).run_due().unwrap();
        ids_left(&setup)
    };
    let window = TimeDelta::seconds(REPLAY_WINDOW_SECONDS);
    assert_eq!(ahead_by(window), 1);
    assert_eq!(ahead_by(window + TimeDelta::minutes(9)), 1);
    assert_eq!(setup.store.commit(&ids_used_now(&setup, 1)).unwrap(), CommitOutcome::RequestReplayed);
    assert_eq!(ahead_by(window + TimeDelta::minutes(11)), 0);
}

/// Whether an order is delivered now that is due so much later, at a node with such a lease.
fn is_due(later: TimeDelta, lease_seconds: u32) -> bool {
    let setup = Setup::new();
    let order = setup.payment(&setup.ordered()).id;
    let due_at: DateTime<Utc> = setup.now() + later;
    let postponed = setup.store.outbox().due_orders(setup.now(), 1).unwrap().orders.remove(0);
    let was_due = postponed.due_at;
    let later = Write::RescheduleOrder { order: OutboxOrder { due_at, ..postponed }, was_due };
    setup.store.commit(&[later]).unwrap();
    let engine = node(&setup, lease_seconds);
    let reports = engine.next_due().unwrap();
    engine.run_due().unwrap();
    let is_delivered = setup.store.payments().payment(&order).unwrap().unwrap().status == PaymentStatus::Acsc;
    assert_eq!(reports, Some(if is_delivered { setup.now() } else { due_at }));
    is_delivered
}

#[test]
fn an_order_waits_for_two_hours_or_twice_the_lease_and_no_longer() {
    let microsecond = TimeDelta::microseconds(1);
    for (lease_seconds, longest) in [(60, 2), (0, 2), (3_600, 2), (7_200, 4)] {
        let longest = TimeDelta::hours(longest);
        assert!(!is_due(longest, lease_seconds), "{lease_seconds}");
        assert!(is_due(longest + microsecond, lease_seconds), "{lease_seconds}");
    }
}
