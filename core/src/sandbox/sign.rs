//! Signing as a TPP does it (contract: Authentication): for tests, examples and the sandbox's own TPPs.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::pki::IssuedTpp;
use crate::error::{Error, Result};
use crate::tpp::digest::{digest, DigestAlgorithm};
use crate::tpp::signing_string::{names_to_sign, signing_string, Fields};
use crate::wire::headers::TPP_CERTIFICATE;
use crate::wire::http_date::format_http_date;

pub use crate::tpp::sign::signature_header;

/// A request before it is signed.
#[derive(Clone, Copy)]
pub struct Unsigned<'a> {
    /// The method.
    pub method: &'a str,
    /// Path and query.
    pub target: &'a str,
    /// The header fields that the caller sets.
    pub headers: &'a [(String, String)],
    /// The body, empty for none.
    pub body: &'a [u8],
}

/// The header fields that signing adds where they are absent, in its order.
pub(super) const ADDED: [&str; 5] = ["Date", "X-Request-ID", "Digest", TPP_CERTIFICATE, "Signature"];

impl IssuedTpp {
    /// The given header fields, and after them those that are absent of `Date`, `X-Request-ID`, `Digest`,
    /// `TPP-Signature-Certificate` and `Signature`. The signature covers the contract's mandatory names in
    /// the contract's order. `Digest` is set for a body and for every POST, PUT and PATCH, whose operations
    /// may ask for it even over nothing.
    ///
    /// # Errors
    /// [`Error::Internal`] where signing fails.
    pub fn sign(
        &self,
        request: Unsigned<'_>,
        now: DateTime<Utc>,
        request_id: Uuid,
    ) -> Result<Vec<(String, String)>> {
        let [date, id, content, certificate, signature] = ADDED;
        let mut headers = request.headers.to_vec();
        let mut add = |name: &str, value: &dyn Fn() -> String| {
            if headers.value(name).is_none() {
                headers.push((name.to_owned(), value()));
            }
        };
        add(date, &|| format_http_date(now));
        add(id, &|| request_id.to_string());
        if !request.body.is_empty() || matches!(request.method, "POST" | "PUT" | "PATCH") {
            add(content, &|| digest(request.body, DigestAlgorithm::Sha256));
        }
        add(certificate, &|| STANDARD.encode(self.certificate().der()));
        if headers.value(signature).is_none() {
            let names = names_to_sign(headers.as_slice());
            let signed = signing_string(request.method, request.target, headers.as_slice(), &names)
                .map_err(|_| Error::Internal("signing string".to_owned()))?;
            let value = signature_header(self.certificate(), self.key(), &names, &signed)?;
            headers.push((signature.to_owned(), value));
        }
        Ok(headers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::KeyIdIssuer;
    use crate::sandbox::pki::TestPki;
    use crate::tpp::role::Roles;
    use crate::tpp::trust::TrustAnchors;
    use crate::tpp::verify::{verify_request, SignedRequest};

    fn tpp() -> (IssuedTpp, TrustAnchors) {
        let pki = TestPki::new().unwrap();
        let mut anchors = TrustAnchors::new();
        anchors.add(pki.root().clone());
        (pki.issue("Acme", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap(), anchors)
    }

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000, 0).unwrap()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_signed_request_is_accepted() {
        let (tpp, anchors) = tpp();
        let given = [pair("tpp-redirect-uri", "https://x.example/?a=b"), pair("PSU-ID", "1")];
        for (method, body) in [("POST", &b"{}"[..]), ("GET", b""), ("DELETE", b"")] {
            let unsigned = Unsigned { method, target: "/v1/x?y", headers: &given, body };
            let headers = tpp.sign(unsigned, now(), Uuid::nil()).unwrap();
            let request = SignedRequest { method, target: "/v1/x?y", fields: headers.as_slice(), body };
            let verification = verify_request(&request, now(), Some(&anchors), KeyIdIssuer::Lenient);
            assert_eq!(verification.refusal, None, "{method}");
        }
    }

    #[test]
    fn given_fields_come_first_and_are_kept() {
        let (tpp, _) = tpp();
        let given = [pair("date", "x"), pair("X-Other", "y")];
        let unsigned = Unsigned { method: "GET", target: "/", headers: &given, body: b"" };
        let headers = tpp.sign(unsigned, now(), Uuid::nil()).unwrap();
        let names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["date", "X-Other", "X-Request-ID", "TPP-Signature-Certificate", "Signature"]);
        assert_eq!(headers[0].1, "x");
    }

    #[test]
    fn digest_is_set_for_a_body_and_for_every_post() {
        let (tpp, _) = tpp();
        let has_digest = |method, body| {
            let unsigned = Unsigned { method, target: "/", headers: &[], body };
            tpp.sign(unsigned, now(), Uuid::nil()).unwrap().value("digest").is_some()
        };
        assert!(has_digest("POST", b"") && has_digest("PUT", b"[]") && has_digest("DELETE", b"x"));
        assert!(!has_digest("GET", b"") && !has_digest("DELETE", b""));
    }
}
