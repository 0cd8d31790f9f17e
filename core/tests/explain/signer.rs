//! A TPP that signs what a test says.

use std::sync::OnceLock;
use std::time::Duration;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use xs2a::explain::{explain, ExplainOptions, Explanation};
use xs2a::internal::{sha256, IssuedTpp, Roles, TestPki};
use xs2a::Request;

/// The bank's clock.
pub(crate) fn now() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-20T12:00:00Z").unwrap().to_utc()
}

pub(crate) const DATE: &str = "Fri, 20 Nov 2026 12:00:00 GMT";
pub(crate) const REQUEST_ID: &str = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

/// One TPP for all tests: issuing costs a signature.
pub(crate) fn tpp() -> &'static IssuedTpp {
    static TPP: OnceLock<IssuedTpp> = OnceLock::new();
    TPP.get_or_init(|| issue(0))
}

/// A TPP with the key at that place.
pub(crate) fn issue(key: usize) -> IssuedTpp {
    let serial = [0x1d; 16].map(|byte: u8| byte + u8::try_from(key).unwrap());
    TestPki::new().unwrap().issue("Acme Pay", Roles::NONE, "PSDNO-FSA-1", serial, key).unwrap()
}

/// A request that a test changes before and after it is signed.
#[derive(Clone)]
pub(crate) struct Message {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) names: Vec<String>,
}

impl Message {
    /// A payment, signed over method and target too.
    pub(crate) fn new() -> Self {
        let mut message = Self {
            method: "POST".to_owned(),
            target: "/v1/payments/transfers?from=a%3Ab&allow=true".to_owned(),
            headers: Vec::new(),
            body: br#"{"creditorName": "Ola Nordmann", "amount": "1.00"}"#.to_vec(),
            names: ["(request-target)", "date", "digest", "x-request-id", "psu-id"]
                .map(str::to_owned)
                .to_vec(),
        };
        message.set("Host", "bank.example");
        message.set("Date", DATE);
        message.set("X-Request-ID", REQUEST_ID);
        message.set("PSU-ID", "13039319955");
        message.set("TPP-Signature-Certificate", STANDARD.encode(tpp().certificate().der()));
        message.set("Digest", format!("SHA-256={}", STANDARD.encode(sha256(&message.body))));
        message
    }

    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.headers.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
    }

    pub(crate) fn value(&self, name: &str) -> Vec<u8> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).unwrap().1.clone()
    }

    /// The right value of a line.
    pub(crate) fn line_value(&self, name: &str) -> Vec<u8> {
        match name {
            "(request-target)" => format!("{} {}", self.method.to_lowercase(), self.target).into_bytes(),
            _ => self.value(name).trim_ascii().to_vec(),
        }
    }

    /// The right text.
    pub(crate) fn text(&self) -> Vec<u8> {
        self.text_with(|_, value| value)
    }

    /// The text with other values.
    pub(crate) fn text_with(&self, change: impl Fn(&str, Vec<u8>) -> Vec<u8>) -> Vec<u8> {
        let line = |name: &String| [name.as_bytes(), b": ", &change(name, self.line_value(name))].concat();
        self.names.iter().map(line).collect::<Vec<_>>().join(&b'\n')
    }

    /// The text with another value of one line.
    pub(crate) fn text_with_value(&self, name: &str, value: impl AsRef<[u8]>) -> Vec<u8> {
        self.text_with(|own, actual| if own == name { value.as_ref().to_vec() } else { actual })
    }

    /// Signs a text and sets the header.
    pub(crate) fn sign(mut self, text: impl AsRef<[u8]>) -> Self {
        let signature = tpp().key().sign_sha256(text.as_ref()).unwrap();
        self.set_signature(&STANDARD.encode(signature));
        self
    }

    pub(crate) fn set_signature(&mut self, signature: &str) {
        let certificate = tpp().certificate();
        let key_id = format!("SN={},CA={}", certificate.serial_number(), certificate.issuer());
        self.set_header(&key_id, signature);
    }

    pub(crate) fn set_header(&mut self, key_id: &str, signature: &str) {
        let names = self.names.join(" ");
        let parts =
            [("keyId", key_id), ("algorithm", "rsa-sha256"), ("headers", &names), ("signature", signature)];
        let parts = parts.map(|(name, value)| format!("{name}=\"{value}\""));
        self.set("Signature", parts.join(","));
    }

    pub(crate) fn explain(&self) -> Explanation {
        self.explain_with(|_| ())
    }

    pub(crate) fn explain_with<'m>(&'m self, change: impl FnOnce(&mut ExplainOptions<'m>)) -> Explanation {
        // Tests are not optimised, and run beside each other: what is found is a matter of the table here, not of time.
        let budget = Duration::from_secs(20);
        let mut options = ExplainOptions { now: Some(now()), budget, ..ExplainOptions::default() };
        change(&mut options);
        self.with_request(|request| explain(request, &options))
    }

    pub(crate) fn with_request<R>(&self, run: impl FnOnce(&Request<'_>) -> R) -> R {
        let headers: Vec<(&str, &[u8])> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())).collect();
        run(&Request {
            method: &self.method,
            target: &self.target,
            headers: &headers,
            body: &self.body,
            correlation_id: None,
        })
    }
}

/// Asserts that the mistake is named, with that proof, and that the proof holds.
#[track_caller]
pub(crate) fn assert_named(message: &Message, id: &str, proof: &str) -> Explanation {
    assert_explained(message, message.explain(), id, proof)
}

#[track_caller]
pub(crate) fn assert_explained(message: &Message, found: Explanation, id: &str, proof: &str) -> Explanation {
    let named = (found.mistake, found.proof.map(|proof| proof.as_str()));
    assert_eq!(named, (Some(id), Some(proof)), "{found:#?}");
    crate::proof::check(message, &found);
    found
}
