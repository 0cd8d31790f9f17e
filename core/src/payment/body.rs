//! The body of a payment initiation: one table of members for all products, one reader.
//!
//! Source: contract, "Payment initiation request" and "Payment and basket operations". A member that a
//! product does not have is an unknown member there.

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::members::{Debtor, DomesticAccount};
use super::order::{
    references, Address, CreditTransfer, RegulatoryCode, RegulatoryInformation, RemittanceInformation,
    StructuredReference,
};
use super::product::Product;
use crate::error::Result;
use crate::limits::REPORTING_LIMIT_NOK;
use crate::policy::Policy;
use crate::reason::{Category, Finding, Reason, Refusal, Violation};
use crate::types::{AccountIdentification, AccountReference};
use crate::types::{Amount, Bic, Currency, Kid, Name, PurposeCode, Remittance, Repertoire, ServiceLevel};
use crate::wire::json::Json;
use crate::wire::reader::{find, Member, Members, Reader};

/// Whether a product's body has a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
    Absent,
}

/// Whose body is read: a column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A TPP's body for a product.
    Product(Product),
    /// What this library itself wrote to the store.
    Stored,
}

impl Form {
    fn column(self) -> usize {
        match self {
            Self::Product(Product::InstantDomesticStraks) => 0,
            Self::Product(Product::NorwegianCrossBorder) => 1,
            Self::Stored => 2,
        }
    }
}

macro_rules! transfer_members {
    ($( $field:ident: $type:ty = $wire:literal [$($presence:ident)+]; )+) => {
        /// What could be read; a faulty member is `None` and has left its finding.
        struct Draft { $( $field: Option<$type>, )+ }

        impl Draft {
            fn read(members: &Members<'_>, form: Form, reader: &mut Reader) -> Self {
                Self { $( $field: read_member::<$type>(members, $wire, &[$(Presence::$presence),+], form, reader), )+ }
            }
        }

        fn is_member(name: &str, form: Form) -> bool {
            match name {
                $( $wire if presence(&[$(Presence::$presence),+], form) != Presence::Absent => true, )+
                _ => false,
            }
        }
    };
}

transfer_members! {
    //                                                                                  straks   cross-border stored
    instructed_amount: Amount = "instructedAmount"                                     [Required Required Required];
    creditor_name: Name = "creditorName"                                               [Required Required Required];
    domestic_creditor: DomesticAccount = "creditorAccount"                             [Required Absent   Absent];
    creditor: AccountReference = "creditorAccount"                                     [Absent   Required Required];
    creditor_agent: Bic = "creditorAgent"                                              [Absent   Required Optional];
    creditor_address: Address = "creditorAddress"                                      [Required Required Optional];
    debtor: Debtor = "debtorAccount"                                                   [Required Required Required];
    ultimate_debtor: Name = "ultimateDebtor"                                           [Optional Optional Optional];
    purpose_code: PurposeCode = "purposeCode"                                          [Optional Optional Optional];
    unstructured: Remittance = "remittanceInformationUnstructured"                     [Optional Optional Optional];
    structured: StructuredReference = "remittanceInformationStructured"                [Optional Optional Optional];
    structured_array: Vec<StructuredReference> = "remittanceInformationStructuredArray" [Optional Optional Optional];
    regulatory_code: RegulatoryCode = "regulatoryReportingCode"                        [Absent   Optional Optional];
    regulatory_information: RegulatoryInformation = "regulatoryReportingInformation"   [Absent   Optional Optional];
    service_level: ServiceLevel = "serviceLevel"                                       [Absent   Optional Optional];
}

fn presence(columns: &[Presence], form: Form) -> Presence {
    columns.get(form.column()).copied().unwrap_or(Presence::Absent)
}

fn read_member<T: Member>(
    members: &Members<'_>,
    name: &'static str,
    columns: &[Presence],
    form: Form,
    reader: &mut Reader,
) -> Option<T> {
    match presence(columns, form) {
        Presence::Required => reader.required(members, name),
        Presence::Optional => reader.optional(members, name),
        Presence::Absent => None,
    }
}

/// What reading depends on beside the body.
pub(crate) struct Rules<'p> {
    /// The bank's policy.
    pub(crate) policy: &'p Policy,
    /// The calendar day in Europe/Oslo.
    pub(crate) today: NaiveDate,
    /// Whether `x-accept-fix: structured-addresses` asks for the rule early.
    pub(crate) structured_addresses_early: bool,
    /// The bank's rate from a currency to NOK.
    pub(crate) rate_to_nok: &'p dyn Fn(Currency) -> Result<Option<Decimal>>,
}

impl Rules<'_> {
    /// Whether a missing address part is refused or warned of.
    fn structured_addresses(&self) -> Category {
        if self.structured_addresses_early || self.today >= self.policy.structured_addresses_from {
            Category::Error
        } else {
            Category::Warning
        }
    }
}

/// A body read: the order, or all that is wrong with it. Warnings come with either.
pub(crate) struct Reading {
    /// The order, where there is no error.
    pub(crate) transfer: Option<CreditTransfer>,
    /// Errors, then warnings.
    pub(crate) findings: Vec<Finding>,
}

impl Reading {
    /// The order with its warnings, or the refusal.
    pub(crate) fn into_result(self) -> Result<(CreditTransfer, Vec<Finding>), Refusal> {
        match self.transfer {
            Some(transfer) => Ok((transfer, self.findings)),
            None => Err(Refusal::from_findings(self.findings).unwrap_or_else(|| Reason::Internal.into())),
        }
    }
}

/// Reads the body of a product and judges it, all faults at once.
///
/// # Errors
/// Only those of the bank's rates: what is wrong with the body stands in the reading.
pub(crate) fn read(product: Product, body: &[u8], rules: &Rules<'_>) -> Result<Reading> {
    let json = match Json::parse(body) {
        Ok(json) => json,
        Err(violation) => {
            let finding = Finding { category: Category::Error, violation, path: None };
            return Ok(Reading { transfer: None, findings: vec![finding] });
        }
    };
    let mut reader = Reader::new(rules.policy.repertoire);
    let mut transfer = None;
    if let Some(members) = reader.members(&json, |name| is_member(name, Form::Product(product))) {
        let draft = Draft::read(members, Form::Product(product), &mut reader);
        check_remittance_forms(members, &mut reader);
        check_domestic_accounts(product, &draft, rules, &mut reader);
        check_kid(product, &draft, &mut reader);
        check_structured_address(product, &draft, members, rules, &mut reader);
        check_regulatory_reporting(product, &draft, members, rules, &mut reader)?;
        check_swift_text(product, &draft, &mut reader);
        transfer = draft.into_transfer();
    }
    let transfer = transfer.filter(|_| !reader.has_errors());
    Ok(Reading { transfer, findings: reader.into_findings() })
}

/// Reads what [`super::view`] wrote to the store. `None`: it was not written by this library.
pub(crate) fn read_stored(body: &[u8]) -> Option<CreditTransfer> {
    let json = Json::parse(body).ok()?;
    let mut reader = Reader::new(Repertoire::Bmp);
    let members = reader.members(&json, |name| is_member(name, Form::Stored))?;
    let draft = Draft::read(members, Form::Stored, &mut reader);
    draft.into_transfer().filter(|_| !reader.has_errors())
}

impl Draft {
    fn creditor_currency(&self) -> Option<Currency> {
        let domestic = self.domestic_creditor.as_ref().map(|account| account.currency);
        domestic.or(self.creditor.as_ref().map(|account| account.currency))
    }

    fn references(&self) -> impl Iterator<Item = (String, &StructuredReference)> {
        references(self.structured.as_ref(), self.structured_array.as_deref().unwrap_or_default())
    }

    fn into_transfer(self) -> Option<CreditTransfer> {
        let remittance = match (self.unstructured, self.structured, self.structured_array) {
            (Some(text), ..) => Some(RemittanceInformation::Unstructured(text)),
            (_, Some(reference), _) => Some(RemittanceInformation::Structured(reference)),
            (.., Some(references)) => Some(RemittanceInformation::StructuredArray(references)),
            (None, None, None) => None,
        };
        Some(CreditTransfer {
            instructed_amount: self.instructed_amount?,
            creditor_name: self.creditor_name?,
            creditor_account: self.domestic_creditor.map(AccountReference::from).or(self.creditor)?,
            creditor_agent: self.creditor_agent,
            creditor_address: self.creditor_address,
            debtor_account: self.debtor?.0,
            ultimate_debtor: self.ultimate_debtor,
            purpose_code: self.purpose_code,
            remittance,
            regulatory_reporting_code: self.regulatory_code,
            regulatory_reporting_information: self.regulatory_information,
            service_level: self.service_level,
        })
    }
}

/// Only one of the three forms of remittance information may be set.
fn check_remittance_forms(members: &Members<'_>, reader: &mut Reader) {
    const FORMS: [&str; 3] = [
        "remittanceInformationUnstructured",
        "remittanceInformationStructured",
        "remittanceInformationStructuredArray",
    ];
    let mut set = FORMS.iter().filter(|name| find(members, name).is_some_and(|value| *value != Json::Null));
    if let (Some(_), Some(second)) = (set.next(), set.next()) {
        let violation = Violation::with(Reason::MembersExclusive, &[&FORMS.join(", ")]);
        reader.error_at(&format!("/{second}"), violation);
    }
}

/// On a domestic product both account numbers are Norwegian.
fn check_domestic_accounts(product: Product, draft: &Draft, rules: &Rules<'_>, reader: &mut Reader) {
    if !product.is_domestic() {
        return;
    }
    let creditor = draft.domestic_creditor.as_ref().map(|account| &account.bban);
    let debtor = match draft.debtor.as_ref().map(|debtor| &debtor.0.identification) {
        Some(AccountIdentification::Bban(bban)) => Some(bban),
        _ => None,
    };
    for (pointer, bban) in [("/creditorAccount/bban", creditor), ("/debtorAccount/bban", debtor)] {
        match bban {
            Some(bban) if !bban.is_norwegian() => reader.error_at(pointer, Reason::BbanNotNorwegian),
            Some(bban) if !bban.norwegian_check_digit_ok() => {
                reader.find_at(rules.policy.account_check_digit.into(), pointer, Reason::BbanCheckDigit);
            }
            _ => {}
        }
    }
}

/// On a domestic product a reference without a type, or of type SCOR, is a KID.
fn check_kid(product: Product, draft: &Draft, reader: &mut Reader) {
    if !product.is_domestic() {
        return;
    }
    for (pointer, reference) in draft.references() {
        if let Some(Err(reason)) = reference.is_kid().then(|| Kid::parse(reference.reference.as_str())) {
            reader.error_at(&format!("{pointer}/reference"), reason);
        }
    }
}

/// Contract: Versioning, announced change 1. Name, country and agent are required members anyway where
/// the rule applies; what may be missing is the town. A town that is there but faulty has its own finding.
fn check_structured_address(
    product: Product,
    draft: &Draft,
    members: &Members<'_>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) {
    let debtor_currency = draft.debtor.as_ref().map(|debtor| debtor.0.currency);
    let applies = match (debtor_currency, draft.creditor_currency()) {
        (Some(debtor), Some(creditor)) => product.needs_structured_address(debtor, creditor),
        _ => !product.is_domestic(),
    };
    let has_town = |address: &Json<'_>| address.has_member("townName") || address.has_member("city");
    let is_without_town =
        find(members, "creditorAddress").is_some_and(|address| address.is_object() && !has_town(address));
    if applies && is_without_town {
        let violation = Violation::with(Reason::AddressPartMissing, &[&"townName"]);
        reader.find_at(rules.structured_addresses(), "/creditorAddress/townName", violation);
    }
}

/// Cross-border payments from NOK 100 000 on are reported.
fn check_regulatory_reporting(
    product: Product,
    draft: &Draft,
    members: &Members<'_>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) -> Result<()> {
    const PAIR: [&str; 2] = ["regulatoryReportingCode", "regulatoryReportingInformation"];
    let (Product::NorwegianCrossBorder, Some(amount)) = (product, draft.instructed_amount) else {
        return Ok(());
    };
    let missing = PAIR.iter().filter(|name| matches!(find(members, name), None | Some(Json::Null)));
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    let rate = (rules.rate_to_nok)(amount.currency())?;
    let worth = rate.and_then(|rate| amount.value().checked_mul(rate));
    if worth.is_some_and(|worth| worth >= Decimal::from(REPORTING_LIMIT_NOK)) {
        for name in missing {
            let violation = Violation::with(Reason::RegulatoryReportingMissing, &[&REPORTING_LIMIT_NOK]);
            reader.error_at(&format!("/{name}"), violation);
        }
    }
    Ok(())
}

/// Cross-border texts travel over SWIFT, which carries less than the bank's own systems.
fn check_swift_text(product: Product, draft: &Draft, reader: &mut Reader) {
    if product.is_domestic() {
        return;
    }
    let mut texts = vec![
        ("/creditorName".to_owned(), draft.creditor_name.as_ref().map(Name::as_str)),
        ("/ultimateDebtor".to_owned(), draft.ultimate_debtor.as_ref().map(Name::as_str)),
        (
            "/remittanceInformationUnstructured".to_owned(),
            draft.unstructured.as_ref().map(Remittance::as_str),
        ),
        (
            "/regulatoryReportingInformation".to_owned(),
            draft.regulatory_information.as_ref().map(RegulatoryInformation::as_str),
        ),
    ];
    if let Some(address) = &draft.creditor_address {
        for (member, text) in [
            ("street", &address.street),
            ("buildingNumber", &address.building_number),
            ("postalCode", &address.postal_code),
            ("townName", &address.town_name),
            ("city", &address.city),
        ] {
            texts.push((format!("/creditorAddress/{member}"), text.as_ref().map(Name::as_str)));
        }
    }
    texts.extend(
        draft
            .references()
            .map(|(pointer, reference)| (format!("{pointer}/reference"), Some(reference.reference.as_str()))),
    );
    for (pointer, text) in texts {
        if let Some((position, character)) =
            text.and_then(|text| crate::types::first_outside(Repertoire::SwiftX, text))
        {
            let code_point = format!("{:04X}", u32::from(character));
            reader.warn_at(&pointer, Violation::with(Reason::TextNotSwift, &[&position, &code_point]));
        }
    }
}
