//! An engine over fakes that fail, refuse and come back, and a TPP to call it.

use std::sync::Arc;

use crate::support::fakes::reads_of_the_store_inside;
use crate::support::world::authority::{Authority, Signer};
use crate::support::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use rust_decimal::Decimal;
use serde_json::Value;
use xs2a::bank::{Bank, Cancellation, OrderStatus, PaymentStatus};
use xs2a::env::{
    Applicant, Clock, IssuedCertificate, LogLevel, LogRecord, Logger, ManualClock, Registration, Revocation,
    RevocationStatus, SeededEntropy, TppRegistry,
};
use xs2a::internal::{Database, SandboxBank, SqliteStore};
use xs2a::policy::{Environment, Policy};
use xs2a::store::{CommitOutcome, Grant, Payment, Store, Write};
use xs2a::trust::TrustAnchors;
use xs2a::types::{ActingPsu, Context, CorporateKey, Currency, Money, PaymentId, PsuKey, Rates};
use xs2a::{Engine, EngineBuilder, Error, Request, Response, Result, ScaOutcome};

mod fake_bank;

pub(crate) use fake_bank::*;

pub(crate) const TPP: &str = "PSDNO-FSA-912345678";
pub(crate) const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");

/// What others do in the store between what a call reads and what it commits.
pub(crate) type BetweenReadAndCommit = Box<dyn FnOnce(&SqliteStore) + Send>;

/// A store that notes what was committed, and fails on request.
pub(crate) struct FakeStore {
    pub(crate) inner: SqliteStore,
    pub(crate) committed: Mutex<usize>,
    pub(crate) mood: Mutex<Mood>,
    /// What happens before the next commit.
    pub(crate) before_commit: Mutex<Option<BetweenReadAndCommit>>,
}

impl Store for FakeStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        let is_of_payment = |write: &Write| matches!(write, Write::UpdatePayment(_));
        let is_evidence = |write: &Write| matches!(write, Write::AppendAudit(_));
        match *self.mood.lock() {
            Mood::Failing => return Err(Error::Store("the disk is full".into())),
            Mood::Locked if writes.iter().any(is_of_payment) => {
                return Err(Error::Store(
                    "another connection locked a row or a table for more than 5 s".into(),
                ));
            }
            Mood::Unaudited if writes.iter().all(is_evidence) => {
                return Err(Error::Store("the audit table is gone".into()));
            }
            _ => {}
        }
        if let Some(before_commit) = self.before_commit.lock().take() {
            before_commit(&self.inner);
        }
        *self.committed.lock() += 1;
        self.inner.commit(writes)
    }

    reads_of_the_store_inside!();
}

/// A register and a revocation list in one.
pub(crate) struct FakeList {
    pub(crate) listed: Mutex<Result<bool, ()>>,
}

impl FakeList {
    pub(crate) fn new(listed: bool) -> Arc<Self> {
        Arc::new(Self { listed: Mutex::new(Ok(listed)) })
    }

    pub(crate) fn say(&self, listed: Result<bool, ()>) {
        *self.listed.lock() = listed;
    }

    pub(crate) fn reported(&self) -> Result<bool> {
        (*self.listed.lock()).map_err(|()| Error::Bank("the list is out of reach".to_owned()))
    }
}

impl TppRegistry for FakeList {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        assert_eq!(applicant.organisation_id, TPP);
        self.reported()
    }
}

/// A register that has a name of the TPP, and services.
pub(crate) struct NamedRegister(pub(crate) Registration);

impl TppRegistry for NamedRegister {
    fn is_registered(&self, _applicant: &Applicant<'_>) -> Result<bool> {
        Ok(true)
    }

    fn registration(&self, _applicant: &Applicant<'_>) -> Result<Option<Registration>> {
        Ok(Some(self.0.clone()))
    }
}

impl Revocation for FakeList {
    fn status(&self, certificate: &IssuedCertificate<'_>) -> Result<RevocationStatus> {
        assert_eq!(certificate.serial, [2]);
        Ok(if self.reported()? { RevocationStatus::Revoked } else { RevocationStatus::Good })
    }
}

/// Keeps what an engine logs: how grave it is, who says it, and what.
#[derive(Default)]
pub(crate) struct Kept(pub(crate) Mutex<Vec<(LogLevel, String, String)>>);

impl Logger for Kept {
    fn log(&self, record: &LogRecord) {
        self.0.lock().push((record.level(), record.target().to_owned(), record.to_string()));
    }
}

/// An engine over fakes, and a TPP to call it.
pub(crate) struct Setup {
    pub(crate) engine: Engine,
    pub(crate) bank: Arc<FakeBank>,
    pub(crate) store: Arc<FakeStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) registry: Arc<FakeList>,
    pub(crate) revocation: Arc<FakeList>,
    pub(crate) signer: Signer,
    pub(crate) calls: Mutex<u128>,
}

impl Setup {
    pub(crate) fn new() -> Self {
        Self::over(Database::open_memory().unwrap())
    }

    /// An engine whose records are in that database.
    pub(crate) fn over(database: Database) -> Self {
        Self::built(database, |builder| builder)
    }

    /// An engine that is built with something more.
    pub(crate) fn with(more: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        Self::built(Database::open_memory().unwrap(), more)
    }

    pub(crate) fn built(database: Database, more: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        let root = Authority::root("Rot CA", 1, LONG);
        let bank = Arc::new(FakeBank {
            mood: Mutex::new(("", Mood::Well)),
            trouble: Mutex::new(Error::Bank("the line is dead".to_owned())),
            script: Mutex::default(),
            while_asked: Mutex::default(),
            answer: Mutex::new(OrderStatus { status: PaymentStatus::Acsc, funds_available: Some(true) }),
            taken: Mutex::default(),
            creditors: Mutex::default(),
            cancellation: Mutex::new(Cancellation::Cancelled),
            fee: Mutex::new(Money::zero(Currency::NOK)),
            rate: Mutex::new(Decimal::TEN),
            given_up: Mutex::default(),
            person: Mutex::new("kari"),
            numbers: Mutex::default(),
            accounts: Mutex::default(),
            cards: Mutex::default(),
            transactions: Mutex::default(),
            card_transactions: Mutex::default(),
            total: Mutex::default(),
            pending: Mutex::default(),
            card_pending: Mutex::default(),
            performed: Mutex::default(),
            operations: Mutex::new(OF_BANK),
            mixed_up: Mutex::default(),
            inner: SandboxBank::new(Arc::new(Database::open_memory_for_sandbox().unwrap()), Rates::default()),
        });
        let store = Arc::new(FakeStore {
            inner: SqliteStore::new(Arc::new(database)),
            committed: Mutex::default(),
            mood: Mutex::new(Mood::Well),
            before_commit: Mutex::default(),
        });
        let clock = Arc::new(ManualClock::new(at("2026-09-01T10:00:00Z")));
        let (registry, revocation) = (FakeList::new(true), FakeList::new(false));
        let builder = Engine::builder()
            .bank(Arc::clone(&bank) as Arc<dyn Bank>)
            .store(Arc::clone(&store) as Arc<dyn Store>)
            .clock(Arc::clone(&clock) as Arc<_>)
            .entropy(Arc::new(SeededEntropy::new(1, 1, 0)))
            .registry(Arc::clone(&registry) as Arc<dyn TppRegistry>)
            .revocation(Arc::clone(&revocation) as Arc<dyn Revocation>)
            .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
            .policy(quiet_policy());
        let engine = more(builder).build().unwrap();
        let signer = root.issue(TPP, 2, LONG);
        Self { engine, bank, store, clock, registry, revocation, signer, calls: Mutex::new(0) }
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) fn wait(&self, by: TimeDelta) {
        self.clock.set(self.now() + by).unwrap();
    }

    pub(crate) fn call(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let number = {
            let mut calls = self.calls.lock();
            *calls += 1;
            *calls
        };
        let signed = self.signer.sign(method, target, headers, body, self.now(), number);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        self.engine.handle(&Request { method, target, headers: &headers, body, correlation_id: None })
    }

    pub(crate) fn create(&self) -> Response {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        self.call("POST", &target, &creation_headers(), straks().to_string().as_bytes())
    }

    /// A payment that its PSU has approved: an order for the bank.
    pub(crate) fn ordered(&self) -> Value {
        let created = accepted(&self.create());
        assert!(self.engine.complete_sca(authorisation_id(&created), &approved()).unwrap().approved);
        created
    }

    pub(crate) fn payment(&self, created: &Value) -> Payment {
        let id = PaymentId::parse(text(created, "/paymentId")).unwrap();
        self.store.payments().payment(&id).unwrap().unwrap()
    }

    pub(crate) fn report(&self, created: &Value, status: PaymentStatus, funds: Option<bool>) -> Result<()> {
        self.engine.report_payment_status(text(created, "/paymentId"), status, funds)
    }
}

/// The policy of a bank in production, without statistics: tests count the commits and what waits.
pub(crate) fn quiet_policy() -> Policy {
    let mut policy = Policy::new(Environment::Production);
    policy.statistics = false;
    policy
}

/// One more node over the same store.
pub(crate) fn node(setup: &Setup, lease_seconds: u32) -> Engine {
    node_by(setup, &setup.clock, lease_seconds)
}

/// The same with a clock of its own.
pub(crate) fn node_by<C: Clock + 'static>(setup: &Setup, clock: &Arc<C>, lease_seconds: u32) -> Engine {
    let root = Authority::root("Rot CA", 1, LONG);
    Engine::builder()
        .bank(Arc::clone(&setup.bank) as Arc<dyn Bank>)
        .store(Arc::clone(&setup.store) as Arc<dyn Store>)
        .clock(Arc::clone(clock) as Arc<dyn Clock>)
        .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
        .order_lease_seconds(lease_seconds)
        .policy(Policy::clone(&setup.engine.policy()))
        .build()
        .unwrap()
}

pub(crate) fn authorisation_id(created: &Value) -> &str {
    link(created).rsplit('/').next().unwrap()
}

pub(crate) fn kari(context: Context, corporate: Option<&str>) -> ScaOutcome {
    let psu = ActingPsu { psu: PsuKey::new("kari"), context, corporate: corporate.map(CorporateKey::new) };
    ScaOutcome::Approved { psu, grant: Grant::Everything }
}

pub(crate) fn approved() -> ScaOutcome {
    kari(Context::Private, None)
}

pub(crate) fn assert_system_error(response: &Response, reason: &str) {
    assert_refused(response, 500, "SYSTEM_ERROR", "");
    assert_eq!(response.reason(), Some(reason));
    let reported = String::from_utf8(response.body().to_vec()).unwrap();
    for secret in ["line", "disk", "panic", "reach"] {
        assert!(!reported.contains(secret), "{reported}");
    }
}
