//! Decisions about payments: pure functions over what was read before.

use chrono::{DateTime, Utc};

use super::likeness::likeness;
use super::machine::PaymentStatus;
use super::order::CreditTransfer;
use super::product::Product;
use super::record::Payment;
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::types::{
    AccountIdentification, ActingPsu, Context, DebtorAccount, KidAgreement, Money, PaymentId,
};

/// What a creation is decided from.
pub(crate) struct Creation<'c> {
    pub(crate) id: PaymentId,
    pub(crate) tpp: &'c str,
    pub(crate) product: Product,
    pub(crate) transfer: CreditTransfer,
    /// The PSU the call identified.
    pub(crate) psu: Option<&'c ActingPsu>,
    /// The context the call named.
    pub(crate) context: Option<Context>,
    /// The account that pays, as the bank knows it; looked up where the PSU is identified.
    pub(crate) debtor: Option<DebtorAccount>,
    /// Whether the bank exchanges the debtor account's currency for the payment's.
    pub(crate) is_convertible: bool,
    /// The creditor's KID agreement.
    pub(crate) kid_agreement: Option<KidAgreement>,
    /// What the bank charges.
    pub(crate) fee: Money,
    pub(crate) now: DateTime<Utc>,
}

/// Admits a new payment.
///
/// # Errors
/// KID_MISSING, KID_INVALID; RESOURCE_UNKNOWN and FORMAT_ERROR for the debtor account of an identified PSU;
/// PAYMENT_FAILED for a currency the bank has no rate for.
pub(crate) fn create(creation: Creation<'_>) -> Result<Payment, Refusal> {
    let mut findings = Vec::new();
    findings.extend(kid_fault(&creation.transfer, creation.kid_agreement));
    if creation.psu.is_some() {
        findings.extend(debtor_fault(&creation.transfer, creation.debtor));
    }
    if !creation.is_convertible {
        let currency = creation.transfer.instructed_amount.currency().code();
        let violation = Violation::with(Reason::CurrencyNotConvertible, &[&currency]);
        findings.push(Finding::error(violation, "/instructedAmount/currency"));
    }
    if let Some(refusal) = Refusal::from_findings(findings) {
        return Err(refusal);
    }
    Ok(Payment {
        likeness: likeness(creation.tpp, creation.product, &creation.transfer),
        id: creation.id,
        version: 1,
        tpp: creation.tpp.to_owned(),
        product: creation.product,
        psu: creation.psu.map(|acting| acting.psu.clone()),
        context: creation.psu.map(|acting| acting.context).or(creation.context),
        corporate: creation.psu.and_then(|acting| acting.corporate.clone()),
        transfer: creation.transfer,
        fee: creation.fee,
        status: PaymentStatus::Rcvd,
        funds_available: None,
        authorised_at: None,
        created_at: creation.now,
    })
}

/// What is wrong with the reference by the creditor's agreement.
fn kid_fault(transfer: &CreditTransfer, agreement: Option<KidAgreement>) -> Option<Finding> {
    let agreement = agreement?;
    let remittance = transfer.remittance.as_ref();
    let kid =
        remittance.and_then(|remittance| remittance.references().find(|(_, reference)| reference.is_kid()));
    let (pointer, text) = match &kid {
        Some((pointer, reference)) => (pointer.as_str(), Some(reference.reference.as_str())),
        None => ("/remittanceInformationStructured", None),
    };
    let violation = agreement.check(text).err()?;
    Some(Finding::error(violation, format!("{pointer}/reference")))
}

/// What is wrong with the account that is to pay: it is not the PSU's, or held in another currency.
pub(crate) fn debtor_fault(transfer: &CreditTransfer, debtor: Option<DebtorAccount>) -> Option<Finding> {
    let member = match transfer.debtor_account.identification {
        AccountIdentification::Bban(_) => "bban",
        AccountIdentification::Iban(_) => "iban",
        AccountIdentification::Card(_) => "other/identification",
    };
    match debtor {
        None => Some(Finding::error(Reason::DebtorAccountUnknown, format!("/debtorAccount/{member}"))),
        Some(account) if account.currency != transfer.debtor_account.currency => {
            Some(Finding::error(Violation::from(Reason::DebtorAccountCurrency), "/debtorAccount/currency"))
        }
        Some(_) => None,
    }
}

/// Whether the TPP may start an authorisation of this payment for this PSU.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another PSU; CONFLICT for what is authorised or final.
pub(crate) fn start_authorisation(payment: &Payment, psu: Option<&ActingPsu>) -> Result<(), Refusal> {
    let is_other = match (&payment.psu, psu) {
        (Some(owner), Some(acting)) => *owner != acting.psu,
        _ => false,
    };
    if is_other {
        return Err(Refusal::at(Reason::PsuOfAnotherPayment, "PSU-ID"));
    }
    if payment.status != PaymentStatus::Rcvd {
        return Err(Reason::PaymentNotAuthorisable.into());
    }
    Ok(())
}
