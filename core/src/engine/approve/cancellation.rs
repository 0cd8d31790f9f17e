//! An authorised payment is given up, if the bank still can.

use super::approval::{Approval, ApprovalFailed};
use crate::bank::{Cancellation, OrderStatus};
use crate::engine::claim::claimed_until;
use crate::error::{Error, Result};
use crate::limits::RACE_ATTEMPTS_MAX;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::status_transition::status_transition;
use crate::reason::Reason;
use crate::sca::sca_rules::check_owner;
use crate::store::{CommitOutcome, OutboxOrder, Write};
use crate::types::PaymentId;

/// The bank is asked first, and keeps its word: an order it gave up is not carried out, even where the writes
/// are lost and it is asked again. So that they are not lost for good, the order waits until its answer is noted.
pub(super) fn approve(
    engine: &EngineContext,
    id: &PaymentId,
    approval: &Approval<'_>,
) -> Result<std::result::Result<Vec<Write>, ApprovalFailed>> {
    let payment = engine.payment_to_approve(id)?;
    if let Err(violation) = check_owner(&payment, approval.psu) {
        return Ok(Err(violation.into()));
    }
    if payment.status == PaymentStatus::Canc {
        // Another link, another channel or this very cancellation was faster: it is as the PSU wants it.
        return Ok(Ok(Vec::new()));
    }
    if !payment.status.may_become(PaymentStatus::Canc) {
        return Ok(Err(ApprovalFailed { violation: Reason::CancellationTooLate.into(), writes: Vec::new() }));
    }
    let waits_for_this_alone = let_order_wait(engine, &payment)?;
    match engine.bank().payments().cancel_payment(id, engine.clock.now())? {
        Cancellation::Cancelled => {
            let changed = status_transition(
                payment,
                OrderStatus::of(PaymentStatus::Canc),
                "cancellation: sca completed",
                approval.timestamp.time(),
            );
            // The end of a payment withdraws its order.
            changed.map(Ok).map_err(|refused| Error::Internal(refused.to_string()))
        }
        Cancellation::TooLate(status) => {
            // News that the machine has no row for are none.
            let writes =
                status_transition(payment, status, "bank: too late to cancel", approval.timestamp.time());
            let mut writes = writes.unwrap_or_default();
            writes.push(match waits_for_this_alone {
                true => Write::WithdrawOrder(id.clone()),
                false => Write::EndCancelling(id.clone()),
            });
            Ok(Err(ApprovalFailed { violation: Reason::CancellationTooLate.into(), writes }))
        }
    }
}

/// Has the order of a payment wait before the bank is asked to give it up; one that the bank took is put back into the
/// outbox. Where the bank's answer is lost, or never comes, the order is delivered again and again, and the bank
/// answers with the payment's status. Another node may ask that at this moment: as long as the payment may still be
/// cancelled, no such answer takes the order out. Gives whether the order waits for nothing else.
fn let_order_wait(engine: &EngineContext, payment: &Payment) -> Result<bool> {
    let begin = || Write::BeginCancelling(payment.id.clone());
    let order = OutboxOrder {
        payment_id: payment.id.clone(),
        attempts: 0,
        faults: 0,
        // Until then the question is this call's own.
        due_at: claimed_until(engine, engine.clock.now()),
        product: Some(payment.product),
    };
    let (put_back, mark) = ([Write::EnqueueOrder(order), begin()], [begin()]);
    for _ in 0..RACE_ATTEMPTS_MAX {
        if engine.store().commit(&put_back)? == CommitOutcome::Applied {
            return Ok(true);
        }
        // It is there already: the bank does not have it yet, or it waits since an earlier attempt.
        if engine.store().commit(&mark)? == CommitOutcome::Applied {
            return Ok(false);
        }
    }
    Err(Error::Store("other calls changed the order at every attempt; try again".to_owned()))
}
