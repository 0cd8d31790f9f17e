//! An authorised payment becomes an order to the bank.

use chrono::{DateTime, Utc};

use crate::machine::Machine as _;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::store::{Event, OutboxOrder, Write};

/// The authorised payment and its order to the bank: one commit, so that neither is ever without the other.
pub(crate) fn enqueue_submission(payment: Payment, cause: &str, now: DateTime<Utc>) -> [Write; 3] {
    debug_assert!(payment.authorised_at.is_some(), "only an authorised payment becomes an order");
    debug_assert!(PaymentStatus::Rcvd.may_become(payment.status), "an authorised payment has left RCVD");
    let event = Event {
        payment_id: payment.id.clone(),
        at: now,
        // Nothing else can be authorised.
        from: PaymentStatus::Rcvd,
        to: payment.status,
        cause: cause.to_owned(),
    };
    let order = OutboxOrder {
        payment_id: payment.id.clone(),
        attempts: 0,
        faults: 0,
        due_at: now,
        product: Some(payment.product),
    };
    [Write::UpdatePayment(Box::new(payment)), Write::EnqueueOrder(order), Write::AppendEvent(event)]
}
