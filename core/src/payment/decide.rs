//! Decisions about payments: pure functions over what was read before.

use chrono::{DateTime, Utc};

use super::likeness::likeness;
use super::machine::PaymentStatus;
use super::order::{CreditTransfer, Order, StructuredReference};
use super::product::Product;
use super::record::Payment;
use crate::machine::Machine;
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::types::{
    AccountIdentification, ActingPsu, Context, DebtorAccount, Kid, KidAgreement, Money, PaymentId,
};

/// What a creation is decided from.
pub(crate) struct Creation<'c> {
    pub(crate) id: PaymentId,
    pub(crate) tpp: &'c str,
    pub(crate) product: Product,
    pub(crate) order: Order,
    /// The PSU the call identified.
    pub(crate) psu: Option<&'c ActingPsu>,
    /// The context the call named.
    pub(crate) context: Option<Context>,
    /// The account that pays, as the bank knows it; looked up where the PSU is identified.
    pub(crate) debtor: Option<&'c DebtorAccount>,
    /// What the bank knows of each of the order's credit transfers, in their order.
    pub(crate) known: Vec<KnownOfTransfer>,
    /// What the bank charges.
    pub(crate) fee: Money,
    pub(crate) now: DateTime<Utc>,
}

/// What the bank knows of one credit transfer.
pub(crate) struct KnownOfTransfer {
    /// Whether it exchanges the debtor account's currency for the payment's.
    pub(crate) is_convertible: bool,
    /// The creditor's KID agreement.
    pub(crate) kid_agreement: Option<KidAgreement>,
}

/// Admits a new payment.
///
/// # Errors
/// KID_MISSING, KID_INVALID; RESOURCE_UNKNOWN and FORMAT_ERROR for the debtor account of an identified PSU;
/// PAYMENT_FAILED for a currency the bank has no rate for.
pub(crate) fn create(creation: Creation<'_>) -> Result<Payment, Refusal> {
    let mut findings = Vec::new();
    for (index, (transfer, known)) in creation.order.transfers().iter().zip(&creation.known).enumerate() {
        let place = match creation.order {
            Order::Single(_) | Order::Periodic(_) => String::new(),
            Order::Bulk(_) => format!("/payments/{index}"),
        };
        findings.extend(transfer_faults(transfer, known, &place));
    }
    if creation.psu.is_some() {
        findings.extend(debtor_fault(&creation.order, creation.debtor));
    }
    if let Some(refusal) = Refusal::from_findings(findings) {
        return Err(refusal);
    }
    Ok(Payment {
        likeness: likeness(creation.tpp, creation.product, &creation.order),
        id: creation.id,
        version: 1,
        tpp: creation.tpp.to_owned(),
        product: creation.product,
        psu: creation.psu.map(|acting| acting.psu.clone()),
        context: creation.psu.map(|acting| acting.context).or(creation.context),
        corporate: creation.psu.and_then(|acting| acting.corporate.clone()),
        order: creation.order,
        fee: creation.fee,
        status: PaymentStatus::Rcvd,
        funds_available: None,
        authorised_at: None,
        basket: None,
        created_at: creation.now,
    })
}

/// What is wrong with one credit transfer by what the bank knows; `place` is the pointer to it.
fn transfer_faults(transfer: &CreditTransfer, known: &KnownOfTransfer, place: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(known.kid_agreement.iter().flat_map(|agreement| kid_faults(transfer, agreement, place)));
    if !known.is_convertible {
        let currency = transfer.instructed_amount.currency().code();
        let violation = Violation::with(Reason::CurrencyNotConvertible, &[&currency]);
        findings.push(Finding::error(violation, format!("{place}/instructedAmount/currency")));
    }
    findings
}

/// What is wrong with the references by the creditor's agreement. Each KID is held to it; what is no KID is not.
fn kid_faults(transfer: &CreditTransfer, agreement: &KidAgreement, place: &str) -> Vec<Finding> {
    let fault = |pointer: &str, kid: Option<&Kid>| {
        let violation = agreement.check(kid).err()?;
        Some(Finding::error(violation, format!("{place}{pointer}/reference")))
    };
    let references = transfer.remittance.iter().flat_map(|remittance| remittance.references());
    let kids = references.filter(|(_, reference)| reference.is_kid());
    // What is no KID at all was refused with the body.
    let read = |(pointer, reference): (String, &StructuredReference)| {
        Some((pointer, Kid::parse(reference.reference.as_str()).ok()?))
    };
    let kids: Vec<_> = kids.filter_map(read).collect();
    if kids.is_empty() {
        return fault("/remittanceInformationStructured", None).into_iter().collect();
    }
    kids.iter().filter_map(|(pointer, kid)| fault(pointer, Some(kid))).collect()
}

/// What is wrong with the account that is to pay: it is not the PSU's, or held in another currency.
pub(crate) fn debtor_fault(order: &Order, debtor: Option<&DebtorAccount>) -> Option<Finding> {
    let member = match order.debtor_account().identification {
        AccountIdentification::Bban(_) => "bban",
        AccountIdentification::Iban(_) => "iban",
        AccountIdentification::Card(_) => "other/identification",
    };
    match debtor {
        None => Some(Finding::error(Reason::DebtorAccountUnknown, format!("/debtorAccount/{member}"))),
        Some(account) if account.currency != order.debtor_account().currency => {
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
