//! Payments with values that vary: valid ones for each product, and one member changed at a time.

use serde_json::{json, Map, Value};

use crate::dice::Dice;
use crate::world::products::{
    bulk, periodic, sepa, BULK, DOMESTIC, INSTANT, PERIODIC, PLAIN_CROSS_BORDER, SEPA,
};
use crate::world::{cross_border, straks, CROSS_BORDER, STRAKS};

/// Where each product is created.
pub(crate) const PRODUCTS: [&str; 8] =
    [DOMESTIC, INSTANT, STRAKS, SEPA, PLAIN_CROSS_BORDER, CROSS_BORDER, PERIODIC, BULK];

const NAMES: [&str; 5] = ["Testodius To", "Ærlig Åsmund", "Fiktiv Handel GmbH", "N. N.", "Žofie Dvořáková"];
const MESSAGES: [&str; 5] = ["Invoice 1001", "Lønn august", "a", "Rent\u{a0}9/26", "Ref {} & \"quoted\""];
const STREETS: [&str; 3] = ["Storgata", "Under den Linden", ""];
const DATES: [&str; 6] = ["2026-09-01", "2026-09-02", "2026-09-05", "2026-12-24", "2027-08-31", "2027-09-30"];

/// A body that the product takes, without variation.
pub(crate) fn plain(product: &str) -> Value {
    match product {
        SEPA => sepa(),
        PLAIN_CROSS_BORDER | CROSS_BORDER => cross_border(),
        PERIODIC => periodic(),
        BULK => bulk(2),
        _ => straks(),
    }
}

/// A body with every optional member of the product.
pub(crate) fn full(product: &str) -> Value {
    let mut body = plain(product);
    if product == BULK {
        body["paymentInformationId"] = "Salaries 9".into();
        body["requestedExecutionDate"] = "2026-09-04".into();
        body["payments"][0]["purposeCode"] = "SALA".into();
        return body;
    }
    body["ultimateDebtor"] = "Testine Test".into();
    body["purposeCode"] = "OTHR".into();
    body["creditorAddress"] = json!({
        "street": "Storgata", "buildingNumber": "2B", "postalCode": "0155", "townName": "Oslo", "country": "NO",
    });
    match product {
        PERIODIC => {
            body["endDate"] = "2027-03-01".into();
            body["executionRule"] = "following".into();
            body["dayOfExecution"] = "31".into();
        }
        SEPA | CROSS_BORDER => {
            body["regulatoryReportingCode"] = "14".into();
            body["regulatoryReportingInformation"] = "Goods".into();
            body["requestedExecutionDate"] = "2026-09-03".into();
        }
        DOMESTIC => body["requestedExecutionDate"] = "2026-09-03".into(),
        _ => {}
    }
    if [PLAIN_CROSS_BORDER, CROSS_BORDER].contains(&product) {
        body["serviceLevel"] = "SDVA".into();
    }
    body
}

/// A body of the product with other values, that pays from one of the accounts.
pub(crate) fn varied(dice: &mut Dice, product: &str, debtors: &[&str]) -> Value {
    let mut body = if dice.one_in(3) { full(product) } else { plain(product) };
    body["debtorAccount"]["bban"] = dice.pick(debtors).into();
    if product == BULK {
        let entries = 1 + dice.below(4);
        body["payments"] = bulk(entries)["payments"].clone();
        return body;
    }
    let (whole, cents) = (1 + dice.below(900), dice.below(100));
    body["instructedAmount"]["amount"] = format!("{whole}.{cents:02}").into();
    if dice.one_in(2) {
        body["creditorName"] = dice.pick(&NAMES).into();
    }
    if dice.one_in(2) {
        body["remittanceInformationUnstructured"] = dice.pick(&MESSAGES).into();
    }
    if dice.one_in(4) {
        body["creditorAddress"]["street"] = dice.pick(&STREETS).into();
    }
    if dice.one_in(5) {
        let member = if product == PERIODIC { "startDate" } else { "requestedExecutionDate" };
        body[member] = dice.pick(&DATES).into();
    }
    if dice.one_in(9) {
        body.as_object_mut().unwrap().remove("remittanceInformationUnstructured");
        body["remittanceInformationStructured"] = json!({"reference": "2345676", "referenceType": "SCOR"});
    }
    body
}

/// The JSON pointers of all members of a body, the outer ones first.
pub(crate) fn pointers(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(body, "", &mut found);
    found
}

fn collect(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in below {
        let pointer = format!("{pointer}/{name}");
        found.push(pointer.clone());
        collect(value, &pointer, found);
    }
}

/// What a member is replaced by; `Null` takes it out.
pub(crate) fn replacements(at: &str, present: &Value) -> Vec<Value> {
    let mut values = vec![
        Value::Null,
        json!(""),
        json!(" "),
        json!(17),
        json!(true),
        json!([]),
        json!({}),
        json!("x".repeat(141)),
        json!("æøå\u{1F600}"),
    ];
    let name = at.rsplit('/').next().unwrap();
    let special: &[&str] = match name {
        "amount" => {
            &["0.00", "-1.00", "1", "1.005", "01.00", "99999999999999.00", "1,00", "1e3", "300000.00"]
        }
        "currency" => &["EUR", "USD", "JPY", "nok", "XXX", "NO"],
        "bban" => {
            &["95360573003", "9536.05.73037", "123", "91351631959", "95360573045", "95360573134", "A1B2C3"]
        }
        "iban" => &["DE89370400440532013001", "NO9395360573002", "GB29NWBK60161331926819", "DE8937"],
        "country" => &["SE", "no", "ZZ", "NOR"],
        "creditorAgent" => &["DEUTDEFFXXX", "DEUT", "deutdeff", "DNBANOKK"],
        "requestedExecutionDate" | "startDate" | "endDate" => {
            &["2026-08-31", "2026-09-01", "2027-09-01", "2027-09-02", "2026-02-29", "1.9.2026", "2026-09-06"]
        }
        "frequency" => &["Daily", "Weekly", "EveryTwoWeeks", "Quarterly", "Annual", "monthly"],
        "dayOfExecution" => &["1", "01", "32", "0"],
        "executionRule" => &["preceding", "preceeding", "none"],
        "purposeCode" => &["SALA", "NONE", "sala"],
        "serviceLevel" => &["URGP", "SEPA"],
        "creditorName" | "ultimateDebtor" => &["Ærlig Åsmund", "Žofie", "a\u{0}b", "Line\nbreak"],
        "remittanceInformationUnstructured" => &["Hei på deg", "tab\there", "Ω"],
        "townName" | "city" => &["Bergen", "Tromsø"],
        _ => &[],
    };
    values.extend(special.iter().map(|text| json!(text)));
    values.retain(|value| value != present);
    values
}

/// The body with another value at the pointer.
pub(crate) fn replaced_at(body: &Value, pointer: &str, value: &Value) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent) {
        Some(Value::Object(members)) => replace_member(members, name, value),
        Some(Value::Array(items)) => {
            let at: usize = name.parse().unwrap();
            match value {
                Value::Null => drop(items.remove(at)),
                value => items[at] = value.clone(),
            }
        }
        _ => {}
    }
    body
}

fn replace_member(members: &mut Map<String, Value>, name: &str, value: &Value) {
    match value {
        Value::Null => drop(members.remove(name)),
        value => drop(members.insert(name.to_owned(), value.clone())),
    }
}
