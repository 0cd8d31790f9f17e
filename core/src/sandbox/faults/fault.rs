//! One fault that was set: whom it is for, how often it was due, how often it struck.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Serialize, Serializer};

use super::spec::{Effect, FaultSpec};
use super::words::words;
use crate::crypto::sha256;
use crate::env::interference::ObservedCall;
use crate::operation::OperationId;

/// The id of a fault that a call chose for itself; those that are set have ids from 1 on.
pub(super) const SCENARIO: u64 = 0;

/// The members of the spec, and what became of it.
#[derive(Serialize)]
struct FaultView<'f> {
    id: u64,
    #[serde(flatten)]
    spec: &'f FaultSpec,
    seen: u64,
    hits: u64,
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (seen, hits) = (self.seen(), self.hits());
        FaultView { id: self.id, spec: &self.spec, seen, hits }.serialize(serializer)
    }
}

/// What chance is drawn from, beside the number of the match.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance {
    pub(super) seed: u64,
    /// Which of the faults it is that were set since the bank began.
    pub(super) place: u64,
}

/// A fault that was set in a sandbox. Its counts may be read while it works, and after it was taken away.
#[derive(Debug)]
pub struct Fault {
    id: u64,
    chance: Chance,
    spec: FaultSpec,
    effect: Effect,
    seen: AtomicU64,
    hits: AtomicU64,
}

impl Fault {
    pub(super) fn new(id: u64, chance: Chance, spec: FaultSpec, effect: Effect) -> Self {
        Self { id, chance, spec, effect, seen: AtomicU64::new(0), hits: AtomicU64::new(0) }
    }

    /// Its number in its sandbox, from 1 on.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// As it was written down.
    pub fn spec(&self) -> &FaultSpec {
        &self.spec
    }

    /// What it does, for whom and when, in words.
    pub fn words(&self) -> String {
        words(&self.spec, self.effect)
    }

    /// How many calls, SCAs or deliveries were such as it is for.
    pub fn seen(&self) -> u64 {
        self.seen.load(Ordering::Acquire)
    }

    /// How often it struck. A bank that is down, or has no rate, strikes every call that the fault is for, whether or
    /// not that asks the bank for anything.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Acquire)
    }

    pub(super) fn place(&self) -> u64 {
        self.chance.place
    }

    pub(super) fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether it is for that call. The sandbox's own operations must be named.
    pub(super) fn is_for_call(&self, call: &ObservedCall<'_>) -> bool {
        let spec = &self.spec;
        let is_operation = match &spec.operation {
            Some(name) => call.operation.name == name,
            None => call.operation.id != OperationId::OfBank,
        };
        is_operation
            && spec.tpp.as_deref().is_none_or(|tpp| tpp == call.tpp)
            && spec.product.as_deref().is_none_or(|product| Some(product) == call.product)
            && spec.target.as_deref().is_none_or(|text| call.request.target.contains(text))
            && spec.when.as_ref().is_none_or(|when| when(call))
    }

    /// Counts one more match, and returns whether the fault is due.
    pub(super) fn is_due(&self) -> bool {
        let number = self.seen.fetch_add(1, Ordering::AcqRel).saturating_add(1);
        number >= self.spec.nth.unwrap_or(1) && self.is_drawn(number) && self.hits() < self.hits_max()
    }

    /// Takes one of its times, if one is left.
    pub(super) fn strike(&self) -> bool {
        let next = |hits: u64| (hits < self.hits_max()).then(|| hits.saturating_add(1));
        self.hits.fetch_update(Ordering::AcqRel, Ordering::Acquire, next).is_ok()
    }

    fn hits_max(&self) -> u64 {
        match (self.spec.times, self.spec.nth) {
            (Some(times), _) => times,
            (None, Some(_)) => 1,
            (None, None) => u64::MAX,
        }
    }

    /// Whether chance has it: by seed, place and number of the match, and by nothing else, so that a fault with a
    /// probability changes none of the ids that are drawn.
    fn is_drawn(&self, number: u64) -> bool {
        let Some(probability) = self.spec.probability else { return true };
        let label = b"xs2a sandbox fault".iter().copied();
        let numbers = [self.chance.seed, self.chance.place, number].into_iter().flat_map(u64::to_be_bytes);
        let hash = sha256(&label.chain(numbers).collect::<Vec<_>>());
        let drawn = hash.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        // 53 bits: what a floating number between 0 and 1 holds exactly.
        (((drawn >> 11) as f64) / ((1_u64 << 53) as f64)) < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(seed: u64, place: u64, schedule: FaultSpec) -> Fault {
        let spec = FaultSpec { code: Some("CONFLICT".to_owned()), ..schedule };
        let effect = spec.effect().unwrap();
        Fault::new(1, Chance { seed, place }, spec, effect)
    }

    /// The numbers of the matches at which it strikes, of the first `count`.
    fn strikes(fault: &Fault, count: u64) -> Vec<u64> {
        (1..=count).filter(|_| fault.is_due() && fault.strike()).collect()
    }

    #[test]
    fn nth_and_times_say_at_which_matches_it_strikes() {
        for (nth, times, expected) in [
            (None, None, vec![1, 2, 3, 4, 5]),
            (None, Some(2), vec![1, 2]),
            (Some(3), None, vec![3]),
            (Some(3), Some(2), vec![3, 4]),
            (Some(4), Some(9), vec![4, 5]),
            (Some(6), None, vec![]),
        ] {
            let fault = fault(1, 1, FaultSpec { nth, times, ..FaultSpec::default() });
            assert_eq!(strikes(&fault, 5), expected, "{nth:?} {times:?}");
            assert_eq!((fault.seen(), fault.hits()), (5, expected.len() as u64));
        }
    }

    #[test]
    fn chance_is_the_same_for_the_same_seed_and_as_often_as_it_says() {
        let by_chance = |seed, place, probability| {
            strikes(
                &fault(seed, place, FaultSpec { probability: Some(probability), ..FaultSpec::default() }),
                10_000,
            )
        };
        assert_eq!(by_chance(1, 1, 0.25), by_chance(1, 1, 0.25));
        assert_ne!(by_chance(1, 1, 0.25), by_chance(2, 1, 0.25));
        assert_ne!(by_chance(1, 1, 0.25), by_chance(1, 2, 0.25));
        // Six standard deviations: sqrt(10000 × 0.25 × 0.75) is 43.
        let hits = by_chance(1, 1, 0.25).len();
        assert!((2_500 - 260..2_500 + 260).contains(&hits), "{hits}");
        assert_eq!(by_chance(1, 1, 1.0).len(), 10_000);
    }
}
