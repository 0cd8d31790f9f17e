//! What one explanation may cost.

use std::ops::ControlFlow;

use chrono::{DateTime, TimeDelta, Utc};

use crate::env::clock::Clock;
use crate::limits::EXPLAIN_HASHED_BYTES_MAX;

/// `Break` ends a search: its answer is found, or its budget is spent.
pub(super) type Flow = ControlFlow<()>;

/// Counts hypotheses, and ends a search that has taken its time.
pub(super) struct Budget<'a> {
    clock: &'a dyn Clock,
    end: DateTime<Utc>,
    hypotheses: usize,
    /// A clock that does not move must not make a search endless.
    bytes_left: usize,
}

impl<'a> Budget<'a> {
    /// Begins now.
    pub(super) fn new(clock: &'a dyn Clock, time: TimeDelta) -> Self {
        let now = clock.now();
        let end = now.checked_add_signed(time).unwrap_or(DateTime::<Utc>::MAX_UTC);
        Self { clock, end, hypotheses: 0, bytes_left: EXPLAIN_HASHED_BYTES_MAX }
    }

    /// Counts a hypothesis that costs the hash of that many bytes.
    pub(super) fn spend(&mut self, bytes: usize) -> Flow {
        // A short text costs more than its bytes: it is built first.
        let left = self.bytes_left.checked_sub(bytes + 256);
        match left {
            Some(left) if self.clock.now() <= self.end => {
                self.bytes_left = left;
                self.hypotheses += 1;
                Flow::Continue(())
            }
            _ => Flow::Break(()),
        }
    }

    /// How many hypotheses were tried.
    pub(super) fn hypotheses(&self) -> usize {
        self.hypotheses
    }
}
