//! The rules between the values of one row, beside the form of each; and the values that follow from others.

use chrono::NaiveDate;
use rusqlite::types::Value;

use super::table::{WholeRow, Wrong};
use crate::env::clock::from_micros;
use crate::machine::Machine as _;
use crate::payment::duplicate_fingerprint;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::{Product, Service};
use crate::payment::stored;
use crate::store::sqlite::sandbox::OrderState;
use crate::store::BlockedKind;
use crate::tpp::certificate::Certificate;
use crate::types::date::oslo_day;
use crate::types::{Bban, CertificateHash, Context, Iban};
use crate::wire::canonical;

const MISSING: &str = "is missing";
const NEGATIVE: &str = "must not be negative";

/// An account has its number in both forms, and a kind; a card account has none of the three.
pub(super) fn account(row: &WholeRow<'_>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let has = |column: &str| row.text(column).is_some();
    if ["bban", "iban", "cash_account_type"].into_iter().any(has) {
        let absent = ["bban", "iban", "cash_account_type"].into_iter().filter(|column| !has(column));
        wrong.extend(absent.map(|column| (column, MISSING)));
    }
    if let (Some(bban), Some(iban)) = (row.text("bban"), row.text("iban")) {
        let of_bban = Bban::parse(bban).ok().and_then(|bban| Iban::of_norwegian(&bban));
        match of_bban {
            None => wrong.push(("bban", "must be a Norwegian account number")),
            Some(of_bban) if of_bban.as_str() != iban => wrong.push(("iban", "is not that of the bban")),
            Some(_) => {}
        }
    }
    if row.is_negative("credit_line") {
        wrong.push(("credit_line", NEGATIVE));
    }
    let (booked, held_back) = (row.sum("booked", "currency"), row.sum("held_back", "currency"));
    if booked.zip(held_back).is_some_and(|(booked, held_back)| booked.checked_sub(held_back).is_none()) {
        wrong.push(("held_back", "leaves no balance"));
    }
    wrong
}

/// A line is booked no later than it counts, and neither after the day on which it was made. Its exchange is whole or
/// is not there, and where it settles no order it is of no entry.
pub(super) fn transaction(row: &WholeRow<'_>) -> Vec<Wrong> {
    const EXCHANGE: [&str; 5] =
        ["exchange_source", "exchange_target", "exchange_unit", "exchange_rate", "quotation_date"];
    let mut wrong = numbers(row, "counterpart_bban", "counterpart_iban");
    let made_on = day_of(row, "created_at");
    for column in ["booking_date", "value_date"] {
        if row.day(column) > made_on {
            wrong.push((column, "lies after the day on which the line was made"));
        }
    }
    if row.day("booking_date") > row.day("value_date") {
        wrong.push(("booking_date", "lies after the value date"));
    }
    let absent: Vec<_> = EXCHANGE.into_iter().filter(|column| row.is_absent(column)).collect();
    if absent.len() < EXCHANGE.len() {
        wrong.extend(absent.into_iter().map(|column| (column, MISSING)));
    }
    if row.is_absent("payment_id") && row.value("entry") != Some(&Value::Integer(0)) {
        wrong.push(("entry", "is that of no order"));
    }
    wrong
}

/// A use of a card is of a sum that is not negative, and authorised on its day or later.
pub(super) fn card_authorisation(row: &WholeRow<'_>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    if row.is_negative("original_amount") {
        wrong.push(("original_amount", NEGATIVE));
    }
    if row.day("transaction_date") > day_of(row, "authorised_at") {
        wrong.push(("transaction_date", "lies after the day on which the use was authorised"));
    }
    wrong
}

/// The day in Oslo of a time; `None` if the column has no time.
fn day_of(row: &WholeRow<'_>, column: &str) -> Option<NaiveDate> {
    match row.value(column) {
        Some(Value::Integer(micros)) => Some(oslo_day(from_micros(*micros))),
        _ => None,
    }
}

/// A creditor has one number, also if it is given in both forms.
pub(super) fn order_entry(row: &WholeRow<'_>) -> Vec<Wrong> {
    numbers(row, "creditor_bban", "creditor_iban")
}

/// An IBAN of Norway has an account number in it.
fn numbers(row: &WholeRow<'_>, bban: &'static str, iban: &'static str) -> Vec<Wrong> {
    let inside = row.text(iban).and_then(|iban| Iban::parse(iban).ok()?.bban());
    match inside.zip(row.text(bban)) {
        Some((inside, bban)) if inside.as_str() != bban => vec![(iban, "has another account number in it")],
        _ => Vec::new(),
    }
}

/// Nothing costs less than nothing.
fn fee(row: &WholeRow<'_>) -> Vec<Wrong> {
    if row.is_negative("fee") {
        vec![("fee", NEGATIVE)]
    } else {
        Vec::new()
    }
}

/// An order has its end when it waits no more, and is reported only then.
pub(super) fn order(row: &WholeRow<'_>) -> Vec<Wrong> {
    let mut wrong = fee(row);
    let Some(state) = row.text("state").and_then(OrderState::parse) else { return wrong };
    match (state, row.is_absent("settled_at")) {
        (OrderState::Waiting | OrderState::Standing, false) => {
            wrong.push(("settled_at", "is that of an order that waits no more"));
        }
        (OrderState::Waiting | OrderState::Standing, true) | (_, false) => {}
        (_, true) => wrong.push(("settled_at", MISSING)),
    }
    if state == OrderState::Waiting && row.value("reported") != Some(&Value::Integer(0)) {
        wrong.push(("reported", "must be false while the order waits"));
    }
    wrong
}

/// A payment is where its authorisation lets it be, and one that is one whole is carried out or is not.
pub(super) fn payment(row: &WholeRow<'_>) -> Vec<Wrong> {
    let mut wrong = fee(row);
    let Some(status) = row.text("status").and_then(PaymentStatus::parse) else { return wrong };
    let is_bulk = row
        .text("product")
        .and_then(Product::of_path)
        .is_some_and(|product| product.service() == Service::BulkPayments);
    if !is_bulk && status == PaymentStatus::Part {
        wrong.push(("status", "PART is a status of bulk payments alone"));
    }
    match status {
        PaymentStatus::Rcvd if !row.is_absent("authorised_at") => {
            wrong.push(("status", "RCVD is the status of payments that are not authorised"));
        }
        PaymentStatus::Rcvd | PaymentStatus::Rjct | PaymentStatus::Canc => {}
        _ => {
            let absent = ["authorised_at", "psu"].into_iter().filter(|column| row.is_absent(column));
            wrong.extend(absent.map(|column| (column, MISSING)));
        }
    }
    wrong
}

/// A corporate customer belongs to the corporate context.
pub(super) fn acting_psu(row: &WholeRow<'_>) -> Vec<Wrong> {
    let is_private = row.text("context").and_then(|text| Context::parse(text).ok()) == Some(Context::Private);
    if is_private && row.text("corporate").is_some_and(|corporate| !corporate.is_empty()) {
        vec![("corporate", "belongs to the corporate context alone")]
    } else {
        Vec::new()
    }
}

/// A consent has both the time and the reason of its end, or none.
pub(super) fn consent(row: &WholeRow<'_>) -> Vec<Wrong> {
    let mut wrong = acting_psu(row);
    match (row.value("ended_at").is_some_and(|at| *at != Value::Null), row.text("ended_why").is_some()) {
        (true, false) => wrong.push(("ended_why", MISSING)),
        (false, true) => wrong.push(("ended_at", MISSING)),
        _ => {}
    }
    wrong
}

/// A certificate is named as this library looks it up: a block of another spelling refuses no call.
pub(super) fn blocked(row: &WholeRow<'_>) -> Vec<Wrong> {
    let is_certificate = row.text("kind").and_then(BlockedKind::parse) == Some(BlockedKind::Certificate);
    let is_canonical =
        |text: &str| CertificateHash::parse(text).is_some_and(|sha256| sha256.to_string() == text);
    if is_certificate && row.text("subject").is_some_and(|subject| !is_canonical(subject)) {
        vec![("subject", "is not a SHA-256 in 64 lower-case hexadecimal digits")]
    } else {
        Vec::new()
    }
}

/// An outage does not end before it begins.
pub(super) fn outage(row: &WholeRow<'_>) -> Vec<Wrong> {
    match (row.value("began_at"), row.value("ended_at")) {
        (Some(Value::Integer(began)), Some(Value::Integer(ended))) if ended < began => {
            vec![("ended_at", "lies before the beginning")]
        }
        _ => Vec::new(),
    }
}

/// A number that is incremented later must be small enough for that.
pub(super) fn fact(row: &WholeRow<'_>) -> Vec<Wrong> {
    match row.value("value") {
        Some(Value::Integer(number)) if !(0..=canonical::INTEGER_MAX).contains(number) => {
            vec![("value", "is no number that counts on")]
        }
        _ => Vec::new(),
    }
}

/// The id of a TPP is the one in its certificate.
pub(super) fn tpp(row: &WholeRow<'_>) -> Vec<Wrong> {
    let certified = match row.value("certificate") {
        Some(Value::Blob(der)) => Certificate::from_der(der).ok(),
        _ => None,
    };
    let id = certified.as_ref().and_then(|certificate| certificate.organisation_id());
    if id == row.text("organisation_id") {
        Vec::new()
    } else {
        vec![("organisation_id", "is not that of the certificate")]
    }
}

/// The fingerprint of a payment follows from its other columns, because no user writes a hash by hand.
pub(super) fn duplicate_fingerprint(row: &WholeRow<'_>) -> Option<Value> {
    let product = Product::of_path(row.text("product")?)?;
    let order = stored::from_text(row.text("transfer")?).ok()?;
    Some(Value::Blob(
        duplicate_fingerprint::duplicate_fingerprint(row.text("tpp")?, product, &order).to_vec(),
    ))
}
