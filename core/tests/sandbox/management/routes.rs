//! What holds for every route of the sandbox: signed like any call, and of any registered TPP.

use serde_json::{json, Value};
use xs2a::bank::{Operation, OperationId};
use xs2a::internal::SANDBOX_OPERATIONS as OPERATIONS;

use crate::counter::{ACCOUNTS, CUSTOMERS, PERSON};
use crate::world::answer::assert_well_formed;
use crate::world::{refused, send, text, World, PAYER_ACCOUNT};

/// A path of that operation, its parameters made up.
fn path(operation: &Operation) -> String {
    let segments = operation.path.split('/');
    let filled: Vec<_> = segments
        .map(|part| if part.starts_with('{') { "enc!!AAAAAAAAAAAAAAAAAAAAAAAA" } else { part })
        .collect();
    filled.join("/")
}

fn without(world: &World, operation: &Operation, left_out: &str) -> xs2a::Response {
    let sent = if operation.takes_body { &b"[]"[..] } else { b"" };
    let mut headers = world.signed(operation.method, &path(operation), &[], sent);
    headers.retain(|(name, _)| !name.eq_ignore_ascii_case(left_out));
    send(&world.sandbox, operation.method, &path(operation), &headers, sent)
}

#[test]
fn every_route_needs_signature_headers_and_a_post_a_digest() {
    let world = World::new();
    for operation in OPERATIONS {
        assert_eq!(operation.id, OperationId::OfBank);
        for name in ["X-Request-ID", "Date", "TPP-Signature-Certificate", "Signature", "Digest"] {
            if name == "Digest" && operation.method != "POST" {
                continue;
            }
            let expected = (400, "HDR-04", "HTTP_HEADER_REQUIRED".to_owned(), name.to_owned());
            assert_eq!(refused(&without(&world, operation, name)), expected, "{} {name}", operation.name);
        }
    }
}

#[test]
fn no_route_needs_what_a_production_call_does() {
    let world = World::new();
    for operation in OPERATIONS {
        let response = without(&world.clone(), operation, "TPP-Redirect-URI");
        assert_well_formed_or_empty(&response);
        let reason = response.reason().unwrap_or_default();
        assert!(!reason.starts_with("HDR"), "{}: {reason}", operation.name);
    }
}

#[test]
fn no_route_looks_at_the_form_of_a_header_that_it_does_not_take() {
    let world = World::new();
    let rows = [
        ("TPP-Session-ID", ""),
        ("TPP-Redirect-URI", "x"),
        ("TPP-Redirect-Preferred", "x"),
        ("PSU-ID", "x"),
        ("PSU-Corporate-ID", "x"),
        ("X-PSU-IDENTITY", "1"),
        ("PSU-Context", "x"),
        ("PSU-IP-Address", "unknown"),
        ("PSU-IP-Port", "x"),
        ("PSU-HTTP-Method", "x"),
        ("PSU-Device-ID", "x"),
        ("PSU-Geo-Location", "GEO:x"),
    ];
    for row in rows {
        assert_eq!(world.call("GET", CUSTOMERS, &[row], b"").status(), 200, "{row:?}");
    }
    assert_eq!(refused(&world.call("GET", CUSTOMERS, &[("X-Request-ID", "a b")], b"")).1, "HDR-05");
}

fn assert_well_formed_or_empty(response: &xs2a::Response) {
    if response.status() != 204 {
        assert_well_formed(response);
    }
}

#[test]
fn a_spoilt_body_or_signature_is_refused_and_changes_nothing() {
    let world = World::new();
    let sent = json!({"customerNumber": "123456", "type": "PRIVATE", "name": "Ny"}).to_string();
    let headers = world.signed("POST", CUSTOMERS, &[], sent.as_bytes());
    let spoilt = sent.replace("123456", "123457");
    let response = send(&world.sandbox, "POST", CUSTOMERS, &headers, spoilt.as_bytes());
    assert_eq!(response.reason(), Some("DIG-03"));
    let mut renamed = headers;
    for (name, value) in &mut renamed {
        if name == "X-Request-ID" {
            *value = "67e55044-10b1-426f-9247-bb680e5fe0c8".to_owned();
        }
    }
    let response = send(&world.sandbox, "POST", CUSTOMERS, &renamed, sent.as_bytes());
    assert_eq!(response.reason(), Some("SIG-13"));
    assert_eq!(world.found(CUSTOMERS)["customers"].as_array().unwrap().len(), 6);
}

#[test]
fn a_call_counts_once() {
    let world = World::new();
    let sent = json!({"customerNumber": PERSON, "currency": "NOK"}).to_string();
    let headers = world.signed("POST", ACCOUNTS, &[], sent.as_bytes());
    let twice = [(); 2].map(|()| send(&world.sandbox, "POST", ACCOUNTS, &headers, sent.as_bytes()));
    assert_eq!((twice[0].status(), twice[1].reason()), (201, Some("RPL-01")));
    assert_eq!(world.found(ACCOUNTS)["accounts"].as_array().unwrap().len(), 13);
}

/// Two nodes over one file, which remember different calls: the second looks the id up where both see it.
#[test]
fn a_call_counts_once_on_a_file_that_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let sent = json!({"customerNumber": PERSON, "currency": "NOK"}).to_string();
    let world = World::on_file(&file);
    let headers = world.signed("POST", ACCOUNTS, &[], sent.as_bytes());
    assert_eq!(send(&world.sandbox, "POST", ACCOUNTS, &headers, sent.as_bytes()).status(), 201);
    drop(world);
    let again = xs2a::Sandbox::open(&xs2a::SandboxOptions {
        database: Some(file),
        seed: 1,
        ..xs2a::SandboxOptions::default()
    });
    let response = send(&again.unwrap(), "POST", ACCOUNTS, &headers, sent.as_bytes());
    assert_eq!(response.reason(), Some("RPL-01"));
}

#[test]
fn any_registered_tpp_may_call_with_any_roles_and_no_other() {
    let world = World::new();
    for roles in [&["AISP"][..], &["PISP"], &["PSP_AS"], &[]] {
        let tpp = world.sandbox.register_tpp("Annen", roles).unwrap();
        assert_eq!(world.call_by(&tpp, "GET", CUSTOMERS, &[], b"").status(), 200, "{roles:?}");
    }
    let stranger = World::new().sandbox.register_tpp("Fremmed", &["AISP", "PISP"]).unwrap();
    let refusal = refused(&World::new().call_by(&stranger, "GET", CUSTOMERS, &[], b""));
    assert_eq!((refusal.0, refusal.1), (403, "TPP-01"));
}

#[test]
fn another_method_gets_the_right_ones() {
    let world = World::new();
    for (method, path, allow) in [
        ("GET", "/v1/sandbox/initialize", "POST"),
        ("PUT", CUSTOMERS, "POST, GET"),
        ("POST", "/v1/sandbox/customers/x", "GET, DELETE"),
        ("GET", "/v1/sandbox/agreements/x/engagements", "POST"),
        ("GET", "/v1/sandbox/accounts/x/balances", "PUT"),
        ("PUT", "/v1/sandbox/accounts/x/transactions", "POST, GET, DELETE"),
        ("DELETE", "/v1/sandbox/accounts/x/transactions/y", "GET"),
        ("PATCH", "/v1/sandbox/card-accounts", "POST, GET"),
    ] {
        let response = world.send(method, path, &Value::Null);
        assert_eq!((response.status(), response.header("Allow")), (405, Some(allow)), "{method} {path}");
    }
    for path in
        ["/v1/sandbox", "/v1/sandbox/", "/v1/sandbox/customers/", "/v1/sandbox/banks", "/v1/sandbox/sca"]
    {
        assert_eq!(world.send("GET", path, &Value::Null).status(), 404, "{path}");
    }
}

#[test]
fn every_body_is_answered_and_never_by_a_system_error() {
    let world = World::new();
    let account = text(&world.account_of(PAYER_ACCOUNT), "/id").to_owned();
    let card = text(&world.found("/v1/sandbox/card-accounts"), "/cardAccounts/0/resourceId").to_owned();
    let agreement = text(&world.found("/v1/sandbox/agreements"), "/agreements/3/id").to_owned();
    let shapes = [
        json!(null),
        json!(true),
        json!(-1.5e300),
        json!("x"),
        json!([]),
        json!({}),
        json!([null, [], {}, [[]]]),
        json!({"": {}, "balances": [null], "engagements": [[]], "account": [], "creditLimit": {"amount": {}}}),
        json!([{"debtorAccount": {"bban": null, "iban": {}}, "bookingDate": null, "valueDate": []}]),
        json!([{"bookingDate": "9999-12-31T23:59:60Z", "valueDate": "0000-00-00", "cardAcceptorAddress": [1]}]),
        json!(vec![json!({}); 500]),
    ];
    for operation in OPERATIONS.iter().filter(|operation| operation.takes_body) {
        let path = operation
            .path
            .replace("{mockAccountId}", &account)
            .replace("{mockCardAccountId}", &card)
            .replace("{mockAgreementId}", &agreement);
        for shape in &shapes {
            let response = world.call(operation.method, &path, &[], shape.to_string().as_bytes());
            assert_well_formed(&response);
            // Nothing to store is stored.
            let is_well = *shape == json!([]) && response.status() < 300;
            assert!(response.status() == 400 || is_well, "{} {shape}: {}", operation.name, response.status());
        }
    }
    world.assert_reconciled();
}

#[test]
fn a_body_that_is_not_json_by_its_type_or_its_text_is_refused() {
    let world = World::new();
    let typed = world.call("POST", CUSTOMERS, &[("Content-Type", "text/plain")], b"{}");
    assert_eq!((typed.status(), typed.reason()), (415, Some("NEG-03")));
    for (sent, reason) in [(&b"{"[..], "JSN-02"), (b"\xFF", "JSN-01"), (b"{\"type\":1,\"type\":2}", "JSN-04")]
    {
        assert!(refused(&world.call("POST", CUSTOMERS, &[], sent)).1 == reason, "{reason}");
    }
    let digest = xs2a::tools::digest(b"", "SHA-256").unwrap();
    let empty = world.signed("POST", CUSTOMERS, &[("Digest", &digest)], b"");
    assert_eq!(send(&world.sandbox, "POST", CUSTOMERS, &empty, b"").reason(), Some("JSN-02"));
}
