//! Answers that the bank signs, and their check (contract: Authentication, 8).

use std::process::Command;

use crate::world::authority::Authority;
use crate::world::baskets::own;
use crate::world::*;
use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, TimeDelta, Utc};
use xs2a::internal::{verify_request, SignedRequest, TestPki, CERTIFICATE_HEADER};
use xs2a::policy::KeyIdIssuer;
use xs2a::sandbox::ROOT_PEM;
use xs2a::tools::{verify_response, Verification};
use xs2a::trust::ResponseKey;
use xs2a::{Response, ScaAnswer};

const ON: &str = r#"{"sign_responses":true}"#;

type Headers = Vec<(String, String)>;

fn headers(response: &Response) -> Headers {
    response.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn judged(headers: &Headers, body: &[u8], now: DateTime<Utc>, anchors: Option<&str>) -> Verification {
    let borrowed: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    verify_response(&borrowed, body, Some(now), anchors).unwrap()
}

#[track_caller]
fn assert_signed(world: &World, response: &Response) {
    let found = judged(&headers(response), response.body(), world.sandbox.now(), Some(ROOT_PEM));
    assert!(found.ok, "{}: {found:?}", response.status());
    assert_eq!(found.certificate.unwrap().roles, ["PSP_AS"]);
}

fn set(headers: &mut Headers, name: &str, value: &str) {
    headers.iter_mut().find(|(own, _)| own == name).unwrap().1 = value.to_owned();
}

fn value<'h>(headers: &'h Headers, name: &str) -> &'h str {
    &headers.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{name}")).1
}

// What is signed.

#[test]
fn answers_of_every_kind_are_signed_where_the_policy_says_so() {
    let world = World::with_policy(ON);
    let created = world.create(STRAKS, &straks());
    assert_signed(&world, &created);
    let created = accepted(&created);
    world.answer(&created, &ScaAnswer::approve(PAYER));
    let other = accepted(&world.numbered_answer());
    let no_content = world.act("DELETE", own(&other));
    assert_eq!((no_content.status(), no_content.body().len()), (204, 0));
    let unsigned = xs2a::Request {
        method: "GET",
        target: "/v1/accounts",
        headers: &[],
        body: b"",
        correlation_id: None,
    };
    let faulty = [
        world.sandbox.handle(&unsigned),
        world.get("/v1/nothing"),
        world.get("/v1/accounts"),
        world.call("PATCH", "/v1/accounts", &plain_headers(), b""),
        world.call("GET", text(&created, "/_links/self/href"), &plain_headers(), b""),
    ];
    assert_eq!(faulty.each_ref().map(Response::status), [400, 404, 401, 405, 200]);
    for response in faulty.iter().chain([&no_content]) {
        assert_signed(&world, response);
    }
    // Without an X-Request-ID there is none to sign.
    assert!(faulty[0].header("Signature").unwrap().contains("headers=\"date digest\""));
    let names = "algorithm=\"rsa-sha256\",headers=\"date digest x-request-id\"";
    assert!(no_content.header("Signature").unwrap().contains(names));
}

trait Numbered {
    fn numbered_answer(&self) -> Response;
}

impl Numbered for World {
    fn numbered_answer(&self) -> Response {
        self.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks())
    }
}

#[test]
fn a_compressed_answer_is_signed_as_it_is_sent() {
    let world = World::with_policy(ON);
    let headers = [("Accept-Encoding", "gzip")];
    let response = world.call("GET", "/v1/sandbox/customers", &headers, b"");
    assert_eq!(response.header("Content-Encoding"), Some("gzip"));
    assert_signed(&world, &response);
}

#[test]
fn a_sandbox_does_not_sign_unless_its_policy_says_so() {
    let response = World::new().get("/v1/accounts");
    for name in ["Digest", "Signature", CERTIFICATE_HEADER] {
        assert_eq!(response.header(name), None, "{name}");
    }
    let found = judged(&headers(&response), response.body(), at("2026-09-01T10:00:00Z"), None);
    assert_eq!(found.reason, Some("HDR-04"));
}

#[test]
fn an_engine_whose_policy_has_answers_signed_needs_a_key() {
    let policy = xs2a::policy::Policy::from_json(xs2a::policy::Environment::Production, ON).unwrap();
    let database = std::sync::Arc::new(xs2a::internal::Database::open_memory_for_sandbox().unwrap());
    let builder = || {
        let bank = xs2a::internal::SandboxBank::new(database.clone(), xs2a::types::Rates::default());
        xs2a::Engine::builder()
            .bank(std::sync::Arc::new(bank))
            .store(std::sync::Arc::new(xs2a::internal::SqliteStore::new(database.clone())))
            .trust_anchors(xs2a::trust::TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap())
            .policy(policy.clone())
    };
    match builder().build() {
        Err(xs2a::Error::Config(message)) => assert!(message.contains("response key"), "{message}"),
        other => panic!("{other:?}"),
    }
    assert!(builder().response_key(TestPki::new().unwrap().bank_key().unwrap()).build().is_ok());
}

// What others say of it.

#[test]
fn the_openssl_command_verifies_what_the_bank_signed() {
    let world = World::with_policy(ON);
    let response = world.create(STRAKS, &straks());
    let headers = headers(&response);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let signature = value(&headers, "Signature");
    let signature = signature.rsplit("signature=\"").next().unwrap().trim_end_matches('"');
    std::fs::write(file("signature"), STANDARD.decode(signature).unwrap()).unwrap();
    std::fs::write(file("body"), response.body()).unwrap();
    std::fs::write(file("leaf.der"), STANDARD.decode(value(&headers, CERTIFICATE_HEADER)).unwrap()).unwrap();
    std::fs::write(file("root.pem"), ROOT_PEM).unwrap();
    let signed = format!(
        "date: {}\ndigest: {}\nx-request-id: {}",
        value(&headers, "Date"),
        value(&headers, "Digest"),
        value(&headers, "X-Request-ID")
    );
    std::fs::write(file("signed"), signed).unwrap();
    let shell = "set -e
        openssl x509 -inform DER -in leaf.der -out leaf.pem
        openssl verify -CAfile root.pem leaf.pem
        openssl x509 -in leaf.pem -noout -pubkey > public.pem
        openssl dgst -sha256 -verify public.pem -signature signature signed
        openssl dgst -sha256 -binary body | openssl base64 -A
        echo
        openssl x509 -in leaf.pem -noout -serial -issuer -nameopt RFC2253";
    let done = Command::new("sh").args(["-c", shell]).current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{message}{}", String::from_utf8_lossy(&done.stderr));
    let lines: Vec<_> = message.lines().collect();
    assert_eq!(lines[..2], ["leaf.pem: OK", "Verified OK"]);
    assert_eq!(format!("SHA-256={}", lines[2]), value(&headers, "Digest"));
    let (serial, issuer) = (lines[3].trim_start_matches("serial="), lines[4].trim_start_matches("issuer="));
    assert!(value(&headers, "Signature").starts_with(&format!("keyId=\"SN={serial},CA={issuer}\",")));
}

#[test]
fn an_issuer_s_name_of_any_characters_fits_into_a_header() {
    const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
    for name in ["Blå", "a\u{7f}", "a\nb\0", "~ a"] {
        let signed = Authority::root(name, 1, LONG).issue("PSDNO-FSA-1", 2, LONG).sign(
            "GET",
            "/v1/accounts",
            &[],
            b"",
            at("2026-09-01T10:00:00Z"),
            1,
        );
        let (_, signature) = signed.iter().find(|(name, _)| name == "Signature").unwrap();
        assert!(signature.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{signature:?}");
        let request =
            SignedRequest { method: "GET", target: "/v1/accounts", fields: signed.as_slice(), body: b"" };
        let found = verify_request(&request, at("2026-09-01T10:00:00Z"), None, KeyIdIssuer::Exact);
        assert_eq!(found.refusal, None, "{name:?}");
    }
}

#[test]
fn a_key_of_openssl_in_either_form_signs() {
    let folder = tempfile::tempdir().unwrap();
    let shell = "set -e
        openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out leaf.pem -days 3650 -subj /C=NO/CN=Bank \
            -addext keyUsage=digitalSignature -addext basicConstraints=CA:FALSE
        openssl rsa -in key.pem -traditional -out pkcs1.pem
        openssl rsa -in key.pem -traditional -outform DER -out pkcs1.der
        openssl pkcs8 -in key.pem -topk8 -nocrypt -outform DER -out pkcs8.der
        openssl pkcs8 -in key.pem -topk8 -passout pass:x -out locked.pem
        openssl ecparam -name prime256v1 -genkey -noout -out ec.pem
        openssl genrsa -out short.pem 1024";
    let done = Command::new("sh").args(["-c", shell]).current_dir(folder.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let leaf = read("leaf.pem");
    for name in ["key.pem", "pkcs1.pem", "pkcs1.der", "pkcs8.der"] {
        let key = ResponseKey::new(&leaf, &read(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let now = at("2026-09-01T10:00:00Z");
        let date = [("Date", xs2a::internal::format_http_date(now))];
        let mut headers: Headers = date.clone().map(|(name, value)| (name.to_owned(), value)).into();
        headers.extend(key.sign(&date, b"x").unwrap().map(|(name, value)| (name.to_owned(), value)));
        assert!(judged(&headers, b"x", now, None).ok, "{name}");
    }
    for name in ["locked.pem", "ec.pem", "short.pem"] {
        assert!(matches!(ResponseKey::new(&leaf, &read(name)), Err(xs2a::Error::Config(_))), "{name}");
    }
}

// What is refused.

/// Every text that differs in one bit, as far as it is a header's value.
fn one_bit_off(text: &str) -> Vec<String> {
    let flipped = (0..text.len() * 8).map(|bit| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    flipped.filter_map(|bytes| String::from_utf8(bytes).ok()).collect()
}

fn bits_off(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    (0..bytes.len() * 8).map(|bit| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    })
}

#[test]
fn one_bit_less_right_is_refused_wherever_it_is() {
    let world = World::with_policy(ON);
    let response = world.get("/v1/accounts");
    let (right, body, now) = (headers(&response), response.body(), world.sandbox.now());
    let is_valid = |headers: &Headers, body: &[u8]| judged(headers, body, now, Some(ROOT_PEM)).ok;
    assert!(is_valid(&right, body));
    assert!(bits_off(body).all(|other| !is_valid(&right, &other)), "body");
    for name in ["Digest", "Date", "X-Request-ID"] {
        for other in one_bit_off(value(&right, name)) {
            // White space around a value is none of it.
            if other.trim() != value(&right, name) {
                let mut headers = right.clone();
                set(&mut headers, name, &other);
                assert!(!is_valid(&headers, body), "{name}: {other}");
            }
        }
    }
    let (before, signature) = value(&right, "Signature").rsplit_once("signature=\"").unwrap();
    for other in bits_off(&STANDARD.decode(signature.trim_end_matches('"')).unwrap()) {
        let mut headers = right.clone();
        set(&mut headers, "Signature", &format!("{before}signature=\"{}\"", STANDARD.encode(other)));
        assert!(!is_valid(&headers, body), "signature");
    }
    let certificate = STANDARD.decode(value(&right, CERTIFICATE_HEADER)).unwrap();
    for (bit, other) in bits_off(&certificate).enumerate() {
        let mut headers = right.clone();
        set(&mut headers, CERTIFICATE_HEADER, &STANDARD.encode(other));
        assert!(!is_valid(&headers, body), "certificate, bit {bit}");
    }
}

#[test]
fn each_fault_has_its_reason() {
    let world = World::with_policy(ON);
    let response = world.get("/v1/accounts");
    let (right, body, now) = (headers(&response), response.body(), world.sandbox.now());
    let reason = |headers: &Headers| judged(headers, body, now, Some(ROOT_PEM)).reason;
    for name in ["Digest", "Date", "Signature", CERTIFICATE_HEADER] {
        let without: Headers = right.iter().filter(|(own, _)| own != name).cloned().collect();
        let found = judged(&without, body, now, Some(ROOT_PEM));
        assert_eq!(
            (found.reason, found.text),
            (Some("HDR-04"), Some(format!("{name}: the header is required")))
        );
    }
    // Another answer's id may not be left out of the signature, nor put in afterwards.
    let without: Headers = right.iter().filter(|(own, _)| own != "X-Request-ID").cloned().collect();
    assert_eq!(reason(&without), Some("SIG-08"));
    let unsigned = xs2a::Request {
        method: "GET",
        target: "/v1/accounts",
        headers: &[],
        body: b"",
        correlation_id: None,
    };
    let other = world.sandbox.handle(&unsigned);
    let mut added = headers(&other);
    added.push(("X-Request-ID".to_owned(), "00000000-0000-4000-8000-000000000001".to_owned()));
    assert_eq!(judged(&added, other.body(), now, None).reason, Some("SIG-07"));
    // Of the request an answer knows nothing.
    let mut with_target = right.clone();
    let listed = value(&right, "Signature").replace("headers=\"date", "headers=\"(request-target) date");
    set(&mut with_target, "Signature", &listed);
    assert_eq!(reason(&with_target), Some("SIG-13"));
    // Of the bank's trust anchor only.
    let anchors = Authority::root("Annen CA", 1, ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z"));
    assert_eq!(judged(&right, body, now, Some(&anchors.pem)).reason, Some("CRT-08"));
    assert_eq!(judged(&right, body, now, Some("")).reason, Some("CRT-08"));
    assert!(judged(&right, body, now, None).ok, "without anchors the chain is not looked at");
    assert!(verify_response(&[], b"", None, Some("none")).is_err());
}

#[test]
fn a_signature_that_covers_a_request_target_is_refused_though_it_holds() {
    let key = TestPki::new().unwrap().bank_key().unwrap();
    let now = at("2026-09-01T10:00:00Z");
    let date = xs2a::internal::format_http_date(now);
    let mut headers: Headers = vec![("Date".to_owned(), date.clone())];
    headers.extend(key.sign(&headers.clone(), b"").unwrap().map(|(name, value)| (name.to_owned(), value)));
    let pem = include_str!("../../src/sandbox/keys/bank.key.pem");
    let private = xs2a::internal::RsaPrivateKey::from_pkcs8(pem.as_bytes()).unwrap();
    let names = ["(request-target)", "date", "digest"];
    let text = format!("(request-target):  \ndate: {date}\ndigest: {}", value(&headers, "Digest"));
    let forged = xs2a::internal::signature_header(key.certificate(), &private, &names, text.as_bytes());
    set(&mut headers, "Signature", &forged.unwrap());
    assert_eq!(judged(&headers, b"", now, None).reason, Some("SIG-08"));
}

#[test]
fn an_answer_of_sixty_seconds_is_valid_and_of_sixty_one_is_not() {
    let world = World::with_policy(ON);
    let response = world.get("/v1/accounts");
    for (seconds, reason) in [(60, None), (-60, None), (61, Some("DAT-02")), (-61, Some("DAT-02"))] {
        let now = world.sandbox.now() + TimeDelta::seconds(seconds);
        let found = judged(&headers(&response), response.body(), now, Some(ROOT_PEM));
        assert_eq!(found.reason, reason, "{seconds}");
    }
}

/// The client that verifies an answer knows neither the bank's clock nor the request.
#[test]
fn what_is_said_of_an_answer_is_true_of_answers() {
    let world = World::with_policy(ON);
    let response = world.get("/v1/accounts");
    let (right, now) = (headers(&response), world.sandbox.now());
    let said = |headers: &Headers, late: i64| {
        judged(headers, response.body(), now + TimeDelta::seconds(late), None).text.unwrap()
    };
    assert_eq!(said(&right, 61), "Date is 61 seconds from the clock of the verifier; 60 are allowed");
    let far = "Date is more than a year from the clock of the verifier; 60 seconds are allowed";
    assert_eq!(said(&right, 400 * 86_400), far);
    let without: Headers = right.iter().filter(|(own, _)| own != "X-Request-ID").cloned().collect();
    assert_eq!(said(&without, 0), "Signature: the signature covers x-request-id, which was not sent");
    let mut added = right.clone();
    added.push(("PSU-ID".to_owned(), "x".to_owned()));
    assert_eq!(said(&added, 0), "Signature: psu-id was sent, but the signature does not cover it");
}
