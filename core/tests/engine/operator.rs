//! What an operator asks, and blocking.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::env::Registration;
use xs2a::internal::{parse_certificate, rfc3339};
use xs2a::store::{BlockedSubject, PaymentFilter};
use xs2a::types::{CertificateHash, PsuKey};
use xs2a::{Engine, Error, Response, ScaAnswer};

use crate::audit::{consent, count, kinds, since, ON};
use crate::setup::{authorisation_id, NamedRegister, Setup};
use crate::world::*;

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn consents(engine: &Engine, query: &Value) -> Vec<Value> {
    read(&engine.consents_json(&query.to_string()).unwrap()).as_array().unwrap().clone()
}

fn payments(engine: &Engine, query: &Value) -> Vec<Value> {
    read(&engine.payments_json(&query.to_string()).unwrap()).as_array().unwrap().clone()
}

fn each(rows: &[Value], member: &str) -> Vec<String> {
    rows.iter().map(|row| text(row, &format!("/{member}")).to_owned()).collect()
}

fn is_misuse<T>(answered: Result<T, Error>) -> bool {
    matches!(answered, Err(Error::Misuse(_)))
}

/// The PSU-ID of the payer, who grants another consent.
fn grant(world: &World) -> String {
    parameter(&consent(world, &ScaAnswer::approve(PAYER)), "psu-id").unwrap()
}

/// Reads the accounts that the PSU opened.
fn list(world: &World, psu_id: &str) -> Response {
    world.call(
        "GET",
        "/v1/accounts",
        &[&plain_headers()[..], &[("PSU-ID", psu_id), ("PSU-IP-Address", "192.0.2.1")]].concat(),
        b"",
    )
}

fn time_of(row: &Value, member: &str) -> DateTime<Utc> {
    text(row, member).parse().unwrap()
}

#[test]
fn a_consent_is_listed_with_what_a_dashboard_shows() {
    let world = World::new();
    let engine = world.sandbox.engine();
    let psu_id = grant(&world);
    let [row] = consents(engine, &json!({})).try_into().unwrap();
    assert_eq!(text(&row, "/state"), "valid");
    assert_eq!(text(&row, "/tpp"), world.tpp.organisation_id());
    assert_eq!(text(&row, "/tppName"), world.tpp.name());
    assert_eq!((text(&row, "/context"), text(&row, "/purpose")), ("PRIVATE", "accountInformation"));
    assert_eq!(
        (row["accounts"].as_array().unwrap().len(), row["cardAccounts"].as_array().unwrap().len()),
        (2, 1)
    );
    let granted_at = time_of(&row, "/grantedAt");
    assert_eq!(time_of(&row, "/validUntil"), granted_at + TimeDelta::days(180));
    for absent in ["lastAccessAt", "endedAt", "endedWhy", "corporate"] {
        assert_eq!(row.get(absent), None, "{absent}");
    }

    let list = || list(&world, &psu_id);
    let accessed = || time_of(&consents(engine, &json!({}))[0], "/lastAccessAt");
    assert_eq!(list().status(), 200);
    let first = world.sandbox.now();
    assert_eq!(accessed(), first);
    // A read within the minute is not noted, and one after it is.
    for (seconds, noted) in [(59, first), (1, first + TimeDelta::seconds(60))] {
        world.sandbox.advance(TimeDelta::seconds(seconds)).unwrap();
        assert_eq!(list().status(), 200);
        assert_eq!(accessed(), noted, "{seconds}");
    }
}

#[test]
fn ended_consents_stay_listed_for_two_years() {
    let world = World::new();
    let engine = world.sandbox.engine();
    grant(&world);
    world.sandbox.advance(TimeDelta::days(1)).unwrap();
    grant(&world);
    let all = || consents(engine, &json!({}));
    let psu = PsuKey::new(text(&all()[0], "/psu"));
    assert_eq!(each(&all(), "state"), ["valid", "replaced"]);
    let tpp = world.tpp.organisation_id();
    world.sandbox.advance(TimeDelta::hours(1)).unwrap();
    assert!(engine.revoke_consent(tpp, &psu).unwrap());
    assert!(!engine.revoke_consent(tpp, &psu).unwrap(), "nothing was open");
    assert!(!engine.revoke_consent("PSDNO-FSA-unknown", &psu).unwrap());
    let revoked_at = world.sandbox.now();
    grant(&world);
    assert_eq!(each(&all(), "state"), ["valid", "revokedByPsu", "replaced"]);
    assert_eq!((text(&all()[1], "/endedWhy"), time_of(&all()[1], "/endedAt")), ("revoked", revoked_at));
    world.sandbox.advance(TimeDelta::days(180)).unwrap();
    assert_eq!(each(&all(), "state"), ["expired", "revokedByPsu", "replaced"]);
    world.sandbox.set_now(revoked_at + TimeDelta::days(731)).unwrap();
    engine.run_due().unwrap();
    assert_eq!(each(&all(), "state"), ["expired", "revokedByPsu"]);
    world.sandbox.advance(TimeDelta::hours(2)).unwrap();
    engine.run_due().unwrap();
    assert_eq!(each(&all(), "state"), ["expired"]);
}

#[test]
fn consents_are_paged_by_person_and_tpp() {
    let world = World::new();
    let engine = world.sandbox.engine();
    for customer in [PAYER, PAYEE, PAYER, PAYER] {
        consent(&world, &ScaAnswer::approve(customer));
    }
    let all = consents(engine, &json!({}));
    let psu = text(&all[0], "/psu");
    assert_eq!(all.len(), 4);
    let of_psu = consents(engine, &json!({"psu": psu}));
    assert_eq!(each(&of_psu, "id"), [0, 1, 3].map(|at: usize| text(&all[at], "/id").to_owned()));
    let first = consents(engine, &json!({"psu": psu, "limit": 2}));
    let rest = consents(engine, &json!({"psu": psu, "limit": 2, "after": first[1]["id"]}));
    assert_eq!([first, rest].concat(), of_psu);
    assert_eq!(consents(engine, &json!({"tpp": world.tpp.organisation_id()})), all);
    assert_eq!(consents(engine, &json!({"tpp": "PSDNO-FSA-unknown"})), [] as [Value; 0]);
}

#[test]
fn payments_are_paged_by_person_tpp_status_and_time() {
    let world = World::new();
    let engine = world.sandbox.engine();
    let psu_id = world.known_payer();
    world.sandbox.advance(TimeDelta::seconds(1)).unwrap();
    let begun = world.sandbox.now();
    for number in 0..3 {
        let mut body = straks();
        body["remittanceInformationUnstructured"] = json!(format!("nr {number}"));
        accepted(&world.create_for(&psu_id, STRAKS, &body));
        world.sandbox.advance(TimeDelta::seconds(1)).unwrap();
    }
    let all = payments(engine, &json!({"createdFrom": rfc3339(begun)}));
    let notes = |rows: &[Value]| each(rows, "order/remittanceInformationUnstructured");
    assert_eq!(notes(&all), ["nr 2", "nr 1", "nr 0"]);
    let first = payments(engine, &json!({"limit": 2}));
    let rest = payments(engine, &json!({"limit": 2, "after": first[1]["id"]}));
    let paged = [first, rest].concat();
    assert_eq!(&paged[..3], all);
    assert_eq!(paged.len(), 4, "and the payment before");
    let psu = text(&all[0], "/psu");
    for (query, found) in [
        (json!({"psu": psu, "tpp": world.tpp.organisation_id(), "status": "RCVD"}), 3),
        (json!({"status": "ACSC"}), 1),
        (json!({"status": "RJCT"}), 0),
        (json!({"psu": "unknown"}), 0),
        (json!({"createdFrom": rfc3339(begun), "createdTo": rfc3339(begun + TimeDelta::seconds(1))}), 1),
        (json!({"createdFrom": rfc3339(begun + TimeDelta::seconds(1))}), 2),
    ] {
        assert_eq!(payments(engine, &query).len(), found, "{query}");
    }
    assert_eq!(engine.payments(&PaymentFilter::default(), None, 1).unwrap().len(), 1);
}

#[test]
fn a_payment_is_shown_with_its_history() {
    let world = World::new();
    let engine = world.sandbox.engine();
    let created = accepted(&world.create(STRAKS, &straks()));
    let id = text(&created, "/paymentId");
    let shown = || read(&engine.payment_json(id).unwrap().unwrap());
    assert_eq!(shown()["events"], json!([]));
    world.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER)).unwrap();
    let history = shown()["events"].as_array().unwrap().clone();
    assert_eq!((text(&history[0], "/from"), text(&history[0], "/cause")), ("RCVD", "sca completed"));
    assert_eq!(text(history.last().unwrap(), "/to"), text(&shown(), "/status"));
    assert_eq!(engine.payment_json("unknown").unwrap(), None);
    assert_eq!(engine.payment_json("not an id").unwrap(), None);
}

#[test]
fn another_query_is_a_misuse_that_names_the_place() {
    let world = World::new();
    let engine = world.sandbox.engine();
    for (query, place) in [
        ("[]", "object"),
        ("{", "query"),
        (r#"{"person":"x"}"#, "person"),
        (r#"{"psu":""}"#, "/psu"),
        (r#"{"limit":0}"#, "limit"),
        (r#"{"limit":1001}"#, "limit"),
        (r#"{"limit":"1"}"#, "/limit"),
        (r#"{"after":"none"}"#, "/after"),
    ] {
        for answered in [engine.consents_json(query), engine.payments_json(query)] {
            let Err(Error::Misuse(said)) = answered else { panic!("{query}: {answered:?}") };
            assert!(said.contains(place), "{query}: {said}");
        }
    }
    assert!(is_misuse(engine.consents_json(r#"{"status":"RCVD"}"#)));
    for query in [r#"{"status":"DONE"}"#, r#"{"createdFrom":"today"}"#, r#"{"createdTo":"2026-09-01"}"#] {
        assert!(is_misuse(engine.payments_json(query)), "{query}");
    }
    for query in ["", r#"{"limit":1000}"#] {
        assert_eq!(engine.consents_json(query).unwrap(), "[]");
        assert_eq!(engine.payments_json(query).unwrap(), "[]");
    }
}

#[test]
fn a_blocked_tpp_is_refused_from_its_next_call_until_the_end_of_the_block() {
    let world = World::with_policy(ON);
    let engine = world.sandbox.engine();
    let psu_id = grant(&world);
    let list = || list(&world, &psu_id);
    let subject = || BlockedSubject::Tpp(world.tpp.organisation_id().to_owned());
    assert_eq!(list().status(), 200);
    let before = count(&world);
    let until = world.sandbox.now() + TimeDelta::seconds(60);
    engine.block(subject(), Some(until), "phishing").unwrap();
    let refused = list();
    assert_eq!((refused.status(), refused.reason()), (403, Some("TPP-03")));
    assert!(!String::from_utf8(refused.body().to_vec()).unwrap().contains("phishing"));
    let [row] = read(&engine.blocked_json().unwrap()).as_array().unwrap().clone().try_into().unwrap();
    assert_eq!((text(&row, "/tpp"), text(&row, "/why")), (world.tpp.organisation_id(), "phishing"));
    assert_eq!(time_of(&row, "/until"), until);
    world.sandbox.advance(TimeDelta::microseconds(59_999_999)).unwrap();
    assert_eq!(list().reason(), Some("TPP-03"));
    world.sandbox.advance(TimeDelta::microseconds(1)).unwrap();
    assert_eq!(list().status(), 200);
    assert_eq!(engine.blocked_json().unwrap(), "[]");
    assert!(!engine.unblock(subject()).unwrap(), "it has ended");

    engine.block(subject(), None, "").unwrap();
    world.sandbox.advance(TimeDelta::days(3)).unwrap();
    assert_eq!(list().reason(), Some("TPP-03"));
    assert!(engine.unblock(subject()).unwrap());
    assert!(!engine.unblock(subject()).unwrap());
    assert_eq!(list().status(), 200);
    let lines = since(&world, before);
    let acts: Vec<_> = kinds(&lines).into_iter().filter(|kind| kind.starts_with("tpp.")).collect();
    assert_eq!(acts, ["tpp.blocked", "tpp.blocked", "tpp.unblocked"]);
    assert_eq!(
        (text(&lines[0], "/tpp"), text(&lines[0], "/details/why")),
        (world.tpp.organisation_id(), "phishing")
    );
}

#[test]
fn a_blocked_certificate_leaves_the_other_certificates_of_its_tpp() {
    let world = World::new();
    let engine = world.sandbox.engine();
    let certificate = parse_certificate(world.tpp.certificate_pem().as_bytes()).unwrap();
    let hash = CertificateHash::new(*certificate.fingerprint());
    let call = || world.call("GET", "/v1/accounts", &[("TPP-Redirect-URI", REDIRECT_URI)], b"");
    assert_eq!(call().reason(), Some("AIS-01"));
    engine.block(BlockedSubject::named(None, Some(&hash.to_string())).unwrap(), None, "stolen key").unwrap();
    let refused = call();
    assert_eq!((refused.status(), refused.reason()), (403, Some("TPP-04")));
    let [row] = read(&engine.blocked_json().unwrap()).as_array().unwrap().clone().try_into().unwrap();
    assert_eq!((text(&row, "/certificate"), row.get("tpp")), (hash.to_string().as_str(), None));
    assert!(engine.unblock(BlockedSubject::Certificate(hash)).unwrap());
    engine.block(BlockedSubject::Certificate(CertificateHash::new([1; 32])), None, "").unwrap();
    assert_eq!(call().reason(), Some("AIS-01"), "another certificate");
}

#[test]
fn a_block_that_ends_now_or_says_too_much_is_a_misuse() {
    let world = World::new();
    let engine = world.sandbox.engine();
    let subject = || BlockedSubject::Tpp("PSDNO-FSA-1".to_owned());
    let now = world.sandbox.now();
    assert!(is_misuse(engine.block(subject(), Some(now), "")));
    assert!(is_misuse(engine.block(subject(), None, &"å".repeat(401))));
    assert!(is_misuse(engine.block(subject(), None, "a\0b")));
    assert!(engine.blocked().unwrap().is_empty());
    engine.block(subject(), Some(now + TimeDelta::microseconds(1)), &"å".repeat(400)).unwrap();
    assert_eq!(engine.blocked().unwrap().len(), 1);
}

#[test]
fn the_name_in_the_register_is_shown_before_that_in_the_certificate() {
    for (name, expected) in [(Some("Betaling AS".into()), "Betaling AS"), (None, "Pay elsewhere")] {
        let registered = Registration { name, ..Registration::UNRESTRICTED };
        let setup = Setup::with(|builder| builder.registry(Arc::new(NamedRegister(registered))));
        let created = accepted(&setup.create());
        let shown = setup.engine.authorisation_json(authorisation_id(&created)).unwrap().unwrap();
        let shown: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(text(&shown, "/tppName"), expected);
    }
}

#[test]
fn a_service_that_the_register_does_not_allow_is_refused() {
    for (allowed, status) in [(true, 201), (false, 403)] {
        let registered = Registration { payment_initiation: allowed, ..Registration::UNRESTRICTED };
        let setup = Setup::with(|builder| builder.registry(Arc::new(NamedRegister(registered))));
        let answer = setup.create();
        assert_eq!(answer.status(), status);
        assert_eq!(answer.reason(), (!allowed).then_some("TPP-05"));
    }
}
