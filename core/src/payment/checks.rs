//! What must hold between the members of a payment body, and with what the bank has set.

use chrono::Days;
use rust_decimal::Decimal;

use super::body_context::Rules;
use super::draft::Draft;
use super::order::{RegulatoryCode, RegulatoryInformation};
use super::product::Product;
use crate::error::Result;
use crate::limits::{EXECUTION_DAYS_AHEAD_MAX, REPORTING_LIMIT_NOK};
use crate::reason::{Case, Reason, Violation};
use crate::types::{first_outside, Currency, Kid, Name, Reference, Remittance, Repertoire};
use crate::wire::json::Json;
use crate::wire::reader::{find, Members, Reader};

/// Everything that holds of one credit transfer, paid by an account in that currency where it is known.
pub(super) fn transfer(
    product: Product,
    draft: &Draft,
    debtor_currency: Option<Currency>,
    members: &Members<'_>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) -> Result<()> {
    remittance_forms(members, reader);
    euro_alone(product, members, reader);
    domestic_accounts(product, draft, rules, reader);
    kids(product, draft, reader);
    let instructed = draft.instructed_amount.map(|amount| amount.currency());
    let currencies = [instructed, debtor_currency, draft.creditor_currency()];
    structured_address(product, currencies, members, rules, reader);
    regulatory_reporting(product, draft, members, rules, reader)?;
    swift_text(product, draft, reader);
    // The bank is not asked for findings that the answer would not show.
    if !reader.is_full() {
        kid_agreement(product, draft, members, rules, reader)?;
        exchange(draft, debtor_currency, rules, reader)?;
    }
    Ok(())
}

/// A payment is dated today to a year ahead, the end of a periodic one not before its start.
pub(super) fn execution_dates(draft: &Draft, rules: &Rules<'_>, reader: &mut Reader) {
    let first = rules.today;
    let last = first.checked_add_days(Days::new(EXECUTION_DAYS_AHEAD_MAX)).unwrap_or(first);
    let dated =
        [("/requestedExecutionDate", draft.requested_execution_date), ("/startDate", draft.start_date)];
    for (pointer, day) in dated {
        if day.is_some_and(|day| !(first..=last).contains(&day)) {
            reader.error_at(pointer, Violation::with(Reason::ExecutionDateOutside, &[&first, &last]));
        }
    }
    if let (Some(start), Some(end)) = (draft.start_date, draft.end_date) {
        if end < start {
            reader.error_at("/endDate", Reason::EndDateBeforeStart);
        }
    }
}

/// SEPA payments are in euro only.
fn euro_alone(product: Product, members: &Members<'_>, reader: &mut Reader) {
    if product != Product::Sepa {
        return;
    }
    // Of an amount that has a fault too: its digits are judged by a currency that would have to change.
    let sent = find(members, "instructedAmount").and_then(|amount| amount.member("currency"));
    let Some(Json::String(sent)) = sent else { return };
    if Currency::parse(sent).is_ok_and(|currency| currency != Currency::EUR) {
        let violation = Violation::of_case(Case::ValueNotTheOne, &[&Currency::EUR.code()]);
        reader.error_at("/instructedAmount/currency", violation);
    }
}

/// Only one of the three forms of remittance information may be set.
fn remittance_forms(members: &Members<'_>, reader: &mut Reader) {
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
pub(super) fn domestic_accounts(product: Product, draft: &Draft, rules: &Rules<'_>, reader: &mut Reader) {
    if !product.is_domestic() {
        return;
    }
    let creditor = draft.domestic_creditor.as_ref().and_then(|account| account.0.bban());
    let debtor = draft.debtor.as_ref().and_then(|account| account.0.bban());
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

/// On a domestic product a reference without a type, or of type SCOR, is a KID. If the type is faulty, the kind of
/// reference is unknown, and the type has its own finding.
fn kids(product: Product, draft: &Draft, reader: &mut Reader) {
    if !product.is_domestic() {
        return;
    }
    for (pointer, reference) in draft.references() {
        let Some(Err(reason)) = reference.is_kid().then(|| Kid::parse(reference.reference.as_str())) else {
            continue;
        };
        if !reader.has_error_at(&format!("{pointer}/referenceType")) {
            reader.error_at(&format!("{pointer}/reference"), reason);
        }
    }
}

/// Where the creditor has an agreement, each KID is held to it, and one may be required. What is no KID is not.
fn kid_agreement(
    product: Product,
    draft: &Draft,
    members: &Members<'_>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) -> Result<()> {
    let creditor = draft.domestic_creditor.as_ref().and_then(|account| account.0.bban());
    let Some(creditor) = creditor.filter(|_| product.is_domestic()) else { return Ok(()) };
    let Some(agreement) = rules.bank.kid_agreement(creditor)? else { return Ok(()) };
    let mut has_kid = has_unread_reference(draft, members);
    for (pointer, reference) in draft.references().filter(|(_, reference)| reference.is_kid()) {
        has_kid = true;
        // A malformed KID has its finding already, and so has a faulty type, with which the kind of reference is
        // unknown.
        let is_known = !reader.has_error_at(&format!("{pointer}/referenceType"));
        let kid = Kid::parse(reference.reference.as_str()).ok().filter(|_| is_known);
        if let Some(Err(violation)) = kid.map(|kid| agreement.check(Some(&kid))) {
            reader.error_at(&format!("{pointer}/reference"), violation);
        }
    }
    if has_kid {
        return Ok(());
    }
    if let Err(violation) = agreement.check(None) {
        reader.error_at("/remittanceInformationStructured/reference", violation);
    }
    Ok(())
}

/// Whether a reference was sent that could not be read: it may have been a KID.
fn has_unread_reference(draft: &Draft, members: &Members<'_>) -> bool {
    let is_sent = |name| find(members, name).is_some_and(|value| *value != Json::Null);
    let array = draft.structured_array.as_ref();
    let has_unread = array.is_none_or(|each| each.0.iter().any(Option::is_none));
    (draft.structured.is_none() && is_sent("remittanceInformationStructured"))
        || (has_unread && is_sent("remittanceInformationStructuredArray"))
}

/// The bank exchanges what it takes from the debtor's account.
fn exchange(
    draft: &Draft,
    debtor_currency: Option<Currency>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) -> Result<()> {
    let paid = draft.instructed_amount.map(|amount| amount.currency());
    let (Some(from), Some(to)) = (debtor_currency, paid) else { return Ok(()) };
    if from != to && !rules.bank.exchanges(from, to)? {
        let violation = Violation::with(Reason::CurrencyNotConvertible, &[&to.code()]);
        reader.error_at("/instructedAmount/currency", violation);
    }
    Ok(())
}

/// Contract: Versioning, announced change 1. Name, country and agent are required members anyway where the
/// rule applies, but that SEPA may come without an address: what may be missing is the town, and there the
/// country. A member that is there but faulty has its own finding.
fn structured_address(
    product: Product,
    currencies: [Option<Currency>; 3],
    members: &Members<'_>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) {
    let known: Vec<_> = currencies.into_iter().flatten().collect();
    let applies = product.needs_structured_address(&known);
    let missing: &[&str] = match find(members, "creditorAddress") {
        _ if !applies => &[],
        None | Some(Json::Null) if product == Product::Sepa => &["townName", "country"],
        Some(address) if address.is_object() && !has_town(address) => &["townName"],
        _ => &[],
    };
    for part in missing {
        let violation = Violation::with(Reason::AddressPartMissing, &[part]);
        reader.find_at(rules.structured_addresses(), &format!("/creditorAddress/{part}"), violation);
    }
}

/// An empty town is absent; one that cannot be used has its own finding.
fn has_town(address: &Json<'_>) -> bool {
    let is_given = |town: &Json<'_>| !matches!(town, Json::Null) && *town != Json::from("");
    ["townName", "city"].into_iter().any(|name| address.member(name).is_some_and(is_given))
}

/// Cross-border payments from NOK 100 000 on are reported.
fn regulatory_reporting(
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
    let rate = rules.bank.rate_to_nok(amount.currency())?;
    let limit = Decimal::from(REPORTING_LIMIT_NOK);
    // What is beyond any number is beyond the limit.
    let is_reported = |rate| amount.value().checked_mul(rate).is_none_or(|worth| worth >= limit);
    if rate.is_some_and(is_reported) {
        for name in missing {
            let violation = Violation::with(Reason::RegulatoryReportingMissing, &[&REPORTING_LIMIT_NOK]);
            reader.error_at(&format!("/{name}"), violation);
        }
    }
    Ok(())
}

/// Cross-border texts travel over SWIFT, which carries less than the bank's own systems.
fn swift_text(product: Product, draft: &Draft, reader: &mut Reader) {
    if product.is_domestic() {
        return;
    }
    let mut texts = vec![
        ("/creditorName".to_owned(), draft.creditor_name.as_ref().map(Name::as_str)),
        (
            "/ultimateDebtor".to_owned(),
            draft.ultimate_debtor.as_ref().and_then(|debtor| debtor.0.as_ref()).map(Name::as_str),
        ),
        (
            "/remittanceInformationUnstructured".to_owned(),
            draft.unstructured.as_ref().map(Remittance::as_str),
        ),
        (
            "/regulatoryReportingInformation".to_owned(),
            draft.regulatory_information.as_ref().map(RegulatoryInformation::as_str),
        ),
        ("/regulatoryReportingCode".to_owned(), draft.regulatory_code.as_ref().map(RegulatoryCode::as_str)),
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
    for (pointer, reference) in draft.references() {
        let (kind, issuer) = (&reference.reference_type, &reference.reference_issuer);
        texts.push((format!("{pointer}/reference"), Some(reference.reference.as_str())));
        texts.push((format!("{pointer}/referenceType"), kind.as_ref().map(Reference::as_str)));
        texts.push((format!("{pointer}/referenceIssuer"), issuer.as_ref().map(Reference::as_str)));
    }
    for (pointer, text) in texts {
        if let Some((position, character)) = text.and_then(|text| first_outside(Repertoire::SwiftX, text)) {
            let code_point = format!("{:04X}", u32::from(character));
            reader.warn_at(&pointer, Violation::with(Reason::TextNotSwift, &[&position, &code_point]));
        }
    }
}
