//! The bank reports the status of a payment.

use chrono::{DateTime, Utc};

use crate::bank::OrderStatus;
use crate::error::{Error, Result};
use crate::limits::{HOLD_REASON_CHARS_MAX, RACE_ATTEMPTS_MAX};
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::status_transition::status_transition;
use crate::store::{CommitOutcome, Event, Write};
use crate::types::{first_outside, has_visible, PaymentId, Repertoire};

/// The causes in the payment's history and in the audit.
const CAUSE: &str = "bank: reported";
const HELD: &str = "bank: put on hold";
const RELEASED: &str = "bank: released";

/// A payment that the bank holds is in PDNG; why may be empty.
pub(super) fn report_on_hold(engine: &EngineContext, id: &PaymentId, why: &str) -> Result<()> {
    let is_carried = first_outside(Repertoire::Bmp, why).is_none() && !why.chars().any(char::is_control);
    let is_blank = !why.is_empty() && !has_visible(why);
    if why.chars().count() > HOLD_REASON_CHARS_MAX || !is_carried || is_blank {
        let text = format!("why a payment is on hold has at most {HOLD_REASON_CHARS_MAX} visible characters");
        return Err(Error::Misuse(text));
    }
    report(engine, id, OrderStatus::of(PaymentStatus::Pdng), Some(why))
}

/// Records a status. Without `on_hold` a payment that is on hold is released.
pub(super) fn report(
    engine: &EngineContext,
    id: &PaymentId,
    reported: OrderStatus,
    on_hold: Option<&str>,
) -> Result<()> {
    let cause = on_hold.map_or(CAUSE, |_| HELD);
    for _ in 0..RACE_ATTEMPTS_MAX {
        let payment = engine.store().payments().payment(id)?;
        let payment = payment.ok_or_else(|| Error::NotFound(format!("there is no payment {id}")))?;
        // Read after the payment: every other change that is recorded of it is earlier.
        let now = engine.clock.now();
        let mut writes = status_transition(payment.clone(), reported, cause, now)
            .map_err(|refused| Error::Conflict(refused.to_string()))?;
        if reported.status == PaymentStatus::Pdng && payment.on_hold.as_deref() != on_hold {
            set_hold(&mut writes, payment, on_hold, now);
        }
        // If the bank reports the payment's status, a dead letter of it is not needed any more. It is resolved before
        // the change, because the change withdraws the order of a payment that ends. If another caller has retried or
        // resolved the order since, the commit is a version conflict; an order that becomes a dead letter from now on
        // does so after the report.
        if engine.store().outbox().is_dead_letter(id)? {
            writes.insert(0, Write::ResolveOrder(id.clone()));
        }
        note(&engine.policy(), &mut writes, || Cause::of_host(cause, now))?;
        if writes.is_empty() || engine.store().commit(&writes)? == CommitOutcome::Applied {
            return Ok(());
        }
    }
    Err(Error::Store("other calls changed the payment at every attempt; try again".into()))
}

/// Puts a payment that is in PDNG, or becomes it by those writes, on hold, or releases it. Its history has a line of it
/// also where the status stays.
fn set_hold(writes: &mut Vec<Write>, mut payment: Payment, on_hold: Option<&str>, now: DateTime<Utc>) {
    let on_hold = on_hold.map(str::to_owned);
    let status = payment.status;
    let cause = if on_hold.is_some() { HELD } else { RELEASED };
    let payment_id = payment.id.clone();
    let changed = writes.iter_mut().find_map(|write| match write {
        Write::UpdatePayment(changed) => Some(changed),
        _ => None,
    });
    match changed {
        Some(changed) => changed.on_hold = on_hold,
        None => {
            payment.version += 1;
            payment.on_hold = on_hold;
            writes.push(Write::UpdatePayment(Box::new(payment)));
        }
    }
    if status == PaymentStatus::Pdng {
        let event = Event { payment_id, at: now, from: status, to: status, cause: cause.to_owned() };
        writes.push(Write::AppendEvent(event));
    }
}
