//! Who commits for whom: a queue of callers, of whom one leads at any time.
//!
//! There is no thread for it, and no caller waits for others to come. A caller that finds no leader leads, alone and at
//! once. A caller that comes while another leads queues; when the leader is done, the first in the queue leads, for all
//! that queue by then. However a leader ends, each caller that it serves is answered, and the next one leads.
//!
//! Beside the locks the file names nothing of this crate: `core/tests/schedules` compiles it with locks that choose
//! which thread runs next.

use std::sync::Arc;

use super::locks::{Condvar, Mutex};

/// The most callers that one leader serves: those who come after lead the next time.
pub(super) const CALLERS_MAX: usize = 64;

/// The queue. `W` is what a caller wants done, `A` is its answer.
#[derive(Debug)]
pub(super) struct CommitQueue<W, A> {
    queue: Mutex<Queue<W, A>>,
    /// The answer of those whose leader panicked.
    broken_off: fn() -> A,
}

#[derive(Debug)]
struct Queue<W, A> {
    is_led: bool,
    waiting: Vec<Arc<Ticket<W, A>>>,
}

/// A caller that waits.
#[derive(Debug)]
struct Ticket<W, A> {
    work: W,
    turn: Mutex<Turn<A>>,
    changed: Condvar,
}

#[derive(Debug)]
enum Turn<A> {
    Waits,
    Leads,
    Answered(A),
    /// The answer was fetched.
    Over,
}

impl<W, A> CommitQueue<W, A> {
    /// An empty queue.
    pub(super) fn new(broken_off: fn() -> A) -> Self {
        Self { queue: Mutex::new(Queue { is_led: false, waiting: Vec::new() }), broken_off }
    }

    /// The answer to a caller: by `alone` if it finds no leader. Otherwise `queued` makes what is kept of it in the
    /// queue; if it becomes the leader, `each` answers those that it serves, itself among them, in their order.
    pub(super) fn serve(
        &self,
        alone: impl FnOnce() -> A,
        queued: impl FnOnce() -> W,
        each: impl FnOnce(&[&W]) -> Vec<A>,
    ) -> A {
        let Some(ticket) = self.enter(queued) else {
            let _leadership = Leadership { queue: self };
            return alone();
        };
        ticket.wait().unwrap_or_else(|| {
            self.lead(each);
            ticket.answer().unwrap_or_else(self.broken_off)
        })
    }

    /// A place in the queue; `None` where there is none and the caller leads.
    fn enter(&self, queued: impl FnOnce() -> W) -> Option<Arc<Ticket<W, A>>> {
        let mut queue = self.queue.lock();
        if !queue.is_led {
            queue.is_led = true;
            return None;
        }
        let ticket = Arc::new(Ticket::new(queued()));
        queue.waiting.push(Arc::clone(&ticket));
        Some(ticket)
    }

    fn lead(&self, each: impl FnOnce(&[&W]) -> Vec<A>) {
        let served = Served { tickets: self.next_to_serve(), broken_off: self.broken_off };
        let leadership = Leadership { queue: self };
        let work: Vec<&W> = served.tickets.iter().map(|ticket| &ticket.work).collect();
        let answers = each(&work);
        // The next commit begins before the callers of this one are woken: else they would all be back in the queue
        // by the time the next leader has a processor, and no caller would work during a commit.
        drop(leadership);
        for (ticket, answer) in served.tickets.iter().zip(answers) {
            ticket.give(|| answer);
        }
    }

    fn next_to_serve(&self) -> Vec<Arc<Ticket<W, A>>> {
        let mut queue = self.queue.lock();
        let count = queue.waiting.len().min(CALLERS_MAX);
        queue.waiting.drain(..count).collect()
    }

    /// Whether a caller leads, and how many wait.
    #[cfg(test)]
    pub(super) fn position(&self) -> (bool, usize) {
        let queue = self.queue.lock();
        (queue.is_led, queue.waiting.len())
    }
}

/// The leadership. However it ends, the next in the queue leads.
struct Leadership<'q, W, A> {
    queue: &'q CommitQueue<W, A>,
}

impl<W, A> Drop for Leadership<'_, W, A> {
    fn drop(&mut self) {
        let mut queue = self.queue.queue.lock();
        match queue.waiting.first() {
            Some(next) => next.promote(),
            None => queue.is_led = false,
        }
    }
}

/// The callers that a leader answers. However it ends, none is left waiting.
struct Served<W, A> {
    tickets: Vec<Arc<Ticket<W, A>>>,
    broken_off: fn() -> A,
}

impl<W, A> Drop for Served<W, A> {
    fn drop(&mut self) {
        for ticket in &self.tickets {
            ticket.give(self.broken_off);
        }
    }
}

impl<W, A> Ticket<W, A> {
    fn new(work: W) -> Self {
        Self { work, turn: Mutex::new(Turn::Waits), changed: Condvar::new() }
    }

    /// Waits for the answer; `None` where the caller is to lead instead.
    fn wait(&self) -> Option<A> {
        let mut turn = self.turn.lock();
        while matches!(*turn, Turn::Waits) {
            self.changed.wait(&mut turn);
        }
        match std::mem::replace(&mut *turn, Turn::Over) {
            Turn::Answered(answer) => Some(answer),
            leads_or_over => {
                *turn = leads_or_over;
                None
            }
        }
    }

    fn promote(&self) {
        *self.turn.lock() = Turn::Leads;
        self.changed.notify_one();
    }

    /// Gives the first answer; later ones do not count and are not made.
    fn give(&self, answer: impl FnOnce() -> A) {
        let mut turn = self.turn.lock();
        if matches!(*turn, Turn::Waits | Turn::Leads) {
            *turn = Turn::Answered(answer());
            // The woken thread takes this lock first.
            drop(turn);
            self.changed.notify_one();
        }
    }

    /// The answer that was given.
    fn answer(&self) -> Option<A> {
        match std::mem::replace(&mut *self.turn.lock(), Turn::Over) {
            Turn::Answered(answer) => Some(answer),
            _ => None,
        }
    }
}
