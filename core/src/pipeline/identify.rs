//! Stage 2: the certificate, its chain to a trust anchor, validity and revocation. No network is called.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::parse::Parsed;
use super::parts::Parts;
use super::stop::Stop;
use crate::crypto::sha256;
use crate::env::revocation::{IssuedCertificate, RevocationStatus};
use crate::policy::Unknown;
use crate::reason::{Reason, Refusal, Violation};
use crate::tpp::certificate::Certificate;
use crate::tpp::chain::Path;
use crate::tpp::verify::Identity;

const HEADER: &str = "TPP-Signature-Certificate";

/// A request whose certificate counts at this moment.
pub(crate) struct Identified<'r> {
    parsed: Parsed<'r>,
    identity: Arc<Identity>,
    anchor_sha256: [u8; 32],
}

impl<'r> Identified<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        &self.parsed
    }

    pub(crate) fn certificate(&self) -> &Certificate {
        &self.identity.certificate
    }

    /// SHA-256 of the trust anchor the chain ends at.
    pub(crate) fn anchor_sha256(&self) -> [u8; 32] {
        self.anchor_sha256
    }
}

/// Finds out whose certificate it is, and whether it counts.
pub(crate) fn identify<'r>(
    parsed: Parsed<'r>,
    parts: &Parts,
    now: DateTime<Utc>,
) -> Result<Identified<'r>, Stop> {
    let header = parsed.headers().get(HEADER).ok_or_else(|| Refusal::at(Reason::HeaderMissing, HEADER))?;
    let header_sha256 = sha256(&header);
    let identity = match parts.chains().get(&header_sha256) {
        Some(seen) => seen,
        None => parts.with_trust(|anchors| -> Result<_, Refusal> {
            let fresh = Arc::new(Identity::from_header(&header, anchors)?);
            // Kept while the anchors are held, so that no chain outlives the trust it was found under.
            parts.chains().insert(header_sha256, Arc::clone(&fresh));
            Ok(fresh)
        })?,
    };
    let anchor_sha256 = valid_anchor(&identity, parts, now)?;
    let wanted = parts.policy().certificate_type;
    if !identity.certificate.qualification().satisfies(wanted) {
        let violation = Violation::with(Reason::CertificateTypeRefused, &[&wanted.name()]);
        return Err(Refusal::at(violation, HEADER).into());
    }
    Ok(Identified { parsed, identity, anchor_sha256 })
}

/// The anchor of the first way to trust that is valid, and of which no certificate is revoked. Where there is none,
/// the first valid way's fault answers.
fn valid_anchor(identity: &Identity, parts: &Parts, now: DateTime<Utc>) -> Result<[u8; 32], Stop> {
    let at_header = |violation| Refusal::at(violation, HEADER);
    identity.chain.valid_at(now).map_err(at_header)?;
    let mut first_fault = None;
    for path in identity.chain.paths().filter(|path| path.check_at(now).is_ok()) {
        match revocation_fault(path, parts, now)? {
            None => {
                let anchor = path.certificates().last().map(|anchor| *anchor.fingerprint());
                return anchor.ok_or_else(|| Reason::Internal.into());
            }
            Some(fault) => _ = first_fault.get_or_insert(fault),
        }
    }
    Err(Refusal::at(first_fault.unwrap_or(Reason::CertificateRevoked), HEADER).into())
}

/// Why a way does not count by the revocation of its certificates, the anchor excepted. A leaf that is trusted itself
/// is asked about too.
fn revocation_fault(path: &Path, parts: &Parts, now: DateTime<Utc>) -> Result<Option<Reason>, Stop> {
    let certificates = path.certificates();
    let issued = certificates.len().saturating_sub(1).max(1);
    let issuers = certificates.iter().skip(1).map(Some).chain([None]);
    let mut fault = None;
    for (certificate, issuer) in certificates.iter().zip(issuers).take(issued) {
        let status = parts.revocation().status(&IssuedCertificate {
            issuer_der: certificate.issuer_der(),
            issuer_key: issuer.map(|issuer| issuer.public_key()),
            serial: certificate.serial_number().as_bytes(),
            at: now,
        })?;
        let reason = match (status, parts.policy()) {
            (RevocationStatus::Revoked, _) => return Ok(Some(Reason::CertificateRevoked)),
            (RevocationStatus::Stale, policy) if policy.stale_crl == Unknown::Refuse => {
                Reason::RevocationListStale
            }
            (RevocationStatus::Unlisted, policy) if policy.missing_crl == Unknown::Refuse => {
                Reason::RevocationListMissing
            }
            _ => continue,
        };
        fault = fault.or(Some(reason));
    }
    Ok(fault)
}
