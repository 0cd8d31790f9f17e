//! Where a sandbox counts.

use std::sync::Arc;

use parking_lot::Mutex;

use super::moves::Move;
use super::tally::Coverage;
use crate::operation::Operation;
use crate::reason::Reason;

/// Counts for one sandbox, and for its family: itself, what it was forked from and all other forks of that.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    own: Mutex<Coverage>,
    family: Arc<Mutex<Coverage>>,
}

impl Collector {
    /// The collector of a fork: it begins with nothing, and counts for the same family.
    #[must_use]
    pub(crate) fn fork(&self) -> Self {
        Self { own: Mutex::default(), family: Arc::clone(&self.family) }
    }

    /// What this sandbox saw.
    pub(crate) fn own(&self) -> Coverage {
        self.own.lock().clone()
    }

    /// What the whole family saw.
    pub(crate) fn family(&self) -> Coverage {
        self.family.lock().clone()
    }

    /// Notes one call and its answer.
    pub(crate) fn note_call(&self, operation: Option<&'static Operation>, status: u16, reasons: &[Reason]) {
        self.note(|coverage| coverage.note_call(operation, status, reasons));
    }

    /// Notes why an SCA failed, which the call-back reports.
    pub(crate) fn note_reason(&self, reason: Reason) {
        self.note(|coverage| coverage.note_reason(reason));
    }

    pub(super) fn note_moves(&self, moves: impl ExactSizeIterator<Item = Move> + Clone) {
        if moves.len() > 0 {
            self.note(|coverage| moves.clone().for_each(|moved| coverage.note_move(moved)));
        }
    }

    fn note(&self, note: impl Fn(&mut Coverage)) {
        note(&mut self.own.lock());
        note(&mut self.family.lock());
    }
}
