//! The outbox: authorised payments on their way to the bank. Nothing is lost and nothing is paid twice: an
//! order leaves the outbox in the same commit that notes the bank's answer, and the bank takes a payment id
//! only once. One whose payment the bank was asked to cancel stays until that can be no more. About which orders an
//! absent bank is asked: `circuit_breaker`.

use std::cell::Cell;
use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

use super::circuit_breaker::CircuitBreaker;
use super::claim::{claim, give_back, keeps_orders};
use super::deliver::{deliver, move_unreadable_to_dead_letters, postpone_untried, Delivered};
use crate::error::Result;
use crate::limits::{
    AUTHORISATION_LIFE_SECONDS, ORDERS_PER_READ_MAX, ORDERS_PER_RUN_MAX, PURGE_AFTER_HOURS,
    PURGE_COMMITS_PER_RUN_MAX, PURGE_PAUSE_SECONDS, PURGE_ROWS_PER_COMMIT, REPLAY_KEPT_SECONDS,
    RETENTION_PAUSE_SECONDS, SESSION_KEPT_DAYS,
};
use crate::pipeline::audit::refusals::note_counts;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::replay_window::window_start;
use crate::pipeline::write_waiting::write_waiting;
use crate::store::{DueOrders, OutboxOrder};
use crate::types::date;

/// What a run did. An order that another node delivered is in that node's report alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunReport {
    /// Orders that the bank took. It includes orders whose payment ended by a report during the call, and, in each run,
    /// orders whose cancellation got no answer of the bank.
    pub submitted: usize,
    /// Orders that are not delivered any more, because their payments ended before.
    pub withdrawn: usize,
    /// Orders that failed and will be delivered again, including those that were postponed because the bank is
    /// unavailable.
    pub failed: usize,
    /// Orders that became dead letters: delivering them again would not help.
    pub dead_letters: usize,
}

impl RunReport {
    fn count(&mut self, delivered: Delivered) {
        match delivered {
            Delivered::Submitted => self.submitted += 1,
            Delivered::Withdrawn => self.withdrawn += 1,
            Delivered::Failed | Delivered::Away => self.failed += 1,
            Delivered::DeadLetter => self.dead_letters += 1,
            Delivered::ByAnother => {}
        }
    }
}

/// `goes_on` is asked before each order, because the caller may have to stop, until it returns false. Evidence of reads
/// that cannot be written is an error after everything else is done: it must not keep payments from the bank.
pub(super) fn run_due(
    engine: &EngineContext,
    now: DateTime<Utc>,
    goes_on: &dyn Fn() -> bool,
) -> Result<RunReport> {
    let has_stopped = Cell::new(false);
    let goes_on = || {
        has_stopped.set(has_stopped.get() || !goes_on());
        !has_stopped.get()
    };
    note_counts(engine, now);
    let evidence = write_waiting(engine, now);
    clamp_future_due_times(engine, now)?;
    let report = deliver_due(engine, now, &goes_on)?;
    purge(engine, now, &goes_on)?;
    evidence.map(|()| report)
}

/// When there is something to do next.
pub(super) fn next_due(engine: &EngineContext, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    if engine.store().outbox().has_order_due_after(engine.orders_wait_until(now), now)? {
        return Ok(Some(now));
    }
    let order_due = engine.store().outbox().next_order_due()?;
    Ok(order_due.into_iter().chain(engine.waiting_writes.due()).min())
}

/// Makes orders due that a clock which was ahead postponed, perhaps by years: after its correction they would not be
/// due before that time. A node whose own clock is behind judges no order: the last payment was made later than its
/// present.
fn clamp_future_due_times(engine: &EngineContext, now: DateTime<Utc>) -> Result<()> {
    let latest = engine.orders_wait_until(now);
    // Nearly always there are none, and nothing is written.
    if engine.store().outbox().has_order_due_after(latest, now)? {
        let orders = engine.store().outbox().clamp_future_due_times(latest, now)?;
        tracing::warn!(
            orders,
            "orders had a due time too far ahead, as after a clock was ahead: they are due now"
        );
    }
    Ok(())
}

/// Delivers what is due at one time. An order that fails is due later than that, so each order is tried once; the bound
/// is for a clock that does not advance while others make new orders.
fn deliver_due(
    engine: &EngineContext,
    due_at: DateTime<Utc>,
    goes_on: &dyn Fn() -> bool,
) -> Result<RunReport> {
    let mut report = RunReport::default();
    let mut bank = CircuitBreaker::default();
    let mut left = ORDERS_PER_RUN_MAX;
    let (mut orders, mut waiting) = (VecDeque::new(), Vec::new());
    while goes_on() {
        let Some(order) = orders.pop_front() else {
            // They would be read again without a claim, and with one it would expire.
            postpone_waiting(engine, &mut waiting, &mut report)?;
            if left == 0 {
                break;
            }
            // One at a time, so that several threads and nodes share a burst. What a closed product postpones is quick.
            let at_most = if keeps_orders(engine) && !bank.is_any_closed() { 1 } else { ORDERS_PER_READ_MAX };
            let DueOrders { orders: claimed, unreadable } = claim(engine, due_at, left.min(at_most))?;
            if claimed.is_empty() && unreadable.is_empty() {
                break;
            }
            left = left.saturating_sub(claimed.len() + unreadable.len());
            for order in unreadable {
                report.count(move_unreadable_to_dead_letters(engine, order, engine.clock.now())?);
            }
            orders.extend(claimed);
            continue;
        };
        if bank.puts_off(&order) {
            waiting.push(order);
            continue;
        }
        let (product, attempts) = (order.product, order.attempts);
        let delivered = deliver(engine, order, bank.is_there_for(product))?;
        report.count(delivered);
        bank.note(product, attempts, delivered);
        if delivered == Delivered::Submitted {
            let (closed, open): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|order| bank.puts_off(order));
            waiting = closed;
            orders.extend(open);
        }
    }
    postpone_waiting(engine, &mut waiting, &mut report)?;
    give_back(engine, orders.into(), due_at)?;
    Ok(report)
}

/// Postpones the orders about which the bank is not asked, a few in one commit.
fn postpone_waiting(
    engine: &EngineContext,
    waiting: &mut Vec<OutboxOrder>,
    report: &mut RunReport,
) -> Result<()> {
    for some in std::mem::take(waiting).chunks(ORDERS_PER_READ_MAX) {
        report.failed += postpone_untried(engine, some.to_vec(), engine.clock.now())?;
    }
    Ok(())
}

fn is_time_to_purge(last: &Mutex<Option<DateTime<Utc>>>, now: DateTime<Utc>, pause_seconds: i64) -> bool {
    let pause = TimeDelta::seconds(pause_seconds);
    let mut last = last.lock();
    let is_over = last.is_none_or(|last| now < last || now - last >= pause);
    if is_over {
        *last = Some(now);
    }
    is_over
}

/// Deletes what no caller can ask for any more. A host runs this after every SCA, and each part may scan a whole table
/// while others wait to write: so it is done once in a while, and a few rows at a time.
fn purge(engine: &EngineContext, now: DateTime<Utc>, goes_on: &dyn Fn() -> bool) -> Result<()> {
    if !(goes_on() && is_time_to_purge(&engine.forgotten_at, now, PURGE_PAUSE_SECONDS)) {
        return Ok(());
    }
    let store = engine.store();
    // Whether a use counts is decided where one is marked: those that are kept for longer do no harm.
    let unused = earlier(window_start(now), TimeDelta::seconds(REPLAY_KEPT_SECONDS));
    delete_in_batches(goes_on, |limit| store.replay().purge_request_ids(unused, limit))?;
    let over = earlier(now, TimeDelta::hours(PURGE_AFTER_HOURS));
    delete_in_batches(goes_on, |limit| store.quotas().purge_access_counts(date::oslo_day(over), limit))?;
    // Every call that an SCA would cure leaves a link; most are never followed, and die.
    let dead = earlier(over, TimeDelta::seconds(AUTHORISATION_LIFE_SECONDS));
    delete_in_batches(goes_on, |limit| store.sca().purge_authorisations(dead, limit))?;
    let long_ago = earlier(now, TimeDelta::days(SESSION_KEPT_DAYS));
    delete_in_batches(goes_on, |limit| store.sca().purge_sessions(long_ago, limit))?;
    match is_time_to_purge(&engine.aged_out_at, now, RETENTION_PAUSE_SECONDS) {
        true => purge_by_age(engine, now, goes_on),
        false => Ok(()),
    }
}

/// Deletes what policies keep for some days.
fn purge_by_age(engine: &EngineContext, now: DateTime<Utc>, goes_on: &dyn Fn() -> bool) -> Result<()> {
    let (store, policy) = (engine.store(), engine.policy());
    if let Some(before) = kept_from(now, policy.consents_kept_days) {
        delete_in_batches(goes_on, |limit| store.consents().purge_consents(before, limit))?;
    }
    if let Some(before) = kept_from(now, policy.payments_kept_days) {
        delete_in_batches(goes_on, |limit| store.retention().purge_baskets(before, limit))?;
        delete_in_batches(goes_on, |limit| store.retention().purge_payments(before, limit))?;
    }
    if let Some(before) = kept_from(now, policy.statistics_kept_days) {
        let day = date::oslo_day(before);
        delete_in_batches(goes_on, |limit| store.retention().purge_statistics(day, before, limit))?;
    }
    Ok(())
}

/// The time before which rows are deleted that are kept for so many days. `None`: for ever.
fn kept_from(now: DateTime<Utc>, days: u32) -> Option<DateTime<Utc>> {
    (days > 0).then(|| earlier(now, TimeDelta::days(i64::from(days))))
}

/// So much before a time, or the earliest that there is.
fn earlier(time: DateTime<Utc>, by: TimeDelta) -> DateTime<Utc> {
    time.checked_sub_signed(by).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

/// Deletes rows in batches until none is left or the bound is reached: if this has not run for long, deleting all rows
/// takes longer than others can wait to write, or than the caller can stay.
fn delete_in_batches(goes_on: &dyn Fn() -> bool, purge: impl Fn(usize) -> Result<usize>) -> Result<()> {
    for _ in 0..PURGE_COMMITS_PER_RUN_MAX {
        if !goes_on() || purge(PURGE_ROWS_PER_COMMIT)? < PURGE_ROWS_PER_COMMIT {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often `purge` is called with so many rows to delete, and how many rows are left.
    fn asked_and_left(rows: usize) -> (usize, usize) {
        let (asked, left) = (Cell::new(0), Cell::new(rows));
        let purge = |limit: usize| {
            let forgotten = limit.min(left.get());
            asked.set(asked.get() + 1);
            left.set(left.get() - forgotten);
            Ok(forgotten)
        };
        delete_in_batches(&|| true, purge).unwrap();
        (asked.get(), left.get())
    }

    #[test]
    fn old_rows_are_purged_in_batches_and_the_rest_by_later_runs() {
        let bit = PURGE_ROWS_PER_COMMIT;
        assert_eq!(asked_and_left(0), (1, 0));
        assert_eq!(asked_and_left(bit - 1), (1, 0));
        assert_eq!(asked_and_left(2 * bit + 1), (3, 0));
        assert_eq!(
            asked_and_left((PURGE_COMMITS_PER_RUN_MAX + 3) * bit),
            (PURGE_COMMITS_PER_RUN_MAX, 3 * bit)
        );
    }
}
