//! What a node has for itself while its bank is slow, and what it leaves to others.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::store::{OutboxOrder, Store};
use xs2a::{Error, Result, RunReport};

use crate::outbox::delivery::{answer, submitted};
use crate::outbox::nodes::LEASE;
use crate::setup::{node, Setup};

const SECOND: TimeDelta = TimeDelta::seconds(1);

/// An engine with so many orders, whose bank takes that long for each, and calls a function in between.
fn slow(orders: usize, seconds: i32, mut during_call: impl FnMut() + Send + 'static) -> Setup {
    let setup = Setup::new();
    (0..orders).for_each(|_| drop(setup.ordered()));
    let clock = Arc::clone(&setup.clock);
    setup.bank.follow(move |_| {
        clock.set(xs2a::env::Clock::now(clock.as_ref()) + SECOND * seconds).unwrap();
        during_call();
        answer(PaymentStatus::Acsc)
    });
    setup
}

#[test]
fn an_order_whose_turn_comes_late_is_at_the_bank_once() {
    for seconds in [20, 35, 44, 59] {
        let other = Arc::new(Mutex::new(None::<xs2a::Engine>));
        let beside = Arc::new(Mutex::new(0));
        let (there, reported) = (Arc::clone(&other), Arc::clone(&beside));
        let setup = slow(5, seconds, move || {
            *reported.lock() += there.lock().as_ref().unwrap().run_due().unwrap().submitted;
        });
        *other.lock() = Some(node(&setup, 60));
        let own = setup.run().submitted;
        assert_eq!(own + *beside.lock(), 5, "{seconds}");
        let mut taken = setup.bank.taken.lock().clone();
        taken.sort();
        taken.dedup();
        assert_eq!((taken.len(), setup.bank.taken(), setup.next()), (5, 5, None), "{seconds}");
    }
}

#[test]
fn an_order_is_claimed_when_its_turn_comes_so_that_no_claim_is_renewed() {
    for seconds in [0, 15, 59, 90] {
        let setup = slow(3, seconds, || ());
        let before = *setup.store.committed.lock();
        assert_eq!(setup.run(), submitted(3), "{seconds}");
        assert_eq!(*setup.store.committed.lock() - before, 3, "{seconds}");
    }
}

#[test]
fn what_waits_while_the_bank_is_asked_is_left_to_other_nodes() {
    let other = Arc::new(Mutex::new(None::<xs2a::Engine>));
    let beside = Arc::new(Mutex::new(RunReport::default()));
    let (there, reported) = (Arc::clone(&other), Arc::clone(&beside));
    let setup = slow(3, 1, move || {
        if let Some(node) = there.lock().take() {
            *reported.lock() = node.run_due().unwrap();
        }
    });
    *other.lock() = Some(node(&setup, 60));
    assert_eq!(setup.run(), submitted(1));
    assert_eq!((*beside.lock(), setup.bank.taken(), setup.next()), (submitted(2), 3, None));
}

#[test]
fn what_others_took_before_its_turn_is_theirs() {
    for seconds in [60, 90] {
        let store = Arc::new(Mutex::new(None::<Box<dyn Fn() + Send>>));
        let claim = Arc::clone(&store);
        let setup = slow(3, seconds, move || claim.lock().take().iter().for_each(|claim| claim()));
        let (there, until) = (Arc::clone(&setup.store), setup.now() + LEASE * 5);
        *store.lock() = Some(Box::new(move || {
            // The one that is asked about, and the two behind it.
            assert_eq!(there.outbox().claim_orders(until - LEASE, until, 9).unwrap().orders.len(), 3);
        }));
        assert_eq!(setup.run(), submitted(1), "{seconds}");
        assert_eq!((setup.bank.taken(), setup.next()), (1, Some(until)));
    }
}

/// What a run comes to whose bank answers after its lease was over and another node claimed the order; and the order.
fn overtaken(answered: fn() -> Result<OrderStatus>) -> (RunReport, Setup, Vec<OutboxOrder>, DateTime<Utc>) {
    let setup = Setup::new();
    setup.ordered();
    let (clock, store, now) = (Arc::clone(&setup.clock), Arc::clone(&setup.store), setup.now());
    let until = now + SECOND * 125;
    setup.bank.follow(move |_| {
        clock.set(now + SECOND * 65).unwrap();
        assert_eq!(store.outbox().claim_orders(now + SECOND * 65, until, 9).unwrap().orders.len(), 1);
        clock.set(now + SECOND * 70).unwrap();
        answered()
    });
    let report = setup.run();
    let waiting = setup.store.outbox().due_orders(until, 9).unwrap().orders;
    (report, setup, waiting, until)
}

#[test]
fn a_node_whose_lease_is_over_leaves_the_next_nodes_claim_alone() {
    let away = || Err(Error::Bank("timeout".to_owned()));
    let nonsense = || Err(Error::BankAnswer("nonsense".to_owned()));
    for answered in [away, nonsense, || answer(PaymentStatus::Part)] {
        let (report, setup, waiting, until) = overtaken(answered);
        assert_eq!((report, setup.aside()), (RunReport::default(), Vec::new()));
        let [order] = <[OutboxOrder; 1]>::try_from(waiting).unwrap();
        assert_eq!((order.due_at, order.attempts, order.faults), (until, 0, 0));
    }
}

#[test]
fn what_the_bank_answers_counts_though_the_lease_is_over() {
    let (report, _, waiting, _) = overtaken(|| answer(PaymentStatus::Acsc));
    assert_eq!((report, waiting), (submitted(1), Vec::new()));
}
