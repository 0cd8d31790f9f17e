//! Which calls a fault is for, and at which of them it strikes.

use std::sync::Arc;

use crate::world::products::{sepa, SEPA};
use crate::world::*;
use xs2a::{Error, FaultKind, FaultSpec};

fn conflict() -> FaultSpec {
    FaultSpec::refusal("CONFLICT")
}

/// Which of some calls meet the fault.
fn met(spec: impl Fn(&World) -> FaultSpec) -> Vec<&'static str> {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other", &["AISP", "PISP"]).unwrap();
    world.sandbox.add_fault(spec(&world)).unwrap();
    let calls = [
        ("accounts", world.get("/v1/accounts")),
        ("accounts with balances", world.get("/v1/accounts?withBalance=true")),
        ("straks", world.create(STRAKS, &straks())),
        ("sepa", world.create(SEPA, &sepa())),
        ("status", world.get(&format!("{STRAKS}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA/status"))),
        ("of the other", world.call_by(&other, "GET", "/v1/accounts", &plain_headers(), b"")),
        ("of the sandbox", world.call("GET", "/v1/sandbox/customers", &[], b"")),
    ];
    calls.iter().filter(|(_, response)| response.reason() == Some("FLT-09")).map(|(name, _)| *name).collect()
}

#[test]
fn without_conditions_every_operation_but_the_sandboxs_own() {
    let all = ["accounts", "accounts with balances", "straks", "sepa", "status", "of the other"];
    assert_eq!(met(|_| conflict()), all);
}

#[test]
fn each_condition_leaves_out_what_it_is_not_for() {
    let operation = |name: &str| FaultSpec { operation: Some(name.to_owned()), ..conflict() };
    let listed = ["accounts", "accounts with balances", "of the other"];
    assert_eq!(met(|_| operation("getAccounts")), listed);
    assert_eq!(met(|_| operation("createPayment")), ["straks", "sepa"]);
    assert_eq!(met(|_| operation("getMockCustomers")), ["of the sandbox"]);
    let of_tpp = |world: &World| Some(world.tpp.organisation_id().to_owned());
    assert_eq!(
        met(|world| FaultSpec { tpp: of_tpp(world), ..operation("getAccounts") }),
        ["accounts", "accounts with balances"]
    );
    let product = "instant-norwegian-domestic-credit-transfers-straks".to_owned();
    assert_eq!(met(|_| FaultSpec { product: Some(product.clone()), ..conflict() }), ["straks", "status"]);
    let target = Some("withBalance=true".to_owned());
    assert_eq!(met(|_| FaultSpec { target: target.clone(), ..conflict() }), ["accounts with balances"]);
}

#[test]
fn a_predicate_sees_the_operation_the_tpp_the_product_and_the_request() {
    let when = |predicate: fn(&xs2a::env::interference::ObservedCall<'_>) -> bool| FaultSpec {
        when: Some(Arc::new(predicate)),
        ..conflict()
    };
    assert_eq!(met(|_| when(|call| call.operation.method == "POST")), ["straks", "sepa"]);
    assert_eq!(met(|_| when(|call| call.tpp == "PSDNO-FSA-000002")), ["of the other"]);
    assert_eq!(met(|_| when(|call| call.product == Some("sepa-credit-transfers"))), ["sepa"]);
    let has_euro = |call: &xs2a::env::interference::ObservedCall<'_>| {
        std::str::from_utf8(call.request.body).unwrap().contains("EUR")
    };
    assert_eq!(met(|_| when(has_euro)), ["sepa"]);
    // The sandbox's own calls must be named. A predicate does not include them.
    assert_eq!(met(|_| when(|call| call.operation.name == "getMockCustomers")), [""; 0]);
}

/// The answers to some calls: `!` where the fault struck.
fn pattern(world: &World, calls: usize) -> String {
    let struck = |_| world.get("/v1/accounts").reason() == Some("FLT-09");
    (0..calls).map(struck).map(|struck| if struck { '!' } else { '.' }).collect()
}

#[test]
fn nth_and_times_count_the_calls_that_the_fault_is_for() {
    for (nth, times, expected) in [
        (None, None, "!!!!!"),
        (None, Some(2), "!!..."),
        (Some(3), None, "..!.."),
        (Some(2), Some(2), ".!!.."),
    ] {
        let world = World::new();
        let operation = Some("getAccounts".to_owned());
        let fault = world.sandbox.add_fault(FaultSpec { nth, times, operation, ..conflict() }).unwrap();
        world.create(STRAKS, &straks());
        assert_eq!(pattern(&world, 5), expected);
        assert_eq!((fault.seen(), fault.hits() as usize), (5, expected.matches('!').count()));
    }
}

#[test]
fn chance_is_drawn_from_the_seed_and_changes_no_id() {
    let of_seed = |seed| {
        let options =
            xs2a::SandboxOptions { seed, now: Some(at("2026-09-01T10:00:00Z")), ..Default::default() };
        let sandbox = xs2a::Sandbox::open(&options).unwrap();
        let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"]).unwrap();
        World { sandbox, tpp }
    };
    let drawn = |seed| {
        let world = of_seed(seed);
        world.sandbox.add_fault(FaultSpec { probability: Some(0.5), ..conflict() }).unwrap();
        pattern(&world, 64)
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    assert!(drawn(1).contains('!') && drawn(1).contains('.'));

    let (plain, faulty) = (of_seed(1), of_seed(1));
    let unregistered = Some("PSDNO-FSA-999999".to_owned());
    faulty.sandbox.add_fault(FaultSpec { probability: Some(0.5), ..conflict() }).unwrap();
    faulty.sandbox.clear_faults();
    faulty.sandbox.add_fault(FaultSpec { probability: Some(0.5), tpp: unregistered, ..conflict() }).unwrap();
    let created = |world: &World| body(&world.create(STRAKS, &straks()));
    assert_eq!(created(&plain), created(&faulty));
}

#[test]
fn of_two_faults_that_would_end_a_call_the_one_set_first_does() {
    let world = World::new();
    let first = world.sandbox.add_fault(FaultSpec { times: Some(1), ..conflict() }).unwrap();
    let second = world.sandbox.add_fault(FaultSpec::refusal("FORBIDDEN")).unwrap();
    assert_eq!(world.get("/v1/accounts").status(), 409);
    assert_eq!(world.get("/v1/accounts").status(), 403);
    assert_eq!((first.seen(), first.hits()), (2, 1));
    assert_eq!((second.seen(), second.hits()), (2, 1), "what did not strike has its times left");
}

#[test]
fn a_fault_is_taken_away_by_its_number_and_keeps_its_counts() {
    let world = World::new();
    let fault = world.sandbox.add_fault(conflict()).unwrap();
    let other = world.sandbox.add_fault(FaultSpec::of(FaultKind::BankDown)).unwrap();
    assert_eq!((fault.id(), other.id()), (1, 2));
    assert_eq!(pattern(&world, 1), "!");
    assert!(world.sandbox.remove_fault(fault.id()));
    assert!(!world.sandbox.remove_fault(fault.id()));
    assert_eq!(pattern(&world, 1), ".");
    assert_eq!(fault.hits(), 1);
    assert_eq!(world.sandbox.faults().len(), 1);
    world.sandbox.clear_faults();
    assert_eq!(world.sandbox.faults().len(), 0);
    assert_eq!(world.sandbox.add_fault(conflict()).unwrap().id(), 3, "a number is used once");
}

#[test]
fn what_cannot_be_meant_is_misuse_and_sets_nothing() {
    let world = World::new();
    for text in [
        r#"{"code":"TEAPOT"}"#,
        r#"{"code":"CONFLICT","status":418}"#,
        r#"{"code":"CONFLICT","nth":0}"#,
        r#"{"code":"CONFLICT","operation":"getNothing"}"#,
        r#"{"kind":"slow"}"#,
    ] {
        let set = FaultSpec::from_json(text).and_then(|spec| world.sandbox.add_fault(spec));
        assert!(matches!(set, Err(Error::Misuse(_))), "{text}");
    }
    assert_eq!(world.sandbox.faults_json().unwrap(), "[]");
    // Nor does it take a number, from which chance is drawn.
    assert_eq!(world.sandbox.add_fault(conflict()).unwrap().id(), 1);
}

#[test]
fn the_list_shows_each_fault_as_it_was_written_with_its_counts() {
    let world = World::new();
    let spec = r#"{"code":"CONFLICT","operation":"getAccounts","nth":2}"#;
    world.sandbox.add_fault(FaultSpec::from_json(spec).unwrap()).unwrap();
    world.sandbox.add_fault(FaultSpec::from_json(r#"{"kind":"slow","seconds":1.5}"#).unwrap()).unwrap();
    assert_eq!(pattern(&world, 3), ".!.");
    let listed: serde_json::Value = serde_json::from_str(&world.sandbox.faults_json().unwrap()).unwrap();
    assert_eq!(
        listed,
        serde_json::json!([
            {
                "id": 1, "kind": "refusal", "code": "CONFLICT", "operation": "getAccounts", "nth": 2,
                "seen": 3, "hits": 1,
            },
            {"id": 2, "kind": "slow", "seconds": 1.5, "seen": 3, "hits": 3},
        ])
    );
}
