//! What an engine reports of its own state.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::env::{Clock, ManualClock};
use xs2a::internal::Database;
use xs2a::store::{CommitOutcome, Store, Write};
use xs2a::trust::{ResponseKey, TrustAnchors};
use xs2a::{Engine, Error, Result};

use crate::setup::{Kept, Mood, Setup};
use crate::support::fakes::reads_of_the_store_inside;
use crate::world::authority::Authority;
use crate::world::*;

fn health(engine: &Engine) -> Value {
    serde_json::from_str(&engine.health().to_json().unwrap()).unwrap()
}

#[test]
fn a_fresh_engine_is_well() {
    let setup = Setup::new();
    let expected = json!({
        "ok": true,
        "store": {"reachable": true, "current": true},
        "outbox": {"overdueSeconds": 0, "deadLetters": 0},
        "trustAnchors": {"count": 1, "valid": 1, "validUntil": "2030-01-01T00:00:00Z"},
        "seal": null, "revocationLists": null, "error": null,
    });
    assert_eq!(health(&setup.engine), expected);
}

#[test]
fn an_order_that_waits_is_overdue_and_a_dead_letter_is_counted() {
    let setup = Setup::new();
    setup.ordered();
    setup.wait(TimeDelta::seconds(90));
    assert_eq!(health(&setup.engine)["outbox"], json!({"overdueSeconds": 90, "deadLetters": 0}));
    setup.bank.answer.lock().status = PaymentStatus::Rcvd;
    setup.engine.run_due().unwrap();
    let state = health(&setup.engine);
    assert_eq!(state["outbox"], json!({"overdueSeconds": 0, "deadLetters": 1}));
    // It waits for the operator; calls are answered.
    assert_eq!(state["ok"], true);
}

#[test]
fn anchors_and_seal_count_until_their_last_second() {
    let long = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
    let short = ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
    let (first, second) = (Authority::root("Rot A", 1, long), Authority::root("Rot B", 2, short));
    let bundle = format!("{}{}", first.pem, second.pem);
    let seal = xs2a::internal::TestPki::new().unwrap();
    let seal = seal.issue("Bank", xs2a::internal::Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
    let until = seal.certificate().not_after();
    let key = ResponseKey::new(seal.certificate().der(), seal.private_key_pem().as_bytes()).unwrap();
    let clock = Arc::new(ManualClock::new(at("2027-01-01T00:00:00Z")));
    let setup = Setup::with(|builder| {
        let anchors = TrustAnchors::from_bundle(bundle.as_bytes()).unwrap();
        builder.trust_anchors(anchors).response_key(key).clock(Arc::clone(&clock) as Arc<dyn Clock>)
    });
    let anchors = |until: &str, valid| json!({"count": 2, "valid": valid, "validUntil": until});
    assert_eq!(health(&setup.engine)["trustAnchors"], anchors("2027-01-01T00:00:00Z", 2));
    clock.set(at("2027-01-01T00:00:01Z")).unwrap();
    let state = setup.engine.health();
    assert_eq!(health(&setup.engine)["trustAnchors"], anchors("2030-01-01T00:00:00Z", 1));
    let seal = state.seal.unwrap();
    assert_eq!((seal.valid, seal.valid_until), (true, until));
    clock.set(at("2030-01-01T00:00:01Z")).unwrap();
    let state = setup.engine.health();
    assert_eq!((state.ok, state.trust_anchors.valid, state.trust_anchors.valid_until), (false, 0, None));
}

/// A store that cannot be read, or that a newer library has migrated.
struct Broken {
    inner: xs2a::internal::SqliteStore,
    is_reachable: bool,
}

impl Broken {
    fn fault(&self) -> Result<()> {
        Err(Error::Store("the line is dead".into()))
    }
}

impl Store for Broken {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        self.inner.commit(writes)
    }

    fn check_writable(&self) -> Result<()> {
        self.fault()
    }

    fn outbox(&self) -> &dyn xs2a::store::OutboxStore {
        assert!(self.is_reachable, "a store that panics");
        self.inner.outbox()
    }

    reads_of_the_store_inside!(but writable and outbox);
}

#[test]
fn a_store_that_fails_is_reported_and_not_logged() {
    for is_reachable in [true, false] {
        let kept = Arc::new(Kept::default());
        let setup = Setup::with(|builder| {
            let inner = xs2a::internal::SqliteStore::new(Arc::new(Database::open_memory().unwrap()));
            builder.store(Arc::new(Broken { inner, is_reachable })).logger(Arc::clone(&kept) as Arc<_>)
        });
        let state = setup.engine.health();
        assert_eq!((state.ok, state.store.reachable, state.store.current), (false, is_reachable, false));
        assert_eq!(state.outbox.is_some(), is_reachable);
        if is_reachable {
            assert_eq!(state.error.as_deref(), Some("store: the line is dead"));
            assert!(kept.0.lock().is_empty(), "{:?}", kept.0.lock());
        }
    }
}

#[test]
fn health_of_a_store_that_refuses_to_commit_reads_and_writes_nothing() {
    let setup = Setup::new();
    *setup.store.mood.lock() = Mood::Failing;
    let committed = *setup.store.committed.lock();
    assert!(setup.engine.health().ok);
    assert_eq!(*setup.store.committed.lock(), committed);
}
