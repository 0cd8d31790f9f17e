//! Revocation: which certificates stopped counting before they expire.

use chrono::{DateTime, Utc};

use crate::error::Result;

/// The certificate that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssuedCertificate<'a> {
    /// The whole certificate in DER.
    pub der: &'a [u8],
    /// The certificate of its issuer in DER, as an OCSP request needs it. `None` as in `issuer_key`.
    pub issuer: Option<&'a [u8]>,
    /// The issuer's distinguished name in DER.
    pub issuer_der: &'a [u8],
    /// The issuer's key that verified the certificate: its SubjectPublicKeyInfo in DER. `None` if the certificate is
    /// itself a trust anchor, because then its issuer is not looked up.
    pub issuer_key: Option<&'a [u8]>,
    /// The serial number: big-endian, no leading zeros.
    pub serial: &'a [u8],
    /// Whether its basicConstraints say that it is an authority's.
    pub is_authority: bool,
    /// The value of its extension cRLDistributionPoints (RFC 5280 section 4.2.1.13) in DER, empty where it has none.
    pub distribution_points: &'a [u8],
    /// The time of the call.
    pub at: DateTime<Utc>,
}

/// What is known of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RevocationStatus {
    /// A current list of its issuer, or a current answer about it, does not revoke it.
    Good,
    /// It is revoked, or on hold.
    Revoked,
    /// The lists of its issuer do not have it, but none of them, and no answer, is current. Policy `stale_crl` decides.
    Stale,
    /// There is no list of its issuer that covers it, and no answer. Policy `missing_crl` decides.
    Unlisted,
}

/// Looks up which certificates are revoked. Called on every call of a TPP, for every certificate of the chain except
/// its anchor.
pub trait Revocation: Send + Sync {
    /// What is known of the certificate.
    ///
    /// # Errors
    /// Any [`Error`](crate::Error) of the source; the call is then answered SYSTEM_ERROR.
    fn status(&self, certificate: &IssuedCertificate<'_>) -> Result<RevocationStatus>;
}

/// No list was supplied.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoRevocationList;

impl Revocation for NoRevocationList {
    fn status(&self, _certificate: &IssuedCertificate<'_>) -> Result<RevocationStatus> {
        Ok(RevocationStatus::Unlisted)
    }
}
