//! Decisions about an authorisation: the result of the PSU's answer.

use chrono::{DateTime, Utc};

use super::record::Authorisation;
use crate::basket::record::Basket;
use crate::payment::machine::PaymentStatus;
use crate::payment::payment_rules::debtor_fault;
use crate::payment::record::Payment;
use crate::reason::{Reason, Violation};
use crate::types::{ActingPsu, Context, CorporateKey, DebtorAccount, PsuKey};

/// What approving is decided from, beside the records.
pub(crate) struct PaymentApproval<'a> {
    /// Who approved, or whom the bank exempts.
    pub(crate) psu: &'a ActingPsu,
    /// The account that pays, as the bank knows it for this PSU.
    pub(crate) debtor: Option<DebtorAccount>,
    /// The present.
    pub(crate) now: DateTime<Utc>,
}

/// Makes the payment an authorised one.
///
/// # Errors
/// The violation that fails the SCA; the payment stays as it was and can be authorised again.
pub(crate) fn approve_payment(
    payment: &mut Payment,
    approval: &PaymentApproval<'_>,
) -> Result<(), Violation> {
    check_owner(payment, approval.psu)?;
    if payment.status == PaymentStatus::Rcvd && payment.basket.is_some() {
        return Err(Reason::PaymentInBasket.into());
    }
    authorise(payment, approval)
}

/// The same for a payment of a basket, whose owner was checked with the basket; and for a new payment that the bank
/// exempts from the SCA, whose owner the call identified. The exemption counts as the authorisation.
///
/// # Errors
/// The violation for which the payment is to be rejected; it is as it was.
pub(crate) fn authorise(payment: &mut Payment, approval: &PaymentApproval<'_>) -> Result<(), Violation> {
    if payment.status != PaymentStatus::Rcvd {
        return Err(Reason::PaymentNotAuthorisable.into());
    }
    if let Some(fault) = debtor_fault(payment.order.debtor_account(), approval.debtor.as_ref()) {
        return Err(fault.violation);
    }
    payment.psu = Some(approval.psu.psu.clone());
    payment.context = Some(approval.psu.context);
    payment.corporate = approval.psu.corporate.clone();
    payment.authorised_at = Some(approval.now);
    payment.become_status(PaymentStatus::Pdng).map_err(|_| Reason::PaymentNotAuthorisable.into())
}

/// Checks that the PSU who answered is the one that the call named, in the named context. `by_number` is the person
/// behind X-PSU-IDENTITY, if the call has that header; the number may be unknown.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another person, SCA_INVALID for another context.
pub(crate) fn check_named(
    authorisation: &Authorisation,
    acting: &ActingPsu,
    by_number: Option<&Option<PsuKey>>,
) -> Result<(), Violation> {
    let is_other = authorisation.psu.as_ref().is_some_and(|named| *named != acting.psu);
    let is_other_by_number = by_number.is_some_and(|named| named.as_ref() != Some(&acting.psu));
    if is_other || is_other_by_number {
        return Err(Reason::ScaOtherPsu.into());
    }
    check_role(authorisation.context, authorisation.corporate.as_ref(), acting)
}

/// The same for a payment, which may have an owner already.
///
/// # Errors
/// As [`check_named`].
pub(crate) fn check_owner(payment: &Payment, acting: &ActingPsu) -> Result<(), Violation> {
    check_person(payment.psu.as_ref(), acting)?;
    check_role(payment.context, payment.corporate.as_ref(), acting)
}

/// The same for a basket: a PSU who may authorise it may authorise each of its payments.
///
/// # Errors
/// As [`check_named`].
pub(crate) fn check_basket_owner(basket: &Basket, acting: &ActingPsu) -> Result<(), Violation> {
    check_person(Some(&basket.psu), acting)?;
    check_role(Some(basket.context), basket.corporate.as_ref(), acting)
}

fn check_person(owner: Option<&PsuKey>, acting: &ActingPsu) -> Result<(), Violation> {
    match owner {
        Some(owner) if *owner != acting.psu => Err(Reason::ScaOtherPsu.into()),
        _ => Ok(()),
    }
}

fn check_role(
    context: Option<Context>,
    corporate: Option<&CorporateKey>,
    acting: &ActingPsu,
) -> Result<(), Violation> {
    let fits = context.is_none_or(|context| context == acting.context)
        && corporate.is_none_or(|corporate| acting.corporate.as_ref() == Some(corporate));
    if fits {
        Ok(())
    } else {
        Err(Reason::ScaOtherContext.into())
    }
}
