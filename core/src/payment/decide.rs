//! Decisions about payments: pure functions over what was read before.

use chrono::{DateTime, Utc};

use super::likeness::likeness;
use super::machine::PaymentStatus;
use super::order::Order;
use super::product::Product;
use super::record::Payment;
use crate::machine::Machine;
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::types::{
    AccountIdentification, AccountReference, ActingPsu, Context, DebtorAccount, IdentityNumber, Money,
    PaymentId,
};

/// What a new payment is made of.
pub(crate) struct Creation<'c> {
    pub(crate) id: PaymentId,
    pub(crate) tpp: &'c str,
    pub(crate) product: Product,
    pub(crate) order: Order,
    /// The PSU the call identified.
    pub(crate) psu: Option<&'c ActingPsu>,
    /// The context the call named.
    pub(crate) context: Option<Context>,
    /// The person the call named by X-PSU-IDENTITY.
    pub(crate) identity: Option<IdentityNumber>,
    /// What the bank charges.
    pub(crate) fee: Money,
    pub(crate) now: DateTime<Utc>,
}

/// A new payment of an order that was admitted.
pub(crate) fn create(creation: Creation<'_>) -> Payment {
    Payment {
        likeness: likeness(creation.tpp, creation.product, &creation.order),
        id: creation.id,
        version: 1,
        tpp: creation.tpp.to_owned(),
        product: creation.product,
        psu: creation.psu.map(|acting| acting.psu.clone()),
        context: creation.psu.map(|acting| acting.context).or(creation.context),
        corporate: creation.psu.and_then(|acting| acting.corporate.clone()),
        identity: creation.identity,
        order: creation.order,
        fee: creation.fee,
        status: PaymentStatus::Rcvd,
        funds_available: None,
        authorised_at: None,
        basket: None,
        created_at: creation.now,
    }
}

/// What is wrong with the account that is to pay: it is not the PSU's, or held in another currency.
pub(crate) fn debtor_fault(named: &AccountReference, known: Option<&DebtorAccount>) -> Option<Finding> {
    let member = match named.identification {
        AccountIdentification::Bban(_) => "bban",
        AccountIdentification::Iban(_) => "iban",
        AccountIdentification::Card(_) => "other/identification",
    };
    match known {
        None => Some(Finding::error(Reason::DebtorAccountUnknown, format!("/debtorAccount/{member}"))),
        Some(account) if account.currency != named.currency => {
            Some(Finding::error(Violation::from(Reason::DebtorAccountCurrency), "/debtorAccount/currency"))
        }
        Some(_) => None,
    }
}

/// Whether the TPP may start an authorisation of this payment for this PSU.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another PSU; CONFLICT for what is authorised or final, and for a payment in
/// an open basket.
pub(crate) fn start_authorisation(payment: &Payment, psu: Option<&ActingPsu>) -> Result<(), Refusal> {
    check_psu(payment, psu)?;
    if payment.status != PaymentStatus::Rcvd {
        return Err(Reason::PaymentNotAuthorisable.into());
    }
    check_no_basket(payment)
}

/// What it takes to cancel a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CancelledBy {
    /// Nothing more: nobody has authorised it.
    TheCallAlone,
    /// An SCA of its own, because the payment had one.
    AnotherSca,
}

/// How this payment can be cancelled for this PSU.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another PSU; CONFLICT, as a method that is not allowed, for what is final or
/// being settled, and as a conflict for a payment in an open basket.
pub(crate) fn cancel(payment: &Payment, psu: Option<&ActingPsu>) -> Result<CancelledBy, Refusal> {
    check_psu(payment, psu)?;
    if !payment.status.may_become(PaymentStatus::Canc) {
        return Err(Reason::PaymentNotCancellable.into());
    }
    check_no_basket(payment)?;
    Ok(match payment.status {
        PaymentStatus::Rcvd => CancelledBy::TheCallAlone,
        _ => CancelledBy::AnotherSca,
    })
}

/// Whether the TPP may start the authorisation of a cancellation for this PSU.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another PSU; CONFLICT for what is final or being settled, for what was never
/// authorised, and for a payment in an open basket.
pub(crate) fn start_cancellation(payment: &Payment, psu: Option<&ActingPsu>) -> Result<(), Refusal> {
    check_psu(payment, psu)?;
    if !payment.status.may_become(PaymentStatus::Canc) {
        return Err(Reason::CancellationTooLate.into());
    }
    check_no_basket(payment)?;
    match payment.status {
        PaymentStatus::Rcvd => Err(Reason::CancellationNeedsNoSca.into()),
        _ => Ok(()),
    }
}

fn check_psu(payment: &Payment, psu: Option<&ActingPsu>) -> Result<(), Refusal> {
    match (&payment.psu, psu) {
        (Some(owner), Some(acting)) if *owner != acting.psu => {
            Err(Refusal::at(Reason::PsuOfAnotherPayment, "PSU-ID"))
        }
        _ => Ok(()),
    }
}

fn check_no_basket(payment: &Payment) -> Result<(), Refusal> {
    match payment.basket {
        Some(_) => Err(Reason::PaymentInBasket.into()),
        None => Ok(()),
    }
}
