//! A certificate and the private key that belongs to it, as an operator or a client keeps them.

use super::bundle::parse_certificate;
use super::certificate::Certificate;
use crate::crypto::RsaPrivateKey;
use crate::error::{Error, Result};
use crate::reason::{Language, Violation};

/// What signs.
pub(super) struct SigningPair {
    pub(super) certificate: Certificate,
    pub(super) key: RsaPrivateKey,
}

impl SigningPair {
    /// A certificate (PEM or DER; of several in PEM the first) and its RSA key of 2048 to 8192 bits (PKCS#8 or
    /// PKCS#1, unencrypted, PEM or DER). `place` begins the text of an error.
    ///
    /// # Errors
    /// [`Error::Config`] for a certificate or a key that cannot be read, for a certificate that may not sign, and
    /// for two that do not belong together.
    pub(super) fn read(place: &str, certificate: &[u8], private_key: &[u8]) -> Result<Self> {
        let config = |why: &str| Error::Config(format!("{place}: {why}"));
        let unusable = |violation: Violation| config(&violation.text(Language::English));
        let certificate = parse_certificate(certificate).map_err(unusable)?;
        certificate.check_signer().map_err(unusable)?;
        let unreadable = "the private key is no unencrypted RSA key in PKCS#8 or PKCS#1 of 2048 to 8192 bits";
        let key = RsaPrivateKey::read(private_key).ok_or_else(|| config(unreadable))?;
        let pair = Self { certificate, key };
        match pair.belongs_together() {
            true => Ok(pair),
            false => Err(config("the private key is not that of the certificate")),
        }
    }

    /// Whether the certificate verifies what the key signs.
    fn belongs_together(&self) -> bool {
        let probe = b"xs2a: signing pair";
        let signature = self.key.sign_sha256(probe).unwrap_or_default();
        self.certificate.rsa_key().is_some_and(|public| public.verify_sha256(probe, &signature))
    }
}
