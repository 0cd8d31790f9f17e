//! keyId and Date that are wrong in exactly one way.

use xs2a::policy::KeyIdIssuer;

use crate::signer::{assert_explained, assert_named, issue, tpp, Message};

/// A request with that keyId, signed right otherwise.
fn with_key_id(key_id: &str) -> Message {
    let message = Message::new();
    let text = message.text();
    let mut message = message.sign(text);
    let header = String::from_utf8(message.value("Signature")).unwrap();
    let signature = header.split("signature=\"").nth(1).unwrap().trim_end_matches('"').to_owned();
    message.set_header(key_id, &signature);
    message
}

fn serial() -> String {
    tpp().certificate().serial_number().to_string()
}

fn issuer() -> String {
    tpp().certificate().issuer().to_string()
}

#[test]
fn serial_numbers_are_named() {
    let decimal = u128::from_str_radix(&serial(), 16).unwrap();
    let with = |serial: &str| with_key_id(&format!("SN={serial},CA={}", issuer()));
    assert_named(&with(&decimal.to_string()), "serial-decimal", "form");
    assert_named(&with("1D:1D"), "serial-form", "form");
    assert_named(&with("0x1D"), "serial-form", "form");
    assert_eq!(with("1234").explain().mistake, None);
    let other = issue(1);
    let message = with(&other.certificate().serial_number().to_string());
    assert_eq!(message.explain().mistake, None);
    let found = message.explain_with(|options| options.certificates = vec![other.certificate().clone()]);
    assert_explained(&message, found, "serial-of-another-certificate", "form");
}

#[test]
fn issuers_are_named() {
    let with = |issuer: &str| with_key_id(&format!("SN={},CA={issuer}", serial()));
    let subject = tpp().certificate().subject().to_string();
    assert_named(&with(&subject), "issuer-is-subject", "form");
    let actual = issuer();
    let parts: Vec<&str> = actual.split(',').collect();
    let value = parts[0].split_once('=').unwrap().1;
    let found = assert_named(&with(&actual.replace(value, "Another CA")), "issuer-value-differs", "form");
    assert!(found.text.contains("`CN=Another CA`") && found.text.contains(&actual), "{}", found.text);
    assert_named(&with(parts[0]), "issuer-value-differs", "form");
    assert_named(&with("/C=NO/O=Authority"), "issuer-form", "form");
    assert_named(&with_key_id("https://tpp.example/key"), "key-id-form", "form");
    let reversed = parts.iter().rev().copied().collect::<Vec<_>>().join(",");
    let message = with(&reversed);
    let found = message.explain_with(|options| options.key_id_issuer = KeyIdIssuer::Exact);
    assert_explained(&message, found, "issuer-reversed", "form");
}

#[test]
fn dates_are_named() {
    let with = |date: &str| {
        let mut message = Message::new();
        message.set("Date", date);
        let text = message.text();
        message.sign(text)
    };
    assert_named(&with("Fri, 20 Nov 2026 13:00:20 GMT"), "date-local-time-as-gmt", "clock");
    assert_named(&with("Fri, 20 Nov 2026 12:05:00 GMT"), "date-stale", "clock");
    let found = assert_named(&with("2026-11-20T12:00:00Z"), "date-form", "form");
    assert!(found.text.contains("Fri, 20 Nov 2026 12:00:00 GMT"), "{}", found.text);
    assert_named(&with("Fre, 20 Nov 2026 12:00:00 GMT"), "date-form", "form");
}
