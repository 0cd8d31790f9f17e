//! Delivers one order of the outbox to the bank: it is taken, withdrawn, postponed, or becomes a dead letter.
//!
//! A bank that is away is asked again without limit, but not about every order in one run: see `circuit_breaker`.
//! Failures of the order itself are counted. An order that cannot succeed, or that failed too often by its own fault,
//! becomes a dead letter: it is kept and reported, and not delivered until an operator acts. If the bank took another
//! order of the same product in the same run, an answer that the bank is away is a fault of this order, because its
//! adapter fails for this order alone.

use chrono::{DateTime, TimeDelta, Utc};
use tracing::field::display;

use super::claim::hold;
use super::contain::contained;
use crate::bank::{OrderStatus, PaymentOrder};
use crate::crypto::sha256;
use crate::error::{Error, Result};
use crate::limits::{
    BANK_ERROR_CHARS_MAX, DELIVERY_BACKOFF_SECONDS_MAX, ORDER_FAULTS_MAX, RACE_ATTEMPTS_MAX,
};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::{Payment, TransitionRefused};
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::status_transition::status_transition;
use crate::store::{CommitOutcome, DeadLetter, OutboxOrder, UnreadableOrder, Write};
use crate::types::{ActingPsu, Context, PaymentId};

/// What became of an order in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivered {
    /// The bank took it.
    Submitted,
    /// Its payment had come to its end.
    Withdrawn,
    /// It is delivered again later, for another reason than that the bank is away.
    Failed,
    /// It is delivered again later, because the bank is away.
    Away,
    /// It is not delivered until an operator acts.
    DeadLetter,
    /// Another node has it, or delivered it.
    ByAnother,
}

/// Why an order was not delivered.
enum Failure {
    /// The bank is away: waiting helps.
    Away(Error),
    /// The store is away, the row or table is locked, or others change the payment all the time: waiting helps.
    Held(Error),
    /// A failure of this order that may pass.
    Fault(DeadLetterReason, Error),
    /// Waiting does not help.
    Permanent(DeadLetterReason),
}

/// Why an order fails or is a dead letter. The text is for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum DeadLetterReason {
    #[error("its payment is missing")]
    Missing,
    #[error("its payment is not authorised")]
    Unauthorised,
    #[error("the bank answered {answered}: {refused}")]
    Refused { answered: PaymentStatus, refused: TransitionRefused },
    #[error("its payment cannot be read or changed in the store")]
    Unstorable,
    #[error("the answer of the bank is invalid")]
    Unusable,
    #[error("the bank fails for this order and takes others of its product")]
    Alone,
    #[error("the bank panicked")]
    Panicked,
}

/// What the history of a payment says of the answer to its order.
const SUBMITTED: &str = "bank: submitted";

/// What the audit says of a dead letter.
const NOT_SUBMITTED: &str = "bank: not submitted";

/// Delivers one order. `is_bank_there`: the bank took another one of the same product in this run.
///
/// # Errors
/// [`Error::Store`], if even the failure cannot be recorded: the order is delivered again.
pub(super) fn deliver(
    engine: &EngineContext,
    mut order: OutboxOrder,
    is_bank_there: bool,
) -> Result<Delivered> {
    let failure = match attempt(engine, &mut order) {
        Ok(delivered) => return Ok(delivered),
        Err(failure) => failure,
    };
    // A bank that keeps a question for long and then fails is asked again only after the delay, from that failure on.
    let now = engine.clock.now();
    let (reason, error, delivered) = match failure {
        Failure::Away(error) => (is_bank_there.then_some(DeadLetterReason::Alone), error, Delivered::Away),
        Failure::Held(error) => (None, error, Delivered::Failed),
        Failure::Fault(reason, error) => (Some(reason), error, Delivered::Failed),
        Failure::Permanent(reason) => return move_to_dead_letters(engine, &order, reason.to_string(), now),
    };
    let (payment_id, attempt) = (order.payment_id.clone(), order.attempts.saturating_add(1));
    let faults = order.faults.saturating_add(u32::from(reason.is_some()));
    // Recorded before it is logged: a logger may panic, and the order would come first in each run.
    let noted = match reason.filter(|_| faults >= ORDER_FAULTS_MAX) {
        Some(reason) => move_to_dead_letters(engine, &order, explained(reason, &error), now),
        None => postpone(engine, OutboxOrder { faults, ..order }, delivered, now),
    };
    let reason = reason.map(display);
    tracing::error!(%payment_id, attempt, %error, reason, "an order could not be delivered");
    noted
}

/// Sets an order aside whose row cannot be read.
///
/// # Errors
/// [`Error::Store`]: the next run tries again.
pub(super) fn move_unreadable_to_dead_letters(
    engine: &EngineContext,
    order: UnreadableOrder,
    now: DateTime<Utc>,
) -> Result<Delivered> {
    let number = order.number;
    let mut writes = vec![Write::MoveUnreadableToDeadLetters { order, since: now }];
    note(&engine.policy(), &mut writes, || Cause::of_host(NOT_SUBMITTED, now))?;
    if engine.store().commit(&writes)? != CommitOutcome::Applied {
        return Ok(Delivered::ByAnother);
    }
    // The rest of the row may hold anything, so it is not logged.
    tracing::error!(
        number,
        "an order cannot be read and is now a dead letter: see this row of the table outbox"
    );
    Ok(Delivered::DeadLetter)
}

/// Postpones orders without asking the bank, which is away, as if it had been asked about each. Returns how many are
/// postponed; other nodes delivered the rest.
///
/// # Errors
/// [`Error::Store`]: those that could not be put off are delivered again.
pub(super) fn postpone_untried(
    engine: &EngineContext,
    orders: Vec<OutboxOrder>,
    now: DateTime<Utc>,
) -> Result<usize> {
    let (all, later) = (orders.len(), |order| failed_once_more(order, now));
    // All in one commit, unless there is a conflict.
    if engine.store().commit(&orders.iter().cloned().map(later).collect::<Vec<_>>())?
        == CommitOutcome::Applied
    {
        return Ok(all);
    }
    let mut waiting = 0;
    for order in orders {
        waiting += usize::from(postpone(engine, order, Delivered::Away, now)? == Delivered::Away);
    }
    Ok(waiting)
}

fn attempt(engine: &EngineContext, order: &mut OutboxOrder) -> Result<Delivered, Failure> {
    let id = &order.payment_id.clone();
    let mut payment = read(engine, id)?;
    let mut last_answer = None;
    for _ in 0..RACE_ATTEMPTS_MAX {
        if payment.status.is_final() {
            log_contradiction(&payment, last_answer);
            // It must not be carried out any more. The commit that ended the payment has withdrawn its order already.
            let is_withdrawn = commit(engine, &[Write::RemoveOrder(id.clone())])? == CommitOutcome::Applied;
            return Ok(match last_answer {
                // The bank has the order: it reported the end before it answered.
                Some(_) if !is_delivered(engine, id)? => Delivered::Submitted,
                None if is_withdrawn => Delivered::Withdrawn,
                _ => Delivered::ByAnother,
            });
        }
        let version = payment.version;
        let (asked, now) = (payment_order(&payment)?, engine.clock.now());
        if !hold(engine, order, now).map_err(of_store)? {
            return Ok(Delivered::ByAnother);
        }
        engine.store().check_writable().map_err(of_store)?;
        let answered = submit(engine, &asked, now)?;
        // The change has the time of the answer, because others may have recorded changes while the bank was asked.
        let changed = status_transition(payment, answered, SUBMITTED, engine.clock.now());
        let refused = changed.as_ref().err().copied();
        if let Ok(mut writes) = changed {
            writes.insert(0, answered_order(engine, order, answered.status));
            if commit(engine, &writes)? == CommitOutcome::Applied {
                return Ok(Delivered::Submitted);
            }
        }
        payment = read(engine, id)?;
        if payment.version == version {
            let Some(refused) = refused else { return Ok(Delivered::ByAnother) };
            return Err(Failure::Permanent(DeadLetterReason::Refused { answered: answered.status, refused }));
        }
        // The bank has reported a status since, and its answer may be older than that: it is asked again.
        last_answer = Some(answered.status);
    }
    Err(Failure::Held(Error::Store("other calls changed the payment at every attempt".into())))
}

/// The write for an order that the bank answered. If a cancellation may still follow, the order may have to wait.
fn answered_order(engine: &EngineContext, order: &OutboxOrder, bank_status: PaymentStatus) -> Write {
    let payment_id = order.payment_id.clone();
    if !bank_status.may_become(PaymentStatus::Canc) {
        return Write::RemoveOrder(payment_id);
    }
    Write::AnswerOrder { payment_id, again_at: again_at(order, engine.clock.now()) }
}

/// Logs a payment that ended while the bank was asked, and that cannot have reached its end from the bank's answer: one
/// of the two is wrong, and the bank is not asked again.
fn log_contradiction(payment: &Payment, answered: Option<PaymentStatus>) {
    let ended = payment.status;
    let Some(answered) = answered.filter(|answered| *answered != ended && !answered.may_become(ended)) else {
        return;
    };
    let payment_id = &payment.id;
    tracing::error!(
        %payment_id, %ended, %answered,
        "a payment ended in another status than the bank answered to its order: ask the bank which is true"
    );
}

/// Whether an answer to the payment's order was noted. Where it was not this node's, another node has asked too, and
/// counts the order.
fn is_delivered(engine: &EngineContext, id: &PaymentId) -> Result<bool, Failure> {
    let history = engine.store().payments().events(id).map_err(of_store)?;
    Ok(history.iter().any(|event| event.cause == SUBMITTED))
}

fn read(engine: &EngineContext, id: &PaymentId) -> Result<Payment, Failure> {
    let found = engine.store().payments().payment(id).map_err(of_store)?;
    found.ok_or(Failure::Permanent(DeadLetterReason::Missing))
}

fn commit(engine: &EngineContext, writes: &[Write]) -> Result<CommitOutcome, Failure> {
    engine.store().commit(writes).map_err(of_store)
}

/// A store that is locked or away is not the order's fault. A record that cannot be read or written is.
fn of_store(error: Error) -> Failure {
    match error {
        Error::Store(_) | Error::OutcomeUnknown(_) => Failure::Held(error),
        error => Failure::Fault(DeadLetterReason::Unstorable, error),
    }
}

fn payment_order(payment: &Payment) -> Result<PaymentOrder, Failure> {
    let unauthorised = || Failure::Permanent(DeadLetterReason::Unauthorised);
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

fn submit(engine: &EngineContext, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus, Failure> {
    // A bank that panics over one order must not keep it from the others.
    match contained(|| engine.bank().payments().submit_payment(order, now)) {
        Some(Ok(answered)) => Ok(answered),
        Some(Err(
            error @ (Error::Bank(_) | Error::Store(_) | Error::Record(_) | Error::OutcomeUnknown(_)),
        )) => Err(Failure::Away(error)),
        Some(Err(error)) => Err(Failure::Fault(DeadLetterReason::Unusable, error)),
        None => Err(Failure::Fault(DeadLetterReason::Panicked, Error::Bank("the bank panicked".to_owned()))),
    }
}

/// Postpones the order by its number of failures. Returns `delivered`, unless another node was faster.
fn postpone(
    engine: &EngineContext,
    order: OutboxOrder,
    delivered: Delivered,
    now: DateTime<Utc>,
) -> Result<Delivered> {
    Ok(match engine.store().commit(&[failed_once_more(order, now)])? {
        CommitOutcome::Applied => delivered,
        _ => Delivered::ByAnother,
    })
}

/// The order with one more failure. If another node has claimed it since, that node's claim stays.
fn failed_once_more(order: OutboxOrder, now: DateTime<Utc>) -> Write {
    let (was_due, due_at) = (order.due_at, again_at(&order, now));
    let order = OutboxOrder { attempts: order.attempts.saturating_add(1), due_at, ..order };
    Write::RescheduleOrder { order, was_due }
}

/// The next due time of an order that failed once more.
fn again_at(order: &OutboxOrder, now: DateTime<Utc>) -> DateTime<Utc> {
    let wait = backoff(&order.payment_id, order.attempts.saturating_add(1));
    now.checked_add_signed(wait).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// 1 s after the first failure, 2 s after the second, 4 s and so on, at most an hour; up to a quarter of it less, so
/// that what failed together does not come back together. Equal orders wait equally long: a sandbox repeats itself.
fn backoff(payment_id: &PaymentId, attempts: u32) -> TimeDelta {
    let doublings = attempts.saturating_sub(1).min(20);
    let seconds = (1_i64 << doublings).min(DELIVERY_BACKOFF_SECONDS_MAX);
    let drawn = sha256(format!("{payment_id} {attempts}").as_bytes());
    let drawn = drawn.iter().take(4).fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
    TimeDelta::microseconds(seconds * 1_000_000 - drawn % (seconds * 250_000))
}

/// The reason, with the bank's own text of the last failure.
fn explained(reason: DeadLetterReason, error: &Error) -> String {
    match reason {
        DeadLetterReason::Unusable | DeadLetterReason::Alone => {
            let text: String = error.text().chars().take(BANK_ERROR_CHARS_MAX).collect();
            format!("{reason}: {text}")
        }
        _ => reason.to_string(),
    }
}

fn move_to_dead_letters(
    engine: &EngineContext,
    order: &OutboxOrder,
    why: String,
    now: DateTime<Utc>,
) -> Result<Delivered> {
    let (payment_id, attempts) = (order.payment_id.to_string(), order.attempts.saturating_add(1));
    let dead_letter = DeadLetter { payment_id, attempts, why: why.clone(), since: now };
    let mut writes = vec![Write::MoveToDeadLetters { order: dead_letter, was_due: order.due_at }];
    note(&engine.policy(), &mut writes, || Cause::of_host(NOT_SUBMITTED, now))?;
    if engine.store().commit(&writes)? != CommitOutcome::Applied {
        return Ok(Delivered::ByAnother);
    }
    let payment_id = &order.payment_id;
    tracing::error!(%payment_id, attempts, why, "an order is a dead letter: it waits for Engine::retry_order");
    Ok(Delivered::DeadLetter)
}
