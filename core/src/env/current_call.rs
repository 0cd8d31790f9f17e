//! The call that a thread runs: its ids, and how long it has waited for bank and store.
//!
//! A call runs on its caller's thread from its first stage to its answer. So this belongs to the thread, and neither
//! the traits of the bank nor those of the store pass it on. A bank may call an engine: then the inner call has its
//! own, and the outer one's is back after it.

use std::cell::Cell;
use std::time::Duration;

use chrono::TimeDelta;

use super::clock::Stopwatch;
use crate::types::CallIds;

thread_local! {
    static CURRENT: Cell<State> = const { Cell::new(State::NONE) };
}

#[derive(Clone, Copy)]
struct State {
    /// `None` outside of a call, and in a call that has none.
    ids: Option<CallIds>,
    waited: Waited,
    /// How long its questions took by the clock of the engine; `None` outside of a call.
    questions: Option<TimeDelta>,
}

impl State {
    const NONE: Self =
        Self { ids: None, waited: Waited { bank: Duration::ZERO, store: Duration::ZERO }, questions: None };
}

/// How long a call has waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Waited {
    pub(crate) bank: Duration,
    pub(crate) store: Duration,
}

/// Puts the outer call back, also if the inner one panics.
struct Outer(State);

impl Drop for Outer {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Runs a call with these ids, and measures what it waits for.
pub(crate) fn run<T>(ids: CallIds, call: impl FnOnce() -> T) -> (T, Waited) {
    let ids = Some(ids).filter(|ids| !ids.is_empty());
    let state = State { ids, questions: Some(TimeDelta::zero()), ..State::NONE };
    let _outer = Outer(CURRENT.replace(state));
    let answered = call();
    (answered, CURRENT.get().waited)
}

/// Runs what is no part of a call, also where a bank runs it while a call asks it: it has no ids, and its questions do
/// not take the time of that call.
pub(crate) fn outside<T>(act: impl FnOnce() -> T) -> T {
    let _outer = Outer(CURRENT.replace(State::NONE));
    act()
}

/// The ids of the call of a TPP that this thread runs. A bank passes them on to its own systems. Both are `None`
/// outside of such a call: `complete_sca` and `run_due` have none.
pub fn current_call() -> CallIds {
    CURRENT.get().ids.unwrap_or_default()
}

/// Adds the time of a question and returns that of all questions of the call; `None` outside of a call.
pub(crate) fn note_question(taken: TimeDelta) -> Option<TimeDelta> {
    let state = CURRENT.get();
    let questions = state.questions?.checked_add(&taken).unwrap_or(TimeDelta::MAX);
    CURRENT.set(State { questions: Some(questions), ..state });
    Some(questions)
}

/// Asks the bank and adds the time to that of the call. If the bank calls an engine, the time of that call's store is
/// part of it.
pub(crate) fn asking_bank<T>(ask: impl FnOnce() -> T) -> T {
    let before = CURRENT.get().waited;
    measured(ask, |_, taken| Waited { bank: before.bank + taken, ..before })
}

/// Reads or writes the store and adds the time to that of the call.
pub(crate) fn using_store<T>(access: impl FnOnce() -> T) -> T {
    measured(access, |waited, taken| Waited { store: waited.store + taken, ..waited })
}

fn measured<T>(wait: impl FnOnce() -> T, sum: impl FnOnce(Waited, Duration) -> Waited) -> T {
    let stopwatch = Stopwatch::start();
    let done = wait();
    let taken = stopwatch.elapsed();
    let present = CURRENT.get();
    CURRENT.set(State { waited: sum(present.waited, taken), ..present });
    done
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;
    use crate::types::CorrelationId;

    const TICK: Duration = Duration::from_millis(20);

    fn ids(text: &str) -> CallIds {
        CallIds { correlation_id: Some(CorrelationId::new(text).unwrap()), ..CallIds::default() }
    }

    #[test]
    fn an_inner_call_has_its_own_ids_and_the_outer_ones_come_back() {
        let ((), _) = run(ids("outer"), || {
            let ((), _) = run(ids("inner"), || assert_eq!(current_call(), ids("inner")));
            let ((), _) = run(CallIds::default(), || assert!(current_call().is_empty()));
            let panicked = std::panic::catch_unwind(|| run(ids("inner"), || panic!("a bug")));
            assert!(panicked.is_err());
            assert_eq!(current_call(), ids("outer"));
        });
        assert!(current_call().is_empty());
    }

    #[test]
    fn time_of_bank_and_store_is_measured_apart() {
        let ((), waited) = run(CallIds::default(), || {
            using_store(|| sleep(TICK));
            asking_bank(|| sleep(2 * TICK));
            using_store(|| ());
        });
        assert!(waited.store >= TICK && waited.bank >= 2 * TICK, "{waited:?}");
        let ((), nothing) = run(CallIds::default(), || sleep(TICK));
        assert_eq!(nothing, Waited::default());
    }

    #[test]
    fn questions_of_one_call_add_up_and_those_of_an_inner_one_apart() {
        let second = TimeDelta::seconds(1);
        assert_eq!(note_question(second), None);
        let ((), _) = run(CallIds::default(), || {
            assert_eq!(note_question(second), Some(second));
            let ((), _) = run(CallIds::default(), || assert_eq!(note_question(second), Some(second)));
            outside(|| {
                assert_eq!(note_question(second), None);
                assert!(current_call().is_empty());
            });
            assert_eq!(note_question(TimeDelta::zero()), Some(second));
            assert_eq!(note_question(TimeDelta::MAX), Some(TimeDelta::MAX));
        });
        assert_eq!(note_question(second), None);
    }

    #[test]
    fn a_store_that_the_bank_waits_for_is_time_of_the_bank() {
        let ((), waited) = run(CallIds::default(), || {
            asking_bank(|| {
                using_store(|| sleep(TICK));
                let ((), inner) = run(CallIds::default(), || using_store(|| sleep(TICK)));
                assert!(inner.store >= TICK);
            });
        });
        assert_eq!(waited.store, Duration::ZERO);
        assert!(waited.bank >= 2 * TICK);
    }
}
