//! What one explanation may cost.

use std::ops::ControlFlow;

use chrono::{DateTime, TimeDelta, Utc};

use crate::env::clock::Clock;
use crate::limits::{EXPLAIN_HASHED_BYTES_MAX, EXPLAIN_HASHED_BYTES_PER_MILLISECOND_MIN};

/// `Break` ends a search: its answer is found, or its budget is spent.
pub(super) type Flow = ControlFlow<()>;

/// A short text costs more than its bytes: it is built first.
const TEXT_BYTES: usize = 256;

/// Counts hypotheses, and ends a search that has taken its time.
pub(super) struct Budget<'a> {
    clock: &'a dyn Clock,
    end: DateTime<Utc>,
    hypotheses: usize,
    hashed_bytes: usize,
    /// So much is hashed even if the time is over: what is found first does not depend on how busy a machine is.
    hashed_bytes_min: usize,
}

impl<'a> Budget<'a> {
    /// Begins now.
    pub(super) fn new(clock: &'a dyn Clock, time: TimeDelta) -> Self {
        let milliseconds = usize::try_from(time.num_milliseconds()).unwrap_or_default();
        let end = clock.now().checked_add_signed(time).unwrap_or(DateTime::<Utc>::MAX_UTC);
        let hashed_bytes_min = milliseconds.saturating_mul(EXPLAIN_HASHED_BYTES_PER_MILLISECOND_MIN);
        Self { clock, end, hypotheses: 0, hashed_bytes: 0, hashed_bytes_min }
    }

    /// Counts a hypothesis that costs the hash of that many bytes.
    pub(super) fn spend(&mut self, bytes: usize) -> Flow {
        let cost = bytes.saturating_add(TEXT_BYTES);
        self.hashed_bytes = self.hashed_bytes.saturating_add(cost);
        // A clock that does not move must not make a search endless.
        let is_over = self.hashed_bytes > EXPLAIN_HASHED_BYTES_MAX
            || (self.hashed_bytes > self.hashed_bytes_min && self.clock.now() > self.end);
        if is_over {
            return Flow::Break(());
        }
        self.hypotheses += 1;
        Flow::Continue(())
    }

    /// How many hypotheses were tried.
    pub(super) fn hypotheses(&self) -> usize {
        self.hypotheses
    }
}
