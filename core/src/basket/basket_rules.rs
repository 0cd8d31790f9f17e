//! Decisions about signing baskets: pure functions over what was read before.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::machine::BasketState;
use super::record::Basket;
use crate::payment::machine::PaymentStatus;
use crate::payment::payment_rules::check_caller;
use crate::payment::product::Service;
use crate::payment::record::Payment;
use crate::reason::{Finding, Reason, Refusal};
use crate::types::{ActingPsu, BasketId, Context, Party};

/// What a creation is decided from.
pub(crate) struct Creation<'c> {
    pub(crate) id: BasketId,
    pub(crate) tpp: &'c Arc<str>,
    /// The PSU the call named, in the role of the call.
    pub(crate) psu: &'c ActingPsu,
    /// What of them its headers name.
    pub(crate) caller: &'c Party,
    /// The payments it named, in their order; `None` for one that this TPP does not have.
    pub(crate) payments: Vec<Option<Payment>>,
    pub(crate) now: DateTime<Utc>,
}

/// A new basket, and its payments as they are from now on.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) basket: Basket,
    pub(crate) payments: Vec<Payment>,
}

/// Puts payments into a new basket.
///
/// # Errors
/// What is wrong with the payments as the body names them, all of it at once: RESOURCE_UNKNOWN; REFERENCE_MIX_INVALID
/// for bulk and periodic payments, those in an open basket, and those that one PSU in one context cannot authorise
/// together. Then PSU_CREDENTIALS_INVALID for a call that names another party than the payments, and CONFLICT for
/// payments that are not received.
pub(crate) fn create(creation: Creation<'_>) -> Result<Filled, Refusal> {
    let (mut payments, party) = fitting(creation.payments)?;
    check_caller(&party, creation.caller, Reason::PsuOfAnotherPayment)?;
    refuse(faulty(&payments, Reason::BasketPaymentNotReceived, |payment| {
        payment.status != PaymentStatus::Rcvd
    }))?;
    // What neither the call nor a payment says is as of any call of this PSU.
    let role = creation.caller.clone().or(party).or(creation.psu.into());
    let context = role.context.unwrap_or(creation.psu.context);
    let basket = Basket {
        id: creation.id,
        version: 1,
        tpp: Arc::clone(creation.tpp),
        payments: payments.iter().map(|payment| payment.id.clone()).collect(),
        psu: creation.psu.psu.clone(),
        context,
        corporate: role.corporate.filter(|_| context == Context::Corporate),
        state: BasketState::Open,
        created_at: creation.now,
    };
    for payment in &mut payments {
        payment.version += 1;
        payment.basket = Some(basket.id.clone());
    }
    Ok(Filled { basket, payments })
}

/// The payments, if the TPP has them all and one SCA may authorise them together, and whose they are.
fn fitting(found: Vec<Option<Payment>>) -> Result<(Vec<Payment>, Party), Refusal> {
    let is_mixed = |payment: &Payment| payment.product.service() != Service::Payments;
    let is_taken = |payment: &Payment| payment.basket.is_some();
    let mut party = Party::default();
    // Whose basket it is, the payments say that may be in it.
    let is_anothers = |payment: &Payment| {
        if is_mixed(payment) || is_taken(payment) {
            return false;
        }
        let differs = party.differs_in(&payment.party()).is_some();
        if !differs {
            party = std::mem::take(&mut party).or(payment.party());
        }
        differs
    };
    let mut findings = faulty(&found, Reason::BasketPaymentUnknown, Option::is_none);
    findings.extend(faulty_known(&found, Reason::BasketProductMixed, is_mixed));
    findings.extend(faulty_known(&found, Reason::BasketPaymentTaken, is_taken));
    findings.extend(faulty_known(&found, Reason::BasketPsusMixed, is_anothers));
    refuse(findings)?;
    Ok((found.into_iter().flatten().collect(), party))
}

/// One finding for each payment of which that is true, but for those that are not known.
fn faulty_known(
    found: &[Option<Payment>],
    reason: Reason,
    mut is_so: impl FnMut(&Payment) -> bool,
) -> Vec<Finding> {
    faulty(found, reason, |payment| payment.as_ref().is_some_and(&mut is_so))
}

/// One finding for each item of which that is true.
fn faulty<T>(items: &[T], reason: Reason, mut is_so: impl FnMut(&T) -> bool) -> Vec<Finding> {
    let faulty = items.iter().enumerate().filter(|(_, item)| is_so(item));
    faulty.map(|(index, _)| at(index, reason)).collect()
}

fn refuse(findings: Vec<Finding>) -> Result<(), Refusal> {
    Refusal::from_findings(findings).map_or(Ok(()), Err)
}

fn at(index: usize, reason: Reason) -> Finding {
    Finding::error(reason, format!("/paymentIds/{index}"))
}

/// Deletes a basket that no PSU has authorised.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another party than the basket's; CONFLICT for a basket that is authorised.
pub(crate) fn delete(basket: &mut Basket, caller: &Party) -> Result<(), Refusal> {
    check_party(basket, caller)?;
    match basket.become_state(BasketState::Deleted) {
        true => Ok(()),
        false => Err(Reason::BasketNotDeletable.into()),
    }
}

/// Whether the TPP may start an authorisation of this basket by a call that names this party.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another party than the basket's; CONFLICT where there is nothing to authorise.
pub(crate) fn start_authorisation(
    basket: &Basket,
    payments: &[Payment],
    caller: &Party,
) -> Result<(), Refusal> {
    check_party(basket, caller)?;
    match is_authorisable(basket, payments) {
        true => Ok(()),
        false => Err(Reason::BasketNotAuthorisable.into()),
    }
}

/// Whether a payment of the basket waits for its SCA.
pub(crate) fn is_authorisable(basket: &Basket, payments: &[Payment]) -> bool {
    payments.iter().any(|payment| waits(basket, payment))
}

/// Those of its payments that approving the basket would send to the bank.
pub(crate) fn waiting(basket: &Basket, payments: Vec<Payment>) -> impl Iterator<Item = Payment> + '_ {
    payments.into_iter().filter(|payment| waits(basket, payment))
}

fn waits(basket: &Basket, payment: &Payment) -> bool {
    basket.state == BasketState::Open && payment.status == PaymentStatus::Rcvd
}

fn check_party(basket: &Basket, caller: &Party) -> Result<(), Refusal> {
    check_caller(&basket.party(), caller, Reason::PsuOfAnotherBasket)
}
