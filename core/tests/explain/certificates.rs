//! Certificates that are wrong in exactly one way.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use xs2a::internal::parse_certificate;
use xs2a::sandbox::ROOT_PEM;

use crate::signer::{assert_named, tpp, Message};

/// A request with that certificate header, signed by the TPP.
fn with_certificate(value: &str) -> Message {
    let mut message = Message::new();
    message.set("TPP-Signature-Certificate", value);
    let text = message.text();
    message.sign(text)
}

#[test]
fn forms_of_the_certificate_are_named() {
    let base64 = STANDARD.encode(tpp().certificate().der());
    let pem = tpp().certificate().to_pem();
    let length = base64.len();
    let hex: String = tpp().certificate().der().iter().map(|byte| format!("{byte:02x}")).collect();
    for (value, id) in [
        (base64.replace('+', "-").replace('/', "_"), "certificate-base64url"),
        (base64[..64].to_owned(), "certificate-cut"),
        (base64[..length - 400].to_owned(), "certificate-cut"),
        (base64[..length - 401].to_owned(), "certificate-cut"),
        (pem[..pem.len() - 40].to_owned(), "certificate-cut"),
        (STANDARD.encode(tpp().certificate().public_key()), "certificate-is-key"),
        (tpp().private_key_pem().to_owned(), "certificate-is-key"),
        (hex, "certificate-hex"),
        (STANDARD.encode(&base64), "certificate-base64-twice"),
        (STANDARD.encode(&pem), "certificate-base64-twice"),
    ] {
        let found = assert_named(&with_certificate(&value), id, "form");
        assert!(!found.text.contains("PRIVATE KEY-----"));
    }
}

#[test]
fn the_certificate_of_the_issuer_is_named() {
    let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
    assert_named(&with_certificate(&STANDARD.encode(root.der())), "certificate-of-issuer", "form");
    let bundle = ROOT_PEM.to_owned() + &tpp().certificate().to_pem();
    assert_named(&with_certificate(&bundle), "certificate-of-issuer", "form");
}
