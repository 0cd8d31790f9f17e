//! Every fault of one sandbox, and which of them holds for the current caller.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use super::fault::{Chance, Fault, SCENARIO};
use super::scenario::Scenarios;
use super::spec::{Effect, FaultSpec, ScaEnd};
use crate::env::entropy::SeededEntropy;
use crate::env::interference::{Interfered, Interference, ObservedCall};
use crate::error::{Error, Result};
use crate::reason::Refusal;
use crate::sandbox::journal::{SideEffect, StepsInProgress};
use crate::sandbox::thread_key::ThreadKey;

/// The faults of a sandbox, in the order they were set.
pub(crate) struct Faults {
    entropy: Arc<SeededEntropy>,
    in_progress: Arc<StepsInProgress>,
    active: RwLock<ActiveFaults>,
    /// What callers chose for their own calls.
    scenarios: Mutex<Scenarios>,
    /// How the bank behaves toward the calls under way. A call runs on the thread of its caller.
    calls: Arc<Mutex<HashMap<ThreadKey, BankBehaviour>>>,
}

/// Those that are set, the first one first, and what the next one is numbered by.
#[derive(Default)]
struct ActiveFaults {
    list: Vec<Arc<Fault>>,
    /// The last id. Ids are never reused, so that a kept id always means the same fault.
    last_id: u64,
    /// The last place, by which chance is drawn. [`Faults::restart`] resets it.
    last_place: u64,
}

/// How the bank behaves toward one call.
#[derive(Debug, Clone, Copy, Default)]
struct BankBehaviour {
    is_down: bool,
    has_no_rate: bool,
}

impl Faults {
    /// None yet. Chance is drawn from the seed of the sandbox, which another state may replace; each fault that strikes
    /// is noted in the step under way.
    pub(crate) fn new(entropy: Arc<SeededEntropy>, in_progress: Arc<StepsInProgress>) -> Self {
        Self {
            entropy,
            in_progress,
            active: RwLock::default(),
            scenarios: Mutex::default(),
            calls: Arc::default(),
        }
    }

    /// Sets one more, after those that are.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a fault that cannot be meant.
    pub(crate) fn add(&self, spec: FaultSpec) -> Result<Arc<Fault>> {
        // What cannot be meant takes no number: chance is drawn from it.
        let effect = spec.effect()?;
        let mut set = self.active.write();
        set.last_id = set.last_id.saturating_add(1);
        set.last_place = set.last_place.saturating_add(1);
        let chance = Chance { seed: self.entropy.position().seed, place: set.last_place };
        let fault = Arc::new(Fault::new(set.last_id, chance, spec, effect));
        set.list.push(Arc::clone(&fault));
        Ok(fault)
    }

    /// Takes one away: gives it, if it was there.
    pub(crate) fn remove(&self, id: u64) -> Option<Arc<Fault>> {
        let list = &mut self.active.write().list;
        let place = list.iter().position(|fault| fault.id() == id)?;
        Some(list.remove(place))
    }

    /// Removes all of them, and restarts their places. Returns whether that makes a difference.
    pub(crate) fn clear(&self) -> bool {
        self.scenarios.lock().clear();
        let set = &mut *self.active.write();
        set.list.clear();
        std::mem::take(&mut set.last_place) > 0
    }

    /// Continues after the last fault that is still set. If none is, faults set and removed before the bank was
    /// restored do not affect later draws.
    pub(crate) fn restart(&self) {
        self.scenarios.lock().clear();
        let set = &mut *self.active.write();
        set.last_place = set.list.last().map_or(0, |fault| fault.place());
    }

    /// Those that are set. A copy: a predicate is asked with nothing locked.
    pub(crate) fn list(&self) -> Vec<Arc<Fault>> {
        let list = &self.active.read().list;
        match list.is_empty() {
            true => Vec::new(),
            false => list.clone(),
        }
    }

    /// Whether the current caller can reach the bank. For a call under way this was decided when it began; any other
    /// caller can, unless a fault without conditions has the bank down.
    ///
    /// # Errors
    /// [`Error::Bank`].
    pub(super) fn ask(&self) -> Result<()> {
        let in_call = self.calls.lock().get(&ThreadKey::of_caller()).copied();
        let is_down = match in_call {
            Some(behaviour) => behaviour.is_down,
            None => self
                .list()
                .iter()
                .filter(|fault| fault.effect() == Effect::BankDown && !fault.spec().has_conditions())
                .any(|fault| fault.is_due() && self.strikes(fault)),
        };
        match is_down {
            true => Err(Error::Bank("down, by a fault that is injected in the sandbox".to_owned())),
            false => Ok(()),
        }
    }

    /// Takes one of a fault's times, if one is left, and notes that it struck.
    fn strikes(&self, fault: &Fault) -> bool {
        let has_struck = fault.strike();
        if has_struck {
            self.in_progress.note(match fault.id() {
                SCENARIO => SideEffect::ScenarioStruck { words: fault.words() },
                id => SideEffect::FaultStruck { id, times: 1 },
            });
        }
        has_struck
    }

    /// The one that a call chooses for itself, if it may, and every fault that is set.
    fn with_scenario(
        &self,
        call: &ObservedCall<'_>,
        takes_scenario: bool,
    ) -> Result<Vec<Arc<Fault>>, Refusal> {
        let mut faults = self.list();
        if takes_scenario {
            let seed = self.entropy.position().seed;
            faults.splice(0..0, self.scenarios.lock().of_call(call, seed)?);
        }
        Ok(faults)
    }

    /// Whether the bank trades currencies for the call under way.
    pub(super) fn has_rates(&self) -> bool {
        let in_call = self.calls.lock().get(&ThreadKey::of_caller()).copied();
        !in_call.unwrap_or_default().has_no_rate
    }

    /// Whether the bank takes a payment of that product that is handed over now.
    ///
    /// # Errors
    /// [`Error::Bank`].
    pub(super) fn submit(&self, product: &str) -> Result<()> {
        let fails = self
            .list()
            .iter()
            .filter(|fault| fault.effect() == Effect::SubmitFails)
            .filter(|fault| fault.spec().product.as_deref().is_none_or(|wanted| wanted == product))
            .any(|fault| fault.is_due() && self.strikes(fault));
        match fails {
            true => {
                Err(Error::Bank("payment not taken, by a fault that is injected in the sandbox".to_owned()))
            }
            false => Ok(()),
        }
    }

    /// How an SCA of that TPP ends which the PSU would approve; `None`: as the PSU has it.
    pub(crate) fn sca(&self, tpp: &str) -> Option<ScaEnd> {
        let mut ended = None;
        for fault in self.list() {
            let Effect::Sca(end) = fault.effect() else { continue };
            let is_for = fault.spec().tpp.as_deref().is_none_or(|wanted| wanted == tpp);
            if is_for && fault.is_due() && ended.is_none() && self.strikes(&fault) {
                ended = Some(end);
            }
        }
        ended
    }
}

impl Interference for Faults {
    /// Every fault counts the calls it is for. Of those that would end a call, its own scenario does, or the first that
    /// was set; slow ones add up.
    fn call_begins(&self, call: &ObservedCall<'_>, takes_scenario: bool) -> Interfered {
        let mut interfered = Interfered::default();
        let faults = match self.with_scenario(call, takes_scenario) {
            Ok(faults) => faults,
            Err(refusal) => {
                interfered.refusal = Some(refusal);
                return interfered;
            }
        };
        if faults.is_empty() {
            return interfered;
        }
        let mut behaviour = BankBehaviour::default();
        let is_met = |fault: &&Arc<Fault>| {
            fault.id() == SCENARIO || (is_of_calls(fault.effect()) && fault.is_for_call(call))
        };
        for fault in faults.iter().filter(is_met) {
            let is_due = fault.is_due();
            let has_ended = interfered.refusal.is_some() || behaviour.is_down;
            match fault.effect() {
                Effect::Refuse(reason) if is_due && !has_ended && self.strikes(fault) => {
                    interfered.refusal = Some(Refusal::new(reason));
                }
                Effect::BankDown if is_due && !has_ended && self.strikes(fault) => behaviour.is_down = true,
                Effect::NoRate if is_due && self.strikes(fault) => behaviour.has_no_rate = true,
                Effect::Slow(delay) if is_due && self.strikes(fault) => {
                    interfered.delay = interfered.delay.checked_add(&delay).unwrap_or(interfered.delay);
                }
                _ => {}
            }
        }
        interfered.lasts = Some(Box::new(CallInProgress::begin(&self.calls, behaviour)));
        interfered
    }
}

fn is_of_calls(effect: Effect) -> bool {
    match effect {
        Effect::Refuse(_) | Effect::BankDown | Effect::NoRate | Effect::Slow(_) => true,
        Effect::Sca(_) | Effect::SubmitFails => false,
    }
}

/// While it lives, the bank behaves so toward its thread.
struct CallInProgress {
    calls: Arc<Mutex<HashMap<ThreadKey, BankBehaviour>>>,
    thread: ThreadKey,
}

impl CallInProgress {
    fn begin(calls: &Arc<Mutex<HashMap<ThreadKey, BankBehaviour>>>, behaviour: BankBehaviour) -> Self {
        let thread = ThreadKey::of_caller();
        calls.lock().insert(thread, behaviour);
        Self { calls: Arc::clone(calls), thread }
    }
}

impl Drop for CallInProgress {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.thread);
    }
}
