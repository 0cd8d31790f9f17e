//! An approved payment becomes an order to the bank.

use super::Given;
use crate::error::Result;
use crate::pipeline::engine_context::Parts;
use crate::pipeline::enqueue_submission::order;
use crate::pipeline::psu_identity::is_named_by;
use crate::reason::{Reason, Violation};
use crate::sca::sca_rules::{approve_payment, Approval};
use crate::store::Write;
use crate::types::{IdentityNumber, PaymentId};

/// What the history says of a payment that its PSU approved.
pub(super) const SCA_COMPLETED: &str = "sca completed";

pub(super) fn approve(
    parts: &Parts,
    id: &PaymentId,
    proven: Option<IdentityNumber>,
    given: &Given<'_>,
) -> Result<std::result::Result<Vec<Write>, Violation>> {
    let mut payment = parts.payment_to_approve(id)?;
    if !is_named_by(&given.psu.psu, [&payment], proven, parts)? {
        return Ok(Err(Reason::ScaOtherPsu.into()));
    }
    let debtor = parts.bank().debtor_account(given.psu, payment.order.debtor_account())?;
    let approval = Approval { psu: given.psu, debtor, now: given.stamp.time() };
    if let Err(violation) = approve_payment(&mut payment, &approval) {
        return Ok(Err(violation));
    }
    Ok(Ok(order(payment, SCA_COMPLETED, given.stamp.time()).into()))
}
