//! The sandbox's own routes.

use serde_json::{json, Value};

use crate::reasons::case::{refused, Asker, Case, Earned};
use crate::world::draft::Draft;
use crate::world::{body, changed, text, PAYER, PAYER_ACCOUNT};

const UNKNOWN: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
const COMPANY: &str = "18129215603";
const CUSTOMERS: &str = "/v1/sandbox/customers";
const AGREEMENTS: &str = "/v1/sandbox/agreements";
const ACCOUNTS: &str = "/v1/sandbox/accounts";
const CARD_ACCOUNTS: &str = "/v1/sandbox/card-accounts";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = paths();
    cases.extend(queries());
    cases.extend(members());
    cases.extend(transactions());
    cases.extend(decisions());
    cases
}

fn paths() -> Vec<Case> {
    vec![
        refused("SBX-01", |ask| get(ask, &format!("{CUSTOMERS}/{UNKNOWN}"))),
        refused("SBX-02", |ask| get(ask, &format!("{AGREEMENTS}/{UNKNOWN}"))),
        refused("SBX-03", |ask| {
            let agreement = first(ask, AGREEMENTS, "/agreements/0/id");
            ask.refused(Draft::new("DELETE", &format!("{AGREEMENTS}/{agreement}/engagements/{UNKNOWN}")))
        }),
        refused("SBX-04", |ask| get(ask, &format!("{ACCOUNTS}/{UNKNOWN}"))),
        refused("SBX-05", |ask| get(ask, &format!("{}/{UNKNOWN}", ledger(ask)))),
        refused("SBX-06", |ask| get(ask, &format!("{CARD_ACCOUNTS}/{UNKNOWN}"))),
    ]
}

fn queries() -> Vec<Case> {
    vec![
        refused("QRY-03", |ask| get(ask, &card_ledger(ask))).at("bookingStatus"),
        refused("QRY-04", |ask| get(ask, &format!("{}?bookingStatus=all", card_ledger(ask))))
            .at("bookingStatus")
            .saying(&["booked, pending, both"]),
        refused("QRY-05", |ask| get(ask, &format!("{}?fromDate=1.1.2026", ledger(ask)))).at("fromDate"),
        refused("QRY-06", |ask| get(ask, &format!("{}?fromDate=2026-01-02&toDate=2026-01-01", ledger(ask))))
            .at("fromDate"),
        refused("QRY-07", |ask| get(ask, &format!("{}?limit=0", ledger(ask))))
            .at("limit")
            .saying(&["1", "2147483647"]),
    ]
}

fn members() -> Vec<Case> {
    vec![
        refused("BOD-21", |ask| post(ask, &ledger(ask), &json!([booked("/amount", &json!(1.5))])))
            .at("/0/amount"),
        refused("BOD-22", |ask| {
            let engagement = changed(engagement(), &[("/accessRights", json!("true"))]);
            post(ask, AGREEMENTS, &agreement(COMPANY, &engagement))
        })
        .at("/engagements/0/accessRights"),
        refused("BOD-23", |ask| post(ask, &ledger(ask), &json!([booked("/valueDate", &json!("1.8.2026"))])))
            .at("/0/valueDate"),
        refused("BOD-24", |ask| post(ask, &ledger(ask), &json!([booked("/amount", &json!(0))])))
            .at("/0/amount")
            .saying(&["1"]),
        refused("BOD-25", |ask| {
            post(ask, &ledger(ask), &json!([booked("/bankTransactionCode", &json!("PMN"))]))
        })
        .at("/0/bankTransactionCode")
        .saying(&["4", "3"]),
        refused("BOD-26", |ask| {
            let exchange = json!({
                "sourceCurrency": "NOK", "exchangeRate": "0", "unitCurrency": "EUR", "targetCurrency": "EUR",
                "quotationDate": "2026-08-08",
            });
            let used = json!({
                "bookingDate": "2026-08-10", "transactionAmount": {"currency": "NOK", "amount": 115},
                "originalAmount": {"currency": "EUR", "amount": 10}, "currencyExchange": exchange,
                "markupFee": {"currency": "NOK", "amount": 0}, "cardAcceptorAddress": {},
            });
            post(ask, &card_ledger(ask), &json!([used]))
        })
        .at("/0/currencyExchange/exchangeRate"),
        refused("SBX-11", |ask| post(ask, CUSTOMERS, &customer("12345"))).at("/customerNumber"),
        refused("SBX-12", |ask| {
            let both = json!({"customerNumber": PAYER, "currency": "NOK", "bban": "95360573290",
                "iban": "NO7895360573312"});
            post(ask, ACCOUNTS, &both)
        })
        .at("/iban"),
    ]
}

fn transactions() -> Vec<Case> {
    vec![
        refused("SBX-13", |ask| {
            post(ask, &ledger(ask), &json!([booked("/valueDate", &json!("2027-01-01"))]))
        })
        .at("/0/valueDate"),
        refused("SBX-14", |ask| {
            post(ask, &ledger(ask), &json!([booked("/valueDate", &json!("2026-07-31"))]))
        })
        .at("/0/bookingDate"),
        refused("SBX-15", |ask| post(ask, &ledger(ask), &json!([foreign()]))).at("/0/debtorAccount"),
        refused("SBX-16", |ask| {
            let lenient = ask.under(r#"{"accept_foreign_debtor":true}"#);
            post(&lenient, &ledger(&lenient), &json!([foreign()]))
        })
        .at("/0/creditorAccount"),
    ]
}

fn decisions() -> Vec<Case> {
    vec![
        refused("SBX-21", |ask| post(ask, ACCOUNTS, &json!({"customerNumber": "999999", "currency": "NOK"})))
            .at("/customerNumber"),
        refused("SBX-22", |ask| {
            post(ask, AGREEMENTS, &json!({"name": "Ny", "owner": PAYER, "engagements": []}))
        })
        .at("/owner"),
        refused("SBX-23", |ask| {
            let engagement = changed(engagement(), &[("/customer", json!(COMPANY))]);
            post(ask, AGREEMENTS, &agreement(COMPANY, &engagement))
        })
        .at("/engagements/0/customer"),
        refused("SBX-24", |ask| {
            let engagement = changed(engagement(), &[("/account", json!({"bban": PAYER_ACCOUNT}))]);
            post(ask, AGREEMENTS, &agreement(COMPANY, &engagement))
        })
        .at("/engagements/0/account"),
        refused("SBX-25", |ask| post(ask, CUSTOMERS, &customer(PAYER))).at("/customerNumber"),
        refused("SBX-26", |ask| {
            post(ask, ACCOUNTS, &json!({"customerNumber": PAYER, "currency": "NOK", "bban": PAYER_ACCOUNT}))
        })
        .at("/bban"),
    ]
}

fn get(ask: &Asker, target: &str) -> Earned {
    ask.refused(Draft::new("GET", target))
}

fn post(ask: &Asker, target: &str, sent: &Value) -> Earned {
    ask.refused(Draft { body: sent.to_string().into_bytes(), ..Draft::new("POST", target) })
}

/// An id that a list has.
fn first(ask: &Asker, target: &str, pointer: &str) -> String {
    let list = body(&ask.asked(Draft::new("GET", target)));
    text(&list, pointer).to_owned()
}

/// The transactions of the payer's account.
fn ledger(ask: &Asker) -> String {
    format!("{ACCOUNTS}/{}/transactions", first(ask, ACCOUNTS, "/accounts/0/id"))
}

/// The transactions of the payer's card account.
fn card_ledger(ask: &Asker) -> String {
    format!("{CARD_ACCOUNTS}/{}/transactions", first(ask, CARD_ACCOUNTS, "/cardAccounts/0/resourceId"))
}

fn customer(number: &str) -> Value {
    json!({"customerNumber": number, "customerType": "PRIVATE", "customerName": "Ny Kunde"})
}

fn engagement() -> Value {
    json!({
        "customer": PAYER, "account": {"bban": "95360573118"}, "roles": ["VIEW"],
        "registerLimit": 0, "approvalLimit": 0,
    })
}

fn agreement(owner: &str, engagement: &Value) -> Value {
    json!({"name": "Ny avtale", "owner": owner, "engagements": [engagement]})
}

/// A transaction from the payer's account, with another value at one place.
fn booked(pointer: &str, value: &Value) -> Value {
    let good = json!({
        "amount": 100, "currency": "NOK", "valueDate": "2026-08-02", "bookingDate": "2026-08-01",
        "remittanceInformationUnstructured": "Husleie", "creditorId": "C-1", "creditorName": "Utleier",
        "creditorAccount": {"bban": "95360573037"}, "ultimateCreditor": "Eier", "debtorName": "Leietaker",
        "debtorAccount": {"bban": PAYER_ACCOUNT}, "ultimateDebtor": "Beboer", "purposeCode": "OTHR",
        "bankTransactionCode": "PMNT-ICDT-DMCT",
    });
    changed(good, &[(pointer, value.clone())])
}

/// A transaction that another account pays to a third.
fn foreign() -> Value {
    booked("/debtorAccount", &json!({"bban": "95360573045"}))
}
