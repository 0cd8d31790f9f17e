//! A register that is slow to ask, asked once in a while.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

use crate::env::clock::Clock;
use crate::env::registry::{Applicant, TppRegistry};
use crate::error::Result;
use crate::limits::REGISTRY_ANSWERS_MAX;

/// How long an answer of the register counts, in seconds. At exactly this age it is asked for again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerAges {
    /// Of a TPP that is registered.
    pub registered_seconds: u32,
    /// Of a TPP that is not.
    pub unknown_seconds: u32,
}

/// Remembers the answers of another register. Where that one fails after an answer grew too old, the call fails: an
/// answer never counts for longer than its age.
pub struct CachedRegistry {
    inner: Arc<dyn TppRegistry>,
    clock: Arc<dyn Clock>,
    ages: AnswerAges,
    answers: Mutex<HashMap<Asked, Answer>>,
}

/// The organisation identifier, and the anchor.
type Asked = (String, [u8; 32]);

#[derive(Clone, Copy)]
struct Answer {
    registered: bool,
    at: DateTime<Utc>,
}

impl CachedRegistry {
    /// Remembers what `inner` answers, by the time of `clock`.
    pub fn new(inner: Arc<dyn TppRegistry>, clock: Arc<dyn Clock>, ages: AnswerAges) -> Self {
        Self { inner, clock, ages, answers: Mutex::default() }
    }

    /// Forgets what is known of an organisation: it is asked about at its next call. For notices of withdrawal.
    pub fn forget(&self, organisation_id: &str) {
        self.answers.lock().retain(|(known, _), _| known != organisation_id);
    }

    /// Forgets every answer.
    pub fn clear(&self) {
        self.answers.lock().clear();
    }

    fn counts(&self, answer: Answer, now: DateTime<Utc>) -> bool {
        let age = match answer.registered {
            true => self.ages.registered_seconds,
            false => self.ages.unknown_seconds,
        };
        // An answer from the future is one from before the clock was set back.
        (TimeDelta::zero()..TimeDelta::seconds(age.into())).contains(&(now - answer.at))
    }
}

impl TppRegistry for CachedRegistry {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        let now = self.clock.now();
        let asked = (applicant.organisation_id.to_owned(), applicant.anchor_sha256);
        let known = self.answers.lock().get(&asked).copied();
        if let Some(answer) = known.filter(|answer| self.counts(*answer, now)) {
            return Ok(answer.registered);
        }
        // Not under the lock: others need not wait for a slow register.
        let registered = self.inner.is_registered(applicant)?;
        let mut answers = self.answers.lock();
        if answers.len() >= REGISTRY_ANSWERS_MAX {
            answers.retain(|_, answer| self.counts(*answer, now));
        }
        if answers.len() >= REGISTRY_ANSWERS_MAX {
            answers.clear();
        }
        answers.insert(asked, Answer { registered, at: now });
        Ok(registered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::clock::ManualClock;
    use crate::error::Error;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Register {
        answer: Mutex<Option<bool>>,
        asked: AtomicUsize,
    }

    impl TppRegistry for Register {
        fn is_registered(&self, _applicant: &Applicant<'_>) -> Result<bool> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            self.answer.lock().ok_or_else(|| Error::Bank("the register is away".to_owned()))
        }
    }

    struct Room {
        register: Arc<Register>,
        clock: Arc<ManualClock>,
        cached: CachedRegistry,
    }

    fn room() -> Room {
        let register = Arc::new(Register { answer: Mutex::new(Some(true)), asked: AtomicUsize::new(0) });
        let clock = Arc::new(ManualClock::new(DateTime::from_timestamp(1_800_000_000, 0).unwrap()));
        let ages = AnswerAges { registered_seconds: 60, unknown_seconds: 5 };
        let cached = CachedRegistry::new(Arc::clone(&register) as _, Arc::clone(&clock) as _, ages);
        Room { register, clock, cached }
    }

    impl Room {
        fn ask(&self, organisation_id: &str) -> Option<bool> {
            let applicant = Applicant { organisation_id, anchor_sha256: [1; 32] };
            self.cached.is_registered(&applicant).ok()
        }

        fn wait(&self, seconds: i64) {
            self.clock.set(self.clock.now() + TimeDelta::seconds(seconds)).unwrap();
        }

        fn say(&self, answer: Option<bool>) {
            *self.register.answer.lock() = answer;
        }

        fn asked(&self) -> usize {
            self.register.asked.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn an_answer_counts_until_its_age() {
        let room = room();
        assert_eq!(room.ask("A"), Some(true));
        room.say(Some(false));
        room.wait(59);
        assert_eq!((room.ask("A"), room.asked()), (Some(true), 1));
        room.wait(1);
        assert_eq!((room.ask("A"), room.asked()), (Some(false), 2));
        room.say(Some(true));
        room.wait(4);
        assert_eq!((room.ask("A"), room.asked()), (Some(false), 2));
        room.wait(1);
        assert_eq!((room.ask("A"), room.asked()), (Some(true), 3));
    }

    #[test]
    fn a_register_that_is_away_is_covered_for_until_the_age_and_not_longer() {
        let room = room();
        assert_eq!(room.ask("A"), Some(true));
        room.say(None);
        room.wait(59);
        assert_eq!((room.ask("A"), room.ask("B")), (Some(true), None));
        room.wait(1);
        assert_eq!(room.ask("A"), None);
    }

    #[test]
    fn a_withdrawal_that_is_told_counts_at_the_next_call() {
        let room = room();
        assert_eq!((room.ask("A"), room.ask("B")), (Some(true), Some(true)));
        room.say(Some(false));
        room.cached.forget("A");
        assert_eq!((room.ask("A"), room.ask("B")), (Some(false), Some(true)));
        room.cached.clear();
        assert_eq!(room.ask("B"), Some(false));
    }

    #[test]
    fn no_more_answers_are_kept_than_the_limit() {
        let room = room();
        for number in 0..=REGISTRY_ANSWERS_MAX {
            room.ask(&number.to_string());
            assert!(room.cached.answers.lock().len() <= REGISTRY_ANSWERS_MAX);
        }
        assert_eq!(room.cached.answers.lock().len(), 1);
    }
}
