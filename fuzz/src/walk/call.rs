//! One signed request, and what its answer must be.

use serde_json::Value;
use xs2a::internal::{signing_string, RustRsaPublicKey, SignatureHeader};
use xs2a::Response;

use super::change::Change;
use super::{bytes, Walk};

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) method: &'static str,
    pub(super) target: String,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
}

impl Call {
    pub(super) fn new(
        method: &'static str,
        target: &str,
        headers: &[(String, String)],
        body: Vec<u8>,
    ) -> Self {
        Self { method, target: target.to_owned(), headers: bytes(headers), body }
    }

    fn header(&self, name: &str) -> Option<&[u8]> {
        let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_slice())
    }
}

impl Walk {
    /// Changes a request, signs it, changes it again, and sends it.
    pub(super) fn call(&mut self, mut call: Call, before: &[Change], after: &[Change]) -> Response {
        before.iter().for_each(|change| change.apply(&mut call));
        // A header that is no text cannot be signed over; it is sent beside the signature.
        let text =
            |(name, value): &(String, Vec<u8>)| Some((name.clone(), String::from_utf8(value.clone()).ok()?));
        let given: Vec<_> = call.headers.iter().filter_map(text).collect();
        if let Ok(signed) = self.tpp.sign(call.method, &call.target, &given, &call.body) {
            call.headers.retain(|header| text(header).is_none());
            call.headers.extend(bytes(&signed));
        }
        after.iter().for_each(|change| change.apply(&mut call));
        let response = self.judge(&call);
        self.last = Some(call);
        response
    }

    /// Sends a request, and checks what holds for every answer.
    pub(super) fn judge(&self, call: &Call) -> Response {
        let before = self.state();
        let is_signed = self.is_signed(call);
        let response = self.send(call.method, &call.target, &call.headers, &call.body);
        let (status, reason) = (response.status(), response.reason());
        assert!((200..500).contains(&status), "{status} {reason:?} for {call:?}");
        if status >= 400 {
            assert!(reason.is_some(), "{status} without a reason: {call:?}");
            let after = self.state();
            let is_kept = match starts_sca(&response) {
                true => after.adds_one_authorisation(before),
                false => after == before,
            };
            assert!(is_kept, "{reason:?} changed the state: {call:?}");
        } else if call.target.starts_with("/v1/") {
            assert!(is_signed, "{status} for a request that nothing signed: {call:?}");
            assert!(has_its_digest(call), "{status} for a body that nothing signed: {call:?}");
        }
        response
    }

    /// Whether the TPP signed it, by both backends, which must agree.
    fn is_signed(&self, call: &Call) -> bool {
        let Some(Ok(text)) = call.header("Signature").map(std::str::from_utf8) else { return false };
        let text = xs2a::tools::decode_encoded_word(text).unwrap_or_default();
        let Ok(header) = SignatureHeader::parse(&text) else { return false };
        let message = signing_string(call.method, &call.target, call.headers.as_slice(), header.names());
        let Ok(message) = message else { return false };
        let certificate = xs2a::internal::parse_certificate(self.tpp.certificate_pem().as_bytes());
        let certificate = certificate.expect("the certificate of the TPP");
        let first = certificate.rsa_key().expect("an RSA key").verify_sha256(&message, header.signature());
        let second = RustRsaPublicKey::from_spki(certificate.public_key()).expect("an RSA key");
        let second = second.verify_sha256(&message, header.signature());
        assert_eq!(first, second, "the backends disagree: {call:?}");
        first
    }
}

/// Whether the answer has a link to an SCA. A reading that needs one is refused, and the SCA is started.
fn starts_sca(response: &Response) -> bool {
    serde_json::from_slice::<Value>(response.body())
        .is_ok_and(|body| body.pointer("/_links/scaRedirect").is_some())
}

/// Whether the body is the one of the Digest. Only the form that the TPP itself writes is compared.
fn has_its_digest(call: &Call) -> bool {
    let written = xs2a::tools::digest(&call.body, "SHA-256").expect("an algorithm");
    let is_own_form = |value: &&[u8]| value.starts_with(b"SHA-256=") && value.len() == written.len();
    call.header("Digest").filter(is_own_form).is_none_or(|value| value == written.as_bytes())
}
