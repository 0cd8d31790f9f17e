//! The certificates that the host trusts.
//!
//! Every certificate that the host gives is trusted, as it is: an authority (root or intermediate) ends the chain of
//! what it issued, whether or not it is self-signed; a certificate that is no authority is trusted as itself alone, and
//! not as an issuer.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::bundle::{parse_bundle, BundleFault};
use super::certificate::Certificate;

/// A set of trusted certificates.
#[derive(Debug, Clone, Default)]
pub struct TrustAnchors {
    by_subject: HashMap<String, Vec<Arc<Certificate>>>,
    /// Of all of them: thousands may have one name.
    fingerprints: HashSet<[u8; 32]>,
}

impl TrustAnchors {
    /// A set without certificates: every chain is unknown to it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The certificates of a PEM bundle, or the one of DER, or of base64 of DER. Other PEM blocks and text outside of
    /// blocks are skipped.
    ///
    /// # Errors
    /// The bundle ends within a block, or a certificate cannot be decoded.
    pub fn from_bundle(bundle: &[u8]) -> Result<Self, BundleFault> {
        let mut anchors = Self::new();
        anchors.add_bundle(bundle)?;
        Ok(anchors)
    }

    /// Adds the certificates of a bundle and gives how many were new. Nothing is added on an error.
    ///
    /// # Errors
    /// As [`Self::from_bundle`].
    pub fn add_bundle(&mut self, bundle: &[u8]) -> Result<usize, BundleFault> {
        let certificates = parse_bundle(bundle)?;
        Ok(certificates.into_iter().map(|certificate| self.add(certificate)).filter(|new| *new).count())
    }

    /// Adds one certificate; false where it is there already.
    pub fn add(&mut self, certificate: impl Into<Arc<Certificate>>) -> bool {
        let certificate = certificate.into();
        let new = self.fingerprints.insert(*certificate.fingerprint());
        if new {
            self.by_subject.entry(certificate.subject().folded_key()).or_default().push(certificate);
        }
        new
    }

    /// Whether this very certificate is trusted.
    pub fn contains(&self, certificate: &Certificate) -> bool {
        self.fingerprints.contains(certificate.fingerprint())
    }

    /// The certificates, in no particular order.
    pub fn certificates(&self) -> impl Iterator<Item = &Arc<Certificate>> {
        self.by_subject.values().flatten()
    }

    /// How many certificates there are.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Whether there is no certificate.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// The certificates with the subject, given as its folded key.
    pub(super) fn named(&self, subject: &str) -> &[Arc<Certificate>] {
        self.by_subject.get(subject).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::reason::Reason;
    use crate::sandbox::pki::{ROOT_PEM, TEST_KEYS_PEM};

    #[test]
    fn a_certificate_is_kept_once() {
        let mut anchors = TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap();
        assert_eq!(anchors.add_bundle(ROOT_PEM.as_bytes()).unwrap(), 0);
        assert_eq!((anchors.len(), anchors.is_empty(), anchors.certificates().count()), (1, false, 1));
        assert!(TrustAnchors::new().is_empty());
    }

    #[test]
    fn keys_beside_the_certificates_are_skipped_and_keys_alone_refused() {
        let mixed = format!("{}{ROOT_PEM}", TEST_KEYS_PEM[0]);
        assert_eq!(TrustAnchors::from_bundle(mixed.as_bytes()).unwrap().len(), 1);
        let alone = TrustAnchors::from_bundle(TEST_KEYS_PEM[0].as_bytes()).unwrap_err();
        assert_eq!(alone.violation.reason, Reason::CertificateNotDecodable);
    }

    #[test]
    fn nothing_is_added_of_a_bundle_with_a_fault() {
        let mut anchors = TrustAnchors::new();
        let bundle = format!("{ROOT_PEM}-----BEGIN CERTIFICATE-----AQID-----END CERTIFICATE-----");
        assert_eq!(
            anchors.add_bundle(bundle.as_bytes()).unwrap_err().violation.reason,
            Reason::CertificateMalformed
        );
        assert!(anchors.is_empty());
    }
}
