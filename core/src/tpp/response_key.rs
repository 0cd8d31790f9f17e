//! What a bank signs its answers with (contract: Authentication, 8): in the form in which requests are signed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use super::bundle::parse_certificate;
use super::certificate::Certificate;
use super::digest::{digest, DigestAlgorithm};
use super::sign::signature_value;
use super::signing_pair::SigningPair;
use super::signing_string::{signing_string, Fields};
use crate::crypto::RsaPrivateKey;
use crate::env::response_signer::ResponseSigner;
use crate::error::{Error, Result};
use crate::reason::{Language, Violation};

/// The header of an answer that carries the bank's certificate: base64 of DER in one line. The contract has no name
/// for it; this is the one that other platforms of the field use.
pub const CERTIFICATE_HEADER: &str = "ASPSP-Signature-Certificate";

/// What an answer's signature covers, where the answer has it.
const NAMES: [&str; 3] = ["date", "digest", "x-request-id"];

/// A bank's seal: a certificate, and the private key that belongs to it or a function that signs with it.
pub struct ResponseKey {
    certificate: Certificate,
    key: Key,
    certificate_header: String,
    /// Whether the last signature failed.
    fails: AtomicBool,
}

enum Key {
    Here(Box<RsaPrivateKey>),
    /// In hardware or in a service, behind a function of the host.
    AtHost(Arc<dyn ResponseSigner>),
}

/// What is signed to learn whether a key works.
const PROBE: &[u8] = b"xs2a: signing pair";

impl ResponseKey {
    /// A certificate (PEM or DER; of several in PEM the first) and its RSA key of 2048 to 8192 bits (PKCS#8 or
    /// PKCS#1, unencrypted, PEM or DER).
    ///
    /// # Errors
    /// [`Error::Config`] for a certificate or a key that cannot be read, for a certificate that may not sign, and
    /// for two that do not belong together.
    pub fn new(certificate: &[u8], private_key: &[u8]) -> Result<Self> {
        let SigningPair { certificate, key } = SigningPair::read("response key", certificate, private_key)?;
        Ok(Self::of(certificate, Key::Here(Box::new(key))))
    }

    /// A certificate (PEM or DER; of several in PEM the first) and a function that signs with its RSA key of 2048 to
    /// 8192 bits, which is elsewhere. The function is called once, and each of its signatures is verified with the
    /// certificate.
    ///
    /// # Errors
    /// [`Error::Config`] for a certificate that cannot be read or that may not sign, and for a signature that does not
    /// verify; the errors of `signer`.
    pub fn with_signer(certificate: &[u8], signer: Arc<dyn ResponseSigner>) -> Result<Self> {
        let unusable =
            |fault: Violation| Error::Config(format!("response key: {}", fault.text(Language::English)));
        let certificate = parse_certificate(certificate).map_err(unusable)?;
        certificate.check_signer().map_err(unusable)?;
        let key = Self::of(certificate, Key::AtHost(signer));
        key.signature(PROBE)?;
        Ok(key)
    }

    fn of(certificate: Certificate, key: Key) -> Self {
        let certificate_header = STANDARD.encode(certificate.der());
        Self { certificate, key, certificate_header, fails: AtomicBool::new(false) }
    }

    /// The certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Whether the last signature failed, or is not one of the certificate's key.
    pub(crate) fn fails(&self) -> bool {
        self.fails.load(Ordering::Relaxed)
    }

    /// Notes that the function panicked.
    pub(crate) fn note_panic(&self) {
        self.fails.store(true, Ordering::Relaxed);
    }

    /// Signs again after a failure, so that a call is refused before it changes anything while the key fails.
    ///
    /// # Errors
    /// As [`ResponseKey::sign`].
    pub(crate) fn check(&self) -> Result<()> {
        match self.fails() {
            true => self.signature(PROBE).map(drop),
            false => Ok(()),
        }
    }

    /// The signature over a text. One by a function of the host is verified: no answer has a wrong one.
    fn signature(&self, text: &[u8]) -> Result<Vec<u8>> {
        let signature = match &self.key {
            Key::Here(key) => key.sign_sha256(text).ok_or_else(|| Error::Internal("signing".to_owned())),
            Key::AtHost(signer) => {
                signer.sign(self.certificate.der(), text).and_then(|signature| self.verified(text, signature))
            }
        };
        self.fails.store(signature.is_err(), Ordering::Relaxed);
        signature
    }

    fn verified(&self, text: &[u8], signature: Vec<u8>) -> Result<Vec<u8>> {
        match self.certificate.rsa_key().is_some_and(|key| key.verify_sha256(text, &signature)) {
            true => Ok(signature),
            false => Err(Error::Config(
                "response key: what the function signed does not verify with the key of the certificate"
                    .to_owned(),
            )),
        }
    }

    /// The header fields that sign an answer: `Digest` over the bytes that are sent, the certificate, and a
    /// `Signature` over `Date`, `Digest` and `X-Request-ID`, where the answer has them.
    ///
    /// # Errors
    /// [`Error::Internal`] where signing fails; the errors of a function that signs, and [`Error::Config`] for its
    /// signature that does not verify.
    pub fn sign<N: AsRef<str>, V: AsRef<str>>(
        &self,
        headers: &[(N, V)],
        body: &[u8],
    ) -> Result<[(&'static str, String); 3]> {
        let digest = digest(body, DigestAlgorithm::Sha256);
        let mut signed: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
        signed.push(("digest", &digest));
        let names: Vec<_> = NAMES.into_iter().filter(|name| signed.value(name).is_some()).collect();
        let text = signing_string("", "", signed.as_slice(), &names)
            .map_err(|_| Error::Internal("signing string".to_owned()))?;
        let signature = signature_value(&self.certificate, &names, &self.signature(&text)?);
        let certificate = self.certificate_header.clone();
        Ok([("Digest", digest), (CERTIFICATE_HEADER, certificate), ("Signature", signature)])
    }
}

/// Shows nothing of the key.
impl fmt::Debug for ResponseKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ResponseKey({:?})", self.certificate)
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::{TestPki, TEST_KEYS_PEM};
    use crate::tpp::role::Roles;

    fn refused(certificate: &[u8], key: &[u8]) -> String {
        match ResponseKey::new(certificate, key) {
            Err(Error::Config(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_certificate_and_a_key_that_are_no_pair_are_refused() {
        let bank = TestPki::new().unwrap().issue("Bank", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        let (pem, der) = (bank.certificate().to_pem(), bank.certificate().der());
        let key = bank.private_key_pem();
        for certificate in [pem.as_bytes(), der] {
            assert!(ResponseKey::new(certificate, key.as_bytes()).is_ok());
            assert!(refused(certificate, TEST_KEYS_PEM[1].as_bytes()).contains("not that of the certificate"));
            assert!(refused(certificate, b"-----BEGIN PRIVATE KEY-----").contains("PKCS#8 or PKCS#1"));
            assert!(refused(certificate, b"").contains("PKCS#8 or PKCS#1"));
        }
        assert!(refused(key.as_bytes(), key.as_bytes()).starts_with("response key: "));
        // Its own authority's certificate may not sign answers.
        let root = crate::sandbox::pki::ROOT_PEM;
        assert!(refused(root.as_bytes(), key.as_bytes()).starts_with("response key: "));
    }

    #[test]
    fn nothing_of_the_key_is_shown() {
        let bank = TestPki::new().unwrap().issue("Bank", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        let key = ResponseKey::new(bank.certificate().der(), bank.private_key_pem().as_bytes()).unwrap();
        assert_eq!(format!("{key:?}"), format!("ResponseKey({:?})", bank.certificate()));
    }
}
