//! What a sandbox says it has seen of all there is.

use crate::world::*;
use serde_json::{json, Value};
use xs2a::{Coverage, CoverageKind, Response, ScaAnswer};

fn report(coverage: &Coverage) -> Value {
    serde_json::from_str(&coverage.to_json().unwrap()).unwrap()
}

/// The row of a section in which each of these members has that value.
fn row(coverage: &Coverage, section: &str, members: &[(&str, &str)]) -> Value {
    let report = report(coverage);
    let rows = report[section]["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| members.iter().all(|(name, value)| row[*name] == *value));
    found.unwrap_or_else(|| panic!("{members:?} in {section}")).clone()
}

fn times_of_row(world: &World, machine: &str, from: &str, to: &str) -> u64 {
    let members = [("machine", machine), ("from", from), ("to", to)];
    row(&world.sandbox.coverage(), "transitions", &members)["times"].as_u64().unwrap()
}

fn times_in_state(world: &World, machine: &str, state: &str) -> u64 {
    let members = [("machine", machine), ("state", state)];
    row(&world.sandbox.coverage(), "states", &members)["times"].as_u64().unwrap()
}

fn times_of_reason(world: &World, id: &str) -> u64 {
    row(&world.sandbox.coverage(), "reasons", &[("id", id)])["times"].as_u64().unwrap()
}

/// A PSU answers the link of a consent under a session.
fn consent(world: &World, session: &str, answer: &ScaAnswer) {
    let mut headers = plain_headers();
    headers.extend([("TPP-Session-ID", session), ("x-accept-fix", ""), ("PSU-IP-Address", "192.0.2.1")]);
    let started = world.call("POST", "/v1/bank-offered-consents", &headers, b"");
    assert_eq!(started.status(), 201, "{}", body(&started));
    world.answer(&body(&started), answer);
}

#[test]
fn a_fresh_sandbox_has_seen_nothing() {
    let world = World::new();
    for kind in CoverageKind::ALL {
        assert_eq!(world.sandbox.coverage().touched(kind), 0, "{kind:?}");
    }
    let operations = &report(&world.sandbox.coverage())["operations"];
    assert_eq!(operations["total"], xs2a::operation::OPERATIONS.len());
    assert_eq!(operations["rows"].as_array().unwrap().len(), xs2a::operation::OPERATIONS.len());
    assert_eq!(Coverage::total(CoverageKind::Reasons), xs2a::reason::Reason::ALL.len());
}

#[test]
fn a_call_counts_for_its_operation_with_its_status() {
    let world = World::new();
    accepted(&world.create(STRAKS, &straks()));
    world.create(STRAKS, &json!({}));
    let coverage = world.sandbox.coverage();
    let operation = row(&coverage, "operations", &[("name", "createPayment")]);
    assert_eq!(operation, json!({"name": "createPayment", "calls": 2, "statuses": {"201": 1, "400": 1}}));
    assert_eq!(coverage.touched(CoverageKind::Operations), 1);
}

#[test]
fn a_call_refused_for_headers_or_media_type_counts_for_its_operation() {
    let world = World::new();
    let refused: [Response; 2] = [
        world.create_with(STRAKS, &[("PSU-IP-Address", "")], &straks()),
        world.create_with(STRAKS, &[("Content-Type", "text/plain")], &straks()),
    ];
    assert_eq!(refused.map(|answer| answer.status()), [400, 415]);
    let operation = row(&world.sandbox.coverage(), "operations", &[("name", "createPayment")]);
    assert_eq!(operation["statuses"], json!({"400": 1, "415": 1}));
    assert_eq!((times_of_reason(&world, "HDR-04"), times_of_reason(&world, "NEG-03")), (1, 1));
}

#[test]
fn a_call_that_leads_nowhere_is_unrouted_and_its_reason_counts() {
    let world = World::new();
    world.get("/v1/no-such-route");
    world.call("PUT", STRAKS, &plain_headers(), b"");
    assert_eq!(
        report(&world.sandbox.coverage())["unrouted"],
        json!({"calls": 2, "statuses": {"404": 1, "405": 1}})
    );
    assert_eq!((times_of_reason(&world, "RTE-02"), times_of_reason(&world, "RTE-03")), (1, 1));
    assert_eq!(world.sandbox.coverage().touched(CoverageKind::Operations), 0);
}

#[test]
fn the_routes_of_the_sandbox_are_counted_apart() {
    let world = World::new();
    assert_eq!(world.call("GET", "/v1/sandbox/customers", &[], b"").status(), 200);
    let coverage = world.sandbox.coverage();
    assert_eq!(coverage.touched(CoverageKind::Operations), 0);
    assert_eq!(row(&coverage, "sandboxRoutes", &[("name", "getMockCustomers")])["calls"], 1);
}

#[test]
fn every_fault_of_a_body_counts_and_a_warning_does_too() {
    let world = World::new();
    let created = world.create(STRAKS, &json!({}));
    let faults = body(&created)["tppMessages"].as_array().unwrap().len();
    assert!(faults > 1);
    let rows = report(&world.sandbox.coverage())["reasons"]["rows"].clone();
    let counted: u64 = rows.as_array().unwrap().iter().map(|row| row["times"].as_u64().unwrap()).sum();
    assert_eq!(counted, faults as u64);

    // A wrong check digit of an account number warns in the sandbox.
    let warned = changed(straks(), &[("/creditorAccount/bban", json!("95360573038"))]);
    let warned = accepted(&world.create(STRAKS, &warned));
    assert_eq!(warned["tppMessages"][0]["category"], "WARNING");
    assert!(world.sandbox.coverage().touched(CoverageKind::Reasons) > 1);
    let after: u64 = report(&world.sandbox.coverage())["reasons"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["times"].as_u64().unwrap())
        .sum();
    assert_eq!(after, counted + warned["tppMessages"].as_array().unwrap().len() as u64);
}

#[test]
fn why_an_sca_failed_counts() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    world.answer(&created, &abort());
    let again = accepted(&world.start(&created));
    world.answer(&again, &ScaAnswer::approve("00000000000"));
    assert_eq!(world.sandbox.coverage().touched(CoverageKind::Reasons), 2);
    assert_eq!(times_of_row(&world, "Authorisation", "started", "failed"), 2);
    assert_eq!(times_of_row(&world, "Authorisation", "started", "finalised"), 0);
}

#[test]
fn the_statuses_of_a_payment_count_with_the_rows_it_took() {
    let world = World::new();
    world.pay(STRAKS, &straks(), PAYER);
    for (from, to, expected) in [("RCVD", "PDNG", 1), ("PDNG", "ACSC", 1), ("RCVD", "CANC", 0)] {
        assert_eq!(times_of_row(&world, "Payment", from, to), expected, "{from} {to}");
    }
    for (state, expected) in [("RCVD", 1), ("PDNG", 1), ("ACSC", 1), ("RJCT", 0)] {
        assert_eq!(times_in_state(&world, "Payment", state), expected, "{state}");
    }
    let given_up = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    assert_eq!(world.act("DELETE", text(&given_up, "/_links/self/href")).status(), 204);
    assert_eq!(times_of_row(&world, "Payment", "RCVD", "CANC"), 1);
}

#[test]
fn a_batch_and_another_channel_count_too() {
    let world = World::new();
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    assert_eq!(times_in_state(&world, "Payment", "ACSC"), 0);
    world.sandbox.advance_to_next_event().unwrap();
    assert_eq!(world.transaction_status(&pending), "ACSC");
    assert_eq!(times_in_state(&world, "Payment", "ACSC"), 1);
}

#[test]
fn a_basket_counts_when_it_is_opened_and_when_it_is_over() {
    let world = World::new();
    let psu_id = world.known_payer();
    let first = world.numbered_of(&psu_id, 1, PAYER_ACCOUNT);
    let basket = world.basket(&[&first]);
    assert_eq!(times_in_state(&world, "Signing basket", "open"), 1);
    world.sign(&basket, &ScaAnswer::approve(PAYER));
    let second = world.numbered_of(&psu_id, 2, PAYER_ACCOUNT);
    let basket = world.basket(&[&second]);
    world.gives_up(baskets::own(&basket));
    assert_eq!(times_of_row(&world, "Signing basket", "open", "authorised"), 1);
    assert_eq!(times_of_row(&world, "Signing basket", "open", "deleted"), 1);
}

#[test]
fn sessions_take_each_row_of_their_table() {
    let world = World::new();
    let approve = ScaAnswer::approve(PAYER);
    let rows = |from, to| times_of_row(&world, "Session", from, to);
    consent(&world, "a", &approve);
    assert_eq!((times_in_state(&world, "Session", "open"), rows("open", "replaced")), (1, 0));
    consent(&world, "b", &approve);
    assert_eq!((rows("open", "replaced"), rows("replaced", "open")), (1, 0));
    consent(&world, "a", &approve);
    assert_eq!((rows("open", "replaced"), rows("replaced", "open")), (2, 1));
    world.set_now("2026-09-01T10:59:59Z");
    consent(&world, "a", &approve);
    assert_eq!((rows("open", "expired"), rows("expired", "open")), (0, 0));
    world.set_now("2026-09-01T11:59:59Z");
    consent(&world, "a", &approve);
    assert_eq!(rows("expired", "open"), 1);
    assert!(rows("open", "expired") > 0);
    world.set_now("2026-09-01T13:00:00Z");
    consent(&world, "c", &approve);
    assert_eq!((rows("expired", "replaced"), rows("open", "replaced")), (1, 2));
}

#[test]
fn consents_take_each_row_of_their_table() {
    let world = World::new();
    let approve = ScaAnswer::approve(PAYER);
    let rows = |from, to| times_of_row(&world, "Consent", from, to);
    let revoke = || world.sandbox.revoke_consent(PAYER, world.tpp.organisation_id()).unwrap();
    revoke();
    assert_eq!(times_in_state(&world, "Consent", "revokedByPsu"), 0, "nothing was opened");
    consent(&world, "a", &approve);
    revoke();
    revoke();
    assert_eq!((rows("valid", "revokedByPsu"), times_in_state(&world, "Consent", "revokedByPsu")), (1, 1));
    consent(&world, "a", &approve);
    assert_eq!(rows("revokedByPsu", "valid"), 1);
    world.sandbox.advance(chrono::TimeDelta::days(180)).unwrap();
    assert_eq!(rows("valid", "expired"), 0, "no call has met it yet");
    consent(&world, "a", &approve);
    assert_eq!(rows("expired", "valid"), 1);
    assert!(rows("valid", "expired") > 0);
    world.sandbox.advance(chrono::TimeDelta::days(180)).unwrap();
    revoke();
    assert_eq!(rows("expired", "revokedByPsu"), 1);
}

#[test]
fn a_commit_that_did_not_happen_counts_for_nothing() {
    let world = World::new();
    accepted(&world.create(STRAKS, &straks()));
    assert_eq!(world.create(STRAKS, &straks()).status(), 409, "a logical duplicate");
    assert_eq!(times_in_state(&world, "Payment", "RCVD"), 1);
    assert_eq!(times_in_state(&world, "Authorisation", "started"), 1);
}

#[test]
fn a_fork_begins_with_nothing_and_counts_for_the_family() {
    let world = World::new();
    accepted(&world.create(STRAKS, &straks()));
    let fork = world.sandbox.fork().unwrap();
    assert_eq!(fork.coverage(), Coverage::default());
    send(&fork, "GET", "/v1/no-such-route", &[], b"");
    let mut both = world.sandbox.coverage();
    both.merge(&fork.coverage());
    assert_ne!(world.sandbox.coverage(), both);
    assert_eq!(fork.family_coverage(), both);
    let grandchild = fork.fork().unwrap();
    drop(fork);
    send(&grandchild, "GET", "/v1/no-such-route", &[], b"");
    both.merge(&grandchild.coverage());
    assert_eq!(world.sandbox.family_coverage(), both, "closed ones too");
    assert_eq!(Coverage::from_json(&both.to_json().unwrap()).unwrap(), both);
}
