//! A body for each payment product that it takes without a word, from 2026-08-13 to 2027-09-30 in the sandbox.

use serde_json::{json, Value};

use super::{cross_border, straks, PAYER_ACCOUNT};

pub const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";
pub const INSTANT: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers";
pub const SEPA: &str = "/v1/payments/sepa-credit-transfers";
pub const PLAIN_CROSS_BORDER: &str = "/v1/payments/cross-border-credit-transfers";
pub const PERIODIC: &str = "/v1/periodic-payments/norwegian-domestic-credit-transfers";
pub const BULK: &str = "/v1/bulk-payments/norwegian-domestic-credit-transfers";

pub fn sepa() -> Value {
    json!({
        "instructedAmount": {"amount": "100.00", "currency": "EUR"},
        "creditorName": "Fiktiv Handel GmbH",
        "creditorAccount": {"iban": "DE89370400440532013000", "currency": "EUR"},
        "creditorAddress": {"townName": "Berlin", "country": "DE"},
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
    })
}

pub fn periodic() -> Value {
    let mut body = straks();
    body["startDate"] = "2026-10-01".into();
    body["frequency"] = "Monthly".into();
    body
}

/// A bulk of that many payments, each of another amount.
pub fn bulk(entries: usize) -> Value {
    let entry = |number: usize| {
        let mut entry = straks();
        entry.as_object_mut().unwrap().remove("debtorAccount");
        entry["instructedAmount"]["amount"] = format!("{}.00", number + 1).into();
        entry
    };
    let payments: Vec<Value> = (0..entries).map(entry).collect();
    json!({"debtorAccount": straks()["debtorAccount"], "payments": payments})
}

/// Every product: where it is created, and a body.
pub fn every_product() -> [(&'static str, Value); 8] {
    [
        (DOMESTIC, straks()),
        (INSTANT, straks()),
        (super::STRAKS, straks()),
        (SEPA, sepa()),
        (PLAIN_CROSS_BORDER, cross_border()),
        (super::CROSS_BORDER, cross_border()),
        (PERIODIC, periodic()),
        (BULK, bulk(2)),
    ]
}
