//! Signed requests made by pyca/cryptography (`tests/vectors/make_signature_vectors.py`): the valid ones are accepted,
//! each of the others is refused with exactly its reason at exactly its header.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::DateTime;
use serde::Deserialize;
use xs2a::internal::{verify_request, SignedRequest, Verification};
use xs2a::policy::KeyIdIssuer;
use xs2a::tools::verify_signature;
use xs2a::trust::TrustAnchors;
use xs2a::Request;

#[derive(Clone, Deserialize)]
struct Case {
    id: String,
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: String,
    now: String,
    trust_anchors: Option<String>,
    expected: Option<String>,
    path: Option<String>,
}

impl Case {
    /// Elliptic authorities are beyond the backend without C.
    fn is_beyond_the_backend(&self) -> bool {
        self.id.starts_with("ecdsa-") && cfg!(not(feature = "aws-lc"))
    }

    fn verify(&self) -> Verification {
        let body = STANDARD.decode(&self.body).unwrap();
        let anchors = self.trust_anchors.as_ref().map(|pem| match pem.is_empty() {
            true => TrustAnchors::new(),
            false => TrustAnchors::from_bundle(pem.as_bytes()).unwrap(),
        });
        let request = SignedRequest {
            method: &self.method,
            target: &self.target,
            fields: self.headers.as_slice(),
            body: &body,
        };
        let now = DateTime::parse_from_rfc3339(&self.now).unwrap().to_utc();
        verify_request(&request, now, anchors.as_ref(), KeyIdIssuer::Lenient)
    }
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../../tests/vectors/signatures.json")).unwrap()
}

#[test]
fn every_request_earns_exactly_its_reason() {
    let mut wrong = Vec::new();
    for case in cases() {
        let expected = match case.is_beyond_the_backend() {
            true => Some("CRT-19".to_owned()),
            false => case.expected.clone(),
        };
        let refusal = case.verify().refusal;
        let reason = refusal.as_ref().map(|refusal| refusal.reason().id().to_owned());
        let path =
            refusal.and_then(|refusal| refusal.findings().next().and_then(|finding| finding.path.clone()));
        if reason != expected || (expected == case.expected && path != case.path) {
            wrong.push(format!("{}: {reason:?} at {path:?}, not {expected:?} at {:?}", case.id, case.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_text_of_a_verification_names_the_header() {
    for case in cases().into_iter().filter(|case| !case.is_beyond_the_backend()) {
        let headers: Vec<_> =
            case.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let body = STANDARD.decode(&case.body).unwrap();
        let request = Request {
            method: &case.method,
            target: &case.target,
            headers: &headers,
            body: body.as_slice(),
            correlation_id: None,
        };
        let now = DateTime::parse_from_rfc3339(&case.now).unwrap().to_utc();
        let text = verify_signature(&request, now, case.trust_anchors.as_deref()).unwrap().text;
        assert_eq!(text.is_some(), case.expected.is_some(), "{}", case.id);
        if let (Some(text), Some(path)) = (text, case.path) {
            assert!(text.starts_with(&path), "{}: {text}", case.id);
        }
    }
}

#[test]
fn the_first_header_that_is_missing_or_malformed_is_named() {
    let sound = cases().into_iter().find(|case| case.id == "plain").unwrap();
    let now = DateTime::parse_from_rfc3339(&sound.now).unwrap().to_utc();
    let body = STANDARD.decode(&sound.body).unwrap();
    let text = |changed: &str, value: Option<&[u8]>| {
        let kept = sound.headers.iter().filter(|(name, _)| name != changed);
        let mut headers: Vec<_> = kept.map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        headers.extend(value.map(|value| (changed, value)));
        let request = Request {
            method: &sound.method,
            target: &sound.target,
            headers: &headers,
            body: &body,
            correlation_id: None,
        };
        verify_signature(&request, now, None).unwrap().text.unwrap()
    };
    assert_eq!(text("Date", None), "Date: the header is required");
    assert_eq!(text("Signature", None), "Signature: the header is required");
    assert_eq!(text("Date", Some(b"soon")), "Date is not an HTTP date");
    let certificate = "TPP-Signature-Certificate: the certificate is neither base64 of DER nor PEM";
    assert_eq!(text("TPP-Signature-Certificate", Some(b"?")), certificate);
    assert_eq!(text("a", Some(b"\x01")), "a: the header holds a control character at byte 1");
}

#[test]
fn a_header_that_was_sent_twice_is_refused_as_such() {
    let sound = cases().into_iter().find(|case| case.id == "plain").unwrap();
    let now = DateTime::parse_from_rfc3339(&sound.now).unwrap().to_utc();
    let body = STANDARD.decode(&sound.body).unwrap();
    // A certificate in PEM may be sent in as many fields as it has certificates.
    for name in ["Date", "Signature"] {
        let twice = sound.headers.iter().filter(|(own, _)| own == name);
        let headers: Vec<_> = sound
            .headers
            .iter()
            .chain(twice)
            .map(|(name, value)| (name.as_str(), value.as_bytes()))
            .collect();
        let request = Request {
            method: &sound.method,
            target: &sound.target,
            headers: &headers,
            body: &body,
            correlation_id: None,
        };
        let text = verify_signature(&request, now, None).unwrap().text.unwrap();
        assert!(text.ends_with(" (sent 2 times)"), "{text}");
    }
}

#[test]
fn the_vectors_cover_every_reason_of_a_signature() {
    let earned: Vec<String> = cases().into_iter().filter_map(|case| case.expected).collect();
    // No organisation and no type is asked for, and nothing is revoked, where a signature alone is verified.
    let elsewhere =
        ["CRT-07", "CRT-15", "CRT-16", "CRT-17", "CRT-18", "CRT-20", "CRT-21", "CRT-22", "CRT-23"];
    for reason in xs2a::reason::Reason::ALL {
        let family = reason.id().split('-').next().unwrap();
        if ["CRT", "DIG", "DAT", "SIG"].contains(&family) && !elsewhere.contains(&reason.id()) {
            assert!(earned.iter().any(|id| id == reason.id()), "no case for {}", reason.id());
        }
    }
}

#[test]
fn any_one_bit_change_of_what_is_signed_is_refused() {
    // The chain is verified elsewhere; here each change costs a signature alone.
    let mut sound = cases().into_iter().find(|case| case.id == "plain").unwrap();
    sound.trust_anchors = None;
    let signed = ["Date", "X-Request-ID", "PSU-ID", "TPP-Redirect-URI", "Digest"];
    let mut changes = 0;
    for (index, (name, value)) in
        sound.headers.iter().enumerate().filter(|(_, (name, _))| signed.contains(&name.as_str()))
    {
        for at in 0..value.len() {
            for bit in 0..7 {
                let mut bytes = value.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let mut case = sound.clone();
                case.headers[index].1 = String::from_utf8(bytes).unwrap();
                assert!(case.verify().refusal.is_some(), "{name}, byte {at}, bit {bit}");
                changes += 1;
            }
        }
    }
    assert!(changes > 500);
    let body = STANDARD.decode(&sound.body).unwrap();
    for at in 0..body.len() {
        let mut body = body.clone();
        body[at] ^= 1;
        let mut case = sound.clone();
        case.body = STANDARD.encode(body);
        assert_eq!(case.verify().refusal.unwrap().reason().id(), "DIG-03");
    }
}
