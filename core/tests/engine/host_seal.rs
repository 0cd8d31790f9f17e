//! A seal whose private key is not in this process: a function of the host signs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use chrono::TimeDelta;
use parking_lot::Mutex;
use xs2a::env::{Clock as _, ResponseSigner};
use xs2a::internal::{IssuedTpp, Roles, TestPki};
use xs2a::policy::{Environment, Policy};
use xs2a::sandbox::ROOT_PEM;
use xs2a::tools::verify_response;
use xs2a::trust::ResponseKey;
use xs2a::{Error, Response, Result};

use crate::setup::Setup;
use crate::world::*;

/// How the hardware behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Hardware {
    Works,
    Fails,
    Panics,
    Garbage,
    Nothing,
    /// Signs another text.
    OtherText,
    /// Signs with the key of another certificate.
    OtherKey,
    Slow,
}

struct Hsm {
    seal: IssuedTpp,
    other: IssuedTpp,
    state: Mutex<Hardware>,
    asked: AtomicUsize,
}

impl Hsm {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            seal: issued(0),
            other: issued(1),
            state: Mutex::new(Hardware::Works),
            asked: AtomicUsize::new(0),
        })
    }

    fn is(&self, state: Hardware) {
        *self.state.lock() = state;
    }
}

fn issued(key: u8) -> IssuedTpp {
    TestPki::new().unwrap().issue("Bank", Roles::NONE, "PSDNO-FSA-1", [key + 1; 16], key.into()).unwrap()
}

impl ResponseSigner for Hsm {
    fn sign(&self, certificate: &[u8], text: &[u8]) -> Result<Vec<u8>> {
        assert_eq!(certificate, self.seal.certificate().der());
        self.asked.fetch_add(1, Ordering::Relaxed);
        let state = *self.state.lock();
        let own = |text| self.seal.key().sign_sha256(text).unwrap();
        match state {
            Hardware::Works => Ok(own(text)),
            Hardware::Fails => Err(Error::Bank("the token was removed".to_owned())),
            Hardware::Panics => panic!("a bug of the host"),
            Hardware::Garbage => Ok(vec![0x55; 256]),
            Hardware::Nothing => Ok(Vec::new()),
            Hardware::OtherText => Ok(own(b"another")),
            Hardware::OtherKey => Ok(self.other.key().sign_sha256(text).unwrap()),
            Hardware::Slow => {
                sleep(Duration::from_millis(1_100));
                Ok(own(text))
            }
        }
    }
}

fn key(hsm: &Arc<Hsm>) -> Result<ResponseKey> {
    ResponseKey::with_signer(hsm.seal.certificate().der(), Arc::clone(hsm) as Arc<dyn ResponseSigner>)
}

fn is_signed(setup: &Setup, answer: &Response) -> bool {
    let headers: Vec<_> = answer.headers().map(|(name, value)| (name, value.as_bytes())).collect();
    verify_response(&headers, answer.body(), Some(setup.clock.now()), Some(ROOT_PEM)).unwrap().ok
}

const FAULTS: [Hardware; 6] = [
    Hardware::Fails,
    Hardware::Panics,
    Hardware::Garbage,
    Hardware::Nothing,
    Hardware::OtherText,
    Hardware::OtherKey,
];

#[test]
fn answers_are_signed_by_the_function_and_verify() {
    let hsm = Hsm::new();
    let setup = Setup::with(|builder| builder.response_key(key(&hsm).unwrap()));
    assert_eq!(hsm.asked.load(Ordering::Relaxed), 1, "the probe");
    let created = setup.create();
    accepted(&created);
    assert!(is_signed(&setup, &created));
    assert_eq!(hsm.asked.load(Ordering::Relaxed), 2);
    assert!(setup.engine.health().seal.unwrap().signs);
}

#[test]
fn an_answer_that_cannot_be_signed_is_a_500_without_data() {
    for fault in FAULTS {
        let hsm = Hsm::new();
        let setup = Setup::with(|builder| builder.response_key(key(&hsm).unwrap()));
        hsm.is(fault);
        let answer = setup.create();
        assert_eq!((answer.status(), answer.reason()), (500, Some("SYS-04")), "{fault:?}");
        assert_eq!(answer.header("Signature"), None);
        assert!(!String::from_utf8_lossy(answer.body()).contains("paymentId"));
        let health = setup.engine.health();
        assert!(!health.ok && !health.seal.unwrap().signs);
        assert!(setup.engine.metrics().unwrap().contains("xs2a_unsigned_answers_total 1"));
    }
}

#[test]
fn while_the_seal_fails_calls_change_nothing() {
    for fault in FAULTS {
        let hsm = Hsm::new();
        let setup = Setup::with(|builder| builder.response_key(key(&hsm).unwrap()));
        hsm.is(fault);
        assert_eq!(setup.create().reason(), Some("SYS-04"));
        let commits = *setup.store.committed.lock();
        let answer = setup.create();
        assert_eq!((answer.status(), answer.reason()), (500, Some("SYS-02")), "{fault:?}");
        assert_eq!(answer.header("Signature"), None);
        assert_eq!(*setup.store.committed.lock(), commits);
        hsm.is(Hardware::Works);
        let answer = setup.create();
        accepted(&answer);
        assert!(is_signed(&setup, &answer) && setup.engine.health().ok);
    }
}

#[test]
fn while_the_seal_fails_the_interface_is_down() {
    let hsm = Hsm::new();
    let setup = Setup::with(|builder| {
        builder.policy(Policy::new(Environment::Production)).response_key(key(&hsm).unwrap())
    });
    hsm.is(Hardware::Fails);
    for _ in 0..6 {
        assert_eq!(setup.create().status(), 500);
        setup.wait(TimeDelta::seconds(10));
    }
    hsm.is(Hardware::Works);
    accepted(&setup.create());
    let today = setup.now().date_naive();
    let [figures] = setup.engine.statistics(today, today, None).unwrap().try_into().unwrap();
    assert_eq!((figures.all.requests(), figures.all.errors), (7, 6));
    // Until the answer to the seventh, whose time is real.
    assert_eq!(figures.downtime.num_seconds(), 60);
    assert!(setup.engine.metrics().unwrap().contains("xs2a_unsigned_answers_total 6"));
}

#[test]
fn a_function_that_does_not_sign_for_the_certificate_is_refused() {
    for fault in [Hardware::Garbage, Hardware::Nothing, Hardware::OtherText, Hardware::OtherKey] {
        let hsm = Hsm::new();
        hsm.is(fault);
        let error = key(&hsm).unwrap_err();
        assert!(
            matches!(&error, Error::Config(text) if text.contains("does not verify")),
            "{fault:?} {error}"
        );
    }
    let hsm = Hsm::new();
    hsm.is(Hardware::Fails);
    assert!(matches!(key(&hsm), Err(Error::Bank(text)) if text == "the token was removed"));
    let signer = Hsm::new() as Arc<dyn ResponseSigner>;
    assert!(matches!(ResponseKey::with_signer(b"none", signer), Err(Error::Config(_))));
}

#[test]
fn a_slow_signature_is_used_and_counted() {
    let hsm = Hsm::new();
    let setup = Setup::with(|builder| builder.response_key(key(&hsm).unwrap()));
    hsm.is(Hardware::Slow);
    let created = setup.create();
    accepted(&created);
    assert!(is_signed(&setup, &created));
    let metrics = setup.engine.metrics().unwrap();
    assert!(metrics.contains("xs2a_seal_duration_seconds_bucket{le=\"1\"} 0"), "{metrics}");
    assert!(metrics.contains("xs2a_seal_duration_seconds_count 1"), "{metrics}");
}

#[test]
fn the_seal_is_replaced_while_the_engine_runs() {
    let setup = Setup::new();
    assert_eq!(setup.create().header("Signature"), None);
    let (first, second) = (Hsm::new(), issued(1));
    setup.engine.replace_response_key(key(&first).unwrap());
    let answer = setup.create();
    assert!(is_signed(&setup, &answer));
    let pem = second.private_key_pem();
    let next = ResponseKey::new(second.certificate().der(), pem.as_bytes()).unwrap();
    setup.engine.replace_response_key(next);
    let asked = first.asked.load(Ordering::Relaxed);
    let answer = setup.create();
    assert!(is_signed(&setup, &answer));
    assert_eq!(first.asked.load(Ordering::Relaxed), asked);
    // Not an engine that was set up by a configuration.
    let replaced = setup.engine.replace_response_key_with(second.certificate().der(), Some(pem.as_bytes()));
    assert!(matches!(replaced, Err(Error::Misuse(_))));
}
