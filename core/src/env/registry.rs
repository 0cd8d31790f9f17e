//! The register of TPPs: a check beyond the certificate.

use crate::error::Result;

/// The TPP whose registration is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applicant<'a> {
    /// The organisation identifier in the certificate, such as `PSDNO-FSA-123456`.
    pub organisation_id: &'a str,
    /// SHA-256 of the trust anchor that the certificate chains to.
    pub anchor_sha256: [u8; 32],
}

/// Looks up which TPPs the competent authorities have registered. Called on every call of a TPP.
pub trait TppRegistry: Send + Sync {
    /// Whether the TPP is registered.
    ///
    /// # Errors
    /// Any [`Error`](crate::Error) of the register; the call is then answered SYSTEM_ERROR.
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool>;
}

/// A register that contains every TPP: only the certificate is checked.
#[derive(Debug, Default, Clone, Copy)]
pub struct EveryCertificateCounts;

impl TppRegistry for EveryCertificateCounts {
    fn is_registered(&self, _applicant: &Applicant<'_>) -> Result<bool> {
        Ok(true)
    }
}
