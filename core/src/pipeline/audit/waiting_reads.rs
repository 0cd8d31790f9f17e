//! Lines of reads that are not written into the audit yet.

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

use crate::limits::{AUDIT_READS_WAITING_MAX, AUDIT_READS_WAIT_MILLIS};
use crate::store::Write;

/// When writing was last tried, if the clock must not be asked because it may fail: the lines are due at once.
pub(crate) const AT_ONCE: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// The lines of one engine that wait.
#[derive(Debug, Default)]
pub(crate) struct WaitingReads(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    lines: Vec<Write>,
    /// Since when the oldest line waits, or when writing was last tried. `None` if no line waits.
    since: Option<DateTime<Utc>>,
}

impl WaitingReads {
    /// Adds a line; gives it back if there are as many as may wait.
    pub(super) fn push(&self, line: Write, now: DateTime<Utc>) -> Option<Write> {
        let mut waiting = self.0.lock();
        if waiting.lines.len() >= AUDIT_READS_WAITING_MAX {
            return Some(line);
        }
        waiting.since.get_or_insert(now);
        waiting.lines.push(line);
        None
    }

    /// When the lines are due. `None`: no line waits.
    pub(crate) fn due(&self) -> Option<DateTime<Utc>> {
        self.0.lock().since.map(due_after)
    }

    /// Whether the lines are due at a time. They are if the clock was set back behind the oldest.
    pub(super) fn is_due(&self, now: DateTime<Utc>) -> bool {
        let since = self.0.lock().since;
        since.is_some_and(|since| now >= due_after(since) || now < since)
    }

    /// All lines, which wait no longer.
    pub(super) fn take(&self) -> Vec<Write> {
        std::mem::take(&mut *self.0.lock()).lines
    }

    /// Puts lines back that could not be written, before those that came since. They are due a second after `now`.
    pub(super) fn put_back(&self, mut lines: Vec<Write>, now: DateTime<Utc>) {
        let mut waiting = self.0.lock();
        lines.append(&mut waiting.lines);
        *waiting = Waiting { lines, since: Some(now) };
    }

    /// How many lines wait.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().lines.len()
    }

    /// Forgets the lines, because the state that they belong to is replaced.
    pub(crate) fn clear(&self) {
        self.take();
    }
}

fn due_after(since: DateTime<Utc>) -> DateTime<Utc> {
    since.checked_add_signed(TimeDelta::milliseconds(AUDIT_READS_WAIT_MILLIS)).unwrap_or(since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::record::AuditEvent;
    use crate::store::conformance::samples::audited;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000 + second, 0).unwrap()
    }

    fn line(second: i64) -> Write {
        Write::AppendAudit(AuditEvent { at: at(second), ..audited(0) })
    }

    /// Adds the line of a read at that second.
    fn push(waiting: &WaitingReads, second: i64) -> Option<Write> {
        waiting.push(line(second), at(second))
    }

    #[test]
    fn lines_are_due_a_second_after_the_oldest() {
        let waiting = WaitingReads::default();
        assert_eq!((waiting.due(), waiting.is_due(at(9))), (None, false));
        assert!(push(&waiting, 0).is_none() && push(&waiting, 5).is_none());
        assert_eq!(waiting.due(), Some(at(1)));
        let just_before = at(1) - TimeDelta::microseconds(1);
        assert!(!waiting.is_due(just_before) && waiting.is_due(at(1)));
        assert!(!waiting.is_due(at(0)) && waiting.is_due(at(-1)), "a clock that was set back");
        assert_eq!(waiting.take(), [line(0), line(5)]);
        assert_eq!((waiting.due(), waiting.is_due(at(9))), (None, false));
    }

    #[test]
    fn lines_that_could_not_be_written_wait_another_second_in_their_order() {
        let waiting = WaitingReads::default();
        push(&waiting, 0);
        let taken = waiting.take();
        push(&waiting, 2);
        waiting.put_back(taken, at(3));
        assert_eq!(waiting.due(), Some(at(4)));
        assert_eq!(waiting.take(), [line(0), line(2)]);
    }

    #[test]
    fn as_many_lines_wait_as_the_limit_says() {
        let waiting = WaitingReads::default();
        for _ in 0..AUDIT_READS_WAITING_MAX {
            assert!(push(&waiting, 0).is_none());
        }
        assert_eq!(push(&waiting, 1), Some(line(1)));
        waiting.clear();
        assert!(push(&waiting, 1).is_none());
    }
}
