//! Whether a verified chain counts at a moment: validity first, then revocation. Nothing here is kept: a chain stays
//! verified, and stops counting when a certificate in it expires or is revoked.

use chrono::{DateTime, Utc};

use crate::env::revocation::{IssuedCertificate, Revocation, RevocationStatus};
use crate::error::Result;
use crate::policy::{OnUnknownRevocation, Policy};
use crate::reason::{Reason, Violation};
use crate::tpp::chain::{Chain, Path};

/// The first way to trust that is valid, and of which no certificate is revoked. Where there is none, the first valid
/// way's fault answers.
///
/// # Errors
/// The outer one is that of `revocation`. The inner one is [`Reason::CertificateNotYetValid`],
/// [`Reason::CertificateExpired`], [`Reason::CertificateRevoked`], [`Reason::RevocationListStale`] or
/// [`Reason::RevocationListMissing`].
pub fn counting_path<'c>(
    chain: &'c Chain,
    revocation: &dyn Revocation,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<std::result::Result<&'c Path, Violation>> {
    if let Err(invalid) = chain.valid_at(now) {
        return Ok(Err(invalid));
    }
    let mut first_fault = None;
    for path in chain.paths().filter(|path| path.check_at(now).is_ok()) {
        match revocation_fault(path, revocation, policy, now)? {
            None => return Ok(Ok(path)),
            Some(fault) => _ = first_fault.get_or_insert(fault),
        }
    }
    Ok(Err(first_fault.unwrap_or(Reason::CertificateRevoked).into()))
}

/// Why a way does not count by the revocation of its certificates, the anchor excepted. A leaf that is trusted itself
/// is asked about too.
fn revocation_fault(
    path: &Path,
    revocation: &dyn Revocation,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<Option<Reason>> {
    let certificates = path.certificates();
    let issued = certificates.len().saturating_sub(1).max(1);
    let issuers = certificates.iter().skip(1).map(Some).chain([None]);
    let mut fault = None;
    for (certificate, issuer) in certificates.iter().zip(issuers).take(issued) {
        let status = revocation.status(&IssuedCertificate {
            der: certificate.der(),
            issuer: issuer.map(|issuer| issuer.der()),
            issuer_der: certificate.issuer_der(),
            issuer_key: issuer.map(|issuer| issuer.public_key()),
            serial: certificate.serial_number().as_bytes(),
            is_authority: certificate.names_an_authority(),
            distribution_points: certificate.distribution_points(),
            at: now,
        })?;
        let reason = match status {
            RevocationStatus::Revoked => return Ok(Some(Reason::CertificateRevoked)),
            RevocationStatus::Stale if policy.stale_crl == OnUnknownRevocation::Refuse => {
                Reason::RevocationListStale
            }
            RevocationStatus::Unlisted if policy.missing_crl == OnUnknownRevocation::Refuse => {
                Reason::RevocationListMissing
            }
            _ => continue,
        };
        fault = fault.or(Some(reason));
    }
    Ok(fault)
}
