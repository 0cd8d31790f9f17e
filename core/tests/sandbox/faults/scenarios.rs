//! A call that chooses a fault for itself, by the header X-Sandbox-Scenario.

use crate::world::draft::{Draft, Signer};
use crate::world::*;
use xs2a::{FaultSpec, Response, TestTpp};

const HEADER: &str = "X-Sandbox-Scenario";
const ONCE: &str = "fault=SYSTEM_ERROR;times=1";

fn world() -> World {
    World::with_policy(r#"{"scenario_header":true}"#)
}

fn accounts(scenario: &str) -> Draft {
    Draft::get("/v1/accounts").with(HEADER, scenario)
}

fn send_by(tpp: &TestTpp, world: &World, draft: Draft) -> Response {
    Signer::of(tpp).sign(draft, world.sandbox.now()).send(&world.sandbox)
}

fn reason_of(world: &World, draft: Draft) -> String {
    send_by(&world.tpp, world, draft).reason().unwrap_or_default().to_owned()
}

/// The answers to some calls: `!` where the scenario struck.
fn pattern(world: &World, scenario: &str, calls: usize) -> String {
    let struck = |_| reason_of(world, accounts(scenario)).starts_with("FLT-");
    (0..calls).map(struck).map(|struck| if struck { '!' } else { '.' }).collect()
}

#[test]
fn a_call_is_answered_as_its_header_says() {
    let world = world();
    assert_eq!(reason_of(&world, accounts("fault=ACCESS_EXCEEDED")), "FLT-23");
    assert_eq!(reason_of(&world, accounts("fault=CONFLICT;status=405")), "FLT-10");
    assert_eq!(reason_of(&world, Draft::get("/v1/accounts")), "AIS-01");
    let answer =
        send_by(&world.tpp, &world, Draft::creation(STRAKS, &straks()).with(HEADER, "fault=bank_down"));
    assert_eq!((answer.status(), answer.reason()), (500, Some("SYS-02")));
    let before = world.sandbox.now();
    reason_of(&world, accounts("fault=slow;seconds=90"));
    assert_eq!((world.sandbox.now() - before).num_seconds(), 90);
}

#[test]
fn without_the_policy_the_header_means_nothing() {
    for world in [World::new(), World::with_policy(r#"{"scenario_header":false}"#)] {
        assert_eq!(reason_of(&world, accounts(ONCE)), "AIS-01");
        assert_eq!(reason_of(&world, accounts("no scenario")), "AIS-01");
        world.sandbox.set_policy(r#"{"scenario_header":true}"#).unwrap();
        assert_eq!(reason_of(&world, accounts(ONCE)), "FLT-01");
    }
}

#[test]
fn repeated_requests_with_one_value_count_its_times() {
    for (scenario, expected) in [
        ("fault=SYSTEM_ERROR", "!!!!"),
        ("fault=SYSTEM_ERROR;times=1", "!..."),
        ("fault=SYSTEM_ERROR;times=2", "!!.."),
        ("fault=SYSTEM_ERROR;nth=2", ".!.."),
        ("fault=SYSTEM_ERROR;nth=2;times=2", ".!!."),
    ] {
        assert_eq!(pattern(&world(), scenario, 4), expected, "{scenario}");
    }
}

#[test]
fn each_tpp_operation_and_value_has_its_own_count() {
    let world = world();
    let other = world.sandbox.register_tpp("Other", &["AISP", "PISP"]).unwrap();
    assert_eq!(pattern(&world, ONCE, 2), "!.");
    assert_eq!(send_by(&other, &world, accounts(ONCE)).reason(), Some("FLT-01"));
    let status = format!("{STRAKS}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA/status");
    assert_eq!(reason_of(&world, Draft::get(&status).with(HEADER, ONCE)), "FLT-01");
    assert_eq!(pattern(&world, "times=1;fault=SYSTEM_ERROR", 2), "!.");
    assert_eq!(pattern(&world, ONCE, 1), ".");
}

#[test]
fn removing_faults_or_restoring_restarts_the_counts() {
    let world = world();
    let image = world.sandbox.snapshot().unwrap();
    assert_eq!(pattern(&world, ONCE, 2), "!.");
    world.sandbox.clear_faults();
    assert_eq!(pattern(&world, ONCE, 2), "!.");
    world.sandbox.restore(&image).unwrap();
    assert_eq!(pattern(&world, ONCE, 2), "!.");
}

#[test]
fn a_thousand_scenarios_are_counted_and_then_the_oldest_again() {
    let world = world();
    assert_eq!(pattern(&world, ONCE, 2), "!.");
    for number in 1..1000 {
        reason_of(&world, accounts(&format!("fault=CONFLICT;nth={number}")));
    }
    assert_eq!(pattern(&world, ONCE, 1), ".");
    reason_of(&world, accounts("fault=CONFLICT;nth=1000"));
    assert_eq!(pattern(&world, ONCE, 2), "!.");
}

#[test]
fn the_header_may_be_signed_and_need_not_be() {
    let world = world();
    let signer = Signer::of(&world.tpp);
    let listed = ["date", "x-request-id", "tpp-redirect-uri", "x-sandbox-scenario"];
    let listed = signer.sign_names(accounts(ONCE), world.sandbox.now(), &listed);
    assert_eq!(listed.send(&world.sandbox).reason(), Some("FLT-01"));
    let changed = signer.sign(Draft::get("/v1/accounts"), world.sandbox.now()).with(HEADER, "fault=CONFLICT");
    assert_eq!(changed.send(&world.sandbox).reason(), Some("FLT-09"));
}

#[test]
fn a_wrong_signature_or_role_is_refused_before_the_scenario() {
    let world = world();
    let mut draft = Signer::of(&world.tpp).sign(accounts("no scenario"), world.sandbox.now());
    draft = draft.with("Date", "Tue, 01 Sep 1998 10:00:00 GMT");
    assert_eq!(draft.send(&world.sandbox).reason(), Some("DAT-02"));
    let payer = world.sandbox.register_tpp("Payer", &["PISP"]).unwrap();
    assert_eq!(send_by(&payer, &world, accounts("no scenario")).reason(), Some("TPP-02"));
}

#[test]
fn a_value_that_is_no_scenario_is_refused_with_the_place() {
    let world = world();
    let long = format!("fault=SYSTEM_ERROR;times={:0>175}", 1);
    assert_eq!(long.len(), 200);
    assert_eq!(reason_of(&world, accounts(&long)), "FLT-01");
    let longer = long.replace("times=", "times=0");
    for (value, named) in [
        ("times=1".as_bytes(), "`fault` is missing"),
        (b"fault=SYSTEM_ERROR;times=0", "`times` is 1 or more"),
        (b"fault=\xc3\xa6", "is no code of the contract"),
        (b"fault=\xe6", "it is not UTF-8"),
        (longer.as_bytes(), "it has more than 200 bytes"),
    ] {
        let draft = Draft::get("/v1/accounts").with(HEADER, value);
        let answer = send_by(&world.tpp, &world, draft);
        assert_eq!((answer.status(), answer.reason()), (400, Some("SCN-01")));
        let [message] = answer::messages(&answer).try_into().unwrap();
        assert_eq!((message.code.as_str(), message.path.as_str()), ("FORMAT_ERROR", HEADER));
        assert!(message.text.contains(named), "{}", message.text);
    }
    let twice = accounts(ONCE).plus(HEADER, ONCE);
    assert_eq!(reason_of(&world, twice), "SCN-01");
}

#[test]
fn the_own_scenario_of_a_call_comes_before_the_faults_that_are_set() {
    let world = world();
    let set = world.sandbox.add_fault(FaultSpec::refusal("CONFLICT")).unwrap();
    assert_eq!(reason_of(&world, accounts(ONCE)), "FLT-01");
    assert_eq!((set.seen(), set.hits()), (1, 0));
    assert_eq!(reason_of(&world, accounts(ONCE)), "FLT-09");
}

#[test]
fn the_operations_of_the_sandbox_itself_take_a_scenario_too() {
    let draft = Draft::get("/v1/sandbox/customers").with(HEADER, ONCE);
    assert_eq!(reason_of(&world(), draft), "FLT-01");
}

#[test]
fn the_journal_shows_which_scenario_struck() {
    let world = world();
    reason_of(&world, accounts(ONCE));
    let text = world.sandbox.journal().last().unwrap().happened_text().join("");
    assert!(text.contains("the scenario of the call struck: 500 SYSTEM_ERROR, once"), "{text}");
}
