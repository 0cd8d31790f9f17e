//! A payment of an exported sandbox and the bank's order of it: what goes together is taken, what cannot is not.

use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::types::Machine as _;
use xs2a::ScaAnswer;

use crate::state::hand::{changed, exported, refusal};
use crate::world::products::{bulk, BULK};
use crate::world::*;

/// A payment that is settled, one whose order waits for the bank's batch, and one that is not authorised.
fn world() -> World {
    let world = World::new();
    world.pay(STRAKS, &straks(), PAYER);
    world.pay(CROSS_BORDER, &cross_border(), PAYER);
    accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    let document = exported(&world.sandbox);
    let of = |section: &str, member: &str| {
        let rows = document[section].as_array().unwrap().iter();
        rows.map(|row| row[member].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("payments", "status"), ["ACSC", "PDNG", "RCVD"]);
    assert_eq!(of("bankOrders", "state"), ["BOOKED", "WAITING"]);
    world
}

fn assert_comes_back(world: &World) {
    let text = world.sandbox.export_json().unwrap();
    let other = World::new();
    other.sandbox.import_json(&text).unwrap();
    assert_eq!(other.sandbox.export_json().unwrap(), text);
}

#[test]
fn a_payment_is_where_its_authorisation_and_its_order_let_it_be() {
    let world = world();
    let document = exported(&world.sandbox);
    let (settled, waiting, new) = ("/payments/0", "/payments/1", "/payments/2");
    let at = |row: &str, member: &str, value: Value| (format!("{row}/{member}"), value);
    let rcvd = "RCVD is the status of payments that are not authorised";
    let ordered = "authorisedAt: is missing, and there is an order of the payment";
    for (changes, fault) in [
        (vec![at(settled, "status", json!("RCVD"))], rcvd),
        (vec![at(waiting, "status", json!("RCVD"))], rcvd),
        (vec![at(new, "authorisedAt", json!("2026-09-01T10:00:00Z"))], rcvd),
        (vec![at(settled, "authorisedAt", Value::Null)], "/payments/0/authorisedAt: is missing"),
        (vec![at(settled, "psu", Value::Null)], "/payments/0/psu: is missing"),
        (
            vec![at(new, "status", json!("PDNG"))],
            "/payments/2/authorisedAt: is missing; /payments/2/psu: is missing",
        ),
        (vec![at(settled, "status", json!("RCVD")), at(settled, "authorisedAt", Value::Null)], ordered),
        (vec![at(waiting, "status", json!("RCVD")), at(waiting, "authorisedAt", Value::Null)], ordered),
        (vec![at(settled, "status", json!("RJCT")), at(settled, "authorisedAt", Value::Null)], ordered),
    ] {
        let changes: Vec<_> = changes.iter().map(|(place, value)| (place.as_str(), value.clone())).collect();
        let found = refusal(&world.sandbox, &changed(document.clone(), &changes));
        assert!(found.contains(fault), "{changes:?}: {found}");
    }
    // A payment that is not executed needs no authorisation.
    for status in ["RJCT", "CANC", "RCVD"] {
        let changes = [("/payments/2/status", json!(status))];
        world.sandbox.import_json(&changed(document.clone(), &changes).to_string()).unwrap();
    }
}

/// An order that no bank has yet is one, too.
#[test]
fn a_payment_whose_order_is_on_its_way_is_authorised() {
    let world = world();
    let mut document = exported(&world.sandbox);
    let order = |payment: &Value| {
        let counts = json!({"number": 1, "attempts": 0, "faults": 0, "dueAt": "2027-01-01T00:00:00Z"});
        json!([changed(counts, &[("/payment", payment.clone())])])
    };
    document["orders"] = order(&document["payments"][1]["id"]);
    world.sandbox.import_json(&document.to_string()).unwrap();
    document["orders"] = order(&document["payments"][2]["id"]);
    let fault = refusal(&world.sandbox, &document);
    assert!(fault.contains("values: /payments/2/authorisedAt: is missing, and there is an order"), "{fault}");
}

#[test]
fn an_order_has_its_end_and_its_lines_when_it_waits_no_more() {
    let world = world();
    let document = exported(&world.sandbox);
    let (booked, waiting) = ("/bankOrders/0/state", "/bankOrders/1/state");
    let no_end = ("/bankOrders/0/settledAt", Value::Null);
    for (changes, fault) in [
        (vec![(booked, json!("WAITING"))], "/bankOrders/0/settledAt: is that of an order that waits no more"),
        (
            vec![(booked, json!("STANDING"))],
            "/bankOrders/0/settledAt: is that of an order that waits no more",
        ),
        (vec![no_end.clone()], "/bankOrders/0/settledAt: is missing"),
        (vec![(waiting, json!("BOOKED"))], "/bankOrders/1/settledAt: is missing"),
        (vec![(waiting, json!("CANCELLED"))], "/bankOrders/1/settledAt: is missing"),
        (
            vec![("/bankOrders/1/reported", json!(true))],
            "/bankOrders/1/reported: must be false while the order waits",
        ),
        (
            vec![(booked, json!("STANDING")), no_end],
            "/bankOrders/0/state: is that of an order of which nothing",
        ),
        (
            vec![(booked, json!("NO_FUNDS"))],
            "/bankOrders/0/state: is that of an order of which nothing is booked",
        ),
        (
            vec![(booked, json!("CANCELLED"))],
            "/bankOrders/0/state: is that of an order of which nothing is booked",
        ),
        (
            vec![("/bankOrderEntries", json!([]))],
            "/bankOrders/0: must have entries, with rows in bankOrderEntries",
        ),
    ] {
        let found = refusal(&world.sandbox, &changed(document.clone(), &changes));
        assert!(found.contains(fault), "{changes:?}: {found}");
    }
    // What was booked may be gone, and the order of a closed account is booked still.
    let kept: Vec<_> = document["transactions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["account"] != document["accounts"][0]["id"])
        .cloned()
        .collect();
    let changes = [("/transactions", json!(kept)), ("/accounts/0/booked", json!("100000.00"))];
    world.sandbox.import_json(&changed(document, &changes).to_string()).unwrap();
}

/// For every status that a host reports of a payment, before or after its SCA, and every later act of the bank.
#[test]
fn every_pair_that_a_host_and_the_bank_can_make_comes_back() {
    for status in PaymentStatus::STATES {
        for (target, order) in [(CROSS_BORDER, cross_border()), (BULK, bulk(2)), (STRAKS, straks())] {
            for (is_authorised, is_reported) in [(true, true), (true, false), (false, false)] {
                let world = World::new();
                let created = accepted(&world.create(target, &order));
                if is_authorised {
                    world.answer(&created, &ScaAnswer::approve(PAYER));
                }
                let id = text(&created, "/paymentId");
                // What the machine has no row for is refused. Past the sandbox, its bank gives no order up.
                let _ = match is_reported {
                    true => world.sandbox.report_payment_status(id, *status, None),
                    false => world.sandbox.engine().report_payment_status(id, *status, None),
                };
                assert_comes_back(&world);
                world.sandbox.advance(TimeDelta::days(1)).unwrap();
                assert_comes_back(&world);
            }
        }
    }
}
