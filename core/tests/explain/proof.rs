//! Checks a proof by other means than it was found by.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use xs2a::explain::{Explanation, Proof};
use xs2a::internal::{sha256, sha512};

use crate::signer::{tpp, Message};

/// The bytes behind a text of an explanation: `\xNN` is a byte.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        let digits = rest.get(at + 2..at + 4).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match digits {
            Some(byte) => {
                bytes.extend_from_slice(&rest.as_bytes()[..at]);
                bytes.push(byte);
                rest = &rest[at + 4..];
            }
            None => {
                bytes.extend_from_slice(&rest.as_bytes()[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Fails if the proof does not hold. A signature in plain form is verified by the key over the text that was found.
pub(crate) fn check(message: &Message, found: &Explanation) {
    assert_eq!(found.mistake.is_some(), found.proof.is_some());
    assert!(!found.text.is_empty());
    match found.proof {
        Some(Proof::Hash) => check_hash(message, found),
        Some(Proof::Digest) => {
            let body = bytes(found.signed.as_ref().expect("a text"));
            let header = String::from_utf8(message.value("Digest")).unwrap();
            if header.starts_with("MD5=1B2M2Y8AsgTpgAmY7PhCfg==") {
                // RFC 1321, appendix A.5: the digest of the empty text.
                assert!(body.is_empty());
                return;
            }
            let (hash, long) = (sha256(&body), sha512(&body));
            let hex = |hash: &[u8]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let forms = [&hash[..], &long[..]].map(|hash| {
                let url = STANDARD.encode(hash).replace('+', "-").replace('/', "_");
                [STANDARD.encode(hash), hex(hash), STANDARD.encode(hex(hash)), url]
            });
            let holds = forms
                .iter()
                .flatten()
                .any(|form| header.to_lowercase().contains(form.to_lowercase().trim_end_matches('=')));
            assert!(holds, "{header} is not of {body:?}");
        }
        Some(Proof::Key | Proof::Form | Proof::Clock) | None => {}
        Some(other) => panic!("no check for a proof by {other:?}"),
    }
}

fn check_hash(message: &Message, found: &Explanation) {
    let signed = bytes(found.signed.as_ref().expect("a text"));
    let header = String::from_utf8_lossy(&message.value("Signature")).into_owned();
    let signature =
        header.split("signature=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a signature");
    let Ok(signature) = STANDARD.decode(signature) else { return };
    let key = tpp().certificate().rsa_key().expect("an RSA key");
    let by_form =
        ["signature-", "key-of", "certificate-of", "pss", "sha-", "no-digest", "hex-", "other-hash"];
    if by_form.iter().all(|prefix| !found.mistake.unwrap().starts_with(prefix)) {
        assert!(key.verify_sha256(&signed, &signature), "{found:#?}");
    }
}
