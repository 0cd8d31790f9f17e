//! What the bank supplies while its engine runs counts from the next call on.

use std::sync::Arc;

use chrono::TimeDelta;
use parking_lot::Mutex;
use xs2a::env::{IssuedCertificate, ManualClock, Revocation, RevocationStatus};
use xs2a::internal::{load_default_data, Database, SandboxBank, SqliteStore, TEST_KEYS_PEM};
use xs2a::policy::{CertificateType, Environment, OnUnknownRevocation, Policy};
use xs2a::trust::{Certificate, RevocationLists, TrustAnchors};
use xs2a::types::Rates;
use xs2a::{Engine, EngineBuilder};

use crate::workshop::{issuing, leaf, root, Workshop};
use crate::world::draft::{Draft, Signer};
use crate::world::{straks, STRAKS};

struct Gateway {
    shop: Workshop,
    engine: Engine,
    clock: Arc<ManualClock>,
    lists: Arc<RevocationLists>,
    signer: Signer,
    authorities: Vec<Arc<Certificate>>,
}

impl Gateway {
    fn open(change: impl FnOnce(&mut Policy)) -> Self {
        Self::with(change, |builder| builder)
    }

    fn with(change: impl FnOnce(&mut Policy), more: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        let shop = Workshop::open();
        let root = shop.make("root", "root", 1, &root());
        let issuing = shop.make("issuing", "root", 2, &issuing());
        let leaf = shop.make("leaf", "issuing", 3, &leaf());
        let mut anchors = TrustAnchors::new();
        anchors.add(Arc::clone(&root));
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        load_default_data(&database).unwrap();
        let clock = Arc::new(ManualClock::new(leaf.not_before() + TimeDelta::hours(1)));
        let lists = Arc::new(RevocationLists::new());
        let mut policy = Policy::new(Environment::Sandbox);
        change(&mut policy);
        let builder = Engine::builder()
            .bank(Arc::new(SandboxBank::new(Arc::clone(&database), Rates::default())))
            .store(Arc::new(SqliteStore::new(database)))
            .trust_anchors(anchors)
            .clock(Arc::clone(&clock) as Arc<_>)
            .revocation(Arc::clone(&lists) as Arc<_>)
            .policy(policy);
        let engine = more(builder).build().unwrap();
        let both = (leaf.to_pem() + &issuing.to_pem()).replace('\n', " ");
        let signer = Signer::new(leaf, TEST_KEYS_PEM[5]).presenting(both);
        Self { shop, engine, clock, lists, signer, authorities: vec![root, issuing] }
    }

    fn supply(&self, issuer: &str, number: u32, serials: &[u32]) {
        let list = self.shop.list(issuer, number, serials, "");
        assert_eq!(self.lists.supply(&list, &self.authorities), Ok(1));
    }

    /// The reason that a payment is refused by, empty where it is taken.
    fn call(&self) -> &'static str {
        let now = xs2a::env::Clock::now(self.clock.as_ref());
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let draft = self.signer.sign(Draft::creation(&target, &straks()), now);
        let answer = draft.ask(|request| self.engine.handle(request));
        match answer.reason() {
            None => assert_eq!(answer.status(), 201, "{:?}", String::from_utf8_lossy(answer.body())),
            Some(_) => assert_eq!(answer.status(), 400),
        }
        answer.reason().unwrap_or_default()
    }
}

#[test]
fn a_list_counts_from_the_next_call_on() {
    let gateway = Gateway::open(|_| ());
    assert_eq!(gateway.call(), "", "a known chain from here on");
    gateway.supply("issuing", 1, &[3]);
    assert_eq!(gateway.call(), "CRT-15", "the leaf");
    gateway.supply("issuing", 2, &[4]);
    assert_eq!(gateway.call(), "");
    gateway.supply("root", 1, &[2]);
    assert_eq!(gateway.call(), "CRT-15", "the intermediate");
    gateway.supply("root", 2, &[1]);
    assert_eq!(gateway.call(), "", "the anchor is not asked about");
    gateway.lists.clear();
    assert_eq!(gateway.call(), "");
}

#[test]
fn other_anchors_count_from_the_next_call_on() {
    let gateway = Gateway::open(|_| ());
    assert_eq!(gateway.call(), "");
    gateway.engine.replace_trust_anchors(TrustAnchors::new());
    assert_eq!(gateway.call(), "CRT-08", "a chain that was known");
    let mut anchors = TrustAnchors::new();
    anchors.add(Arc::clone(&gateway.authorities[1]));
    gateway.engine.replace_trust_anchors(anchors);
    assert_eq!(gateway.call(), "", "the intermediate alone");
}

#[test]
fn a_stale_list_is_refused_or_taken_by_policy() {
    for (policy, expected) in [(OnUnknownRevocation::Refuse, "CRT-16"), (OnUnknownRevocation::Accept, "")] {
        let gateway = Gateway::open(|open| open.stale_crl = policy);
        gateway.supply("issuing", 1, &[4]);
        gateway.clock.set(gateway.lists.next_due().unwrap()).unwrap();
        assert_eq!(gateway.call(), "");
        gateway.clock.set(gateway.lists.next_due().unwrap() + TimeDelta::seconds(1)).unwrap();
        assert_eq!(gateway.call(), expected, "{policy:?}");
        gateway.supply("issuing", 2, &[3]);
        assert_eq!(gateway.call(), "CRT-15", "revoked is revoked, however old the list");
    }
}

#[test]
fn a_missing_list_is_refused_or_taken_by_policy() {
    for (policy, expected) in [(OnUnknownRevocation::Refuse, "CRT-17"), (OnUnknownRevocation::Accept, "")] {
        let gateway = Gateway::open(|open| open.missing_crl = policy);
        assert_eq!(gateway.call(), expected);
        gateway.supply("issuing", 1, &[4]);
        assert_eq!(gateway.call(), expected, "one of the two issuers has a list: {policy:?}");
        gateway.supply("root", 1, &[4]);
        assert_eq!(gateway.call(), "");
    }
}

#[test]
fn the_kind_of_certificate_is_asked_for_by_policy() {
    for (policy, expected) in
        [(CertificateType::Any, ""), (CertificateType::Qseal, "CRT-18"), (CertificateType::Qwac, "CRT-18")]
    {
        assert_eq!(Gateway::open(|open| open.certificate_type = policy).call(), expected, "{policy:?}");
    }
}

/// Answers as set, and keeps what it was asked about.
#[derive(Default)]
struct Responder {
    statuses: Mutex<Vec<RevocationStatus>>,
    asked: Mutex<Vec<Question>>,
}

/// A certificate and its issuer's, both in DER.
type Question = (Vec<u8>, Option<Vec<u8>>);

impl Revocation for Responder {
    fn status(&self, certificate: &IssuedCertificate<'_>) -> xs2a::Result<RevocationStatus> {
        self.asked.lock().push((certificate.der.to_vec(), certificate.issuer.map(<[u8]>::to_vec)));
        let mut statuses = self.statuses.lock();
        Ok(if statuses.is_empty() { RevocationStatus::Good } else { statuses.remove(0) })
    }
}

#[test]
fn a_responder_gets_each_certificate_with_its_issuer_and_decides() {
    use RevocationStatus::{Good, Revoked, Stale, Unlisted};
    let responder = Arc::new(Responder::default());
    let gateway = Gateway::with(|_| (), |builder| builder.revocation(Arc::clone(&responder) as Arc<_>));
    assert_eq!(gateway.call(), "");
    let der = |place: usize| gateway.authorities.get(place).unwrap().der().to_vec();
    let (root, issuing, leaf) = (der(0), der(1), gateway.signer.certificate().der().to_vec());
    let expected = [(leaf, Some(issuing.clone())), (issuing, Some(root))];
    assert_eq!(std::mem::take(&mut *responder.asked.lock()), expected);
    for (statuses, reason) in [
        (vec![Revoked], "CRT-15"),
        (vec![Good, Revoked], "CRT-15"),
        (vec![Stale, Good], "CRT-16"),
        (vec![Good, Unlisted], ""),
    ] {
        *responder.statuses.lock() = statuses.clone();
        assert_eq!(gateway.call(), reason, "{statuses:?}");
        responder.statuses.lock().clear();
    }
}
