//! The queue of commits, whose callers run in many orders: at each lock shuttle chooses the thread that goes on, and it
//! reports a deadlock. A failure prints the order, which `shuttle::replay` runs again.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

#[path = "../../src/store/sqlite/commit_queue.rs"]
mod commit_queue;
mod locks;

use std::panic::{catch_unwind, AssertUnwindSafe};

use shuttle::sync::atomic::{AtomicBool, Ordering};
use shuttle::sync::Arc;
use shuttle::thread;

use commit_queue::{CommitQueue, CALLERS_MAX};
use locks::Mutex;

/// What a caller is answered: its own number, or that the commit was broken off.
type Answer = Result<usize, &'static str>;

struct Bank {
    queue: CommitQueue<usize, Answer>,
    is_writing: AtomicBool,
    committed: Mutex<Vec<usize>>,
    /// The leader that serves this caller panics.
    panics_at: Option<usize>,
}

impl Bank {
    fn new(panics_at: Option<usize>) -> Self {
        let (is_writing, committed) = (AtomicBool::new(false), Mutex::default());
        Self { queue: CommitQueue::new(|| Err("broken off")), is_writing, committed, panics_at }
    }

    fn commit(&self, caller: usize) -> Answer {
        self.queue.serve(
            || self.write(&[&caller]).remove(0),
            || caller,
            |callers| {
                assert!(callers.contains(&&caller), "a leader serves itself");
                self.write(callers)
            },
        )
    }

    fn write(&self, callers: &[&usize]) -> Vec<Answer> {
        assert!((1..=CALLERS_MAX).contains(&callers.len()));
        assert!(!self.is_writing.swap(true, Ordering::SeqCst), "two leaders");
        thread::yield_now();
        let is_broken = self.panics_at.is_some_and(|caller| callers.contains(&&caller));
        if !is_broken {
            self.committed.lock().extend(callers.iter().copied());
        }
        self.is_writing.store(false, Ordering::SeqCst);
        assert!(!is_broken, "as the test wants it");
        callers.iter().map(|caller| Ok(**caller)).collect()
    }
}

/// Lets callers commit at the same time, each twice; every answer is the one of its caller, and says what happened.
fn commit_at_once(callers: usize, panics_at: Option<usize>) {
    let bank = Arc::new(Bank::new(panics_at));
    let threads: Vec<_> = (0..callers)
        .map(|number| {
            let bank = Arc::clone(&bank);
            thread::spawn(move || {
                for caller in [number, number + callers] {
                    let answer = catch_unwind(AssertUnwindSafe(|| bank.commit(caller)));
                    let is_committed = bank.committed.lock().contains(&caller);
                    match answer {
                        Ok(Ok(answered)) => assert!(answered == caller && is_committed, "{caller}"),
                        Ok(Err(_)) | Err(_) => assert!(bank.panics_at.is_some() && !is_committed, "{caller}"),
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(bank.queue.position(), (false, 0), "a caller that leads or waits after the last answer");
    let mut committed = bank.committed.lock().clone();
    let count = committed.len();
    committed.sort_unstable();
    committed.dedup();
    assert_eq!(committed.len(), count, "committed twice");
    assert!(panics_at.is_some() || count == 2 * callers, "{count} of {}", 2 * callers);
}

#[test]
fn callers_are_answered_once_in_any_order() {
    shuttle::check_random(|| commit_at_once(4, None), 3_000);
    shuttle::check_pct(|| commit_at_once(4, None), 3_000, 4);
}

#[test]
fn a_leader_that_panics_leaves_no_caller_in_any_order() {
    shuttle::check_random(|| commit_at_once(3, Some(1)), 1_000);
}
