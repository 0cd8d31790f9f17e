//! A register that is slow to ask, asked once in a while.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

use crate::env::clock::Clock;
use crate::env::registry::{Applicant, Registration, TppRegistry};
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
    answers: Mutex<Answers>,
}

/// Questions are numbered as they are asked: threads get their answers in another order.
#[derive(Default)]
struct Answers {
    known: HashMap<Asked, Answer>,
    /// The latest question.
    asked: u64,
    /// Answers to this question and those before it may be from before a withdrawal.
    forgotten: u64,
}

/// The organisation identifier, and the anchor.
type Asked = (String, [u8; 32]);

#[derive(Clone)]
struct Answer {
    registration: Option<Registration>,
    at: DateTime<Utc>,
    question: u64,
}

impl Answers {
    /// What is known; otherwise the number of the question that is to be asked.
    fn look_up(
        &mut self,
        asked: &Asked,
        counts: impl Fn(&Answer) -> bool,
    ) -> std::result::Result<Option<Registration>, u64> {
        if let Some(answer) = self.known.get(asked).filter(|answer| counts(answer)) {
            return Ok(answer.registration.clone());
        }
        self.asked += 1;
        Err(self.asked)
    }

    /// Removes the chosen answers; answers to questions that are open now are not stored.
    fn forget(&mut self, chosen: impl Fn(&Asked) -> bool) {
        self.known.retain(|asked, _| !chosen(asked));
        self.forgotten = self.asked;
    }

    /// Stores an answer, unless its question is older than a notice of withdrawal or than the stored answer.
    fn note(&mut self, asked: Asked, answer: Answer, counts: impl Fn(&Answer) -> bool) {
        let newer = |known: &Answer| known.question > answer.question;
        if answer.question <= self.forgotten || self.known.get(&asked).is_some_and(newer) {
            return;
        }
        if self.known.len() >= REGISTRY_ANSWERS_MAX {
            self.known.retain(|_, answer| counts(answer));
        }
        if self.known.len() >= REGISTRY_ANSWERS_MAX {
            self.known.clear();
        }
        self.known.insert(asked, answer);
    }
}

impl CachedRegistry {
    /// Remembers what `inner` answers, by the time of `clock`.
    pub fn new(inner: Arc<dyn TppRegistry>, clock: Arc<dyn Clock>, ages: AnswerAges) -> Self {
        Self { inner, clock, ages, answers: Mutex::default() }
    }

    /// Removes the answers about an organisation, so that its next call asks the register. For notices of withdrawal.
    /// The answer to a question that is open now is used for its call and not stored.
    pub fn forget(&self, organisation_id: &str) {
        self.answers.lock().forget(|(known, _)| known == organisation_id);
    }

    /// Forgets every answer.
    pub fn clear(&self) {
        self.answers.lock().forget(|_| true);
    }

    fn counts(&self, answer: &Answer, now: DateTime<Utc>) -> bool {
        let age = match answer.registration {
            Some(_) => self.ages.registered_seconds,
            None => self.ages.unknown_seconds,
        };
        // An answer from the future is one from before the clock was set back.
        (TimeDelta::zero()..TimeDelta::seconds(age.into())).contains(&(now - answer.at))
    }
}

impl TppRegistry for CachedRegistry {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        Ok(self.registration(applicant)?.is_some())
    }

    fn registration(&self, applicant: &Applicant<'_>) -> Result<Option<Registration>> {
        let now = self.clock.now();
        let asked = (applicant.organisation_id.to_owned(), applicant.anchor_sha256);
        let counts = |answer: &Answer| self.counts(answer, now);
        let known = self.answers.lock().look_up(&asked, counts);
        let question = match known {
            Ok(registration) => return Ok(registration),
            Err(question) => question,
        };
        // Not under the lock: others need not wait for a slow register.
        let registration = self.inner.registration(applicant)?;
        let answer = Answer { registration: registration.clone(), at: now, question };
        self.answers.lock().note(asked, answer, counts);
        Ok(registration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::clock::ManualClock;
    use crate::error::Error;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::Weak;

    const APPLICANT: Applicant<'static> = Applicant { organisation_id: "A", anchor_sha256: [1; 32] };

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

    struct Setup {
        register: Arc<Register>,
        clock: Arc<ManualClock>,
        cached: CachedRegistry,
    }

    fn setup() -> Setup {
        let register = Arc::new(Register { answer: Mutex::new(Some(true)), asked: AtomicUsize::new(0) });
        let clock = Arc::new(ManualClock::new(DateTime::from_timestamp(1_800_000_000, 0).unwrap()));
        let ages = AnswerAges { registered_seconds: 60, unknown_seconds: 5 };
        let cached = CachedRegistry::new(Arc::clone(&register) as _, Arc::clone(&clock) as _, ages);
        Setup { register, clock, cached }
    }

    impl Setup {
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
        let setup = setup();
        assert_eq!(setup.ask("A"), Some(true));
        setup.say(Some(false));
        setup.wait(59);
        assert_eq!((setup.ask("A"), setup.asked()), (Some(true), 1));
        setup.wait(1);
        assert_eq!((setup.ask("A"), setup.asked()), (Some(false), 2));
        setup.say(Some(true));
        setup.wait(4);
        assert_eq!((setup.ask("A"), setup.asked()), (Some(false), 2));
        setup.wait(1);
        assert_eq!((setup.ask("A"), setup.asked()), (Some(true), 3));
    }

    #[test]
    fn a_register_that_is_away_is_covered_for_until_the_age_and_not_longer() {
        let setup = setup();
        assert_eq!(setup.ask("A"), Some(true));
        setup.say(None);
        setup.wait(59);
        assert_eq!((setup.ask("A"), setup.ask("B")), (Some(true), None));
        setup.wait(1);
        assert_eq!(setup.ask("A"), None);
    }

    #[test]
    fn a_reported_withdrawal_counts_at_the_next_call() {
        let setup = setup();
        assert_eq!((setup.ask("A"), setup.ask("B")), (Some(true), Some(true)));
        setup.say(Some(false));
        setup.cached.forget("A");
        assert_eq!((setup.ask("A"), setup.ask("B")), (Some(false), Some(true)));
        setup.cached.clear();
        assert_eq!(setup.ask("B"), Some(false));
    }

    /// Runs a function while a question is open: a withdrawal after the answer was determined, or another thread's
    /// question.
    struct Slow {
        known: AtomicBool,
        during_question: Mutex<Option<fn(&CachedRegistry)>>,
        cached: Mutex<Weak<CachedRegistry>>,
    }

    impl TppRegistry for Slow {
        fn is_registered(&self, _applicant: &Applicant<'_>) -> Result<bool> {
            let answer = self.known.load(Ordering::Relaxed);
            let during_question = self.during_question.lock().take();
            let cached = self.cached.lock().upgrade();
            if let (Some(during_question), Some(cached)) = (during_question, cached) {
                self.known.store(false, Ordering::Relaxed);
                during_question(&cached);
            }
            Ok(answer)
        }
    }

    fn slow_registry(during_question: fn(&CachedRegistry)) -> Arc<CachedRegistry> {
        let slow = Arc::new(Slow {
            known: AtomicBool::new(true),
            during_question: Mutex::new(Some(during_question)),
            cached: Mutex::default(),
        });
        let clock = Arc::new(ManualClock::new(DateTime::from_timestamp(1_800_000_000, 0).unwrap()));
        let ages = AnswerAges { registered_seconds: 60, unknown_seconds: 60 };
        let cached = Arc::new(CachedRegistry::new(Arc::clone(&slow) as _, clock, ages));
        *slow.cached.lock() = Arc::downgrade(&cached);
        cached
    }

    #[test]
    fn a_late_answer_from_before_a_withdrawal_is_not_remembered() {
        let withdrawals: [fn(&CachedRegistry); 2] = [|cached| cached.forget("A"), CachedRegistry::clear];
        for withdrawal in withdrawals {
            let cached = slow_registry(withdrawal);
            assert!(cached.is_registered(&APPLICANT).unwrap(), "the call that is under way");
            assert!(!cached.is_registered(&APPLICANT).unwrap(), "the next call");
        }
    }

    #[test]
    fn an_answer_that_was_asked_for_later_counts_though_it_came_first() {
        let cached = slow_registry(|cached| assert!(!cached.is_registered(&APPLICANT).unwrap()));
        assert!(cached.is_registered(&APPLICANT).unwrap());
        assert!(!cached.is_registered(&APPLICANT).unwrap());
        assert_eq!(cached.answers.lock().asked, 2, "both were remembered or overtaken");
    }

    #[test]
    fn no_more_answers_are_kept_than_the_limit() {
        let setup = setup();
        for number in 0..=REGISTRY_ANSWERS_MAX {
            setup.ask(&number.to_string());
            assert!(setup.cached.answers.lock().known.len() <= REGISTRY_ANSWERS_MAX);
        }
        assert_eq!(setup.cached.answers.lock().known.len(), 1);
    }
}
