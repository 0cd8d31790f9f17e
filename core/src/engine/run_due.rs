//! The outbox: authorised payments on their way to the bank. Nothing is lost and nothing is paid twice: an
//! order leaves the outbox in the same commit that notes the bank's answer, and the bank takes a payment id
//! only once.

use chrono::{DateTime, TimeDelta, Utc};

use super::report::change;
use crate::bank::PaymentOrder;
use crate::error::{Error, Result};
use crate::limits::{AUTHORISATION_LIFE_SECONDS, FORGET_AFTER_HOURS};
use crate::machine::Machine;
use crate::payment::record::Payment;
use crate::pipeline::parts::Parts;
use crate::pipeline::replay::window_start;
use crate::store::{Committed, OutboxOrder, Write};
use crate::types::{date, ActingPsu, Context};

/// What a run did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunReport {
    /// Orders that the bank took.
    pub submitted: usize,
    /// Orders that failed and will be delivered again.
    pub failed: usize,
}

const ORDERS_PER_READ: usize = 100;
const BACKOFF_SECONDS_MAX: i64 = 3_600;

pub(super) fn run_due(parts: &Parts, now: DateTime<Utc>) -> Result<RunReport> {
    let mut report = RunReport::default();
    loop {
        let orders = parts.store().due_orders(now, ORDERS_PER_READ)?;
        if orders.is_empty() {
            break;
        }
        for order in orders {
            match deliver(parts, &order, now) {
                Ok(()) => report.submitted += 1,
                Err(error) => {
                    tracing::error!(%error, attempts = order.attempts, "an order could not be delivered");
                    postpone(parts, order, now)?;
                    report.failed += 1;
                }
            }
        }
    }
    parts.store().forget_request_ids(window_start(now))?;
    let over =
        now.checked_sub_signed(TimeDelta::hours(FORGET_AFTER_HOURS)).unwrap_or(DateTime::<Utc>::MIN_UTC);
    parts.store().forget_access_counts(date::oslo_day(over))?;
    // Every call that an SCA would cure leaves a link; most are never followed, and die.
    let dead = over.checked_sub_signed(TimeDelta::seconds(AUTHORISATION_LIFE_SECONDS));
    parts.store().forget_waiting_authorisations(dead.unwrap_or(DateTime::<Utc>::MIN_UTC))?;
    Ok(report)
}

fn deliver(parts: &Parts, order: &OutboxOrder, now: DateTime<Utc>) -> Result<()> {
    let payment = parts.store().payment(&order.payment_id)?;
    let payment = payment.ok_or_else(|| Error::Internal("an order's payment is missing".to_owned()))?;
    if payment.status.is_final() {
        // The bank reported its end before it had the order: it must not be carried out any more.
        return parts.store().commit(&[Write::RemoveOrder(order.payment_id.clone())]).map(|_| ());
    }
    let answered = parts.bank().submit_payment(&payment_order(&payment)?, now)?;
    let mut writes = vec![Write::RemoveOrder(order.payment_id.clone())];
    writes.extend(change(payment, answered, "bank: submitted", now)?);
    match parts.store().commit(&writes)? {
        Committed::Done => Ok(()),
        // Another node delivered it, or the bank reported meanwhile: the next delivery asks the bank again.
        _ => Err(Error::Store("the payment was changed meanwhile".to_owned())),
    }
}

fn payment_order(payment: &Payment) -> Result<PaymentOrder> {
    let unauthorised = || Error::Internal("an order's payment is not authorised".to_owned());
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

/// Delivers again after 1 s, 2 s, 4 s and so on, at most every hour.
fn postpone(parts: &Parts, order: OutboxOrder, now: DateTime<Utc>) -> Result<()> {
    let seconds =
        1_i64.checked_shl(order.attempts.min(20)).unwrap_or(BACKOFF_SECONDS_MAX).min(BACKOFF_SECONDS_MAX);
    let due_at = now.checked_add_signed(TimeDelta::seconds(seconds)).unwrap_or(DateTime::<Utc>::MAX_UTC);
    let later = OutboxOrder { attempts: order.attempts.saturating_add(1), due_at, ..order };
    parts.store().commit(&[Write::RescheduleOrder(later)]).map(|_| ())
}
