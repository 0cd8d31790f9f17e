//! One order of the outbox on its way to the bank: taken, withdrawn, put off, or set aside.
//!
//! A bank that is away is asked again for ever. A failure of the order's own is counted, and an order that cannot
//! succeed, or that failed too often by its own fault, is set aside: kept and reported, and not delivered before
//! somebody looked at it.

use std::panic::{catch_unwind, AssertUnwindSafe};

use chrono::{DateTime, TimeDelta, Utc};

use super::report::change;
use crate::bank::{OrderStatus, PaymentOrder};
use crate::crypto::sha256;
use crate::error::{Error, Result};
use crate::limits::{DELIVERY_BACKOFF_SECONDS_MAX, ORDER_FAULTS_MAX};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::pipeline::parts::Parts;
use crate::store::{Committed, OutboxOrder, SetAsideOrder, Write};
use crate::types::{ActingPsu, Context, PaymentId};

/// What became of an order in one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivered {
    /// The bank took it.
    Submitted,
    /// Its payment had come to its end.
    Withdrawn,
    /// It is delivered again later.
    Failed,
    /// It is not delivered any more before somebody looked at it.
    SetAside,
    /// Another node was faster.
    ByAnother,
}

/// Why an order was not delivered.
enum Failure {
    /// The bank is away, or the payment is changed all the time: waiting helps.
    Away(Error),
    /// Something is wrong with this order, which may pass.
    Fault(Poison, Error),
    /// Waiting does not help.
    Poisoned(Poison),
}

/// What is wrong with an order. The text is what the operator reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Poison {
    #[error("its payment is missing")]
    Missing,
    #[error("its payment is not authorised")]
    Unauthorised,
    #[error("the bank answered {to}, which a payment in {from} cannot become")]
    Refused { from: PaymentStatus, to: PaymentStatus },
    #[error("its payment cannot be read or changed in the store")]
    Unstorable,
    #[error("what the bank answers to it cannot be used")]
    Unusable,
    #[error("the bank panics over it")]
    Panicked,
}

/// How often an order is tried in one turn where its payment changes meanwhile.
const ATTEMPTS_MAX: usize = 5;

/// Gives an order its turn.
///
/// # Errors
/// [`Error::Store`], where not even the failure can be noted: the order is delivered again.
pub(super) fn deliver(parts: &Parts, order: OutboxOrder, now: DateTime<Utc>) -> Result<Delivered> {
    let (faults, why) = match attempt(parts, &order.payment_id, now) {
        Ok(delivered) => return Ok(delivered),
        Err(Failure::Away(error)) => {
            tracing::error!(%error, attempts = order.attempts, "an order could not be delivered");
            (order.faults, None)
        }
        Err(Failure::Fault(poison, error)) => {
            tracing::error!(%error, %poison, attempts = order.attempts, "an order could not be delivered");
            let faults = order.faults.saturating_add(1);
            (faults, (faults >= ORDER_FAULTS_MAX).then_some(poison))
        }
        Err(Failure::Poisoned(poison)) => (order.faults, Some(poison)),
    };
    let attempts = order.attempts.saturating_add(1);
    match why {
        None => postpone(parts, OutboxOrder { attempts, faults, ..order }, now),
        Some(poison) => {
            let payment_id = order.payment_id.to_string();
            set_aside(parts, SetAsideOrder { payment_id, attempts, why: poison.to_string(), since: now })
        }
    }
}

fn attempt(parts: &Parts, id: &PaymentId, now: DateTime<Utc>) -> Result<Delivered, Failure> {
    let mut payment = read(parts, id)?;
    for _ in 0..ATTEMPTS_MAX {
        if payment.status.is_final() {
            // The bank reported its end before it had the order: it must not be carried out any more.
            return Ok(match commit(parts, &[Write::RemoveOrder(id.clone())])? {
                Committed::Done => Delivered::Withdrawn,
                _ => Delivered::ByAnother,
            });
        }
        let (version, from) = (payment.version, payment.status);
        let answered = submit(parts, &payment_order(&payment)?, now)?;
        let changed = change(payment, answered, "bank: submitted", now);
        let is_refused = changed.is_err();
        if let Ok(mut writes) = changed {
            writes.insert(0, Write::RemoveOrder(id.clone()));
            if commit(parts, &writes)? == Committed::Done {
                return Ok(Delivered::Submitted);
            }
        }
        payment = read(parts, id)?;
        if payment.version == version {
            let refused = Poison::Refused { from, to: answered.status };
            return if is_refused { Err(Failure::Poisoned(refused)) } else { Ok(Delivered::ByAnother) };
        }
        // The bank reported meanwhile, and its answer may be older than that: it is asked again.
    }
    Err(Failure::Away(Error::Store("the payment is changed by others all the time".to_owned())))
}

fn read(parts: &Parts, id: &PaymentId) -> Result<Payment, Failure> {
    let found = parts.store().payment(id).map_err(|error| Failure::Fault(Poison::Unstorable, error))?;
    found.ok_or(Failure::Poisoned(Poison::Missing))
}

fn commit(parts: &Parts, writes: &[Write]) -> Result<Committed, Failure> {
    parts.store().commit(writes).map_err(|error| Failure::Fault(Poison::Unstorable, error))
}

fn payment_order(payment: &Payment) -> Result<PaymentOrder, Failure> {
    let unauthorised = || Failure::Poisoned(Poison::Unauthorised);
    Ok(PaymentOrder {
        payment_id: payment.id.clone(),
        product: payment.product,
        psu: ActingPsu {
            psu: payment.psu.clone().ok_or_else(unauthorised)?,
            context: payment.context.unwrap_or(Context::Private),
            corporate: payment.corporate.clone(),
        },
        order: payment.order.clone(),
        fee: payment.fee,
        authorised_at: payment.authorised_at.ok_or_else(unauthorised)?,
    })
}

fn submit(parts: &Parts, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus, Failure> {
    // A bank that panics over one order must not keep it from the others.
    let asked = AssertUnwindSafe(|| parts.bank().submit_payment(order, now));
    match catch_unwind(asked) {
        Ok(Ok(answered)) => Ok(answered),
        Ok(Err(error @ (Error::Bank(_) | Error::Store(_)))) => Err(Failure::Away(error)),
        Ok(Err(error)) => Err(Failure::Fault(Poison::Unusable, error)),
        Err(_) => Err(Failure::Fault(Poison::Panicked, Error::Bank("the bank panicked".to_owned()))),
    }
}

/// Delivers again later, by the number of failures.
fn postpone(parts: &Parts, order: OutboxOrder, now: DateTime<Utc>) -> Result<Delivered> {
    let due_at = now.checked_add_signed(backoff(&order)).unwrap_or(DateTime::<Utc>::MAX_UTC);
    Ok(match parts.store().commit(&[Write::RescheduleOrder(OutboxOrder { due_at, ..order })])? {
        Committed::Done => Delivered::Failed,
        _ => Delivered::ByAnother,
    })
}

/// 1 s after the first failure, 2 s after the second, 4 s and so on, at most an hour; up to a quarter of it less, so
/// that what failed together does not come back together. Equal orders wait equally long: a sandbox repeats itself.
fn backoff(order: &OutboxOrder) -> TimeDelta {
    let doublings = order.attempts.saturating_sub(1).min(20);
    let seconds = 1_i64.checked_shl(doublings).unwrap_or(i64::MAX).min(DELIVERY_BACKOFF_SECONDS_MAX);
    let drawn = sha256(format!("{} {}", order.payment_id, order.attempts).as_bytes());
    let drawn = drawn.iter().take(4).fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
    TimeDelta::microseconds(seconds * 1_000_000 - drawn % (seconds * 250_000))
}

fn set_aside(parts: &Parts, order: SetAsideOrder) -> Result<Delivered> {
    let SetAsideOrder { payment_id, attempts, why, .. } = order.clone();
    let committed = parts.store().commit(&[Write::SetOrderAside(order)])?;
    if committed != Committed::Done {
        return Ok(Delivered::ByAnother);
    }
    tracing::error!(%payment_id, attempts, why, "an order is set aside: it waits for Engine::retry_order");
    Ok(Delivered::SetAside)
}
