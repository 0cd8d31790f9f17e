//! Decisions about payments: pure functions over what was read before.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::duplicate_fingerprint::duplicate_fingerprint;
use super::machine::PaymentStatus;
use super::order::Order;
use super::product::Product;
use super::record::Payment;
use crate::machine::Machine;
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::types::{
    AccountIdentification, AccountReference, Context, DebtorAccount, IdentityNumber, Money, Party, PaymentId,
};

/// What a new payment is made of.
pub(crate) struct Creation<'c> {
    pub(crate) id: PaymentId,
    pub(crate) tpp: &'c Arc<str>,
    pub(crate) product: Product,
    pub(crate) order: Order,
    /// Whom the call named.
    pub(crate) party: &'c Party,
    /// The person the call named by X-PSU-IDENTITY.
    pub(crate) identity: Option<IdentityNumber>,
    /// What the bank charges.
    pub(crate) fee: Money,
    pub(crate) now: DateTime<Utc>,
}

/// A new payment of an order that was admitted.
pub(crate) fn create(creation: Creation<'_>) -> Payment {
    Payment {
        duplicate_fingerprint: duplicate_fingerprint(creation.tpp, creation.product, &creation.order),
        id: creation.id,
        version: 1,
        tpp: Arc::clone(creation.tpp),
        product: creation.product,
        psu: creation.party.psu.clone(),
        context: creation.party.context,
        corporate: creation.party.corporate.clone(),
        identity: creation.identity,
        order: creation.order,
        fee: creation.fee,
        status: PaymentStatus::Rcvd,
        funds_available: None,
        on_hold: None,
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

/// Whether the TPP may start an authorisation of this payment by a call that names this party.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another party than the payment's; CONFLICT for what is authorised or final, and for a
/// payment in an open basket.
pub(crate) fn start_authorisation(payment: &Payment, caller: &Party) -> Result<(), Refusal> {
    check_party(payment, caller)?;
    if payment.status != PaymentStatus::Rcvd {
        return Err(Reason::PaymentNotAuthorisable.into());
    }
    check_no_basket(payment)
}

/// What it takes to cancel a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CancelledBy {
    /// Nothing more: it is not authorised.
    TheCallAlone,
    /// An SCA of its own, because the payment had one.
    AnotherSca,
}

/// How this payment can be cancelled by a call that names this party.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another party than the payment's; CONFLICT, as a method that is not allowed, for
/// what is final or being settled, and as a conflict for a payment in an open basket.
pub(crate) fn cancel(payment: &Payment, caller: &Party) -> Result<CancelledBy, Refusal> {
    check_party(payment, caller)?;
    if !payment.status.may_become(PaymentStatus::Canc) {
        return Err(Reason::PaymentNotCancellable.into());
    }
    check_no_basket(payment)?;
    Ok(match payment.status {
        PaymentStatus::Rcvd => CancelledBy::TheCallAlone,
        _ => CancelledBy::AnotherSca,
    })
}

/// Whether the TPP may start the authorisation of a cancellation by a call that names this party.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another party than the payment's; CONFLICT for what is final or being settled, for
/// what was never authorised, and for a payment in an open basket.
pub(crate) fn start_cancellation(payment: &Payment, caller: &Party) -> Result<(), Refusal> {
    check_party(payment, caller)?;
    if !payment.status.may_become(PaymentStatus::Canc) {
        return Err(Reason::CancellationTooLate.into());
    }
    check_no_basket(payment)?;
    match payment.status {
        PaymentStatus::Rcvd => Err(Reason::CancellationNeedsNoSca.into()),
        _ => Ok(()),
    }
}

fn check_party(payment: &Payment, caller: &Party) -> Result<(), Refusal> {
    check_caller(&payment.party(), caller, Reason::PsuOfAnotherPayment)
}

/// Checks that the party that a call names may act on a resource of this owner. It is refused here because the SCA of
/// another party would fail.
///
/// # Errors
/// `other` at the header that names another party; HTTP_HEADER_REQUIRED for a PSU without the corporate customer that
/// owns it.
pub(crate) fn check_caller(owner: &Party, caller: &Party, other: Reason) -> Result<(), Refusal> {
    if let Some(header) = owner.differs_in(caller) {
        return Err(Refusal::at(other, header));
    }
    let is_of_company = owner.context == Some(Context::Corporate);
    match caller.psu.is_some() && is_of_company && caller.corporate.is_none() {
        true => Err(Refusal::at(Reason::CorporateIdNeeded, "PSU-Corporate-ID")),
        false => Ok(()),
    }
}

fn check_no_basket(payment: &Payment) -> Result<(), Refusal> {
    match payment.basket {
        Some(_) => Err(Reason::PaymentInBasket.into()),
        None => Ok(()),
    }
}
