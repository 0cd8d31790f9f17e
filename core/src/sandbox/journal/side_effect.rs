//! What happens inside a bank during a step, collected for the caller of that step.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

use crate::limits::SIDE_EFFECTS_PER_ENTRY_MAX;
use crate::sandbox::thread_key::ThreadKey;
use crate::types::instant::rfc3339;

/// One thing that happened. Its `Display` is a line of words without a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SideEffect {
    /// A fault struck, and nothing else happened before it struck again.
    FaultStruck {
        /// Its number in the sandbox.
        id: u64,
        /// How often it struck.
        times: u64,
    },
    /// The fault struck that the call chose for itself.
    ScenarioStruck {
        /// What it does and when.
        words: String,
    },
    /// The answer came so much later than the call, by a fault.
    AnswerLate {
        /// By how much.
        by: TimeDelta,
    },
    /// A change of state.
    Moved {
        /// When, by the sandbox's clock.
        at: DateTime<Utc>,
        /// Its state machine, by the name in docs/machines.md.
        machine: &'static str,
        /// Which one: the id of a payment, a basket or a session; of a consent whom it is given to.
        name: String,
        /// The state it was in.
        from: &'static str,
        /// The state it is in.
        to: &'static str,
    },
    /// So many more, which were not kept.
    More {
        /// How many.
        count: usize,
    },
}

impl SideEffect {
    /// In words; with the time where it is another than that of the entry.
    pub(super) fn text(&self, entry_at: DateTime<Utc>) -> String {
        match self {
            Self::Moved { at, .. } if *at != entry_at => format!("{self}, at {}", rfc3339(*at)),
            _ => self.to_string(),
        }
    }

    /// Its size in bytes.
    pub(super) fn weight(&self) -> usize {
        const ALLOWANCE: usize = 96;
        match self {
            Self::Moved { name, .. } => name.len() + ALLOWANCE,
            Self::ScenarioStruck { words } => words.len() + ALLOWANCE,
            _ => ALLOWANCE,
        }
    }

    /// Merges the next event into this one if it is the same fault: one that strikes each delivery of an hour would
    /// fill the entry. Returns whether it did.
    fn takes_in(&mut self, next: &Self) -> bool {
        match (self, next) {
            (Self::FaultStruck { id, times }, Self::FaultStruck { id: again, times: more })
                if id == again =>
            {
                *times += more;
                true
            }
            _ => false,
        }
    }
}

impl fmt::Display for SideEffect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FaultStruck { id, times: 1 } => write!(out, "fault {id} struck"),
            Self::FaultStruck { id, times } => write!(out, "fault {id} struck, {times} times"),
            Self::ScenarioStruck { words } => write!(out, "the scenario of the call struck: {words}"),
            Self::AnswerLate { by } => {
                write!(out, "the answer came {} s late", by.as_seconds_f64())
            }
            Self::Moved { machine, name, from, to, .. } => write!(out, "{machine} {name}: {from} -> {to}"),
            Self::More { count } => write!(out, "and {count} more"),
        }
    }
}

/// The steps under way, each on its caller's thread.
#[derive(Debug, Default)]
pub(crate) struct StepsInProgress {
    /// Of each thread that takes one: so few that a look at each is quicker than a hash.
    steps: Mutex<Vec<(ThreadKey, Gathered)>>,
}

#[derive(Debug, Default)]
struct Gathered {
    /// How many steps are open on this thread, one within another.
    depth: usize,
    happened: Vec<SideEffect>,
    left_out: usize,
}

impl StepsInProgress {
    /// A step begins on this thread. What happens there until it is dropped belongs to it.
    #[must_use]
    pub(crate) fn begin(self: &Arc<Self>) -> StepInProgress {
        let thread = ThreadKey::of_caller();
        let mut steps = self.steps.lock();
        let began = match on_thread(&mut steps, thread) {
            Some(gathered) => {
                gathered.depth += 1;
                gathered.happened.len()
            }
            None => {
                steps.push((thread, Gathered { depth: 1, ..Gathered::default() }));
                0
            }
        };
        StepInProgress { all: Arc::clone(self), thread, began }
    }

    /// Notes an event. Without a step under way on this thread it is dropped.
    pub(crate) fn note(&self, effect: SideEffect) {
        let mut steps = self.steps.lock();
        let Some(gathered) = on_thread(&mut steps, ThreadKey::of_caller()) else { return };
        if gathered.happened.last_mut().is_some_and(|last| last.takes_in(&effect)) {
            return;
        }
        match gathered.happened.len() < SIDE_EFFECTS_PER_ENTRY_MAX {
            true => gathered.happened.push(effect),
            false => gathered.left_out += 1,
        }
    }
}

fn on_thread(steps: &mut [(ThreadKey, Gathered)], thread: ThreadKey) -> Option<&mut Gathered> {
    steps.iter_mut().find(|(found, _)| *found == thread).map(|(_, gathered)| gathered)
}

/// One step, until it is dropped.
#[derive(Debug)]
pub(crate) struct StepInProgress {
    all: Arc<StepsInProgress>,
    thread: ThreadKey,
    began: usize,
}

impl StepInProgress {
    /// What happened since the step began, in order.
    pub(crate) fn happened(&self) -> Vec<SideEffect> {
        let mut steps = self.all.steps.lock();
        let Some(gathered) = on_thread(&mut steps, self.thread) else { return Vec::new() };
        let began = self.began.min(gathered.happened.len());
        let mut happened = gathered.happened.split_off(began);
        let count = std::mem::take(&mut gathered.left_out);
        happened.extend((count > 0).then_some(SideEffect::More { count }));
        happened
    }
}

impl Drop for StepInProgress {
    fn drop(&mut self) {
        let mut steps = self.all.steps.lock();
        let Some(gathered) = on_thread(&mut steps, self.thread) else { return };
        gathered.depth = gathered.depth.saturating_sub(1);
        if gathered.depth == 0 {
            steps.retain(|(thread, _)| *thread != self.thread);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn struck(id: u64) -> SideEffect {
        SideEffect::FaultStruck { id, times: 1 }
    }

    #[test]
    fn what_happens_belongs_to_the_step_under_way_on_its_thread() {
        let all = Arc::new(StepsInProgress::default());
        all.note(struck(1));
        let outer = all.begin();
        all.note(struck(2));
        std::thread::scope(|scope| {
            scope.spawn(|| all.note(struck(3)));
        });
        let inner = all.begin();
        all.note(struck(4));
        assert_eq!(inner.happened(), [struck(4)]);
        drop(inner);
        all.note(struck(5));
        assert_eq!(outer.happened(), [struck(2), struck(5)]);
        drop(outer);
        all.note(struck(6));
        assert_eq!(all.begin().happened(), []);
        assert!(all.steps.lock().is_empty());
    }

    #[test]
    fn a_fault_that_strikes_again_and_again_is_one_line_that_counts() {
        let all = Arc::new(StepsInProgress::default());
        let step = all.begin();
        [1, 1, 2, 1].into_iter().for_each(|id| all.note(struck(id)));
        let happened = step.happened();
        let lines: Vec<_> = happened.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["fault 1 struck, 2 times", "fault 2 struck", "fault 1 struck"]);
    }

    #[test]
    fn the_first_hundred_are_kept_and_the_others_counted() {
        let all = Arc::new(StepsInProgress::default());
        for (number, left_out) in [(SIDE_EFFECTS_PER_ENTRY_MAX, 0), (SIDE_EFFECTS_PER_ENTRY_MAX + 1, 1)] {
            let step = all.begin();
            (0..number).for_each(|id| all.note(struck(id as u64)));
            let happened = step.happened();
            let more = (left_out > 0).then_some(SideEffect::More { count: left_out });
            assert_eq!(happened.get(SIDE_EFFECTS_PER_ENTRY_MAX), more.as_ref());
            assert_eq!(happened.len(), SIDE_EFFECTS_PER_ENTRY_MAX + left_out.min(1));
        }
    }
}
