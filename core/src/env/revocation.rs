//! Revocation: which certificates stopped counting before they expire.

use crate::error::Result;

/// Tells which certificates are revoked. Looked at on every call, for every certificate of the chain but
/// its anchor.
pub trait Revocation: Send + Sync {
    /// Whether the certificate with this serial number (big-endian, no leading zeros) of this issuer
    /// (its distinguished name in DER) is revoked.
    ///
    /// # Errors
    /// Any [`Error`](crate::Error) of the source behind; the call is then answered SYSTEM_ERROR.
    fn is_revoked(&self, issuer_der: &[u8], serial: &[u8]) -> Result<bool>;
}

/// No list was supplied: nothing is revoked.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoRevocationList;

impl Revocation for NoRevocationList {
    fn is_revoked(&self, _issuer_der: &[u8], _serial: &[u8]) -> Result<bool> {
        Ok(false)
    }
}
