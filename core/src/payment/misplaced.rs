//! Members that have no place where they were sent and are not ignored, because they would change what is paid.

use chrono::NaiveDate;

use super::draft::{is_member, Draft, Form};
use super::members::{AnyDebtor, ReadAccount};
use crate::reason::{Case, Reason, Violation};
use crate::types::{AccountIdentification, Currency};
use crate::wire::json::Json;
use crate::wire::reader::{find, Member, Members, Reader};

/// What a payment of a bulk may repeat of the whole, and not change.
const OF_THE_WHOLE: [&str; 2] = ["debtorAccount", "requestedExecutionDate"];
/// What makes a payment of its own.
const OF_A_PAYMENT: [&str; 3] = ["instructedAmount", "creditorAccount", "payments"];

/// Whether the form lacks a member of that name, and it is judged here.
pub(super) fn is_judged(name: &str, form: Form) -> bool {
    let names = OF_A_PAYMENT.into_iter().chain(OF_THE_WHOLE.into_iter().filter(|_| form == Form::BulkEntry));
    !is_member(name, form) && names.into_iter().any(|judged| judged == name)
}

/// Refuses amounts, payees and lists of payments that the form lacks.
pub(super) fn of_a_payment(form: Form, members: &Members<'_>, reader: &mut Reader) {
    for name in OF_A_PAYMENT.into_iter().filter(|name| is_judged(name, form)) {
        judge(name, members, reader, |value| !has_payment(name, value));
    }
}

/// Whether the value of such a member is a list that has something, or else an amount or an account.
fn has_payment(name: &str, value: &Json<'_>) -> bool {
    match value {
        Json::Array(items) => name == "payments" && !items.is_empty(),
        other => name != "payments" && other.is_object(),
    }
}

/// Refuses another account or day in a payment of a bulk. Without a day of its own a bulk is executed today.
pub(super) fn of_the_whole(whole: &Draft, today: NaiveDate, members: &Members<'_>, reader: &mut Reader) {
    let [account, date] = OF_THE_WHOLE;
    let day = whole.requested_execution_date.unwrap_or(today).to_string();
    judge(account, members, reader, |value| whole.read_debtor().is_none_or(|debtor| is_same(debtor, value)));
    judge(date, members, reader, |value| matches!(value, Json::String(text) if **text == *day));
}

/// Finds a member that is there: unknown if it is harmless, an error if not.
fn judge(
    name: &'static str,
    members: &Members<'_>,
    reader: &mut Reader,
    is_harmless: impl FnOnce(&Json<'_>) -> bool,
) {
    let pointer = format!("/{name}");
    match find(members, name) {
        None => {}
        Some(value) if *value == Json::Null || is_harmless(value) => {
            reader.warn_at(&pointer, Reason::MemberUnknown);
        }
        Some(_) => reader.error_at(&pointer, Violation::of_case(Case::MemberMisplaced, &[&name])),
    }
}

/// Whether a value names that account, by its bban or its IBAN, with its currency or without.
fn is_same(debtor: &ReadAccount, value: &Json<'_>) -> bool {
    // Its faults are no findings: an account that cannot be read is another one.
    let Some(AnyDebtor(named)) = AnyDebtor::read(value, &mut Reader::new(None)) else { return false };
    let currency: Option<Currency> = named.currency.or(debtor.currency);
    number(&named).is_some() && number(&named) == number(debtor) && currency == debtor.currency
}

/// The number of an account, domestic where there is one.
fn number(account: &ReadAccount) -> Option<String> {
    let identification = account.identification.as_ref()?;
    let domestic = match identification {
        AccountIdentification::Iban(iban) => iban.bban().map(|bban| bban.as_str().to_owned()),
        _ => None,
    };
    Some(domestic.unwrap_or_else(|| identification.as_str().to_owned()))
}
