//! Where the entries are kept: the newest of them, within a bound.

use std::collections::VecDeque;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use super::draws::Draws;
use super::entry::{JournalEntry, Step};
use super::repeated::Repeated;
use super::side_effect::SideEffect;
use crate::limits::{JOURNAL_BYTES_MAX, JOURNAL_ENTRIES_MAX};

/// The journal of one sandbox.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    ring: Mutex<Ring>,
    repeated: Mutex<Repeated>,
}

#[derive(Debug, Default)]
struct Ring {
    /// The steps before this sandbox was forked off; they are part of its history.
    past: Vec<Arc<JournalEntry>>,
    past_bytes: usize,
    entries: VecDeque<Arc<JournalEntry>>,
    /// The number of the last entry.
    last: u64,
    bytes: usize,
    /// Whether entries were dropped: then the journal does not begin where the sandbox did.
    is_torn: bool,
}

impl Journal {
    /// The journal of a fork: its own entries begin now, after the past of its parent.
    #[must_use]
    pub(crate) fn fork(&self) -> Self {
        let ring = self.ring.lock();
        let (entries, past_bytes) = (ring.past.len() + ring.entries.len(), ring.past_bytes + ring.bytes);
        // Forks of forks would remember without end.
        let is_torn = ring.is_torn || entries > JOURNAL_ENTRIES_MAX || past_bytes > JOURNAL_BYTES_MAX;
        let fork = match is_torn {
            true => Ring { last: ring.last, is_torn, ..Ring::default() },
            false => Ring {
                past: ring.past.iter().chain(&ring.entries).map(Arc::clone).collect(),
                past_bytes,
                last: ring.last,
                ..Ring::default()
            },
        };
        Self { ring: Mutex::new(fork), repeated: Mutex::default() }
    }

    /// A long value of a header as entries keep it: one that came before is kept once.
    pub(crate) fn keep(&self, value: &[u8]) -> Arc<[u8]> {
        self.repeated.lock().share(value)
    }

    /// Notes what was done, and what happened during it.
    pub(crate) fn push(&self, at: DateTime<Utc>, draws: Draws, step: Step, happened: Vec<SideEffect>) {
        let mut ring = self.ring.lock();
        if let Step::MoveClock { .. } = step {
            ring.join_moves(draws);
        }
        ring.last += 1;
        let entry = JournalEntry { number: ring.last, at, step, happened, draws };
        ring.bytes += entry.weight();
        ring.entries.push_back(Arc::new(entry));
        ring.drop_oldest();
    }

    /// The number of the newest entry, also of one that was deleted; 0 before the first.
    pub(crate) fn last_number(&self) -> u64 {
        self.ring.lock().last
    }

    /// The entries of this sandbox that are kept, oldest first: those of its parent, if it was forked, aside.
    pub(crate) fn entries(&self) -> Vec<Arc<JournalEntry>> {
        self.ring.lock().entries.iter().map(Arc::clone).collect()
    }

    /// Everything from the first entry of the first parent on; `None` where something of it was dropped.
    pub(super) fn history(&self) -> Option<Vec<Arc<JournalEntry>>> {
        let ring = self.ring.lock();
        (!ring.is_torn).then(|| ring.past.iter().chain(&ring.entries).map(Arc::clone).collect())
    }

    /// Whether there is such a step among those of a parent.
    pub(super) fn past_holds(&self, is_such: impl Fn(&Step) -> bool) -> bool {
        self.ring.lock().past.iter().any(|entry| is_such(&entry.step))
    }

    /// Deletes every entry, those of a parent too. Numbers continue.
    pub(crate) fn clear(&self) {
        let mut ring = self.ring.lock();
        *ring = Ring { last: ring.last, is_torn: ring.is_torn || ring.last > 0, ..Ring::default() };
    }
}

impl Ring {
    /// A clock that was moved twice was moved once, where nothing was done in between, and nothing happened on the
    /// first way: a served sandbox that goes along with the real time would be full of it.
    fn join_moves(&mut self, draws: Draws) {
        let is_move = |entry: &Arc<JournalEntry>| {
            matches!(entry.step, Step::MoveClock { .. })
                && entry.draws.after == draws.before
                && entry.happened.is_empty()
        };
        if self.entries.back().is_some_and(is_move) {
            self.drop_one(VecDeque::pop_back);
            self.last -= 1;
        }
    }

    fn drop_oldest(&mut self) {
        while self.entries.len() > JOURNAL_ENTRIES_MAX || self.bytes > JOURNAL_BYTES_MAX {
            self.is_torn = true;
            // An only entry that is too large goes too.
            if !self.drop_one(VecDeque::pop_front) {
                return;
            }
        }
    }

    fn drop_one(&mut self, take: fn(&mut VecDeque<Arc<JournalEntry>>) -> Option<Arc<JournalEntry>>) -> bool {
        let taken = take(&mut self.entries);
        self.bytes = self.bytes.saturating_sub(taken.as_ref().map_or(0, |entry| entry.weight()));
        taken.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{AuthoriseStep, WEIGHT_ALLOWANCE};
    use super::*;
    use crate::types::Context;

    const DRAWS: Draws = Draws { before: 0, after: 0 };

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn trust(bytes: usize) -> Step {
        Step::Trust { pem: "x".repeat(bytes) }
    }

    fn numbers(journal: &Journal) -> Vec<u64> {
        journal.entries().iter().map(|entry| entry.number).collect()
    }

    #[test]
    fn the_newest_entries_are_kept_up_to_the_number() {
        let journal = Journal::default();
        for _ in 0..JOURNAL_ENTRIES_MAX {
            journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        }
        assert_eq!(numbers(&journal).first(), Some(&1));
        assert!(journal.history().is_some());
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert_eq!((numbers(&journal).first(), numbers(&journal).len()), (Some(&2), JOURNAL_ENTRIES_MAX));
        assert!(journal.history().is_none(), "it does not begin where the sandbox did");
    }

    #[test]
    fn the_newest_entries_are_kept_up_to_the_bytes() {
        let journal = Journal::default();
        let half = JOURNAL_BYTES_MAX / 2 - WEIGHT_ALLOWANCE;
        journal.push(at(0), DRAWS, trust(half), Vec::new());
        journal.push(at(0), DRAWS, trust(half), Vec::new());
        assert_eq!(numbers(&journal), [1, 2]);
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert_eq!(numbers(&journal), [2, 3]);
        journal.push(at(0), DRAWS, trust(JOURNAL_BYTES_MAX), Vec::new());
        assert_eq!(numbers(&journal), Vec::<u64>::new(), "one that is larger than the whole ring");
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert_eq!(numbers(&journal), [5]);
    }

    #[test]
    fn every_text_that_is_given_has_its_weight() {
        let text = || "x".repeat(JOURNAL_BYTES_MAX);
        let answer = |change: fn(&mut AuthoriseStep, String)| {
            let mut step = AuthoriseStep {
                sca_redirect: String::new(),
                customer_number: String::new(),
                context: Context::Private,
                agreement: None,
                accounts: None,
                approve: true,
                outcome: Ok(String::new()),
                reason: None,
            };
            change(&mut step, text());
            Step::Authorise(step)
        };
        for step in [
            Step::RegisterTpp { organisation_id: String::new(), name: text(), roles: Vec::new() },
            // Many short texts count with the memory of each.
            Step::RegisterTpp {
                organisation_id: String::new(),
                name: String::new(),
                roles: vec!["AISP".to_owned(); JOURNAL_BYTES_MAX / 64],
            },
            Step::RevokeConsent { customer_number: String::new(), organisation_id: text() },
            Step::Trust { pem: text() },
            Step::SetScaOrigin { origin: text() },
            Step::SetPolicy { policy: text() },
            answer(|step, text| step.sca_redirect = text),
            answer(|step, text| step.customer_number = text),
            answer(|step, text| step.agreement = Some(text)),
            answer(|step, text| step.accounts = Some(vec![text])),
            answer(|step, text| step.outcome = Ok(text)),
            answer(|step, text| step.outcome = Err(text)),
        ] {
            let journal = Journal::default();
            journal.push(at(0), DRAWS, step, Vec::new());
            assert!(journal.entries().is_empty());
        }
        let journal = Journal::default();
        journal.push(at(0), DRAWS, answer(|_, _| ()), Vec::new());
        assert_eq!(numbers(&journal), [1]);
    }

    #[test]
    fn a_fork_knows_its_past_and_shows_its_own() {
        let journal = Journal::default();
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        let fork = journal.fork();
        journal.push(at(0), DRAWS, Step::Restore, Vec::new());
        fork.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert_eq!((numbers(&journal), numbers(&fork)), (vec![1, 2], vec![2]));
        let history = fork.fork().history().unwrap();
        assert_eq!(history.iter().map(|entry| &entry.step).collect::<Vec<_>>(), [&Step::Initialize; 2]);
    }

    #[test]
    fn forks_of_forks_remember_no_more_than_one_journal_may() {
        let mut journal = Journal::default();
        for _ in 0..JOURNAL_ENTRIES_MAX {
            journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        }
        journal = journal.fork();
        assert_eq!(journal.history().map(|history| history.len()), Some(JOURNAL_ENTRIES_MAX));
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        journal = journal.fork();
        assert!(journal.history().is_none());
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert_eq!(numbers(&journal), [JOURNAL_ENTRIES_MAX as u64 + 2]);

        let large = Journal::default();
        large.push(at(0), DRAWS, trust(JOURNAL_BYTES_MAX - WEIGHT_ALLOWANCE), Vec::new());
        let fork = large.fork();
        assert!(fork.history().is_some());
        fork.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert!(fork.fork().history().is_none());
    }

    #[test]
    fn what_is_cleared_is_gone_and_counting_goes_on() {
        let journal = Journal::default();
        journal.clear();
        assert!(journal.history().is_some(), "nothing was lost");
        journal.push(at(0), DRAWS, Step::Initialize, Vec::new());
        let fork = journal.fork();
        fork.clear();
        assert!(fork.history().is_none());
        fork.push(at(0), DRAWS, Step::Initialize, Vec::new());
        assert_eq!(numbers(&fork), [2]);
        assert!(fork.fork().history().is_none());
    }

    #[test]
    fn moves_of_the_clock_with_nothing_in_between_are_one() {
        let journal = Journal::default();
        for seconds in 1..=3 {
            journal.push(at(seconds - 1), DRAWS, Step::MoveClock { to: at(seconds) }, Vec::new());
        }
        let entries = journal.entries();
        assert_eq!((numbers(&journal), &entries[0].step), (vec![1], &Step::MoveClock { to: at(3) }));
        // Something was signed in between, which has the time in it.
        journal.push(at(3), Draws { before: 1, after: 1 }, Step::MoveClock { to: at(4) }, Vec::new());
        journal.push(at(4), Draws { before: 1, after: 1 }, Step::Initialize, Vec::new());
        journal.push(at(4), Draws { before: 1, after: 1 }, Step::MoveClock { to: at(5) }, Vec::new());
        assert_eq!(numbers(&journal), [1, 2, 3, 4]);
        // Something happened on the way.
        let struck = vec![SideEffect::FaultStruck { id: 1, times: 1 }];
        journal.push(at(5), Draws { before: 1, after: 1 }, Step::MoveClock { to: at(6) }, struck);
        assert_eq!(numbers(&journal), [1, 2, 3, 4]);
        journal.push(at(6), Draws { before: 1, after: 1 }, Step::MoveClock { to: at(7) }, Vec::new());
        assert_eq!(numbers(&journal), [1, 2, 3, 4, 5]);
    }
}
