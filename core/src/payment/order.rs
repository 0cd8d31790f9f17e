//! What the TPP ordered: the valid form of every product's body.

use chrono::NaiveDate;

use super::product::Product;
use crate::limits::{REGULATORY_CODE_CHARS_MAX, REGULATORY_INFORMATION_CHARS_MAX};
use crate::types::{AccountIdentification, AccountReference};
use crate::types::{Amount, Bic, Country, Name, PurposeCode, Reference, Remittance, ServiceLevel, Text};
use crate::types::{DayOfExecution, ExecutionRule, Frequency};

/// What the PSU is asked to approve and the bank to carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// One credit transfer.
    Single(CreditTransfer),
    /// One credit transfer, again and again.
    Periodic(Periodic),
    /// Many from one account.
    Bulk(Bulk),
}

impl Order {
    /// Its credit transfers: one, or the entries of a bulk in their order. Never none.
    pub fn transfers(&self) -> &[CreditTransfer] {
        match self {
            Self::Single(transfer) => std::slice::from_ref(transfer),
            Self::Periodic(periodic) => std::slice::from_ref(&periodic.transfer),
            Self::Bulk(bulk) => &bulk.entries,
        }
    }

    /// The account that pays.
    pub fn debtor_account(&self) -> &AccountReference {
        match self {
            Self::Single(transfer) => &transfer.debtor_account,
            Self::Periodic(periodic) => &periodic.transfer.debtor_account,
            Self::Bulk(bulk) => &bulk.debtor_account,
        }
    }

    /// The day it is to be executed, where the TPP named one; the first of a periodic order's.
    pub fn requested_execution_date(&self) -> Option<NaiveDate> {
        match self {
            Self::Single(transfer) => transfer.requested_execution_date,
            Self::Periodic(periodic) => Some(periodic.schedule.start_date),
            Self::Bulk(bulk) => bulk.requested_execution_date,
        }
    }
}

/// A credit transfer by a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periodic {
    /// What is paid each time. Its day is the schedule's to say: it has none of its own.
    pub transfer: CreditTransfer,
    /// When.
    pub schedule: Schedule,
}

/// When a periodic payment is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The first day.
    pub start_date: NaiveDate,
    /// The last day, never before the first. `None`: until it is cancelled.
    pub end_date: Option<NaiveDate>,
    /// Where a day goes that is no banking day; the bank's choice where the TPP named none.
    pub execution_rule: Option<ExecutionRule>,
    /// How often.
    pub frequency: Frequency,
    /// The day of the month.
    pub day_of_execution: Option<DayOfExecution>,
}

/// Many credit transfers that one account pays on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bulk {
    /// `paymentInformationId`: the TPP's own name for it.
    pub payment_information_id: Option<Reference>,
    /// The account that pays.
    pub debtor_account: AccountReference,
    /// The day it is to be executed.
    pub requested_execution_date: Option<NaiveDate>,
    /// The payments: 1 to 1000, each with the debtor account of the whole and no date of its own.
    pub entries: Vec<CreditTransfer>,
}

/// One payment to one payee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditTransfer {
    /// How much the creditor gets.
    pub instructed_amount: Amount,
    /// The payee.
    pub creditor_name: Name,
    /// The payee's account.
    pub creditor_account: AccountReference,
    /// The payee's bank.
    pub creditor_agent: Option<Bic>,
    /// The payee's address.
    pub creditor_address: Option<Address>,
    /// The account that pays.
    pub debtor_account: AccountReference,
    /// On whose behalf the debtor pays.
    pub ultimate_debtor: Option<Name>,
    /// Why, as a code.
    pub purpose_code: Option<PurposeCode>,
    /// Why, for the payee.
    pub remittance: Option<RemittanceInformation>,
    /// What is reported to the authorities: their code.
    pub regulatory_reporting_code: Option<RegulatoryCode>,
    /// What is reported to the authorities: the purpose of the payment.
    pub regulatory_reporting_information: Option<RegulatoryInformation>,
    /// How urgent a cross-border payment is.
    pub service_level: Option<ServiceLevel>,
    /// The day it is to be executed.
    pub requested_execution_date: Option<NaiveDate>,
}

impl CreditTransfer {
    /// Whether the payee's bban is a Norwegian account number. Eleven digits alone do not make it one: other countries
    /// have such numbers too.
    pub(crate) fn has_norwegian_bban(&self, product: Product) -> bool {
        let AccountIdentification::Bban(bban) = &self.creditor_account.identification else { return false };
        let is_in_norway = || self.creditor_agent.is_none_or(|agent| agent.country_code() == "NO");
        bban.is_norwegian() && (product.is_domestic() || is_in_norway())
    }
}

/// `regulatoryReportingCode`.
pub type RegulatoryCode = Text<REGULATORY_CODE_CHARS_MAX>;
/// `regulatoryReportingInformation`.
pub type RegulatoryInformation = Text<REGULATORY_INFORMATION_CHARS_MAX>;

/// A postal address (contract: Payment initiation request).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Street name.
    pub street: Option<Name>,
    /// Setup number.
    pub building_number: Option<Name>,
    /// Postal code.
    pub postal_code: Option<Name>,
    /// Town.
    pub town_name: Option<Name>,
    /// Town, in the deprecated member. Where both are there they are equal.
    pub city: Option<Name>,
    /// Country.
    pub country: Country,
}

impl Address {
    /// The town: `town_name`, otherwise `city`.
    pub fn town(&self) -> Option<&Name> {
        self.town_name.as_ref().or(self.city.as_ref())
    }
}

/// Remittance information: text or references, never both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemittanceInformation {
    /// A free message.
    Unstructured(Remittance),
    /// The deprecated single reference, answered in the form it came in.
    Structured(StructuredReference),
    /// References in the preferred form.
    StructuredArray(Vec<StructuredReference>),
}

impl RemittanceInformation {
    /// Every text in it: the message, or the references.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let message = match self {
            Self::Unstructured(text) => Some(text.as_str()),
            Self::Structured(_) | Self::StructuredArray(_) => None,
        };
        message.into_iter().chain(self.references().map(|(_, reference)| reference.reference.as_str()))
    }

    /// The references with the pointer of each, relative to the body.
    pub fn references(&self) -> impl Iterator<Item = (String, &StructuredReference)> {
        let (single, array): (_, &[_]) = match self {
            Self::Unstructured(_) => (None, &[]),
            Self::Structured(reference) => (Some(reference), &[]),
            Self::StructuredArray(references) => (None, references),
        };
        references(single, array.iter().map(Some))
    }
}

/// The single reference and those of the array, each with its pointer relative to the body. `None` in the array: one
/// that could not be read.
pub(super) fn references<'r>(
    single: Option<&'r StructuredReference>,
    array: impl Iterator<Item = Option<&'r StructuredReference>>,
) -> impl Iterator<Item = (String, &'r StructuredReference)> {
    let single =
        single.into_iter().map(|reference| ("/remittanceInformationStructured".to_owned(), reference));
    let array = array.enumerate().filter_map(|(index, reference)| {
        Some((format!("/remittanceInformationStructuredArray/{index}"), reference?))
    });
    single.chain(array)
}

/// A structured reference, such as a KID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuredReference {
    /// The reference itself.
    pub reference: Reference,
    /// Its type, such as SCOR or CINV.
    pub reference_type: Option<Reference>,
    /// Who issued it.
    pub reference_issuer: Option<Reference>,
}

impl StructuredReference {
    /// Whether a Norwegian domestic payment takes it for a KID: no type, or SCOR.
    pub fn is_kid(&self) -> bool {
        self.reference_type.as_ref().is_none_or(|kind| kind.as_str() == "SCOR")
    }
}
