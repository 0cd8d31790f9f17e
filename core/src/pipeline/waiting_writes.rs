//! What is not written into the store yet: lines of reads for the audit, and calls and outages for statistics.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

use crate::error::{Error, Result};
use crate::limits::{AUDIT_READS_WAITING_MAX, STATISTICS_ROWS_WAITING_MAX, WAITING_WRITES_MILLIS};
use crate::statistics::record::{CallSum, CountedCalls, Outage};
use crate::store::Write;

/// When writing was last tried, if the clock must not be asked because it may fail: the lines are due at once.
pub(crate) const AT_ONCE: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// The writes of one engine that wait. A line that is being written waits until its commit has succeeded.
#[derive(Debug, Default)]
pub(crate) struct WaitingWrites {
    waiting: Mutex<Waiting>,
    /// Held while lines are written, so that no caller that wants all lines written returns before they are.
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: Vec<Write>,
    counts: Counts,
    /// Since when the oldest write waits, or when writing was last tried. `None` if none waits.
    since: Option<DateTime<Utc>>,
    /// Whether writing failed when it was last tried.
    has_failed: bool,
}

/// Calls and outages.
#[derive(Debug, Default)]
struct Counts {
    calls: HashMap<CountedCalls, CallSum>,
    outages: BTreeMap<DateTime<Utc>, DateTime<Utc>>,
}

impl WaitingWrites {
    /// Counts a call, and an outage that it begins, continues or ends.
    pub(super) fn count_call(
        &self,
        counted: CountedCalls,
        sum: CallSum,
        outage: Option<Outage>,
        now: DateTime<Utc>,
    ) {
        let mut waiting = self.waiting.lock();
        waiting.since.get_or_insert(now);
        waiting.counts.add_calls(counted, sum);
        if let Some(outage) = outage {
            waiting.counts.add_outage(outage);
        }
    }

    /// Adds a line. If as many lines wait as may, they are written first.
    ///
    /// # Errors
    /// Those of `commit`, and [`Error::Store`] if that failed less than a second ago: it is not tried for each read.
    pub(super) fn keep(
        &self,
        line: Write,
        now: DateTime<Utc>,
        commit: impl Fn(&[Write]) -> Result<()>,
    ) -> Result<()> {
        let Some(mut line) = self.push(line, now) else { return Ok(()) };
        let _writing = self.writing.lock();
        // Other calls may take the place again that is made here.
        while let Some(refused) = self.push(line, now) {
            if self.waiting.lock().has_failed && !self.is_due(now) {
                return Err(Error::Store(
                    "as many lines of evidence of reads wait as may, and writing them failed less than a second ago"
                        .into(),
                ));
            }
            self.write_all(now, &commit)?;
            line = refused;
        }
        Ok(())
    }

    /// Writes all if it is due and no other thread is writing.
    ///
    /// # Errors
    /// Those of `commit`; what could not be written waits on.
    pub(super) fn write_due(
        &self,
        now: DateTime<Utc>,
        commit: impl Fn(&[Write]) -> Result<()>,
    ) -> Result<()> {
        if !self.is_due(now) {
            return Ok(());
        }
        self.writing.try_lock().map_or(Ok(()), |_writing| self.write_all(now, commit))
    }

    /// Writes all that waits, after what another thread is writing.
    ///
    /// # Errors
    /// Those of `commit`; what could not be written waits on.
    pub(super) fn write(&self, now: DateTime<Utc>, commit: impl Fn(&[Write]) -> Result<()>) -> Result<()> {
        let _writing = self.writing.lock();
        self.write_all(now, commit)
    }

    /// When the writes are due. `None`: none waits.
    pub(crate) fn due(&self) -> Option<DateTime<Utc>> {
        self.waiting.lock().since.map(due_after)
    }

    /// How many lines of the audit wait.
    pub(crate) fn line_count(&self) -> usize {
        self.waiting.lock().lines.len()
    }

    /// Forgets the writes, because the state that they belong to is replaced.
    pub(crate) fn clear(&self) {
        *self.waiting.lock() = Waiting::default();
    }

    /// Adds a line; gives it back if there are as many as may wait.
    fn push(&self, line: Write, now: DateTime<Utc>) -> Option<Write> {
        let mut waiting = self.waiting.lock();
        if waiting.lines.len() >= AUDIT_READS_WAITING_MAX {
            return Some(line);
        }
        waiting.since.get_or_insert(now);
        waiting.lines.push(line);
        None
    }

    /// Whether the writes are due at a time. They are if the clock was set back behind the oldest.
    fn is_due(&self, now: DateTime<Utc>) -> bool {
        let since = self.waiting.lock().since;
        since.is_some_and(|since| now >= due_after(since) || now < since)
    }

    /// Writes all in one commit, by a thread that holds `writing`. What comes during the commit, and what could not be
    /// written, is due a second after `now`.
    fn write_all(&self, now: DateTime<Utc>, commit: impl Fn(&[Write]) -> Result<()>) -> Result<()> {
        let (lines, counts) = {
            let mut waiting = self.waiting.lock();
            (waiting.lines.clone(), std::mem::take(&mut waiting.counts))
        };
        let line_count = lines.len();
        let writes = [lines, counts.writes()].concat();
        if writes.is_empty() {
            return Ok(());
        }
        let written = commit(&writes);
        let mut waiting = self.waiting.lock();
        match &written {
            Ok(()) => {
                let written = line_count.min(waiting.lines.len());
                waiting.lines.drain(..written);
            }
            Err(_) => waiting.counts.add(counts),
        }
        waiting.since = (!waiting.is_empty()).then_some(now);
        waiting.has_failed = written.is_err();
        written
    }
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.counts.calls.is_empty() && self.counts.outages.is_empty()
    }
}

impl Counts {
    /// The writes of it. Calls come in the order of their rows, so that nodes that write the same rows lock them in one
    /// order.
    fn writes(&self) -> Vec<Write> {
        let mut calls: Vec<_> = self.calls.iter().collect();
        calls.sort_by_key(|(counted, _)| *counted);
        let calls = calls.into_iter().map(|(counted, sum)| (counted.clone(), *sum));
        let calls = calls.map(|(counted, sum)| Write::CountCalls { counted, sum });
        let outages =
            self.outages.iter().map(|(from, to)| Write::NoteOutage(Outage { from: *from, to: *to }));
        calls.chain(outages).collect()
    }

    /// Adds what could not be written.
    fn add(&mut self, others: Self) {
        others.calls.into_iter().for_each(|(counted, sum)| self.add_calls(counted, sum));
        others.outages.into_iter().for_each(|(from, to)| self.add_outage(Outage { from, to }));
    }

    /// Where as many rows wait as may, calls of further TPPs are counted without the TPP, so that the sums of the day
    /// are right.
    fn add_calls(&mut self, counted: CountedCalls, sum: CallSum) {
        let is_full = self.calls.len() >= STATISTICS_ROWS_WAITING_MAX && !self.calls.contains_key(&counted);
        let counted = if is_full { CountedCalls { tpp: "".into(), ..counted } } else { counted };
        self.calls.entry(counted).or_default().add(sum);
    }

    /// Where as many outages wait as may, the last one is continued.
    fn add_outage(&mut self, outage: Outage) {
        let is_full = self.outages.len() >= STATISTICS_ROWS_WAITING_MAX;
        match self.outages.last_entry() {
            Some(mut last) if is_full => {
                let to = outage.to.max(*last.get());
                last.insert(to);
            }
            _ => {
                let to = self.outages.entry(outage.from).or_insert(outage.to);
                *to = outage.to.max(*to);
            }
        }
    }
}

fn due_after(since: DateTime<Utc>) -> DateTime<Utc> {
    since.checked_add_signed(TimeDelta::milliseconds(WAITING_WRITES_MILLIS)).unwrap_or(since)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Barrier;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::audit::record::AuditEvent;
    use crate::statistics::record::CallEnd;
    use crate::store::conformance::samples::audited;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000 + second, 0).unwrap()
    }

    fn line(second: i64) -> Write {
        Write::AppendAudit(AuditEvent { at: at(second), ..audited(0) })
    }

    /// Adds the line of a read at that second.
    fn push(waiting: &WaitingWrites, second: i64) -> Option<Write> {
        waiting.push(line(second), at(second))
    }

    fn fail(_: &[Write]) -> Result<()> {
        Err(Error::Store("the disk is full".into()))
    }

    /// The lines that are written at that second.
    fn written(waiting: &WaitingWrites, second: i64) -> Vec<Write> {
        let written = RefCell::default();
        let commit = |lines: &[Write]| {
            *written.borrow_mut() = lines.to_vec();
            Ok(())
        };
        waiting.write(at(second), commit).unwrap();
        written.into_inner()
    }

    fn full() -> WaitingWrites {
        let waiting = WaitingWrites::default();
        for _ in 0..AUDIT_READS_WAITING_MAX {
            assert!(push(&waiting, 0).is_none());
        }
        waiting
    }

    #[test]
    fn lines_are_due_a_second_after_the_oldest() {
        let waiting = WaitingWrites::default();
        assert_eq!((waiting.due(), waiting.is_due(at(9))), (None, false));
        assert!(push(&waiting, 0).is_none() && push(&waiting, 5).is_none());
        assert_eq!(waiting.due(), Some(at(1)));
        let just_before = at(1) - TimeDelta::microseconds(1);
        assert!(!waiting.is_due(just_before) && waiting.is_due(at(1)));
        assert!(!waiting.is_due(at(0)) && waiting.is_due(at(-1)), "a clock that was set back");
        assert_eq!(written(&waiting, 6), [line(0), line(5)]);
        assert_eq!((waiting.due(), waiting.is_due(at(9))), (None, false));
    }

    #[test]
    fn lines_that_could_not_be_written_wait_another_second_in_their_order() {
        let waiting = WaitingWrites::default();
        push(&waiting, 0);
        waiting.write(at(3), fail).unwrap_err();
        push(&waiting, 2);
        assert_eq!(waiting.due(), Some(at(4)));
        assert_eq!(written(&waiting, 4), [line(0), line(2)]);
    }

    #[test]
    fn as_many_lines_wait_as_the_limit_says() {
        let waiting = full();
        assert_eq!(push(&waiting, 1), Some(line(1)));
        waiting.clear();
        assert!(push(&waiting, 1).is_none());
    }

    #[test]
    fn lines_that_are_being_written_count_towards_the_limit() {
        let waiting = full();
        let commit = |lines: &[Write]| {
            assert_eq!(lines.len(), AUDIT_READS_WAITING_MAX);
            assert_eq!(push(&waiting, 1), Some(line(1)));
            assert_eq!(waiting.line_count(), AUDIT_READS_WAITING_MAX);
            fail(lines)
        };
        waiting.write(at(1), commit).unwrap_err();
        assert_eq!(waiting.line_count(), AUDIT_READS_WAITING_MAX);
    }

    #[test]
    fn a_line_that_comes_during_a_commit_is_written_by_the_next() {
        let waiting = WaitingWrites::default();
        push(&waiting, 0);
        let commit = |_: &[Write]| {
            assert!(push(&waiting, 2).is_none());
            // The lines are due, but this thread is writing them.
            waiting.write_due(at(9), |_| panic!("they are written twice"))
        };
        waiting.write(at(2), commit).unwrap();
        assert_eq!(waiting.due(), Some(at(3)));
        assert_eq!(written(&waiting, 3), [line(2)]);
    }

    #[test]
    fn writing_a_full_list_is_tried_again_after_a_second() {
        let waiting = full();
        let tries = RefCell::new(0);
        let keep = |at| {
            let commit = |lines: &[Write]| {
                *tries.borrow_mut() += 1;
                fail(lines)
            };
            waiting.keep(line(1), at, commit).unwrap_err()
        };
        let just_before = at(11) - TimeDelta::microseconds(1);
        for (now, expected) in [(at(10), 1), (at(10), 1), (just_before, 1), (at(11), 2)] {
            keep(now);
            assert_eq!(*tries.borrow(), expected, "{now}");
        }
        waiting.keep(line(1), at(12), |_| Ok(())).unwrap();
        assert_eq!(written(&waiting, 12), [line(1)]);
    }

    #[test]
    fn a_caller_that_writes_all_waits_for_another_that_is_writing() {
        let waiting = WaitingWrites::default();
        push(&waiting, 0);
        let (is_writing, has_returned) = (Barrier::new(2), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                let commit = |_: &[Write]| {
                    is_writing.wait();
                    // Time enough for the other to return if it did not wait.
                    thread::sleep(Duration::from_millis(50));
                    assert!(!has_returned.load(Ordering::SeqCst));
                    Ok(())
                };
                waiting.write(at(1), commit).unwrap();
            });
            is_writing.wait();
            waiting.write(at(1), |_| panic!("they are written twice")).unwrap();
            has_returned.store(true, Ordering::SeqCst);
        });
        assert_eq!(waiting.line_count(), 0);
    }

    fn counted(tpp: &str) -> CountedCalls {
        let (day, end) = (at(0).date_naive(), CallEnd::Answered);
        CountedCalls { day, tpp: tpp.into(), operation: "getAccounts", end }
    }

    const ONE: CallSum = CallSum { calls: 1, micros: 7 };

    #[test]
    fn calls_are_added_up_also_with_those_not_written() {
        let waiting = WaitingWrites::default();
        waiting.count_call(counted("b"), ONE, None, at(0));
        waiting.count_call(counted("b"), ONE, None, at(1));
        assert_eq!(waiting.due(), Some(at(1)));
        let sum = CallSum { calls: 2, micros: 14 };
        let commit = |writes: &[Write]| {
            assert_eq!(writes, [Write::CountCalls { counted: counted("b"), sum }]);
            fail(writes)
        };
        waiting.write(at(3), commit).unwrap_err();
        let outage = Outage { from: at(0), to: at(2) };
        waiting.count_call(counted("a"), ONE, Some(outage), at(2));
        waiting.count_call(counted("b"), ONE, Some(Outage { to: at(3), ..outage }), at(2));
        assert_eq!(waiting.due(), Some(at(4)));
        let expected = [
            Write::CountCalls { counted: counted("a"), sum: ONE },
            Write::CountCalls { counted: counted("b"), sum: CallSum { calls: 3, micros: 21 } },
            Write::NoteOutage(Outage { from: at(0), to: at(3) }),
        ];
        assert_eq!(written(&waiting, 9), expected);
    }

    #[test]
    fn calls_beyond_the_limit_of_rows_are_counted_without_the_tpp() {
        let waiting = WaitingWrites::default();
        for number in 0..STATISTICS_ROWS_WAITING_MAX + 2 {
            waiting.count_call(counted(&number.to_string()), ONE, None, at(0));
        }
        waiting.count_call(counted("0"), ONE, None, at(0));
        let taken = written(&waiting, 9);
        assert_eq!(taken.len(), STATISTICS_ROWS_WAITING_MAX + 1);
        let two = CallSum { calls: 2, micros: 14 };
        for tpp in ["", "0"] {
            assert!(taken.contains(&Write::CountCalls { counted: counted(tpp), sum: two }), "{tpp:?}");
        }
    }

    #[test]
    fn outages_beyond_the_limit_of_rows_continue_the_last_one() {
        let waiting = WaitingWrites::default();
        let last = i64::try_from(STATISTICS_ROWS_WAITING_MAX).unwrap();
        for second in 0..=last {
            let outage = Outage { from: at(2 * second), to: at(2 * second + 1) };
            waiting.count_call(counted("a"), ONE, Some(outage), at(0));
        }
        let taken = written(&waiting, 9);
        assert_eq!(taken.len(), 1 + STATISTICS_ROWS_WAITING_MAX);
        let continued = Outage { from: at(2 * last - 2), to: at(2 * last + 1) };
        assert_eq!(taken.last(), Some(&Write::NoteOutage(continued)));
    }
}
