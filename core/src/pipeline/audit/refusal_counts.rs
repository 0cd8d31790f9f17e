//! How many calls of a minute were refused, of those that are not noted one by one.

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use crate::limits::AUDIT_REFUSALS_PER_MINUTE_MAX;
use crate::reason::Reason;

/// What one engine has turned away in the present minute.
#[derive(Debug, Default)]
pub(crate) struct RefusalCounts(Mutex<Minute>);

#[derive(Debug, Default)]
struct Minute {
    number: i64,
    noted: usize,
    /// Those that are not noted one by one. At most as many rows as there are reasons.
    counted: Vec<(Reason, u64)>,
}

/// So many calls of one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) minute: i64,
    pub(super) reason: Reason,
    pub(super) calls: u64,
}

impl RefusalCounts {
    /// Whether a refusal is noted by itself, and what is to be written of a minute that is over.
    pub(super) fn count(&self, reason: Reason, now: DateTime<Utc>) -> (bool, Vec<Count>) {
        let mut minute = self.0.lock();
        let over = minute.leave(now);
        if minute.noted < AUDIT_REFUSALS_PER_MINUTE_MAX {
            minute.noted += 1;
            return (true, over);
        }
        minute.add(reason, 1);
        (false, over)
    }

    /// Counts what could not be written, as of the present minute: it is written with what that counts.
    pub(super) fn count_again(&self, reason: Reason, calls: u64) {
        self.0.lock().add(reason, calls);
    }

    /// What is to be written of a minute that is over. A call that came in before the present minute, and lasted, does
    /// not begin its own again.
    pub(super) fn over(&self, now: DateTime<Utc>) -> Vec<Count> {
        let mut minute = self.0.lock();
        match minute_of(now) > minute.number {
            true => minute.leave(now),
            false => Vec::new(),
        }
    }
}

impl Minute {
    fn add(&mut self, reason: Reason, calls: u64) {
        match self.counted.iter_mut().find(|(counted, _)| *counted == reason) {
            Some((_, sum)) => *sum = sum.saturating_add(calls),
            None => self.counted.push((reason, calls)),
        }
    }

    /// Begins the minute of that time, if it is another, and gives what was counted in the one that is over.
    fn leave(&mut self, now: DateTime<Utc>) -> Vec<Count> {
        let present = minute_of(now);
        if present == self.number {
            return Vec::new();
        }
        let past = std::mem::replace(self, Self { number: present, ..Self::default() });
        let counts = past.counted.into_iter();
        counts.map(|(reason, calls)| Count { minute: past.number, reason, calls }).collect()
    }
}

fn minute_of(time: DateTime<Utc>) -> i64 {
    time.timestamp().div_euclid(60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000 + second, 0).unwrap()
    }

    #[test]
    fn so_many_a_minute_are_noted_one_by_one_and_the_others_counted_by_reason() {
        let counts = RefusalCounts::default();
        let count = |reason, second| counts.count(reason, at(second));
        for _ in 0..AUDIT_REFUSALS_PER_MINUTE_MAX {
            assert_eq!(count(Reason::SignatureInvalid, 0), (true, vec![]));
        }
        assert_eq!(count(Reason::SignatureInvalid, 59), (false, vec![]));
        assert_eq!(count(Reason::ChainUnknown, 59), (false, vec![]));
        assert_eq!(count(Reason::SignatureInvalid, 59), (false, vec![]));
        let minute = at(0).timestamp() / 60;
        let over = vec![
            Count { minute, reason: Reason::SignatureInvalid, calls: 2 },
            Count { minute, reason: Reason::ChainUnknown, calls: 1 },
        ];
        assert_eq!(count(Reason::SignatureInvalid, 60), (true, over));
        assert_eq!(counts.over(at(60)), []);
        assert_eq!(counts.over(at(120)), [], "none of the next minute was only counted");
    }

    #[test]
    fn counts_are_given_once_when_their_minute_is_over() {
        let counts = RefusalCounts::default();
        for _ in 0..=AUDIT_REFUSALS_PER_MINUTE_MAX {
            counts.count(Reason::ChainUnknown, at(0));
        }
        assert_eq!(counts.over(at(59)), []);
        assert_eq!(counts.over(at(60)).len(), 1);
        assert_eq!(counts.over(at(180)), []);
    }

    #[test]
    fn what_could_not_be_written_is_counted_with_a_later_minute() {
        let counts = RefusalCounts::default();
        for _ in 0..AUDIT_REFUSALS_PER_MINUTE_MAX + 2 {
            counts.count(Reason::ChainUnknown, at(0));
        }
        let over = counts.over(at(60));
        over.iter().for_each(|count| counts.count_again(count.reason, count.calls));
        for _ in 0..=AUDIT_REFUSALS_PER_MINUTE_MAX {
            counts.count(Reason::ChainUnknown, at(61));
        }
        let minute = at(60).timestamp() / 60;
        assert_eq!(counts.over(at(120)), [Count { minute, reason: Reason::ChainUnknown, calls: 3 }]);
    }

    #[test]
    fn a_call_that_came_in_before_the_present_minute_leaves_its_counts() {
        let counts = RefusalCounts::default();
        for _ in 0..=AUDIT_REFUSALS_PER_MINUTE_MAX {
            counts.count(Reason::ChainUnknown, at(60));
        }
        assert_eq!(counts.over(at(59)), []);
        assert_eq!(counts.count(Reason::ChainUnknown, at(60)), (false, vec![]));
        assert_eq!(counts.over(at(120)).len(), 1);
    }
}
