//! A payment gets the status that the bank reports, or that a cancellation leads to.

use chrono::{DateTime, Utc};

use crate::bank::OrderStatus;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::{Payment, TransitionRefused};
use crate::store::{Event, Write};

/// The writes that bring a payment there. None where it is there already: a bank may report twice. News of the funds
/// alone change the payment and are no event; of one that is final, only where nothing was known of them.
///
/// # Errors
/// [`TransitionRefused`]: the state machine has no such change.
pub(crate) fn status_transition(
    mut payment: Payment,
    reported: OrderStatus,
    cause: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Write>, TransitionRefused> {
    let from = payment.status;
    let known = reported.funds_available.or(payment.funds_available);
    // A part of a bulk may have lacked them; what was settled in the end had them.
    let funds_available = known.filter(|had| *had || reported.status != PaymentStatus::Acsc);
    if from == reported.status {
        let may_change = !from.is_final() || (payment.funds_available.is_none() && fits(from, reported));
        let is_news = may_change && payment.funds_available != funds_available;
        payment.version += 1;
        payment.funds_available = funds_available;
        return Ok(is_news.then_some(Write::UpdatePayment(Box::new(payment))).into_iter().collect());
    }
    payment.become_status(reported.status)?;
    debug_assert!(!from.is_final() && from.may_become(payment.status), "the table has each status change");
    payment.funds_available = funds_available;
    let event =
        Event { payment_id: payment.id.clone(), at: now, from, to: payment.status, cause: cause.to_owned() };
    // What has come to its end must not be carried out any more.
    let withdrawn = payment.status.is_final().then(|| Write::WithdrawOrder(payment.id.clone()));
    let mut writes = vec![Write::UpdatePayment(Box::new(payment)), Write::AppendEvent(event)];
    writes.extend(withdrawn);
    Ok(writes)
}

/// Whether that of the funds goes with such an end: what was settled had them, what was cancelled needed none.
fn fits(end: PaymentStatus, reported: OrderStatus) -> bool {
    match end {
        PaymentStatus::Rjct => true,
        PaymentStatus::Acsc => reported.funds_available == Some(true),
        _ => false,
    }
}
