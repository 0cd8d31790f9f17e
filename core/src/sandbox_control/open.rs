//! Puts a sandbox together.

use std::sync::Arc;

use super::call_explainer::CallExplainer;
use super::file_clock::kept_clock;
use super::notes::Notes;
use super::options::SandboxOptions;
use super::registry::SandboxRegistry;
use super::sandbox::Sandbox;
use crate::engine::Engine;
use crate::env::clock::{from_micros, within_calendar, Clock, ManualClock, SystemClock};
use crate::env::entropy::SeededEntropy;
use crate::error::{Error, Result};
use crate::policy::{Environment, Policy};
use crate::sandbox::coverage::WatchedStore;
use crate::sandbox::faults::{Faults, FaultyBank};
use crate::sandbox::journal::Beginning;
use crate::sandbox::pki::{self, TestPki};
use crate::sandbox::population::Lives;
use crate::sandbox::{default_data, Rates, SandboxBank};
use crate::store::sqlite::{Database, SqliteStore};
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;

impl Sandbox {
    /// Opens a sandbox. A new one holds the default data set.
    ///
    /// # Errors
    /// [`Error::Config`] for a policy that cannot be used; [`Error::Store`] for a file that cannot; [`Error::Misuse`]
    /// for a `now` before the time of the file's clock.
    pub fn open(options: &SandboxOptions) -> Result<Self> {
        open(options)
    }
}

fn open(options: &SandboxOptions) -> Result<Sandbox> {
    // Before anything is made: a file that is new stays unmade, and one that is there is not opened, which would let
    // later ids begin elsewhere.
    let now = options.now.map(within_calendar).transpose()?;
    let policy = policy(options)?;
    Rates::over(&policy.rates)?;
    let database = Arc::new(match &options.database {
        Some(path) => Database::open_file_for_sandbox(path, |shown| match now {
            Some(now) => ManualClock::new(within_calendar(from_micros(shown))?).set(now),
            None => Ok(()),
        })?,
        None => Database::open_memory_for_sandbox()?,
    });
    let generation = u64::try_from(database.next_generation()?).unwrap_or_default();
    let is_new = default_data::load(&database)?;
    let kept_time = if is_new { None } else { kept_clock(&database)?.map(within_calendar).transpose()? };
    let present = options.present.map(within_calendar).transpose()?;
    let start = kept_time.or(now).or(present).unwrap_or_else(|| SystemClock.now());
    let clock = Arc::new(ManualClock::new(start));
    let entropy = Arc::new(SeededEntropy::new(options.seed, generation, 0));
    let beginning = Beginning {
        start,
        seed: options.seed,
        base_path: options.base_path.clone(),
        policy: options.policy.clone(),
        is_new,
    };
    let sandbox = assemble(policy, database, clock, entropy, Notes::begin(beginning))?;
    sandbox.catch_up()?;
    sandbox.move_clock(now.unwrap_or(start))?;
    Ok(sandbox)
}

/// A sandbox over parts that exist.
pub(super) fn assemble(
    policy: Policy,
    database: Arc<Database>,
    clock: Arc<ManualClock>,
    entropy: Arc<SeededEntropy>,
    notes: Notes,
) -> Result<Sandbox> {
    let bank = SandboxBank::new(Arc::clone(&database), Rates::over(&policy.rates)?);
    let registry = Arc::new(SandboxRegistry::new(Arc::clone(&database), *pki::root()?.fingerprint()));
    let faults = Arc::new(Faults::new(Arc::clone(&entropy), Arc::clone(&notes.in_progress)));
    let store = WatchedStore::new(
        SqliteStore::new(Arc::clone(&database)),
        Arc::clone(&clock) as Arc<dyn Clock>,
        Arc::clone(&notes.coverage),
        Arc::clone(&notes.in_progress),
    );
    let explainer = Arc::new(CallExplainer::new(Arc::clone(&database), Arc::clone(&notes.journal)));
    let signs = policy.sign_responses;
    let builder = Engine::builder()
        .simulated_bank(Arc::new(FaultyBank::new(bank.clone(), Arc::clone(&faults))))
        .interference(Arc::clone(&faults) as Arc<_>)
        .explainer(Arc::clone(&explainer) as Arc<_>)
        .store(Arc::new(store))
        .clock(Arc::clone(&clock) as Arc<dyn Clock>)
        .entropy(Arc::clone(&entropy) as Arc<_>)
        .registry(Arc::clone(&registry) as Arc<_>)
        .trust_anchors(trust(&database)?)
        .policy(policy)
        // The bank answers at once: any process that finds a due order settles it, so none waits for one that died.
        .order_lease_seconds(0);
    let engine = match signs {
        true => builder.response_key(TestPki::new()?.bank_key()?).build()?,
        false => builder.build()?,
    };
    let moving = bank.moving();
    let lives = Lives::default();
    Ok(Sandbox { engine, bank, registry, database, clock, entropy, faults, explainer, notes, lives, moving })
}

/// The test PKI's root and what the user trusted.
pub(super) fn trust(database: &Database) -> Result<TrustAnchors> {
    let mut anchors = TrustAnchors::new();
    anchors.add(pki::root()?);
    for der in database.read_books(|books| books.trust_anchors())? {
        let unreadable = |_| Error::Store("a trust anchor cannot be read".into());
        anchors.add(Certificate::from_der(&der).map_err(unreadable)?);
    }
    Ok(anchors)
}

fn policy(options: &SandboxOptions) -> Result<Policy> {
    let mut policy = Policy::from_json(Environment::Sandbox, options.policy.as_deref().unwrap_or("{}"))?;
    policy.set_base_path(&options.base_path)?;
    Ok(policy)
}
