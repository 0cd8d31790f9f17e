//! The policies of a running sandbox.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{json, Value};
use xs2a::{Error, SandboxOptions};

use crate::world::*;

const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";

fn policy(world: &World) -> Value {
    serde_json::from_str(&world.sandbox.policy().unwrap()).unwrap()
}

fn set(world: &World, policy: &Value) {
    world.sandbox.set_policy(&policy.to_string()).unwrap();
}

#[test]
fn a_switch_holds_from_the_next_call_on_and_can_be_taken_back() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let status = |world: &World| world.get(text(&created, "/_links/status/href")).status();
    assert_eq!(status(&world), 200);
    set(&world, &json!({"domestic_unreadable_before_approval": true}));
    assert_eq!(status(&world), 404);
    set(&world, &json!({"domestic_unreadable_before_approval": false}));
    assert_eq!(status(&world), 200);
}

#[test]
fn each_switch_reaches_what_it_switches() {
    let world = World::new();
    let bare: Vec<_> = creation_headers().into_iter().filter(|(name, _)| *name != "TPP-Session-ID").collect();
    let order =
        |note: &str| changed(straks(), &[("/remittanceInformationUnstructured", json!(note))]).to_string();
    let post = |headers: &[(&str, &str)], note| {
        let response = world.call("POST", STRAKS, headers, order(note).as_bytes());
        (response.status(), response.reason())
    };
    assert_eq!(post(&bare, "a").0, 400);
    set(&world, &json!({"require_session_headers": false}));
    assert_eq!(post(&bare, "a").0, 201);
    assert_eq!(post(&bare, "日本").0, 400);
    set(&world, &json!({"repertoire": "bmp"}));
    assert_eq!(post(&bare, "日本").0, 201);

    let signed = world.signed("GET", &format!("{STRAKS}/x"), &plain_headers(), b"");
    let get = || send(&world.sandbox, "GET", &format!("{STRAKS}/x"), &signed, b"").status();
    assert_eq!((get(), get()), (404, 400));
    set(&world, &json!({"replay_protection": false}));
    assert_eq!((get(), get()), (404, 404));

    set(&world, &json!({"body_bytes_max": 10}));
    assert_eq!(post(&creation_headers(), "b").0, 413);
    set(&world, &json!({"base_path": "/elsewhere", "body_bytes_max": 10_000}));
    assert_eq!(post(&creation_headers(), "c").0, 404);
}

#[test]
fn a_rate_holds_for_what_is_booked_from_then_on() {
    let world = World::new();
    let pay = |amount: &str| {
        let order = changed(cross_border(), &[("/instructedAmount/amount", json!(amount))]);
        drop(world.pay(CROSS_BORDER, &order, PAYER));
        world.sandbox.advance_to_next_event().unwrap();
        world.booked(PAYER_ACCOUNT)[1].clone()
    };
    assert_eq!(pay("100.00"), "-1172.50");
    set(&world, &json!({"rates": {"EUR": "10"}}));
    assert_eq!(pay("200.00"), "-2000.00");
    // What is given is all there is: this takes the rate back.
    set(&world, &json!({"rates": {}}));
    assert_eq!(pay("300.00"), "-3517.50");
    world.assert_reconciled();
}

#[test]
fn what_is_shown_can_be_set_and_the_other_keys_stay() {
    let world = World::with_policy(r#"{"repertoire":"bmp","rates":{"EUR":"11"}}"#);
    let shown = policy(&world);
    set(&world, &shown);
    assert_eq!(policy(&world), shown);
    set(&world, &json!({"rates": {"USD": "9.5"}, "pending_unfiltered": false}));
    let expected =
        changed(shown, &[("/rates", json!({"USD": "9.5"})), ("/pending_unfiltered", json!(false))]);
    assert_eq!(policy(&world), expected);
}

#[test]
fn an_unknown_key_is_named_and_nothing_is_changed() {
    let world = World::new();
    let before = policy(&world);
    for (text, named) in [
        (json!({"replay_protection": false, "pending": true}), "pending"),
        (json!({"replay_protection": false, "rates": {"EUR": "-1"}}), "EUR"),
        (json!({"replay_protection": false, "rates": {"NOK": "2"}}), "NOK"),
        (json!({"replay_protection": false, "repertoire": "utf-9"}), "utf-9"),
        (json!({"replay_protection": false, "sign_responses": true}), "sign_responses"),
        (json!({"environment": "production"}), "environment"),
        (json!([]), "not a JSON object"),
    ] {
        match world.sandbox.set_policy(&text.to_string()) {
            Err(Error::Config(message)) => assert!(message.contains(named), "{message}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    assert_eq!(policy(&world), before);
}

#[test]
fn a_fork_has_the_present_policies_and_a_restore_keeps_its_own() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    set(&world, &json!({"pending_unfiltered": false, "rates": {"EUR": "10"}}));
    let fork = world.clone();
    assert_eq!(policy(&fork), policy(&world));
    set(&fork, &json!({"pending_unfiltered": true}));
    assert_eq!(policy(&world)["pending_unfiltered"], json!(false));
    world.sandbox.restore(&image).unwrap();
    assert_eq!(policy(&world)["pending_unfiltered"], json!(false));
}

#[test]
fn links_follow_the_origin_of_the_policy_where_it_names_another() {
    let world = World::new();
    world.sandbox.set_sca_origin("http://127.0.0.1:4711").unwrap();
    set(&world, &json!({"pending_unfiltered": false}));
    assert_eq!(world.sandbox.sca_origin(), "http://127.0.0.1:4711", "where it is served");
    set(&world, &json!({"sca_origin": "https://elsewhere.example"}));
    let created = accepted(&world.create(STRAKS, &straks()));
    assert!(link(&created).starts_with("https://elsewhere.example/"));
}

/// Two settings change together while other threads call: no call sees one old and one new setting.
#[test]
fn one_call_sees_one_policy() {
    let world = World::with(SandboxOptions {
        policy: Some(r#"{"replay_protection":false}"#.to_owned()),
        ..SandboxOptions::default()
    });
    let strict = r#"{"require_session_headers":true,"repertoire":"iso-8859-1"}"#;
    let lax = r#"{"require_session_headers":false,"repertoire":"bmp"}"#;
    let bare: Vec<_> = creation_headers().into_iter().filter(|(name, _)| *name != "TPP-Session-ID").collect();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let order = changed(straks(), &[("/remittanceInformationUnstructured", json!("日本"))]).to_string();
    let signed = world.signed("POST", &target, &bare, order.as_bytes());
    let is_over = AtomicBool::new(false);
    let (mut passed, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                world.sandbox.set_policy(strict).unwrap();
                world.sandbox.set_policy(lax).unwrap();
            }
        });
        for _ in 0..400 {
            let response = send(&world.sandbox, "POST", &target, &signed, order.as_bytes());
            match (response.status(), text_of(&response, "/tppMessages/0/code")) {
                (201, _) => passed += 1,
                (400, code) if code == "HTTP_HEADER_REQUIRED" => refused += 1,
                mixed => panic!("{mixed:?}"),
            }
        }
        is_over.store(true, Ordering::Release);
    });
    assert_eq!(passed + refused, 400);
}

fn text_of(response: &xs2a::Response, pointer: &str) -> String {
    body(response).pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}
