//! Several nodes on one store, and what a crash or a failing store leaves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;
use xs2a::engine::RunReport;
use xs2a::env::clock::ManualClock;
use xs2a::limits::REPLAY_WINDOW_SECONDS;
use xs2a::payment::machine::PaymentStatus;
use xs2a::store::sqlite::Database;
use xs2a::store::{CommitOutcome, OutboxOrder, Store, UsedRequestId, Write};
use xs2a::Error;

use crate::house::{node, node_by, House, Mood, TPP};
use crate::outbox::delivery::{answer, submitted};

/// The default lease.
pub(crate) const LEASE: TimeDelta = TimeDelta::seconds(60);

#[test]
fn two_engines_on_one_store_deliver_an_order_once() {
    let house = House::new();
    let created = house.ordered();
    assert_eq!(node(&house, 60).run_due().unwrap(), submitted(1));
    assert_eq!(house.run(), RunReport::default());
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsc);
    assert_eq!(house.bank.taken(), 1);
}

/// What a second node reports that delivers while the bank is asked by the first, and what the first does.
fn at_the_same_time(lease_seconds: u32) -> (House, RunReport, RunReport) {
    let house = House::new();
    (0..3).for_each(|_| drop(house.ordered()));
    let (first, second) = (node(&house, lease_seconds), node(&house, lease_seconds));
    let (beside, mut asked) = (Arc::new(parking_lot::Mutex::new(RunReport::default())), 0);
    let reported = Arc::clone(&beside);
    house.bank.follow(move |_| {
        asked += 1;
        if asked == 1 {
            *reported.lock() = second.run_due().unwrap();
        }
        answer(PaymentStatus::Acsc)
    });
    let report = first.run_due().unwrap();
    let beside = *beside.lock();
    (house, report, beside)
}

#[test]
fn what_one_node_delivers_no_other_delivers_at_the_same_time() {
    let (house, first, second) = at_the_same_time(60);
    assert_eq!((first, second), (submitted(3), RunReport::default()));
    assert_eq!(house.bank.taken(), 3);
}

#[test]
fn without_a_lease_the_bank_is_asked_twice_and_the_order_counted_once() {
    let (house, first, second) = at_the_same_time(0);
    assert_eq!((first, second), (RunReport::default(), submitted(3)));
    // The one that both asked about at the same time; the others the first node found gone.
    assert_eq!(house.bank.taken(), 4);
    assert_eq!(house.next(), None);
}

#[test]
fn what_a_node_took_before_it_died_is_due_again_when_its_lease_ends_and_not_before() {
    let house = House::new();
    let created = house.ordered();
    *house.store.mood.lock() = Mood::Failing;
    assert!(matches!(house.engine.run_due(), Err(Error::Store(_))));
    assert_eq!(house.payment(&created).status, PaymentStatus::Pdng);
    *house.store.mood.lock() = Mood::Well;
    let second = node(&house, 60);
    assert_eq!(house.next(), Some(house.now() + LEASE));
    house.wait(LEASE - TimeDelta::microseconds(1));
    assert_eq!(second.run_due().unwrap(), RunReport::default());
    house.wait(TimeDelta::microseconds(1));
    assert_eq!(second.run_due().unwrap(), submitted(1));
    let taken = house.bank.taken.lock().clone();
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[0], taken[1], "the same key");
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsc);
}

#[test]
fn a_store_that_fails_in_the_middle_loses_nothing_and_what_was_done_before_stays_done() {
    let house = House::new();
    let created: Vec<_> = (0..3).map(|_| house.ordered()).collect();
    let (store, mut asked) = (Arc::clone(&house.store), 0);
    house.bank.follow(move |_| {
        asked += 1;
        *store.mood.lock() = if asked == 2 { Mood::Failing } else { Mood::Well };
        answer(PaymentStatus::Acsc)
    });
    assert!(matches!(house.engine.run_due(), Err(Error::Store(_))));
    // With the store gone the bank is not asked about the third.
    assert_eq!(house.bank.taken(), 2);
    *house.store.mood.lock() = Mood::Well;
    let settled = |house: &House| {
        let settled = created.iter().filter(|payment| house.payment(payment).status == PaymentStatus::Acsc);
        settled.count()
    };
    assert_eq!(settled(&house), 1);
    house.wait(LEASE);
    assert_eq!(house.run(), submitted(2));
    assert_eq!((settled(&house), house.bank.taken()), (3, 4));
}

#[test]
fn what_fails_at_a_slow_bank_waits_from_the_end_of_its_turn_on() {
    let house = House::new();
    house.ordered();
    let clock = Arc::clone(&house.clock);
    let later = house.now() + TimeDelta::seconds(30);
    let first = house.ordered();
    let first = house.payment(&first).id;
    house.bank.follow(move |order| {
        if order.payment_id == first {
            return Err(Error::Bank("the line is dead".to_owned()));
        }
        clock.set(later).unwrap();
        answer(PaymentStatus::Acsc)
    });
    let report = house.run();
    assert_eq!((report.submitted, report.failed), (1, 1));
    assert!(house.next().unwrap() > later);
}

#[test]
fn many_nodes_in_many_threads_deliver_every_order_once() {
    const ORDERS: usize = 60;
    let directory = tempfile::tempdir().unwrap();
    let house = House::over(Database::open_file(directory.path().join("bank.db")).unwrap());
    (0..ORDERS).for_each(|_| drop(house.ordered()));
    let total = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let report = node(&house, 60).run_due().unwrap();
                assert_eq!(report, submitted(report.submitted));
                total.fetch_add(report.submitted, Ordering::Relaxed);
            });
        }
    });
    assert_eq!((total.into_inner(), house.bank.taken(), house.next()), (ORDERS, ORDERS, None));
}

#[test]
fn what_a_clock_that_was_years_ahead_put_off_is_delivered_when_it_is_right() {
    let house = House::new();
    house.ordered();
    house.bank.feel("submit_payment", Mood::Failing);
    let ahead = Arc::new(ManualClock::new(house.now() + TimeDelta::days(3_650)));
    assert_eq!(node_by(&house, &ahead, 60).run_due().unwrap().failed, 1);
    house.bank.feel("submit_payment", Mood::Well);
    assert_eq!(house.next(), Some(house.now()));
    assert_eq!(house.run(), submitted(1));
    assert_eq!(house.next(), None);
}

#[test]
fn a_node_whose_clock_is_behind_takes_no_order_of_another() {
    let house = House::new();
    house.ordered();
    house.bank.feel("submit_payment", Mood::Failing);
    assert_eq!(house.run().failed, 1);
    house.bank.feel("submit_payment", Mood::Well);
    let behind = node_by(&house, &Arc::new(ManualClock::new(house.now() - TimeDelta::days(20_000))), 60);
    assert_eq!(behind.run_due().unwrap(), RunReport::default());
    assert_eq!(behind.next_due().unwrap(), house.next());
    assert!(house.next().unwrap() > house.now());
}

/// Ids that are used now, as the store receives them.
fn ids_used_now(house: &House, ids: u128) -> Vec<Write> {
    let (at, since) = (house.now(), house.now() - TimeDelta::seconds(REPLAY_WINDOW_SECONDS));
    let used = |id| UsedRequestId { tpp: TPP.into(), request_id: Uuid::from_u128(id).into(), at, since };
    (0..ids).map(|id| Write::UseRequestId(used(id))).collect()
}

/// How many of them are left.
fn ids_left(house: &House) -> usize {
    house.store.replay().used_request_ids(DateTime::<Utc>::MIN_UTC, usize::MAX).unwrap().len()
}

#[test]
fn what_gathered_while_nobody_ran_is_forgotten_by_one_run() {
    let house = House::new();
    house.store.commit(&ids_used_now(&house, 4_001)).unwrap();
    house.wait(TimeDelta::days(3));
    house.run();
    assert_eq!(ids_left(&house), 0);
}

#[test]
fn a_node_whose_clock_is_minutes_ahead_forgets_no_request_id_that_others_need() {
    let house = House::new();
    house.store.commit(&ids_used_now(&house, 1)).unwrap();
    let ahead_by = |ahead: TimeDelta| {
        let clock = Arc::new(ManualClock::new(house.now() + ahead));
        node_by(&house, &clock, 60).run_due().unwrap();
        ids_left(&house)
    };
    let window = TimeDelta::seconds(REPLAY_WINDOW_SECONDS);
    assert_eq!(ahead_by(window), 1);
    assert_eq!(ahead_by(window + TimeDelta::minutes(9)), 1);
    assert_eq!(house.store.commit(&ids_used_now(&house, 1)).unwrap(), CommitOutcome::RequestReplayed);
    assert_eq!(ahead_by(window + TimeDelta::minutes(11)), 0);
}

/// Whether an order is delivered now that is due so much later, at a node with such a lease.
fn is_due(later: TimeDelta, lease_seconds: u32) -> bool {
    let house = House::new();
    let order = house.payment(&house.ordered()).id;
    let due_at: DateTime<Utc> = house.now() + later;
    let put_off = house.store.outbox().due_orders(house.now(), 1).unwrap().orders.remove(0);
    let was_due = put_off.due_at;
    let later = Write::RescheduleOrder { order: OutboxOrder { due_at, ..put_off }, was_due };
    house.store.commit(&[later]).unwrap();
    let engine = node(&house, lease_seconds);
    let told = engine.next_due().unwrap();
    engine.run_due().unwrap();
    let is_delivered = house.store.payments().payment(&order).unwrap().unwrap().status == PaymentStatus::Acsc;
    assert_eq!(told, Some(if is_delivered { house.now() } else { due_at }));
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
