//! A refusal on demand: code, status, headers and link are those of the real one.

use crate::world::answer::{assert_well_formed, messages};
use crate::world::*;
use xs2a::reason::Reason;
use xs2a::{FaultSpec, Response, ScaAnswer};

const CURED_BY_SCA: [&str; 6] =
    ["SCA_NOT_FOUND", "SCA_EXPIRED", "SCA_INVALID", "CONSENT_UNKNOWN", "CONSENT_INVALID", "CONSENT_EXPIRED"];

fn faults_of_the_table() -> impl Iterator<Item = Reason> {
    Reason::ALL.iter().copied().filter(|reason| reason.id().starts_with("FLT-"))
}

fn answered_with(world: &World, reason: Reason, call: impl FnOnce() -> Response) -> Response {
    let spec = FaultSpec { status: Some(reason.status()), ..FaultSpec::refusal(reason.code().as_str()) };
    world.sandbox.add_fault(spec).unwrap();
    let response = call();
    world.sandbox.clear_faults();
    assert_well_formed(&response);
    assert_eq!((response.status(), response.reason()), (reason.status(), Some(reason.id())));
    assert_eq!(messages(&response)[0].code, reason.code().as_str());
    response
}

#[test]
fn every_code_of_the_contract_has_a_row_and_the_first_is_its_usual_status() {
    for code in answer::CODES {
        let rows: Vec<_> = faults_of_the_table().filter(|reason| reason.code().as_str() == code).collect();
        assert!(!rows.is_empty(), "{code}");
        let world = World::new();
        world.sandbox.add_fault(FaultSpec::refusal(code)).unwrap();
        assert_eq!(world.get("/v1/accounts").reason(), Some(rows[0].id()), "{code}");
    }
}

/// A code may have every status that a real row of the table gives it, and no other.
#[test]
fn the_statuses_of_faults_are_those_of_the_real_rows() {
    let pairs = |of_faults: bool| {
        let rows = Reason::ALL.iter().filter(|reason| reason.id().starts_with("FLT-") == of_faults);
        let rows = rows.filter(|reason| reason.status() != 201);
        rows.map(|reason| (reason.code().as_str(), reason.status()))
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(pairs(true), pairs(false));
}

#[test]
fn account_calls_have_a_link_that_resolves_the_code_payments_none() {
    let world = World::new();
    for reason in faults_of_the_table() {
        let accounts = body(&answered_with(&world, reason, || world.get("/v1/accounts")));
        let is_cured = CURED_BY_SCA.contains(&reason.code().as_str());
        assert_eq!(accounts.pointer("/_links/scaRedirect/href").is_some(), is_cured, "{reason:?}");
        let agreements = body(&answered_with(&world, reason, || world.get("/v1/agreements")));
        let is_cured = reason.code().as_str() == "SCA_NOT_FOUND";
        assert_eq!(agreements.pointer("/_links/scaRedirect/href").is_some(), is_cured, "{reason:?}");
        let payment = body(&answered_with(&world, reason, || world.create(STRAKS, &straks())));
        assert_eq!(payment.get("_links"), None, "{reason:?}");
    }
}

#[test]
fn the_link_of_an_injected_refusal_leads_to_a_real_consent() {
    let world = World::new();
    world.sandbox.add_fault(FaultSpec { times: Some(1), ..FaultSpec::refusal("CONSENT_EXPIRED") }).unwrap();
    let refused = body(&world.get("/v1/accounts"));
    let callback = world.answer(&refused, &ScaAnswer::approve(PAYER));
    let psu_id = parameter(&callback, "psu-id").unwrap();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("PSU-ID", psu_id.as_str())];
    assert_eq!(world.call("GET", "/v1/accounts", &headers, b"").status(), 200);
}

#[test]
fn a_429_says_when_to_come_again_and_a_405_what_the_resource_takes() {
    let world = World::new();
    for (reason, name, value) in [
        (Reason::FaultAccessExceeded, "Retry-After", Some("43200")),
        (Reason::FaultMethod, "Allow", Some("")),
        (Reason::FaultConflictOfMethod, "Allow", Some("GET")),
        (Reason::FaultConflict, "Allow", None),
        (Reason::FaultForbidden, "Retry-After", None),
    ] {
        let response = answered_with(&world, reason, || world.get("/v1/accounts"));
        assert_eq!(response.header(name), value, "{reason:?}");
    }
}

#[test]
fn a_refused_creation_stores_nothing() {
    let world = World::new();
    let before = draft::database(&world.sandbox);
    answered_with(&world, Reason::FaultPaymentFailed, || world.create(STRAKS, &straks()));
    assert!(draft::database(&world.sandbox) == before);
    assert_eq!(world.create(STRAKS, &straks()).status(), 201, "nor does it count as a logical duplicate");
}

#[test]
fn an_own_fault_of_the_call_is_answered_as_usual_and_not_counted() {
    let world = World::new();
    let fault = world.sandbox.add_fault(FaultSpec::refusal("CONFLICT")).unwrap();
    let reader = world.sandbox.register_tpp("Reader", &["AISP"]).unwrap();
    let elsewhere = World::new().sandbox.fork().unwrap();
    let stranger = (0..2).map(|_| elsewhere.register_tpp("Stranger", &["AISP"]).unwrap()).last().unwrap();
    let mut spoilt = world.signed("GET", "/v1/accounts", &plain_headers(), b"");
    spoilt.retain(|(name, _)| name != "Signature");
    let tampered = {
        let mut headers = world.signed("GET", "/v1/accounts", &plain_headers(), b"");
        headers.iter_mut().find(|(name, _)| name == "TPP-Redirect-URI").unwrap().1.push('x');
        headers
    };
    for (response, reason) in [
        (world.get("/v1/nowhere"), "RTE-02"),
        (world.call("PUT", "/v1/accounts", &plain_headers(), b""), "RTE-03"),
        (world.call("GET", "/v1/accounts", &[], b""), "HDR-04"),
        (send(&world.sandbox, "GET", "/v1/accounts", &spoilt, b""), "HDR-04"),
        (send(&world.sandbox, "GET", "/v1/accounts", &tampered, b""), "SIG-13"),
        (
            world.call_by(&reader, "POST", STRAKS, &creation_headers(), straks().to_string().as_bytes()),
            "TPP-02",
        ),
        (world.call_by(&stranger, "GET", "/v1/accounts", &plain_headers(), b""), "TPP-01"),
    ] {
        assert_eq!(response.reason(), Some(reason), "{}", body(&response));
    }
    assert_eq!((fault.seen(), fault.hits()), (0, 0));
    // What comes after is not looked at any more: a body that is no JSON.
    let response = world.call("POST", STRAKS, &creation_headers(), b"{");
    assert_eq!(response.reason(), Some("FLT-09"));
    assert_eq!((fault.seen(), fault.hits()), (1, 1));
}

#[test]
fn the_texts_are_in_the_language_of_the_call() {
    let world = World::new();
    world.sandbox.add_fault(FaultSpec::refusal("FORBIDDEN")).unwrap();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("Accept-Language", "nb")];
    let response = world.call("GET", "/v1/accounts", &headers, b"");
    assert_eq!(response.header("Content-Language"), Some("nb"));
    assert!(text(&body(&response), "/tppMessages/0/text").contains("sandkassen"));
}
