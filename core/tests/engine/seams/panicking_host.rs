//! What the host supplied panics: its logger, its clock, and what was thrown.

use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::env::{Clock, LogLevel, Logger, ManualClock};
use xs2a::store::Store;
use xs2a::trust::TrustAnchors;
use xs2a::{Engine, Error};

use crate::house::{approved, assert_system_error, authorisation_id, House, Mood};
use crate::world::authority::Authority;
use crate::world::{accepted, at};

/// Panics where it is dropped.
struct Thrown;

impl Drop for Thrown {
    fn drop(&mut self) {
        panic!("and again");
    }
}

/// A logger like `println!` when its output is closed.
struct Closed;

impl Logger for Closed {
    fn level(&self) -> LogLevel {
        panic!("no level");
    }

    fn log(&self, _level: LogLevel, _target: &str, _message: &str) {
        panic_any(Thrown);
    }
}

fn with_closed_output() -> House {
    House::with(|builder| builder.logger(Arc::new(Closed) as Arc<dyn Logger>))
}

/// Trust anchors that the log warns of.
fn expired() -> TrustAnchors {
    let root = Authority::root("Gammel CA", 9, ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"));
    TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap()
}

#[test]
fn a_logger_that_panics_loses_its_lines_and_nothing_else() {
    let house = with_closed_output();
    let created = accepted(&house.create());
    *house.store.mood.lock() = Mood::Failing;
    let completed = house.engine.complete_sca(authorisation_id(&created), &approved());
    assert!(matches!(completed, Err(Error::Store(_))), "{completed:?}");
    assert_system_error(&house.create(), "SYS-01");
    *house.store.mood.lock() = Mood::Well;
    house.engine.replace_trust_anchors(expired());
}

#[test]
fn an_order_that_fails_beside_a_logger_that_panics_waits_and_holds_up_no_other() {
    let house = with_closed_output();
    let (first, second) = (house.ordered(), house.ordered());
    let fails = house.payment(&first).id;
    house.bank.follow(move |order| match order.payment_id == fails {
        true => Err(Error::Bank("the line is dead".to_owned())),
        false => Ok(OrderStatus { status: PaymentStatus::Acsc, funds_available: None }),
    });
    for attempts in 1..=3 {
        let submitted = usize::from(attempts == 1);
        let report = house.engine.run_due().unwrap();
        assert_eq!((report.submitted, report.failed, report.set_aside), (submitted, 1, 0));
        let waiting = house.store.outbox().due_orders(house.now() + TimeDelta::hours(1), 9).unwrap().orders;
        assert_eq!(waiting.iter().map(|order| order.attempts).collect::<Vec<_>>(), [attempts]);
        house.clock.set(house.engine.next_due().unwrap().unwrap()).unwrap();
    }
    assert_eq!(house.payment(&second).status, PaymentStatus::Acsc);
}

#[test]
fn what_the_bank_did_counts_though_the_logger_panics_over_how_slow_it_was() {
    let house = with_closed_output();
    let created = house.ordered();
    let clock = Arc::clone(&house.clock);
    house.bank.follow(move |_| {
        clock.set(clock.now() + TimeDelta::minutes(2)).unwrap();
        Ok(OrderStatus { status: PaymentStatus::Acsc, funds_available: None })
    });
    assert_eq!(house.engine.run_due().unwrap().submitted, 1);
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsc);
}

#[test]
fn what_was_thrown_stays_within_though_it_panics_where_it_is_dropped() {
    let house = House::new();
    let created = house.ordered();
    *house.bank.while_asked.lock() = Some(Box::new(|| panic_any(Thrown)));
    assert_system_error(&house.create(), "SYS-03");
    assert_eq!(house.engine.run_due().unwrap().failed, 1);
    assert_eq!(house.payment(&created).status, PaymentStatus::Pdng);
}

/// A clock that panics while it is broken.
struct Breakable {
    inner: ManualClock,
    is_broken: AtomicBool,
}

impl Breakable {
    fn new() -> Arc<Self> {
        let inner = ManualClock::new(at("2026-09-01T10:00:00Z"));
        Arc::new(Self { inner, is_broken: AtomicBool::new(false) })
    }
}

impl Clock for Breakable {
    fn now(&self) -> DateTime<Utc> {
        assert!(!self.is_broken.load(Ordering::Relaxed), "no time");
        self.inner.now()
    }
}

#[test]
fn a_clock_that_panics_is_answered_as_any_fault_of_the_hosts() {
    let clock = Breakable::new();
    let shown = Arc::clone(&clock);
    let house = House::with(|builder| builder.clock(shown as Arc<dyn Clock>));
    let (open, ordered) = (accepted(&house.create()), house.ordered());
    clock.is_broken.store(true, Ordering::Relaxed);
    assert_system_error(&house.create(), "SYS-03");
    let completed = house.engine.complete_sca(authorisation_id(&open), &approved());
    assert!(matches!(completed, Err(Error::Internal(_))), "{completed:?}");
    let ran = house.engine.run_due();
    assert!(matches!(ran, Err(Error::Internal(_))), "{ran:?}");
    house.engine.replace_trust_anchors(expired());
    let built = Engine::builder()
        .bank(Arc::clone(&house.bank) as Arc<_>)
        .store(Arc::clone(&house.store) as Arc<dyn Store>)
        .clock(Arc::clone(&clock) as Arc<dyn Clock>)
        .trust_anchors(expired())
        .build();
    assert!(matches!(built, Err(Error::Internal(_))), "{built:?}");

    clock.is_broken.store(false, Ordering::Relaxed);
    assert_eq!(house.engine.run_due().unwrap().submitted, 1);
    assert_eq!(house.payment(&ordered).status, PaymentStatus::Acsc);
}
