//! Digests that are wrong in exactly one way.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use xs2a::crypto::{sha256, sha512};
use xs2a::limits::EXPLAIN_BODY_BYTES_MAX;

use crate::signer::{assert_explained, assert_named, Message};

const BODY: &str = concat!(
    r#"{"creditor": {"name": "Bjørn & Søn", "city": "Oslo/Bærum"}, "#,
    r#""amount": "1.00", "lines": [1, 2]}"#
);

/// A request whose body is that text, and whose Digest is that of another.
fn with_digest_of(body: impl AsRef<[u8]>, hashed: impl AsRef<[u8]>) -> Message {
    with_digest(body, &format!("SHA-256={}", STANDARD.encode(sha256(hashed.as_ref()))))
}

fn with_digest(body: impl AsRef<[u8]>, digest: &str) -> Message {
    let mut message = Message::new();
    message.body = body.as_ref().to_vec();
    message.set("Digest", digest);
    let text = message.text();
    message.sign(text)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn ways_to_write_the_hash_are_named() {
    let hash = sha256(BODY.as_bytes());
    let long = sha512(BODY.as_bytes());
    for (digest, id) in [
        (format!("SHA-256={}", hex(&hash)), "digest-hex"),
        (format!("SHA-256={}", hex(&hash).to_uppercase()), "digest-hex"),
        (format!("SHA-512={}", hex(&long)), "digest-hex"),
        (format!("SHA-256={}", STANDARD.encode(hex(&hash))), "digest-base64-of-hex"),
        (format!("SHA-256={}", STANDARD.encode(long)), "digest-other-algorithm"),
        (format!("SHA-512={}", STANDARD.encode(hash)), "digest-other-algorithm"),
        (format!("SHA256={}", STANDARD.encode(hash)), "digest-other-algorithm"),
        (STANDARD.encode(hash), "digest-without-algorithm"),
        (format!("sha-256=:{}:", STANDARD.encode(hash)), "digest-structured"),
    ] {
        let found = assert_named(&with_digest(BODY, &digest), id, "digest");
        assert_eq!(found.signed.as_deref(), Some(BODY));
    }
}

#[test]
fn the_other_alphabet_of_base64_is_named() {
    let bodies = (0..100).map(|number| format!("{{\"number\":{number}}}"));
    let differs = |body: &String| STANDARD.encode(sha256(body.as_bytes())).contains(['+', '/']);
    for body in bodies.filter(differs) {
        let url = STANDARD.encode(sha256(body.as_bytes())).replace('+', "-").replace('/', "_");
        assert_named(&with_digest(&body, &format!("SHA-256={url}")), "digest-base64url", "digest");
        let bare = url.trim_end_matches('=');
        assert_named(&with_digest(&body, &format!("SHA-256={bare}")), "digest-base64url", "digest");
    }
}

#[test]
fn forms_of_the_body_are_named() {
    for (hashed, id) in [
        ("", "digest-empty-body"),
        (&format!("{BODY}\n"), "digest-newline"),
        (&format!("{BODY}\r\n"), "digest-newline"),
        (&format!("\u{feff}{BODY}"), "digest-charset"),
        (&format!("{BODY:?}"), "digest-json-string"),
        (&BODY.replace(": ", ":").replace(", ", ","), "digest-json-rewritten"),
        (&BODY.replace('ø', "\\u00f8").replace('æ', "\\u00e6"), "digest-json-rewritten"),
        (&BODY.replace(": ", ":").replace(", ", ",").replace('/', "\\/"), "digest-json-rewritten"),
        (&BODY.replace(": ", ":").replace(", ", ",").replace('&', "\\u0026"), "digest-json-rewritten"),
        ("/v1/payments/transfers", "digest-not-of-body"),
    ] {
        let found = assert_named(&with_digest_of(BODY, hashed), id, "digest");
        assert_eq!(found.signed.as_deref(), Some(hashed));
    }
    let latin1: Vec<u8> = BODY.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert_named(&with_digest_of(BODY, latin1), "digest-charset", "digest");
    assert_named(&with_digest_of(BODY, "{}"), "digest-not-of-body", "digest");
    assert_named(&with_digest_of(format!("{BODY}\n"), BODY), "digest-newline", "digest");
    assert_named(&with_digest_of(format!("{BODY:?}"), BODY), "digest-json-string", "digest");
}

#[test]
fn two_mistakes_in_one_digest_are_found() {
    let compact = BODY.replace(": ", ":").replace(", ", ",");
    let digest = format!("SHA-256={}", hex(&sha256(compact.as_bytes())));
    let found = assert_named(&with_digest(BODY, &digest), "digest-json-rewritten", "digest");
    assert!(found.text.contains("hexadecimal"), "{}", found.text);
}

#[test]
fn the_digest_of_an_unknown_text_has_no_mistake() {
    let found = with_digest_of(BODY, "unknown").explain();
    assert_eq!((found.reason, found.mistake, found.signed), (Some("DIG-03"), None, None));
    assert_named(&with_digest(BODY, "MD5=1B2M2Y8AsgTpgAmY7PhCfg=="), "digest-empty-body", "digest");
    assert_eq!(with_digest(BODY, "nonsense").explain().mistake, None);
}

#[test]
fn the_body_of_an_earlier_call_is_found() {
    let mut earlier = Message::new();
    earlier.body = b"earlier".to_vec();
    let message = with_digest_of(BODY, "earlier");
    earlier.with_request(|request| {
        let found = message.explain_with(|options| options.earlier = vec![*request]);
        let found = assert_explained(&message, found, "digest-not-of-body", "digest");
        assert_eq!(found.signed.as_deref(), Some("earlier"));
    });
}

#[test]
fn a_body_over_the_limit_is_hashed_in_its_given_form_only() {
    for (bytes, mistake) in
        [(EXPLAIN_BODY_BYTES_MAX, Some("digest-newline")), (EXPLAIN_BODY_BYTES_MAX + 1, None)]
    {
        let body = "x".repeat(bytes);
        assert_eq!(with_digest_of(&body, format!("{body}\n")).explain().mistake, mistake, "{bytes}");
        let digest = format!("SHA-256={}", hex(&sha256(body.as_bytes())));
        assert_named(&with_digest(&body, &digest), "digest-hex", "digest");
    }
}
