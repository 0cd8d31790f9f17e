//! What a bank is asked, how often, and what follows from its answer.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde_json::Value;
use uuid::Uuid;
use xs2a::bank::{
    Bank, BankAccounts, BankCardAccounts, BankCustomers, BankPayments, BankRisk, PaymentStatus, PsuClient,
    ScaDemand, ScaOccasion, ScaQuestion,
};
use xs2a::env::{Clock, ManualClock, SeededEntropy};
use xs2a::internal::{load_default_data, Database, SandboxBank, SqliteStore};
use xs2a::policy::{Environment, Policy};
use xs2a::sandbox::ROOT_PEM;
use xs2a::store::{CommitOutcome, Grant, Store, Write};
use xs2a::trust::TrustAnchors;
use xs2a::types::{ActingPsu, Context, PaymentId, PsuKey, Rates};
use xs2a::{Engine, Error, Request, Response, Result, ScaOutcome};

use crate::fakes::reads_of_the_store_inside;
use crate::world::{
    accepted, at, body, creation_headers, link, parameter, replaced, straks, text, World, PAYER,
    REDIRECT_URI, STRAKS,
};

/// What the bank was asked.
#[derive(Debug, Clone, PartialEq)]
struct Heard {
    occasion: String,
    is_ruled: bool,
    sca_completed_at: Option<DateTime<Utc>>,
    tpp: String,
    psu: ActingPsu,
    client: PsuClient,
}

/// The sandbox's bank, which gives a fixed answer about every call.
struct CarefulBank {
    inner: SandboxBank,
    says: Mutex<Option<ScaDemand>>,
    heard: Mutex<Vec<Heard>>,
}

impl Bank for CarefulBank {
    fn customers(&self) -> &dyn BankCustomers {
        self.inner.customers()
    }

    fn account_data(&self) -> &dyn BankAccounts {
        self.inner.account_data()
    }

    fn card_account_data(&self) -> &dyn BankCardAccounts {
        self.inner.card_account_data()
    }

    fn payments(&self) -> &dyn BankPayments {
        self.inner.payments()
    }

    fn risk(&self) -> &dyn BankRisk {
        self
    }
}

impl BankRisk for CarefulBank {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        let (occasion, is_ruled, sca_completed_at) = match question.occasion {
            ScaOccasion::AccountInformation { operation, is_ruled, sca_completed_at } => {
                (operation.to_owned(), is_ruled, sca_completed_at)
            }
            ScaOccasion::Payment { product, order } => {
                let amount = order.transfers()[0].instructed_amount;
                (format!("{} of {amount} {}", product.as_str(), amount.currency().code()), true, None)
            }
        };
        self.heard.lock().push(Heard {
            occasion,
            is_ruled,
            sca_completed_at,
            tpp: question.tpp.to_owned(),
            psu: question.psu.clone(),
            client: question.client.clone(),
        });
        self.says.lock().ok_or_else(|| Error::Bank("the analysts are asleep".to_owned()))
    }
}

/// A store that counts commits, and fails on request.
struct CountingStore {
    inner: SqliteStore,
    commits: Mutex<usize>,
    fails: Mutex<bool>,
}

impl Store for CountingStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        *self.commits.lock() += 1;
        match *self.fails.lock() {
            true => Err(Error::Store("the disk is full".into())),
            false => self.inner.commit(writes),
        }
    }

    reads_of_the_store_inside!();
}

/// An engine over that bank; the world lends its TPP.
struct Setup {
    engine: Engine,
    bank: Arc<CarefulBank>,
    store: Arc<CountingStore>,
    clock: Arc<ManualClock>,
    world: World,
    psu_id: String,
}

impl Setup {
    /// The payer has opened everything under the session `s`, at 2026-09-01T10:00:00Z.
    fn new() -> Self {
        let world = World::new();
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        load_default_data(&database).unwrap();
        let bank = Arc::new(CarefulBank {
            inner: SandboxBank::new(Arc::clone(&database), Rates::default()),
            says: Mutex::new(Some(ScaDemand::AsRuled)),
            heard: Mutex::default(),
        });
        let store = Arc::new(CountingStore {
            inner: SqliteStore::new(database),
            commits: Mutex::default(),
            fails: Mutex::default(),
        });
        let clock = Arc::new(ManualClock::new(world.sandbox.now()));
        let engine = Engine::builder()
            .bank(Arc::clone(&bank) as Arc<dyn Bank>)
            .store(Arc::clone(&store) as Arc<dyn Store>)
            .clock(Arc::clone(&clock) as Arc<dyn Clock>)
            .entropy(Arc::new(SeededEntropy::new(7, 1, 0)))
            .trust_anchors(TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap())
            .policy(Policy::new(Environment::Sandbox))
            .build()
            .unwrap();
        let mut setup = Self { engine, bank, store, clock, world, psu_id: String::new() };
        let started =
            accepted(&setup.call("POST", "/v1/bank-offered-consents", &[("TPP-Session-ID", "s")], ""));
        let url = setup.approve(&started);
        setup.psu_id = parameter(&url, "psu-id").unwrap();
        setup
    }

    fn call(&self, method: &str, target: &str, with: &[(&str, &str)], sent: &str) -> Response {
        let mut headers = with.to_vec();
        if !headers.iter().any(|(name, _)| *name == "TPP-Redirect-URI") {
            headers.push(("TPP-Redirect-URI", REDIRECT_URI));
        }
        let headers = self.world.signed(method, target, &headers, sent.as_bytes());
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        self.engine.handle(&Request {
            method,
            target,
            headers: &headers,
            body: sent.as_bytes(),
            correlation_id: None,
        })
    }

    /// The payer approves all that is asked. Where they are sent.
    fn approve(&self, answered: &Value) -> String {
        let psu = ActingPsu { psu: self.payer(), context: Context::Private, corporate: None };
        let id = link(answered).rsplit('/').next().unwrap();
        self.engine.complete_sca(id, &ScaOutcome::Approved { psu, grant: Grant::Everything }).unwrap().url
    }

    fn payer(&self) -> PsuKey {
        self.bank.inner.person(PAYER).unwrap().unwrap()
    }

    fn read(&self, target: &str, session: &str) -> Response {
        self.call("GET", target, &[("PSU-ID", &self.psu_id), ("TPP-Session-ID", session)], "")
    }

    fn create(&self, with: &[(&str, &str)]) -> Response {
        let headers = [("PSU-Context", ""), ("PSU-ID", self.psu_id.as_str())];
        let headers = replaced(replaced(creation_headers(), &headers), with);
        self.call("POST", STRAKS, &headers, &straks().to_string())
    }

    /// The bank's questions since the last call of this function.
    fn heard(&self) -> Vec<Heard> {
        std::mem::take(&mut self.bank.heard.lock())
    }

    fn says(&self, demand: ScaDemand) {
        *self.bank.says.lock() = Some(demand);
    }
}

#[test]
fn the_bank_learns_who_asks_for_what_and_what_was_forwarded() {
    let setup = Setup::new();
    assert!(setup.heard().is_empty(), "no call reads before the consent");
    let device = "99435c7e-ad88-49ec-a2ad-99ddcb1f5555";
    let forwarded = [
        ("PSU-IP-Address", "192.0.2.7"),
        ("PSU-IP-Port", "40000"),
        ("PSU-HTTP-Method", "POST"),
        ("PSU-User-Agent", "Mozilla/5.0"),
        ("PSU-Accept", "text/html"),
        ("PSU-Accept-Charset", "utf-8"),
        ("PSU-Accept-Encoding", "br"),
        ("PSU-Accept-Language", "nb"),
        ("PSU-Device-ID", device),
        ("PSU-Geo-Location", "GEO:59.9139,10.7522"),
        ("TPP-Brand-Logging-Information", "Acme for små bedrifter"),
        ("TPP-Redirect-Preferred", "false"),
    ];
    let said = |text: &str| Some(text.to_owned());
    let client = PsuClient {
        ip_address: "192.0.2.7".parse().ok(),
        ip_port: Some(40_000),
        http_method: said("POST"),
        user_agent: said("Mozilla/5.0"),
        accept: said("text/html"),
        accept_charset: said("utf-8"),
        accept_encoding: said("br"),
        accept_language: said("nb"),
        device_id: Uuid::try_parse(device).ok(),
        geo_location: said("GEO:59.9139,10.7522"),
        brand: said("Acme for små bedrifter"),
        redirect_preferred: Some(false),
    };
    let psu = ActingPsu { psu: setup.payer(), context: Context::Private, corporate: None };
    let heard = |occasion: &str, is_ruled, sca_completed_at| Heard {
        occasion: occasion.to_owned(),
        is_ruled,
        sca_completed_at,
        tpp: setup.world.tpp.organisation_id().to_owned(),
        psu: psu.clone(),
        client: client.clone(),
    };
    let reading = [&forwarded[..], &[("PSU-ID", setup.psu_id.as_str()), ("TPP-Session-ID", "s")]].concat();
    assert_eq!(setup.call("GET", "/v1/accounts", &reading, "").status(), 200);
    let completed = Some(at("2026-09-01T10:00:00Z"));
    assert!(setup.heard() == [heard("getAccounts", false, completed)]);
    accepted(&setup.create(&forwarded));
    let product = "instant-norwegian-domestic-credit-transfers-straks of 250.00 NOK";
    assert!(setup.heard() == [heard(product, true, None)]);
}

#[test]
fn for_an_unseen_session_the_bank_is_asked_once_with_sca_required() {
    let setup = Setup::new();
    for (says, status) in [(ScaDemand::AsRuled, 401), (ScaDemand::Demanded, 401), (ScaDemand::Exempt, 200)] {
        setup.says(says);
        assert_eq!(setup.read("/v1/accounts", "unseen").status(), status, "{says:?}");
        let heard = setup.heard();
        assert_eq!((heard.len(), heard[0].is_ruled, heard[0].sca_completed_at), (1, true, None), "{says:?}");
    }
    setup.clock.set(at("2026-09-01T10:00:30Z")).unwrap();
    setup.says(ScaDemand::AsRuled);
    assert_eq!(setup.read("/v1/accounts", "s").status(), 200);
    let heard = setup.heard();
    let completed = Some(at("2026-09-01T10:00:00Z"));
    assert_eq!((heard.len(), heard[0].is_ruled, heard[0].sca_completed_at), (1, false, completed));
}

#[test]
fn of_a_call_that_is_not_in_order_the_bank_is_not_asked() {
    let setup = Setup::new();
    setup.says(ScaDemand::Exempt);
    let nowhere = "/v1/accounts/enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
    assert_eq!(setup.read(nowhere, "s").status(), 404);
    let unknown = [("PSU-ID", "67e55044-10b1-426f-9247-bb680e5fe0c8")];
    assert_eq!(setup.call("GET", "/v1/accounts", &unknown, "").status(), 401);
    assert_eq!(setup.create(&unknown).status(), 401);
    let single = [("PSU-ID", ""), ("PSU-Context", "PRIVATE")];
    let created = accepted(&setup.create(&single));
    assert!(link(&created).contains("/sca/"), "a single SCA");
    let unsigned = setup.engine.handle(&Request {
        method: "GET",
        target: "/v1/accounts",
        headers: &[],
        body: b"",
        correlation_id: None,
    });
    assert_eq!(unsigned.status(), 400);
    assert!(setup.heard().is_empty());
}

#[test]
fn a_bank_that_demands_an_sca_is_asked_again_after_it() {
    let setup = Setup::new();
    setup.says(ScaDemand::Demanded);
    setup.clock.set(at("2026-09-01T10:00:59Z")).unwrap();
    let refused = setup.read("/v1/accounts", "s");
    assert_eq!((refused.status(), refused.reason()), (401, Some("AIS-13")));
    setup.approve(&body(&refused));
    setup.heard();
    assert_eq!(setup.read("/v1/accounts", "s").status(), 401, "still demanded");
    assert_eq!(setup.heard()[0].sca_completed_at, Some(at("2026-09-01T10:00:59Z")));
    setup.says(ScaDemand::AsRuled);
    assert_eq!(setup.read("/v1/accounts", "s").status(), 200);
}

#[test]
fn a_bank_that_cannot_say_is_a_system_error_and_nothing_is_stored() {
    let setup = Setup::new();
    *setup.bank.says.lock() = None;
    let commits = *setup.store.commits.lock();
    for failed in [setup.read("/v1/accounts", "s"), setup.read("/v1/accounts", "unseen"), setup.create(&[])] {
        assert_eq!((failed.status(), failed.reason()), (500, Some("SYS-02")));
        assert!(!String::from_utf8_lossy(failed.body()).contains("asleep"));
    }
    assert_eq!(*setup.store.commits.lock(), commits);
}

#[test]
fn an_exempted_payment_its_order_and_its_event_are_one_commit_or_nothing() {
    let setup = Setup::new();
    setup.says(ScaDemand::Exempt);
    *setup.store.fails.lock() = true;
    assert_eq!(setup.create(&[]).status(), 500);
    assert!(setup.store.outbox().due_orders(setup.clock.now(), 10).unwrap().orders.is_empty());
    *setup.store.fails.lock() = false;
    *setup.store.commits.lock() = 0;
    setup.clock.set(at("2026-09-01T10:00:10Z")).unwrap();
    let created = accepted(&setup.create(&[]));
    assert_eq!(*setup.store.commits.lock(), 1);
    let id = PaymentId::parse(text(&created, "/paymentId")).unwrap();
    let payment = setup.store.payments().payment(&id).unwrap().unwrap();
    assert_eq!((payment.status, payment.version), (PaymentStatus::Pdng, 2));
    assert_eq!(payment.authorised_at, Some(at("2026-09-01T10:00:10Z")), "the bank authorised it then");
    let events = setup.store.payments().events(&id).unwrap();
    let reported: Vec<_> = events.iter().map(|event| (event.from, event.to, event.cause.as_str())).collect();
    assert_eq!(reported, [(PaymentStatus::Rcvd, PaymentStatus::Pdng, "sca exempted by the bank")]);
    let due = setup.store.outbox().due_orders(setup.clock.now(), 10).unwrap().orders;
    assert_eq!(due.iter().map(|order| &order.payment_id).collect::<Vec<_>>(), [&id]);
    assert_eq!(setup.engine.run_due().unwrap().submitted, 1);
    assert_eq!(setup.store.payments().payment(&id).unwrap().unwrap().status, PaymentStatus::Acsc);
}
