//! The register of TPPs: a check beyond the certificate.

use std::sync::Arc;

use crate::error::Result;

/// The TPP whose registration is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applicant<'a> {
    /// The organisation identifier in the certificate, such as `PSDNO-FSA-123456`.
    pub organisation_id: &'a str,
    /// SHA-256 of the trust anchor that the certificate chains to.
    pub anchor_sha256: [u8; 32],
}

/// What a register has of a TPP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The name that the register has, for the bank's SCA site to show. `None`: that of the certificate is shown.
    pub name: Option<Arc<str>>,
    /// Whether the TPP may provide account information services in the bank's country.
    pub account_information: bool,
    /// Whether the TPP may provide payment initiation services in the bank's country.
    pub payment_initiation: bool,
}

impl Registration {
    /// A registration that restricts nothing: the roles of the certificate decide.
    pub const UNRESTRICTED: Self = Self { name: None, account_information: true, payment_initiation: true };
}

/// Looks up which TPPs the competent authorities have registered. Called on every call of a TPP.
pub trait TppRegistry: Send + Sync {
    /// Whether the TPP is registered.
    ///
    /// # Errors
    /// Any [`Error`](crate::Error) of the register; the call is then answered SYSTEM_ERROR.
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool>;

    /// What the register has of the TPP; `None` if the TPP is not registered. The engine calls this one. By default a
    /// TPP that is registered is not restricted; a register with services and names implements it.
    ///
    /// # Errors
    /// As [`TppRegistry::is_registered`].
    fn registration(&self, applicant: &Applicant<'_>) -> Result<Option<Registration>> {
        Ok(self.is_registered(applicant)?.then_some(Registration::UNRESTRICTED))
    }
}

/// A register that contains every TPP: only the certificate is checked.
#[derive(Debug, Default, Clone, Copy)]
pub struct EveryCertificateCounts;

impl TppRegistry for EveryCertificateCounts {
    fn is_registered(&self, _applicant: &Applicant<'_>) -> Result<bool> {
        Ok(true)
    }
}
