//! The audit: every change and every caller who was turned away, exported as lines of JSON.

mod export;
mod refused;
mod removal;
mod who;

use std::collections::BTreeSet;

use crate::house;
use crate::world::baskets::{names, own, BASKETS};
use crate::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::policy::{Environment, Policy};
use xs2a::store::AuditKind;
use xs2a::{Engine, ScaAnswer};

const ON: &str = r#"{"audit":true}"#;

/// Every line there is.
fn all(engine: &Engine) -> Vec<Value> {
    within(engine, DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC)
}

fn within(engine: &Engine, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<Value> {
    let lines = engine.audit(from..to).map(|line| line.unwrap());
    lines
        .map(|line| {
            assert!(!line.contains('\n'), "{line}");
            serde_json::from_str(&line).unwrap()
        })
        .collect()
}

/// The lines since so many.
fn since(world: &World, number: usize) -> Vec<Value> {
    all(world.sandbox.engine()).split_off(number)
}

fn count(world: &World) -> usize {
    all(world.sandbox.engine()).len()
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| text(line, "/event")).collect()
}

fn consent(world: &World, answer: &ScaAnswer) -> String {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "session-a")];
    let response = world.call("POST", "/v1/bank-offered-consents", &headers, b"");
    world.answer(&accepted(&response), answer)
}

// Changes.

#[test]
fn the_life_of_a_payment_is_told_in_its_order() {
    let world = World::with_policy(ON);
    let created = world.pay(STRAKS, &straks(), PAYER);
    let lines = all(world.sandbox.engine());
    let (paid, link) = (text(&created, "/paymentId"), link(&created).rsplit('/').next().unwrap());
    let called = text(&lines[0], "/requestId");
    let organisation = world.tpp.organisation_id();
    let psu = text(&lines[2], "/psu");
    let at = "2026-09-01T10:00:00.000000Z";
    let product = "instant-norwegian-domestic-credit-transfers-straks";
    let expected = [
        json!({"at": at, "event": "payment.created", "id": paid, "tpp": organisation, "cause": "createPayment",
            "requestId": called, "details":
                {"product": product, "status": "RCVD", "psuClient": {"ipAddress": "192.0.2.1"}}}),
        json!({"at": at, "event": "authorisation.started", "id": link, "tpp": organisation,
            "cause": "createPayment", "requestId": called,
            "details": {"purpose": "payment", "paymentId": paid}}),
        json!({"at": at, "event": "session.opened", "id": "session-1", "tpp": organisation, "psu": psu,
            "context": "PRIVATE", "cause": "sca completed"}),
        json!({"at": at, "event": "authorisation.finalised", "id": link, "tpp": organisation, "psu": psu,
            "context": "PRIVATE", "cause": "sca completed",
            "details": {"purpose": "payment", "paymentId": paid}}),
        json!({"at": at, "event": "payment.status", "id": paid, "tpp": organisation, "cause": "sca completed",
            "details": {"from": "RCVD", "to": "PDNG"}}),
        json!({"at": at, "event": "payment.status", "id": paid, "tpp": organisation,
            "cause": "bank: submitted", "details": {"from": "PDNG", "to": "ACSC"}}),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_the_tpp_forwards_of_the_psu_is_told_once_a_call_and_never_answered() {
    let world = World::with_policy(ON);
    let forwarded = [
        ("PSU-IP-Port", "4711"),
        ("PSU-HTTP-Method", "GET"),
        ("PSU-User-Agent", "Mozilla/9 (marked)"),
        ("PSU-Accept", "text/marked"),
        ("PSU-Accept-Charset", "utf-marked"),
        ("PSU-Accept-Encoding", "br-marked"),
        ("PSU-Accept-Language", "nn-marked"),
        ("PSU-Device-ID", "00000000-0000-4000-8000-00000000abcd"),
        ("PSU-Geo-Location", "GEO:59.913800,10.752200"),
        ("TPP-Brand-Logging-Information", "Brand marked"),
    ];
    let response = world.create_with(STRAKS, &forwarded, &straks());
    let created = accepted(&response);
    let lines = all(world.sandbox.engine());
    let client = json!({"ipAddress": "192.0.2.1", "ipPort": 4711, "httpMethod": "GET",
        "userAgent": "Mozilla/9 (marked)", "accept": "text/marked", "acceptCharset": "utf-marked",
        "acceptEncoding": "br-marked", "acceptLanguage": "nn-marked",
        "deviceId": "00000000-0000-4000-8000-00000000abcd", "geoLocation": "GEO:59.913800,10.752200",
        "brand": "Brand marked"});
    assert_eq!(lines[0]["details"]["psuClient"], client);
    assert_eq!(lines[1]["details"].get("psuClient"), None);
    assert!(!created.to_string().contains("marked"));
    assert!(response.headers().all(|(_, value)| !value.contains("marked")));
}

#[test]
fn a_payment_that_its_tpp_gives_up_is_told_with_the_call_and_with_its_history() {
    let world = World::with_policy(ON);
    let created = accepted(&world.create(STRAKS, &straks()));
    let before = count(&world);
    world.gives_up(own(&created));
    let lines = since(&world, before);
    assert_eq!(kinds(&lines), ["payment.cancelled", "payment.status"]);
    assert_eq!(text(&lines[0], "/cause"), "cancelPayment");
    assert_eq!(text(&lines[0], "/details/psuClient/ipAddress"), "192.0.2.1");
    assert_eq!(text(&lines[1], "/details/to"), "CANC");
}

#[test]
fn signing_baskets_are_told_with_their_payments() {
    let world = World::with_policy(ON);
    let psu_id = world.known_payer();
    let ids: Vec<_> = (1..=3).map(|number| world.numbered_of(&psu_id, number, PAYER_ACCOUNT)).collect();
    let ids: Vec<_> = ids.iter().map(|created| text(created, "/paymentId")).collect();
    let headers = replaced(creation_headers(), &[("PSU-ID", &psu_id)]);
    let create =
        |ids: &[&str]| accepted(&world.call("POST", BASKETS, &headers, names(ids).to_string().as_bytes()));
    let before = count(&world);
    world.sandbox.advance(TimeDelta::seconds(1)).unwrap();
    let given_up = create(&ids[..1]);
    world.gives_up(own(&given_up));
    let signed = create(&ids[1..]);
    let started = accepted(&world.act("POST", &format!("{}/authorisations", own(&signed))));
    world.answer(&started, &ScaAnswer::approve(PAYER));
    let lines = since(&world, before);
    let expected = [
        "basket.created",
        "basket.deleted",
        "basket.created",
        "authorisation.started",
        "session.opened",
        "authorisation.finalised",
        "basket.authorised",
        "payment.status",
        "payment.status",
        "payment.status",
        "payment.status",
    ];
    assert_eq!(kinds(&lines), expected);
    assert_eq!(lines[2]["details"]["paymentIds"], json!(&ids[1..]));
    assert_eq!(lines[5]["details"]["basketId"], signed["basketId"]);
    assert_eq!(lines[5]["details"]["purpose"], "basket");
    assert_eq!(lines[6]["id"], signed["basketId"]);
    assert_eq!(lines[6]["psu"], lines[5]["psu"]);
}

#[test]
fn consents_are_told_with_what_they_open_and_when_they_are_taken_back() {
    let world = World::with_policy(ON);
    consent(&world, &ScaAnswer::approve(PAYER));
    world.sandbox.revoke_consent(PAYER, world.tpp.organisation_id()).unwrap();
    let lines = all(world.sandbox.engine());
    let expected = [
        "authorisation.started",
        "session.opened",
        "authorisation.finalised",
        "consent.granted",
        "consent.revoked",
    ];
    assert_eq!(kinds(&lines), expected);
    assert_eq!(lines[3]["details"]["accounts"].as_array().unwrap().len(), 2);
    assert_eq!(lines[3]["details"]["cardAccounts"].as_array().unwrap().len(), 1);
    assert_eq!(lines[3]["context"], "PRIVATE");
    assert_eq!((text(&lines[4], "/cause"), &lines[4]["psu"]), ("revoked at the bank", &lines[3]["psu"]));
}

#[test]
fn a_corporate_customer_is_told_beside_the_person() {
    let world = World::with_policy(ON);
    let answer = ScaAnswer {
        context: xs2a::Context::Corporate,
        agreement: Some(COMPANY_AGREEMENT.to_owned()),
        ..ScaAnswer::approve(PROXY)
    };
    consent(&world, &answer);
    let lines = all(world.sandbox.engine());
    assert_eq!(text(&lines[3], "/context"), "CORPORATE");
    assert!(!text(&lines[3], "/corporate").is_empty());
    assert_ne!(lines[3]["corporate"], lines[3]["psu"]);
}

#[test]
fn an_sca_that_fails_is_told_with_its_reason() {
    let world = World::with_policy(ON);
    let created = accepted(&world.create(STRAKS, &straks()));
    let before = count(&world);
    world.answer(&created, &ScaAnswer { approve: false, ..ScaAnswer::approve(PAYER) });
    let lines = since(&world, before);
    assert_eq!(kinds(&lines), ["authorisation.failed"]);
    assert_eq!(text(&lines[0], "/details/reason"), "SCA-01");
}

#[test]
fn a_call_that_is_refused_within_leaves_no_line() {
    let world = World::with_policy(ON);
    world.pay(STRAKS, &straks(), PAYER);
    let before = count(&world);
    for order in [straks(), json!({})] {
        assert!(matches!(world.create(STRAKS, &order).status(), 400 | 409));
    }
    assert_eq!(world.get(&format!("{STRAKS}/nothing")).status(), 404);
    assert_eq!(since(&world, before), [] as [Value; 0]);
}

#[test]
fn a_link_for_an_sca_that_account_information_needs_is_told() {
    let world = World::with_policy(ON);
    assert_eq!(world.get("/v1/accounts").status(), 401);
    let lines = all(world.sandbox.engine());
    assert_eq!(kinds(&lines), ["authorisation.started"]);
    assert_eq!((text(&lines[0], "/cause"), text(&lines[0], "/details/purpose")), ("getAccounts", "consent"));
}

/// A payment whose order is a dead letter: the bank reported a status that only a bulk can have.
fn set_aside(house: &house::House) -> Value {
    let created = house.ordered();
    let nonsense = OrderStatus::of(PaymentStatus::Part);
    house.bank.follow(move |_| Ok(nonsense));
    assert_eq!(house.engine.run_due().unwrap().set_aside, 1);
    created
}

#[test]
fn an_order_that_is_set_aside_is_told_and_so_is_what_the_operator_does_about_it() {
    let house = house::House::new();
    let created = set_aside(&house);
    let paid = text(&created, "/paymentId");
    let of_order = || {
        let lines = all(&house.engine).into_iter();
        lines.filter(|line| text(line, "/event").starts_with("order.")).collect::<Vec<_>>()
    };
    let at = "2026-09-01T10:00:00.000000Z";
    let line = |event: &str, cause: &str| json!({"at": at, "event": event, "id": paid, "cause": cause});
    let mut aside = line("order.set-aside", "bank: not submitted");
    aside["details"] = json!({"why": "the bank answered PART: only a bulk can become PART"});
    let mut expected = vec![aside.clone()];
    assert_eq!(of_order(), expected);

    house.engine.retry_order(paid).unwrap();
    expected.push(line("order.retried", "retried at the bank"));
    assert_eq!(of_order(), expected);
    // Nothing is set aside: neither a second try nor a report has to do with an order.
    house.engine.retry_order(paid).unwrap_err();
    house.report(&created, PaymentStatus::Pdng, None).unwrap();
    assert_eq!(of_order(), expected);

    assert_eq!(house.engine.run_due().unwrap().set_aside, 1);
    expected.push(aside);
    // The history has no line for a status that the payment had.
    house.report(&created, PaymentStatus::Pdng, None).unwrap();
    expected.push(line("order.resolved", "bank: reported"));
    assert_eq!(of_order(), expected);
    house.report(&created, PaymentStatus::Acsc, None).unwrap();
    assert_eq!(of_order(), expected);
    assert_eq!(house.engine.set_aside().unwrap(), []);
}

#[test]
fn a_report_of_the_end_of_a_payment_resolves_its_order_that_is_set_aside() {
    let house = house::House::new();
    let created = set_aside(&house);
    house.wait(TimeDelta::seconds(1));
    house.report(&created, PaymentStatus::Rjct, None).unwrap();
    let reported = within(&house.engine, house.now(), DateTime::<Utc>::MAX_UTC);
    assert_eq!(kinds(&reported), ["order.resolved", "payment.status"]);
    assert_eq!(house.engine.set_aside().unwrap(), []);
}

#[test]
fn without_an_audit_nothing_of_an_order_is_told_and_all_is_done() {
    let mut policy = Policy::new(Environment::Production);
    policy.audit = false;
    let house = house::House::with(|builder| builder.policy(policy));
    let (retried, resolved) = (set_aside(&house), set_aside(&house));
    house.engine.retry_order(text(&retried, "/paymentId")).unwrap();
    house.report(&resolved, PaymentStatus::Pdng, None).unwrap();
    assert_eq!(house.engine.set_aside().unwrap(), []);
    assert!(kinds(&all(&house.engine)).iter().all(|kind| !kind.starts_with("order.")));
}

// The policy, and the store.

#[test]
fn a_sandbox_has_no_audit_unless_its_policy_says_so_and_production_has_one() {
    let world = World::new();
    refused::call_with(&world, "Signature", "");
    accepted(&world.create(STRAKS, &straks()));
    assert_eq!(count(&world), 0);

    let house = house::House::new();
    house.ordered();
    let lines = all(&house.engine);
    assert_eq!(kinds(&lines)[..2], ["payment.created", "authorisation.started"]);
    assert_eq!(kinds(&lines).last(), Some(&"payment.status"));
}

#[test]
fn a_commit_that_fails_leaves_no_line_and_a_refusal_that_cannot_be_noted_is_answered_all_the_same() {
    let house = house::House::new();
    *house.store.mood.lock() = house::Mood::Failing;
    house::assert_system_error(&house.create(), "SYS-01");
    let unsigned = xs2a::Request { method: "GET", target: "/v1/accounts", headers: &[], body: b"" };
    assert_eq!(house.engine.handle(&unsigned).status(), 400);
    *house.store.mood.lock() = house::Mood::Well;
    assert_eq!(all(&house.engine), [] as [Value; 0]);
}

#[test]
fn a_range_has_its_start_and_not_its_end_and_any_length() {
    let world = World::with_policy(ON);
    let start = world.sandbox.now();
    for number in 0..1_100 {
        if number == 1_050 {
            world.sandbox.advance(TimeDelta::seconds(1)).unwrap();
        }
        assert_eq!(world.get("/v1/accounts").status(), 401);
    }
    let engine = world.sandbox.engine();
    assert_eq!(all(engine).len(), 1_100);
    let second = TimeDelta::seconds(1);
    assert_eq!(within(engine, start, start + second).len(), 1_050);
    assert_eq!(within(engine, start + second, start + second * 2).len(), 50);
    assert_eq!(within(engine, start, start), [] as [Value; 0]);
    let ids: BTreeSet<_> = all(engine).iter().map(|line| text(line, "/id").to_owned()).collect();
    assert_eq!(ids.len(), 1_100, "each line is told once");
}

#[test]
fn the_audit_outlives_the_payments_that_a_sandbox_forgets() {
    let world = World::with_policy(ON);
    accepted(&world.create(STRAKS, &straks()));
    let before = count(&world);
    world.sandbox.initialize().unwrap();
    assert_eq!((before, count(&world)), (2, 2));
}

#[test]
fn every_kind_has_a_case_here() {
    let source = concat!(include_str!("audit.rs"), include_str!("audit/refused.rs"));
    for kind in AuditKind::ALL {
        assert!(source.contains(&format!("\"{}\"", kind.as_str())), "{}", kind.as_str());
    }
}
