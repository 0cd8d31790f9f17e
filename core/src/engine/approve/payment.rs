//! An approved payment becomes an order to the bank.

use chrono::{DateTime, Utc};

use super::Given;
use crate::error::{Error, Result};
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::pipeline::parts::Parts;
use crate::reason::Violation;
use crate::sca::decide::{approve_payment, Approval};
use crate::store::{Event, OutboxOrder, Write};
use crate::types::PaymentId;

pub(super) fn approve(
    parts: &Parts,
    id: &PaymentId,
    given: &Given<'_>,
) -> Result<std::result::Result<Vec<Write>, Violation>> {
    let payment = parts.store().payment(id)?;
    let mut payment =
        payment.ok_or_else(|| Error::Internal("an authorisation's payment is missing".to_owned()))?;
    let from = payment.status;
    let debtor = parts.bank().debtor_account(given.psu, payment.order.debtor_account())?;
    let approval = Approval { psu: given.psu, debtor, now: given.now };
    if let Err(violation) = approve_payment(&mut payment, &approval) {
        return Ok(Err(violation));
    }
    Ok(Ok(order(payment, from, given.now).into()))
}

/// The authorised payment and its order to the bank: one commit, so that neither is ever without the other.
pub(super) fn order(payment: Payment, from: PaymentStatus, now: DateTime<Utc>) -> [Write; 3] {
    let event = Event {
        payment_id: payment.id.clone(),
        at: now,
        from,
        to: payment.status,
        cause: "sca completed".to_owned(),
    };
    let order = OutboxOrder { payment_id: payment.id.clone(), attempts: 0, faults: 0, due_at: now };
    [Write::UpdatePayment(payment), Write::EnqueueOrder(order), Write::AppendEvent(event)]
}
