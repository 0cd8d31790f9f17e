//! The orders that a node has claimed, each until its claim expires.
//!
//! An order is claimed when its turn comes, so that several threads and nodes share a burst of orders. While the bank
//! is unavailable for a product, several are claimed at a time, because most are postponed without a question. A claim
//! of which more than a quarter is over is renewed before the bank is asked about its order. So at least three quarters
//! of the lease are left at each question. An order that another node has claimed since belongs to that node: the bank
//! is not asked about it, and only an answer of the bank is written.

use chrono::{DateTime, TimeDelta, Utc};

use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::store::{CommitOutcome, DueOrders, OutboxOrder, Write};

/// Orders that are due, and unreadable rows before them, also if there are only these. Each order is due in the store
/// at the time that it carries. Writes only if orders are due.
pub(super) fn claim(engine: &EngineContext, due_at: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
    let store = engine.store();
    if !keeps_orders(engine) {
        return store.outbox().due_orders(due_at, limit);
    }
    if store.outbox().next_order_due()?.is_none_or(|next| next > due_at) {
        return Ok(DueOrders::default());
    }
    // The bank may be slow: the clock is read again for each claim.
    let until = claimed_until(engine, engine.clock.now());
    let mut claimed = store.outbox().claim_orders(due_at, until, limit)?;
    claimed.orders.iter_mut().for_each(|order| order.due_at = until);
    Ok(claimed)
}

/// Returns true if no other node holds the order while the bank is asked about it. An old claim is renewed.
pub(super) fn hold(engine: &EngineContext, order: &mut OutboxOrder, now: DateTime<Utc>) -> Result<bool> {
    let is_young = order.due_at.signed_duration_since(now) > engine.order_lease * 3 / 4;
    if is_young || !keeps_orders(engine) {
        return Ok(true);
    }
    let renewed = OutboxOrder { due_at: claimed_until(engine, now), ..order.clone() };
    let renewal = Write::RescheduleOrder { order: renewed.clone(), was_due: order.due_at };
    let is_held = engine.store().commit(&[renewal])? == CommitOutcome::Applied;
    if is_held {
        *order = renewed;
    }
    Ok(is_held)
}

/// Makes orders due again that this node claimed and does not ask about any more. If another node changed one of them,
/// all are due when their claims expire.
pub(super) fn give_back(
    engine: &EngineContext,
    orders: Vec<OutboxOrder>,
    due_at: DateTime<Utc>,
) -> Result<()> {
    if orders.is_empty() || !keeps_orders(engine) {
        return Ok(());
    }
    let given_back = |order: OutboxOrder| {
        let was_due = order.due_at;
        Write::RescheduleOrder { order: OutboxOrder { due_at, ..order }, was_due }
    };
    engine.store().commit(&orders.into_iter().map(given_back).collect::<Vec<_>>()).map(drop)
}

/// Whether nodes claim orders for themselves.
pub(super) fn keeps_orders(engine: &EngineContext) -> bool {
    engine.order_lease > TimeDelta::zero()
}

/// When a claim made now expires.
pub(super) fn claimed_until(engine: &EngineContext, now: DateTime<Utc>) -> DateTime<Utc> {
    now.checked_add_signed(engine.order_lease).unwrap_or(DateTime::<Utc>::MAX_UTC)
}
