//! The payments of an approved signing basket, one by one: each becomes an order to the bank, or is rejected for
//! a fault of its own, and none blocks another (contract: Signing basket).

use super::approval::Approval;
use super::payment::SCA_COMPLETED;
use crate::bank::OrderStatus;
use crate::basket::basket_rules::is_authorisable;
use crate::basket::machine::BasketState;
use crate::error::{Error, Result};
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::enqueue_submission::enqueue_submission;
use crate::pipeline::psu_identity::matches_psu_identity;
use crate::pipeline::status_transition::status_transition;
use crate::reason::{Reason, Violation};
use crate::sca::sca_rules::{authorise, check_basket_owner, PaymentApproval};
use crate::store::Write;
use crate::types::{ActingPsu, BasketId, DebtorAccount, IdentityNumber};

pub(super) fn approve(
    engine: &EngineContext,
    id: &BasketId,
    proven: Option<IdentityNumber>,
    approval: &Approval<'_>,
) -> Result<std::result::Result<Vec<Write>, Violation>> {
    let (mut basket, payments) = engine.basket_to_approve(id)?;
    if let Err(violation) = check_basket_owner(&basket, approval.psu) {
        return Ok(Err(violation));
    }
    // The payments of one that was given up are not its own any more.
    if !is_authorisable(&basket, &payments) || !basket.become_state(BasketState::Authorised) {
        return Ok(Err(Reason::BasketNotAuthorisable.into()));
    }
    if !matches_psu_identity(&approval.psu.psu, &payments, proven, engine.bank())? {
        return Ok(Err(Reason::ScaOtherPsu.into()));
    }
    // The bank is asked about all before the first is decided on: they are of one time.
    let ask = |payment| Ok((debtor(engine, &payment, approval.psu)?, payment));
    let asked = payments.into_iter().map(ask).collect::<Result<Vec<_>>>()?;
    let mut writes = vec![Write::UpdateBasket(basket)];
    for (debtor, payment) in asked {
        writes.extend(let_go(payment, debtor, approval)?);
    }
    Ok(Ok(writes))
}

/// The account that pays, as the bank knows it; a payment that waits no more is not asked about.
fn debtor(engine: &EngineContext, payment: &Payment, psu: &ActingPsu) -> Result<Option<DebtorAccount>> {
    match payment.status {
        PaymentStatus::Rcvd => engine.bank().payments().debtor_account(psu, payment.order.debtor_account()),
        _ => Ok(None),
    }
}

/// One payment leaves the basket: authorised, rejected, or final already.
fn let_go(
    mut payment: Payment,
    debtor: Option<DebtorAccount>,
    approval: &Approval<'_>,
) -> Result<Vec<Write>> {
    payment.basket = None;
    if payment.status != PaymentStatus::Rcvd {
        payment.version += 1;
        return Ok(vec![Write::UpdatePayment(Box::new(payment))]);
    }
    let now = approval.timestamp.time();
    let payment_approval = PaymentApproval { psu: approval.psu, debtor, now };
    match authorise(&mut payment, &payment_approval) {
        Ok(()) => Ok(enqueue_submission(payment, SCA_COMPLETED, now).into()),
        // A payment that the PSU approved with the others and cannot pay. It stays unauthorised for ever.
        Err(violation) => {
            let rejected = status_transition(
                payment,
                OrderStatus::of(PaymentStatus::Rjct),
                &format!("basket: {}", violation.reason.id()),
                now,
            );
            rejected.map_err(|refused| Error::Internal(refused.to_string()))
        }
    }
}
