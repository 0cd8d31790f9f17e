//! The bank tells where a payment stands.

use chrono::{DateTime, Utc};

use crate::bank::OrderStatus;
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::payment::record::Payment;
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::parts::Parts;
use crate::store::{Committed, Event, Write};
use crate::types::PaymentId;

/// What the history of a payment and the audit say of it.
const CAUSE: &str = "bank: reported";

/// How often a lost race is tried again.
const ATTEMPTS_MAX: usize = 5;

pub(super) fn report(parts: &Parts, id: &PaymentId, reported: OrderStatus, now: DateTime<Utc>) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let payment = parts.store().payment(id)?;
        let payment = payment.ok_or_else(|| Error::Misuse(format!("there is no payment {id}")))?;
        let mut writes = change(payment, reported, CAUSE, now)?;
        // A bank that knows where a payment stands needs its order no more, if that was set aside. Before the change,
        // which withdraws the order of a payment at its end. An order that somebody else let wait again or resolved
        // meanwhile is a lost race; one that is set aside only now is set aside after the report.
        if parts.store().is_order_set_aside(id)? {
            writes.insert(0, Write::ResolveOrder(id.clone()));
        }
        note(&parts.policy(), &mut writes, || Cause::of_host(CAUSE, now))?;
        if writes.is_empty() || parts.store().commit(&writes)? == Committed::Done {
            return Ok(());
        }
    }
    Err(Error::Store("the payment is changed by others all the time; try again".to_owned()))
}

/// The writes that bring a payment where the bank says it is. None where it is there already: a bank may
/// report twice. News of the funds alone change the payment and are no event.
pub(super) fn change(
    mut payment: Payment,
    reported: OrderStatus,
    cause: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Write>> {
    let from = payment.status;
    let funds_available = reported.funds_available.or(payment.funds_available);
    if from == reported.status {
        let is_news = payment.funds_available != funds_available && !from.is_final();
        payment.version += 1;
        payment.funds_available = funds_available;
        return Ok(is_news.then_some(Write::UpdatePayment(payment)).into_iter().collect());
    }
    payment.become_status(reported.status).map_err(|refused| {
        Error::Misuse(format!("a payment in {} cannot become {}", refused.from, refused.to))
    })?;
    payment.funds_available = funds_available;
    let event =
        Event { payment_id: payment.id.clone(), at: now, from, to: payment.status, cause: cause.to_owned() };
    // What has come to its end must not be carried out any more.
    let withdrawn = payment.status.is_final().then(|| Write::WithdrawOrder(payment.id.clone()));
    let mut writes = vec![Write::UpdatePayment(payment), Write::AppendEvent(event)];
    writes.extend(withdrawn);
    Ok(writes)
}
