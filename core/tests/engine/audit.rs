//! The audit: every change and every caller who was turned away, exported as lines of JSON.

mod export;
mod reads;
mod refused;
mod removal;
mod who;

use std::collections::BTreeSet;

use crate::setup;
use crate::world::baskets::{names, own, BASKETS};
use crate::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::policy::{Environment, Policy};
use xs2a::store::AuditKind;
use xs2a::{Engine, ScaAnswer};

pub(crate) const ON: &str = r#"{"audit":true}"#;

/// Every line there is.
pub(crate) fn all(engine: &Engine) -> Vec<Value> {
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
pub(crate) fn since(world: &World, number: usize) -> Vec<Value> {
    all(world.sandbox.engine()).split_off(number)
}

pub(crate) fn count(world: &World) -> usize {
    all(world.sandbox.engine()).len()
}

pub(crate) fn kinds(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| text(line, "/event")).collect()
}

pub(crate) fn consent(world: &World, answer: &ScaAnswer) -> String {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "session-a")];
    let response = world.call("POST", "/v1/bank-offered-consents", &headers, b"");
    world.answer(&accepted(&response), answer)
}

// Changes.

#[test]
fn the_events_of_a_payment_are_recorded_in_order() {
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
fn forwarded_psu_data_is_audited_once_a_call_and_never_answered() {
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
fn a_payment_cancelled_by_its_tpp_is_audited_with_call_and_history() {
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
fn signing_baskets_are_audited_with_their_payments() {
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
fn consents_are_audited_with_their_accounts_and_revocation() {
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
fn a_corporate_customer_is_audited_beside_the_person() {
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
fn a_failed_sca_is_audited_with_its_reason() {
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
fn a_link_for_an_sca_of_account_information_is_audited() {
    let world = World::with_policy(ON);
    assert_eq!(world.get("/v1/accounts").status(), 401);
    let lines = all(world.sandbox.engine());
    assert_eq!(kinds(&lines), ["authorisation.started"]);
    assert_eq!((text(&lines[0], "/cause"), text(&lines[0], "/details/purpose")), ("getAccounts", "consent"));
}

/// A payment whose order is a dead letter: the bank reported a status that only a bulk can have.
fn with_dead_letter(setup: &setup::Setup) -> Value {
    let created = setup.ordered();
    let nonsense = OrderStatus::of(PaymentStatus::Part);
    setup.bank.follow(move |_| Ok(nonsense));
    assert_eq!(setup.engine.run_due().unwrap().dead_letters, 1);
    created
}

#[test]
fn a_dead_letter_and_its_retry_by_the_operator_are_audited() {
    let setup = setup::Setup::new();
    let created = with_dead_letter(&setup);
    let paid = text(&created, "/paymentId");
    let of_order = || {
        let lines = all(&setup.engine).into_iter();
        lines.filter(|line| text(line, "/event").starts_with("order.")).collect::<Vec<_>>()
    };
    let at = "2026-09-01T10:00:00.000000Z";
    let line = |event: &str, cause: &str| json!({"at": at, "event": event, "id": paid, "cause": cause});
    let mut dead_letter = line("order.dead-letter", "bank: not submitted");
    dead_letter["details"] = json!({"why": "the bank answered PART: only a bulk can become PART"});
    let mut expected = vec![dead_letter.clone()];
    assert_eq!(of_order(), expected);

    setup.engine.retry_order(paid).unwrap();
    expected.push(line("order.retried", "retried at the bank"));
    assert_eq!(of_order(), expected);
    // There is no dead letter: neither a second try nor a report has to do with an order.
    setup.engine.retry_order(paid).unwrap_err();
    setup.report(&created, PaymentStatus::Pdng, None).unwrap();
    assert_eq!(of_order(), expected);

    assert_eq!(setup.engine.run_due().unwrap().dead_letters, 1);
    expected.push(dead_letter);
    // The history has no line for a status that the payment had.
    setup.report(&created, PaymentStatus::Pdng, None).unwrap();
    expected.push(line("order.resolved", "bank: reported"));
    assert_eq!(of_order(), expected);
    setup.report(&created, PaymentStatus::Acsc, None).unwrap();
    assert_eq!(of_order(), expected);
    assert_eq!(setup.engine.dead_letters().unwrap(), []);
}

#[test]
fn a_report_of_a_final_status_resolves_the_dead_letter() {
    let setup = setup::Setup::new();
    let created = with_dead_letter(&setup);
    setup.wait(TimeDelta::seconds(1));
    setup.report(&created, PaymentStatus::Rjct, None).unwrap();
    let reported = within(&setup.engine, setup.now(), DateTime::<Utc>::MAX_UTC);
    assert_eq!(kinds(&reported), ["order.resolved", "payment.status"]);
    assert_eq!(setup.engine.dead_letters().unwrap(), []);
}

#[test]
fn without_an_audit_no_line_is_written_and_all_is_done() {
    let mut policy = Policy::new(Environment::Production);
    policy.audit = false;
    let setup = setup::Setup::with(|builder| builder.policy(policy));
    let (retried, resolved) = (with_dead_letter(&setup), with_dead_letter(&setup));
    setup.engine.retry_order(text(&retried, "/paymentId")).unwrap();
    setup.report(&resolved, PaymentStatus::Pdng, None).unwrap();
    assert_eq!(setup.engine.dead_letters().unwrap(), []);
    assert!(kinds(&all(&setup.engine)).iter().all(|kind| !kind.starts_with("order.")));
}

// The policy, and the store.

#[test]
fn a_sandbox_has_an_audit_by_policy_and_production_always() {
    let world = World::new();
    refused::call_with(&world, "Signature", "");
    accepted(&world.create(STRAKS, &straks()));
    assert_eq!(count(&world), 0);

    let setup = setup::Setup::new();
    setup.ordered();
    let lines = all(&setup.engine);
    assert_eq!(kinds(&lines)[..2], ["payment.created", "authorisation.started"]);
    assert_eq!(kinds(&lines).last(), Some(&"payment.status"));
}

#[test]
fn a_failed_commit_leaves_no_line_and_an_unaudited_refusal_is_answered() {
    let setup = setup::Setup::new();
    *setup.store.mood.lock() = setup::Mood::Failing;
    setup::assert_system_error(&setup.create(), "SYS-01");
    let unsigned = xs2a::Request {
        method: "GET",
        target: "/v1/accounts",
        headers: &[],
        body: b"",
        correlation_id: None,
    };
    assert_eq!(setup.engine.handle(&unsigned).status(), 400);
    *setup.store.mood.lock() = setup::Mood::Well;
    assert_eq!(all(&setup.engine), [] as [Value; 0]);
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
    assert_eq!(ids.len(), 1_100, "each line is exported once");
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
    let source = concat!(
        include_str!("audit.rs"),
        include_str!("audit/reads.rs"),
        include_str!("audit/refused.rs"),
        include_str!("operator.rs"),
        include_str!("retention.rs")
    );
    for kind in AuditKind::ALL {
        assert!(source.contains(&format!("\"{}\"", kind.as_str())), "{}", kind.as_str());
    }
}
