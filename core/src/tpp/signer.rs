//! What a TPP signs its requests with, apart from any sandbox.

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::certificate::Certificate;
use super::sign::{sign_request, Unsigned};
use super::signing_pair::SigningPair;
use crate::error::Result;

/// A TPP's certificate and private key: it signs requests as the contract requires (contract: Authentication).
pub struct Signer(SigningPair);

impl Signer {
    /// A certificate (PEM or DER; of several in PEM the first) and its RSA key of 2048 to 8192 bits (PKCS#8 or
    /// PKCS#1, unencrypted, PEM or DER).
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for a certificate or a key that cannot be read, for a certificate that may not sign, and
    /// for two that do not belong together.
    pub fn new(certificate: &[u8], private_key: &[u8]) -> Result<Self> {
        SigningPair::read("signer", certificate, private_key).map(Self)
    }

    /// The certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.0.certificate
    }

    /// The given header fields and, where they are absent, `Date`, `X-Request-ID`, `Digest` (for a body, and for every
    /// POST, PUT and PATCH), `TPP-Signature-Certificate` and `Signature`.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal) where signing fails.
    pub fn sign(
        &self,
        request: Unsigned<'_>,
        now: DateTime<Utc>,
        request_id: Uuid,
    ) -> Result<Vec<(String, String)>> {
        let SigningPair { certificate, key } = &self.0;
        sign_request(certificate, key, request, now, request_id)
    }
}

/// Shows nothing of the key.
impl fmt::Debug for Signer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Signer({:?})", self.certificate())
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::policy::KeyIdIssuer;
    use crate::sandbox::pki::{TestPki, TEST_KEYS_PEM};
    use crate::tpp::role::Roles;
    use crate::tpp::trust::TrustAnchors;
    use crate::tpp::verify::{verify_request, SignedRequest};

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000, 0).unwrap()
    }

    #[test]
    fn a_request_of_a_signer_verifies() {
        let pki = TestPki::new().unwrap();
        let mut anchors = TrustAnchors::new();
        anchors.add(pki.root().clone());
        let issued = pki.issue("Acme", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        let (pem, key) = (issued.certificate().to_pem(), issued.private_key_pem());
        let signer = Signer::new(pem.as_bytes(), key.as_bytes()).unwrap();
        let unsigned = Unsigned { method: "POST", target: "/v1/x", headers: &[], body: b"{}" };
        let headers = signer.sign(unsigned, now(), Uuid::nil()).unwrap();
        let fields = headers.as_slice();
        let request = SignedRequest { method: "POST", target: "/v1/x", fields, body: b"{}" };
        let found = verify_request(&request, now(), Some(&anchors), KeyIdIssuer::Lenient);
        assert_eq!(found.refusal, None);
    }

    #[test]
    fn a_key_of_another_certificate_is_refused_and_none_is_shown() {
        let pki = TestPki::new().unwrap();
        let issued = pki.issue("Acme", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        let pem = issued.certificate().to_pem();
        let refused = Signer::new(pem.as_bytes(), TEST_KEYS_PEM[1].as_bytes()).unwrap_err();
        assert!(refused.text().starts_with("signer: the private key is not that"), "{refused}");
        let signer = Signer::new(pem.as_bytes(), issued.private_key_pem().as_bytes()).unwrap();
        assert_eq!(format!("{signer:?}"), format!("Signer({:?})", issued.certificate()));
    }
}
