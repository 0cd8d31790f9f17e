//! An approved payment becomes an order to the bank.

use super::approval::Approval;
use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::enqueue_submission::enqueue_submission;
use crate::pipeline::psu_identity::matches_psu_identity;
use crate::reason::{Reason, Violation};
use crate::sca::sca_rules::{approve_payment, PaymentApproval};
use crate::store::Write;
use crate::types::{IdentityNumber, PaymentId};

/// What the history says of a payment that its PSU approved.
pub(super) const SCA_COMPLETED: &str = "sca completed";

pub(super) fn approve(
    engine: &EngineContext,
    id: &PaymentId,
    proven: Option<IdentityNumber>,
    approval: &Approval<'_>,
) -> Result<std::result::Result<Vec<Write>, Violation>> {
    let mut payment = engine.payment_to_approve(id)?;
    if !matches_psu_identity(&approval.psu.psu, [&payment], proven, engine.bank())? {
        return Ok(Err(Reason::ScaOtherPsu.into()));
    }
    let debtor = engine.bank().payments().debtor_account(approval.psu, payment.order.debtor_account())?;
    let payment_approval = PaymentApproval { psu: approval.psu, debtor, now: approval.timestamp.time() };
    if let Err(violation) = approve_payment(&mut payment, &payment_approval) {
        return Ok(Err(violation));
    }
    Ok(Ok(enqueue_submission(payment, SCA_COMPLETED, approval.timestamp.time()).into()))
}
