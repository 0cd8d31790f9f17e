//! What the host supplied panics: its logger, its clock, and what was thrown.

use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::env::{Clock, LogLevel, LogRecord, Logger, ManualClock};
use xs2a::store::Store;
use xs2a::trust::TrustAnchors;
use xs2a::{Engine, Error};

use crate::setup::{approved, assert_system_error, authorisation_id, Mood, Setup};
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

    fn log(&self, _record: &LogRecord) {
        panic_any(Thrown);
    }
}

fn with_closed_output() -> Setup {
    Setup::with(|builder| builder.logger(Arc::new(Closed) as Arc<dyn Logger>))
}

/// Trust anchors that the log warns of.
fn expired() -> TrustAnchors {
    let root = Authority::root("Gammel CA", 9, ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"));
    TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap()
}

#[test]
fn a_logger_that_panics_loses_its_lines_and_nothing_else() {
    let setup = with_closed_output();
    let created = accepted(&setup.create());
    *setup.store.mood.lock() = Mood::Failing;
    let completed = setup.engine.complete_sca(authorisation_id(&created), &approved());
    assert!(matches!(completed, Err(Error::Store(_))), "{completed:?}");
    assert_system_error(&setup.create(), "SYS-01");
    *setup.store.mood.lock() = Mood::Well;
    setup.engine.replace_trust_anchors(expired());
}

#[test]
fn with_a_panicking_logger_a_failed_order_waits_and_blocks_no_other() {
    let setup = with_closed_output();
    let (first, second) = (setup.ordered(), setup.ordered());
    let fails = setup.payment(&first).id;
    setup.bank.follow(move |order| match order.payment_id == fails {
        true => Err(Error::Bank("the line is dead".to_owned())),
        false => Ok(OrderStatus { status: PaymentStatus::Acsc, funds_available: None }),
    });
    for attempts in 1..=3 {
        let submitted = usize::from(attempts == 1);
        let report = setup.engine.run_due().unwrap();
        assert_eq!((report.submitted, report.failed, report.dead_letters), (submitted, 1, 0));
        let waiting = setup.store.outbox().due_orders(setup.now() + TimeDelta::hours(1), 9).unwrap().orders;
        assert_eq!(waiting.iter().map(|order| order.attempts).collect::<Vec<_>>(), [attempts]);
        setup.clock.set(setup.engine.next_due().unwrap().unwrap()).unwrap();
    }
    assert_eq!(setup.payment(&second).status, PaymentStatus::Acsc);
}

#[test]
fn what_the_bank_did_counts_though_the_logger_panics_over_how_slow_it_was() {
    let setup = with_closed_output();
    let created = setup.ordered();
    let clock = Arc::clone(&setup.clock);
    setup.bank.follow(move |_| {
        clock.set(clock.now() + TimeDelta::minutes(2)).unwrap();
        Ok(OrderStatus { status: PaymentStatus::Acsc, funds_available: None })
    });
    assert_eq!(setup.engine.run_due().unwrap().submitted, 1);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
}

#[test]
fn what_was_thrown_stays_within_though_it_panics_where_it_is_dropped() {
    let setup = Setup::new();
    let created = setup.ordered();
    *setup.bank.while_asked.lock() = Some(Box::new(|| panic_any(Thrown)));
    assert_system_error(&setup.create(), "SYS-03");
    assert_eq!(setup.engine.run_due().unwrap().failed, 1);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);
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
    let setup = Setup::with(|builder| builder.clock(shown as Arc<dyn Clock>));
    let (open, ordered) = (accepted(&setup.create()), setup.ordered());
    clock.is_broken.store(true, Ordering::Relaxed);
    assert_system_error(&setup.create(), "SYS-03");
    let completed = setup.engine.complete_sca(authorisation_id(&open), &approved());
    assert!(matches!(completed, Err(Error::Internal(_))), "{completed:?}");
    let ran = setup.engine.run_due();
    assert!(matches!(ran, Err(Error::Internal(_))), "{ran:?}");
    setup.engine.replace_trust_anchors(expired());
    let built = Engine::builder()
        .bank(Arc::clone(&setup.bank) as Arc<_>)
        .store(Arc::clone(&setup.store) as Arc<dyn Store>)
        .clock(Arc::clone(&clock) as Arc<dyn Clock>)
        .trust_anchors(expired())
        .build();
    assert!(matches!(built, Err(Error::Internal(_))), "{built:?}");

    clock.is_broken.store(false, Ordering::Relaxed);
    assert_eq!(setup.engine.run_due().unwrap().submitted, 1);
    assert_eq!(setup.payment(&ordered).status, PaymentStatus::Acsc);
}
