//! Signing as a TPP of the test PKI.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::pki::IssuedTpp;
use crate::error::Result;
use crate::tpp::sign::sign_request;

pub(crate) use crate::tpp::sign::Unsigned;
pub(super) use crate::tpp::sign::ADDED;

impl IssuedTpp {
    /// The given header fields and those that signing adds, as [`sign_request`] does.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal) where signing fails.
    pub fn sign(
        &self,
        request: Unsigned<'_>,
        now: DateTime<Utc>,
        request_id: Uuid,
    ) -> Result<Vec<(String, String)>> {
        sign_request(self.certificate(), self.key(), request, now, request_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::KeyIdIssuer;
    use crate::sandbox::pki::TestPki;
    use crate::tpp::role::Roles;
    use crate::tpp::signing_string::Fields;
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
