//! One fault of an exported sandbox that was changed by hand is reported once: a row that refers to a refused row is
//! not at fault.

use serde_json::{json, Value};

use crate::counter::ACCOUNTS;
use crate::state::busy::Busy;
use crate::state::hand::{changed, exported, refusal, with_authorisation};
use crate::world::*;

/// A sandbox in which more rows name others.
fn busy() -> World {
    let Busy { world, .. } = Busy::new();
    let target = format!("{ACCOUNTS}/{}/transactions", text(&world.account_of(PAYER_ACCOUNT), "/id"));
    let transaction = json!({
        "amount": 1, "currency": "NOK", "valueDate": "2026-08-01", "bookingDate": "2026-08-01",
        "remittanceInformationUnstructured": "", "creditorId": "", "creditorName": "", "ultimateCreditor": "",
        "creditorAccount": {"bban": "95360573037"}, "debtorName": "Kari", "ultimateDebtor": "", "purposeCode": "",
        "debtorAccount": {"bban": PAYER_ACCOUNT}, "bankTransactionCode": "PMNT",
    });
    world.made(&target, &json!([transaction]));
    world
}

/// The reported faults, each with its place.
fn faults(world: &World, document: &Value) -> Vec<String> {
    let reported_faults = refusal(&world.sandbox, document);
    let reported_faults = reported_faults.strip_prefix("the exported sandbox has invalid values: ").unwrap();
    reported_faults.split("; ").map(str::to_owned).collect()
}

#[track_caller]
fn assert_faults(world: &World, document: &Value, places: &[&str]) {
    let reported_faults = faults(world, document);
    let found: Vec<_> = reported_faults.iter().map(|fault| fault.split_once(": ").unwrap().0).collect();
    assert_eq!(found, places, "{reported_faults:?}");
}

/// Every place of the first and the last row of each section.
fn places(document: &Value) -> Vec<String> {
    let mut places = Vec::new();
    for (section, rows) in document.as_object().unwrap() {
        let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
        for index in [0, rows.len().saturating_sub(1)] {
            let Some(Value::Object(row)) = rows.get(index) else { continue };
            places.extend(row.keys().map(|member| format!("/{section}/{index}/{member}")));
        }
    }
    places.sort();
    places.dedup();
    places.retain(|place| !place.starts_with("/replayWindow/"));
    places
}

#[test]
fn an_invalid_value_is_one_fault_in_every_place() {
    let world = busy();
    let document = with_authorisation(exported(&world.sandbox));
    for place in places(&document) {
        assert_faults(&world, &changed(document.clone(), &[(&place, json!({"a": 1}))]), &[&place]);
    }
}

#[test]
fn a_row_or_a_section_that_cannot_be_read_is_one_fault() {
    let world = busy();
    let document = exported(&world.sandbox);
    for section in ["customers", "accounts", "transactions", "bankOrders", "bankOrderEntries", "payments"] {
        for place in [format!("/{section}"), format!("/{section}/0")] {
            assert_faults(&world, &changed(document.clone(), &[(&place, json!(1))]), &[&place]);
        }
        let place = format!("/{section}");
        assert_faults(&world, &changed(document.clone(), &[(&place, Value::Null)]), &[&place]);
    }
}

#[test]
fn a_dangling_reference_or_a_number_in_use_is_one_fault() {
    let world = busy();
    let document = exported(&world.sandbox);
    for (place, value, reported_faults) in [
        ("/accounts/0/owner", json!("none"), "/accounts/0/owner"),
        ("/accounts/0/number", document["accounts"][1]["number"].clone(), "/accounts/1"),
        ("/customers/0/customerNumber", document["customers"][1]["customerNumber"].clone(), "/customers/1"),
        ("/transactions/0/account", json!("none"), "/transactions/0/account"),
        ("/payments/0/number", document["payments"][1]["number"].clone(), "/payments/1"),
        ("/bankOrderReferences/0/payment", json!("none"), "/bankOrderReferences/0"),
        ("/corporatePsus/0/corporateId", json!("6a2f41a3-c54c-4dd1-8d7a-2f0c9b6b7f10"), "/corporatePsus/0"),
    ] {
        assert_faults(&world, &changed(document.clone(), &[(place, value)]), &[reported_faults]);
    }
}

#[test]
fn a_refused_row_hides_no_other_fault() {
    let world = busy();
    let document = exported(&world.sandbox);
    let line = document["transactions"].as_array().unwrap().len() - 1;
    let amount = format!("/transactions/{line}/amount");
    let sent = changed(
        document.clone(),
        &[("/accounts/0/name", Value::Null), ("/sessions", json!("oops")), (&amount, json!("x"))],
    );
    assert_faults(&world, &sent, &["/accounts/0/name", &amount, "/sessions"]);
    // A reference to a missing row is reported beside a reference to a refused row, also in a refused row.
    let sent = changed(
        document,
        &[
            ("/accounts/0/name", Value::Null),
            ("/accounts/0/owner", json!("none")),
            ("/transactions/0/account", json!("none")),
            ("/paymentEvents/0/payment", json!("none")),
        ],
    );
    let reported_faults =
        ["/accounts/0/name", "/accounts/0/owner", "/transactions/0/account", "/paymentEvents/0/payment"];
    assert_faults(&world, &sent, &reported_faults);
}

#[test]
fn an_unreadable_id_excuses_only_references_to_its_section() {
    let world = busy();
    let sent = changed(
        exported(&world.sandbox),
        &[
            ("/accounts/0/id", json!(5)),
            ("/transactions/0/account", json!("none")),
            ("/paymentEvents/0/payment", json!("none")),
        ],
    );
    assert_faults(&world, &sent, &["/accounts/0/id", "/paymentEvents/0/payment"]);
}
