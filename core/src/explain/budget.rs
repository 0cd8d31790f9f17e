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
    start: DateTime<Utc>,
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
        let start = clock.now();
        let end = start.checked_add_signed(time).unwrap_or(DateTime::<Utc>::MAX_UTC);
        let hashed_bytes_min = milliseconds.saturating_mul(EXPLAIN_HASHED_BYTES_PER_MILLISECOND_MIN);
        Self { clock, start, end, hypotheses: 0, hashed_bytes: 0, hashed_bytes_min }
    }

    /// Counts a hypothesis that costs the hash of that many bytes.
    pub(super) fn spend(&mut self, bytes: usize) -> Flow {
        let cost = bytes.saturating_add(TEXT_BYTES);
        let before = self.hashed_bytes;
        self.hashed_bytes = before.saturating_add(cost);
        // A clock that does not move must not make a search endless.
        let is_over = self.hashed_bytes > EXPLAIN_HASHED_BYTES_MAX
            || (self.hashed_bytes > self.hashed_bytes_min && self.ends_late(cost, before));
        if is_over {
            return Flow::Break(());
        }
        self.hypotheses += 1;
        Flow::Continue(())
    }

    /// Returns true if so many more bytes, at the speed of those before, take longer than there is time for. One form
    /// of a long body takes a large part of the budget.
    fn ends_late(&self, cost: usize, before: usize) -> bool {
        let now = self.clock.now();
        let elapsed = (now - self.start).num_microseconds().unwrap_or(i64::MAX).max(0) as f64;
        let expected = elapsed * cost as f64 / before.max(1) as f64;
        let left = (self.end - now).num_microseconds().unwrap_or(i64::MAX) as f64;
        expected > left
    }

    /// How many hypotheses were tried.
    pub(super) fn hypotheses(&self) -> usize {
        self.hypotheses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::clock::ManualClock;

    /// How many hypotheses of eight megabytes are begun within 50 ms, if each takes so many.
    fn begun(milliseconds: i64) -> usize {
        const BYTES: usize = 8 << 20;
        let start = DateTime::from_timestamp(0, 0).unwrap();
        let clock = ManualClock::new(start);
        let mut budget = Budget::new(&clock, TimeDelta::milliseconds(50));
        while budget.spend(BYTES).is_continue() {
            clock.set(clock.now() + TimeDelta::milliseconds(milliseconds)).unwrap();
        }
        budget.hypotheses()
    }

    #[test]
    fn a_hypothesis_that_would_end_late_is_not_begun() {
        assert_eq!([10, 24, 25, 26, 49].map(begun), [5, 2, 2, 1, 1]);
    }

    #[test]
    fn a_clock_that_does_not_move_ends_the_budget_by_its_bytes() {
        assert_eq!(begun(0), EXPLAIN_HASHED_BYTES_MAX / ((8 << 20) + TEXT_BYTES));
    }

    #[test]
    fn some_bytes_are_hashed_even_if_the_time_is_over() {
        let clock = ManualClock::new(DateTime::from_timestamp(0, 0).unwrap());
        let mut budget = Budget::new(&clock, TimeDelta::milliseconds(1));
        clock.set(clock.now() + TimeDelta::seconds(1)).unwrap();
        let within = EXPLAIN_HASHED_BYTES_PER_MILLISECOND_MIN - TEXT_BYTES;
        assert!(budget.spend(within).is_continue());
        assert!(budget.spend(0).is_break());
    }
}
