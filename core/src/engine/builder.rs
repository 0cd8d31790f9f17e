//! Building an engine from its parts.

use std::sync::Arc;

use chrono::TimeDelta;
use parking_lot::{Mutex, RwLock};

use super::host_trust::HostTrust;
use super::logging::{caught, Logging};
use super::metrics::Metrics;
use super::public_api::Engine;
use super::timed_bank::timed;
use super::timeout_bank::TimeoutBank;
use super::validity::warn_of_certificates;
use crate::bank::Bank;
use crate::env::clock::{Clock, SystemClock};
use crate::env::entropy::{Entropy, SystemEntropy};
use crate::env::interference::Interference;
use crate::env::logger::Logger;
use crate::env::registry::{EveryCertificateCounts, TppRegistry};
use crate::env::response_signer::ResponseSigner;
use crate::env::revocation::{NoRevocationList, Revocation};
use crate::error::{Error, Result};
use crate::json_bank::checked_bank::CheckedBank;
use crate::limits::{ORDER_LEASE_SECONDS, REPLAY_IDS_MAX};
use crate::operation::{Operation, OperationId};
use crate::pipeline::audit::refusal_counts::RefusalCounts;
use crate::pipeline::chain_cache::ChainCache;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::refusal_explainer::RefusalExplainer;
use crate::pipeline::replay_window::{window_start, ReplayWindow};
use crate::pipeline::waiting_writes::WaitingWrites;
use crate::policy::{Environment, Policy};
use crate::store::timed_store::TimedStore;
use crate::store::{self, Store};
use crate::tpp::response_key::ResponseKey;
use crate::tpp::trust::TrustAnchors;
use crate::trust::AnswerAges;

/// Where an engine keeps its records.
enum Records {
    Open(Arc<dyn Store>),
    At(String),
}

/// Collects the seams of an [`Engine`].
#[derive(Default)]
pub struct EngineBuilder {
    bank: Option<Arc<dyn Bank>>,
    /// Whether the bank is part of this library: it takes no time.
    is_simulated: bool,
    store: Option<Records>,
    clock: Option<Arc<dyn Clock>>,
    entropy: Option<Arc<dyn Entropy>>,
    registry: Option<Arc<dyn TppRegistry>>,
    revocation: Option<Arc<dyn Revocation>>,
    trust: Option<TrustAnchors>,
    policy: Option<Policy>,
    order_lease_seconds: Option<u32>,
    bank_id: Option<String>,
    interference: Option<Arc<dyn Interference>>,
    explainer: Option<Arc<dyn RefusalExplainer>>,
    response_key: Option<ResponseKey>,
    /// The certificate of a seal whose key the host's function has.
    response_certificate: Option<String>,
    response_signer: Option<Arc<dyn ResponseSigner>>,
    logger: Option<Arc<dyn Logger>>,
    /// Whether the host replaces lists and register by plain bytes, and for how long its register's answers count.
    host_trust: Option<Option<AnswerAges>>,
}

impl Engine {
    /// A builder that needs a bank, a store and trust anchors, and has defaults for the rest.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }
}

impl EngineBuilder {
    /// The bank behind the engine. Required.
    #[must_use]
    pub fn bank(mut self, bank: Arc<dyn Bank>) -> Self {
        (self.bank, self.is_simulated) = (Some(bank), false);
        self
    }

    /// The simulated bank. Not timed: the sandbox's clock may be moved while its bank is asked.
    #[must_use]
    pub(crate) fn simulated_bank(mut self, bank: Arc<dyn Bank>) -> Self {
        (self.bank, self.is_simulated) = (Some(bank), true);
        self
    }

    /// Where the engine keeps its records. Required.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(Records::Open(store));
        self
    }

    /// The address of the store, in its place. [`EngineBuilder::build`] opens it when all else is in order: an older
    /// schema is brought up to date by that, which a configuration that is refused must not have done.
    #[must_use]
    pub(super) fn store_at(mut self, address: String) -> Self {
        self.store = Some(Records::At(address));
        self
    }

    /// The trust anchors. Required: at least one.
    #[must_use]
    pub fn trust_anchors(mut self, trust: TrustAnchors) -> Self {
        self.trust = Some(trust);
        self
    }

    /// The engine's time; the machine's clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The engine's randomness; the system's by default.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    /// The register of TPPs; by default every certificate that chains to an anchor counts.
    #[must_use]
    pub fn registry(mut self, registry: Arc<dyn TppRegistry>) -> Self {
        self.registry = Some(registry);
        self
    }

    /// The revocation lists; none by default.
    #[must_use]
    pub fn revocation(mut self, revocation: Arc<dyn Revocation>) -> Self {
        self.revocation = Some(revocation);
        self
    }

    /// The policy; the defaults of production otherwise.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// How long a node that delivers orders holds its lease on them, in seconds; 60 by default. At least three quarters
    /// of the lease are left when the bank is asked about an order: the bank should answer within that time, or another
    /// node may ask it about the same payment. Orders that a node claimed before it died wait until the lease is over.
    /// With 0, nodes take no leases: the bank may be asked twice for the same payment id, also at the same time.
    #[must_use]
    pub fn order_lease_seconds(mut self, seconds: u32) -> Self {
        self.order_lease_seconds = Some(seconds);
        self
    }

    /// The id of the bank: 1 to 64 letters, digits, `.`, `_` and `-`. The first engine with one stores it in the
    /// database, which then refuses every engine with another id, and with none: two banks that share a database by
    /// mistake would execute each other's payments. None by default.
    #[must_use]
    pub fn bank_id(mut self, id: impl Into<String>) -> Self {
        self.bank_id = Some(id.into());
        self
    }

    /// The hook that may interfere with calls; none by default.
    #[must_use]
    pub(crate) fn interference(mut self, interference: Arc<dyn Interference>) -> Self {
        self.interference = Some(interference);
        self
    }

    /// What finds the mistakes of callers, for answers under the policy `explain_to_tpp`; none by default.
    #[must_use]
    pub(crate) fn explainer(mut self, explainer: Arc<dyn RefusalExplainer>) -> Self {
        self.explainer = Some(explainer);
        self
    }

    /// The seal that every answer is signed with; answers are not signed by default.
    #[must_use]
    pub fn response_key(mut self, key: ResponseKey) -> Self {
        self.response_key = Some(key);
        self
    }

    /// Signs answers with the keys of certificates that are given without one: `response_key` of a configuration, and
    /// [`Engine::replace_response_key_with`]. Other hosts use [`ResponseKey::with_signer`].
    #[must_use]
    pub fn response_signer(mut self, signer: Arc<dyn ResponseSigner>) -> Self {
        self.response_signer = Some(signer);
        self
    }

    /// The certificate of a seal, PEM: the function that signs has its key.
    #[must_use]
    pub(super) fn response_certificate(mut self, certificate: String) -> Self {
        self.response_certificate = Some(certificate);
        self
    }

    /// Where this engine logs; by default the subscriber that the host has set up for the crate `tracing`.
    #[must_use]
    pub fn logger(mut self, logger: Arc<dyn Logger>) -> Self {
        self.logger = Some(logger);
        self
    }

    /// Lets the host supply revocation lists and a register by plain bytes, unless it has seams of its own.
    #[must_use]
    pub(super) fn host_trust(mut self, ages: Option<AnswerAges>) -> Self {
        self.host_trust = Some(ages);
        self
    }

    /// The engine. If the store is shared or durable, it reads the request ids of the replay window, so that they
    /// count after a restart.
    ///
    /// # Errors
    /// [`Error::Config`] if bank, store or trust anchors are missing, or the key although the policy has
    /// `sign_responses`; for a function that signs and whose signature does not verify, and its own errors; for an
    /// invalid value of a policy; for a database of another bank; and for an operation of the bank with an id of the
    /// engine's. [`Error::Store`], and the errors of [`store::open`] if the store is opened here. [`Error::Internal`]
    /// if the bank's operations, the store or the clock panic.
    pub fn build(self) -> Result<Engine> {
        let missing = |what: &str| Error::Config(format!("an engine needs {what}"));
        let policy = self.policy.unwrap_or_else(|| Policy::new(Environment::Production)).checked()?;
        let logging = Logging::to(self.logger);
        let response_key = match (self.response_key, self.response_certificate) {
            (None, Some(certificate)) => {
                let signer = self.response_signer.clone();
                Some(guarded(&logging, || signed_by_host(&certificate, signer))?)
            }
            (given, _) => given,
        };
        if policy.sign_responses && response_key.is_none() {
            return Err(missing("a response key, where its policy has `sign_responses`"));
        }
        if policy.shows_mistakes() && self.explainer.is_none() {
            return Err(Error::Config(
                "explain_to_tpp: only a sandbox explains refusals to a TPP".to_owned(),
            ));
        }
        if policy.takes_scenarios() && self.interference.is_none() {
            return Err(Error::Config(
                "scenario_header: only a sandbox lets a call choose a fault".to_owned(),
            ));
        }
        if let Some(id) = self.bank_id.as_deref().filter(|id| !is_bank_id(id)) {
            let text = format!(
                "bank_id: `{id}` is not 1 to {BANK_ID_LETTERS_MAX} letters, digits, `.`, `_` and `-`"
            );
            return Err(Error::Config(text));
        }
        let clock = self.clock.unwrap_or_else(|| Arc::new(SystemClock));
        let (mut registry, mut revocation) = (self.registry, self.revocation);
        let signer = self.response_signer;
        let host = self
            .host_trust
            .map(|ages| HostTrust::new(signer, revocation.as_ref(), registry.take(), ages, &clock));
        let host_trust = host.transpose()?;
        if let Some(host) = &host_trust {
            registry = Some(host.registry());
            revocation = revocation.or_else(|| host.revocation());
        }
        let bank = self.bank.ok_or_else(|| missing("a bank"))?;
        // What the simulated bank answers is what its own bodies take.
        let bank = match self.is_simulated {
            true => bank,
            false => Arc::new(CheckedBank::new(bank)),
        };
        // An empty set admits no TPP, and no response could give the reason.
        let trust = self.trust.filter(|anchors| !anchors.is_empty());
        let trust = trust.ok_or_else(|| missing("trust anchors"))?;
        let records = self.store.ok_or_else(|| missing("a store"))?;
        let store = guarded(&logging, || {
            check_operations(bank.own_operations().operations())?;
            let store = match records {
                Records::Open(store) => store,
                // If the clock fails, the engine is not built, either.
                Records::At(address) => {
                    clock.now();
                    store::open(&address)?
                }
            };
            check_bank(&*store, self.bank_id.as_deref())?;
            Ok(store)
        })?;
        let bank: Arc<dyn Bank> = match self.is_simulated {
            true => bank,
            false => Arc::new(TimeoutBank::within(bank, Arc::clone(&clock), &policy)),
        };
        let engine = EngineContext {
            bank: timed(bank),
            store: Arc::new(TimedStore(store)),
            trust: RwLock::new(trust),
            clock,
            entropy: self.entropy.unwrap_or_else(|| Arc::new(SystemEntropy)),
            registry: registry.unwrap_or_else(|| Arc::new(EveryCertificateCounts)),
            revocation: revocation.unwrap_or_else(|| Arc::new(NoRevocationList)),
            sca_origin: RwLock::new(policy.sca_origin.as_str().into()),
            policy: RwLock::new(Arc::new(policy)),
            order_lease: TimeDelta::seconds(self.order_lease_seconds.unwrap_or(ORDER_LEASE_SECONDS).into()),
            chains: ChainCache::new(),
            replay_window: ReplayWindow::new(),
            interference: self.interference,
            explainer: self.explainer,
            response_key: RwLock::new(response_key.map(Arc::new)),
            refusals: RefusalCounts::default(),
            waiting_writes: WaitingWrites::default(),
            unanswered: Mutex::default(),
            forgotten_at: Mutex::default(),
            aged_out_at: Mutex::default(),
        };
        guarded(&logging, || {
            recall_request_ids(&engine)?;
            warn_of_certificates(&engine);
            Ok(())
        })?;
        Ok(Engine { context: engine, logging, metrics: Metrics::new()?, host_trust })
    }
}

fn signed_by_host(certificate: &str, signer: Option<Arc<dyn ResponseSigner>>) -> Result<ResponseKey> {
    let missing = "response_key.private_key: is missing, and there is no function that signs";
    let signer = signer.ok_or_else(|| Error::Config(missing.to_owned()))?;
    ResponseKey::with_signer(certificate.as_bytes(), signer)
}

/// More than a BIC, a LEI or a national number of a bank needs.
const BANK_ID_LETTERS_MAX: usize = 64;

fn is_bank_id(id: &str) -> bool {
    let is_of_id = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=BANK_ID_LETTERS_MAX).contains(&id.len()) && id.bytes().all(is_of_id)
}

/// Fails if the database belongs to another bank. One that belongs to none belongs to this one from now on.
fn check_bank(store: &dyn Store, configured: Option<&str>) -> Result<()> {
    let Some(stored) = store.bank_id(configured)? else { return Ok(()) };
    match configured {
        Some(id) if id == stored => Ok(()),
        Some(id) => {
            Err(Error::Config(format!("bank_id: the database belongs to the bank `{stored}`, not to `{id}`")))
        }
        None => Err(Error::Config(format!(
            "bank_id: is missing, and the database belongs to the bank `{stored}`"
        ))),
    }
}

/// A part of the building that calls what the host gave.
fn guarded<T>(logging: &Logging, part: impl FnOnce() -> Result<T>) -> Result<T> {
    let done = logging.around(|| caught("build", part));
    done.unwrap_or_else(|| Err(Error::Internal("build panicked".to_owned())))
}

/// That the bank performs its operations itself: another id would lead them to a stage that knows another path.
fn check_operations(of_bank: &[Operation]) -> Result<()> {
    match of_bank.iter().find(|operation| operation.id != OperationId::OfBank) {
        None => Ok(()),
        Some(Operation { name, .. }) => {
            Err(Error::Config(format!("the bank's operation {name}: its id is not `OfBank`")))
        }
    }
}

/// The uses of an id that the store knows of: those of calls that changed something. What only read is
/// forgotten with the process.
fn recall_request_ids(engine: &EngineContext) -> Result<()> {
    let since = window_start(engine.clock.now());
    for (tpp, request_id, used_at) in engine.store().replay().used_request_ids(since, REPLAY_IDS_MAX)? {
        engine.replay_window.note(&tpp, request_id, used_at, used_at);
    }
    Ok(())
}
