//! Stage 2: the certificate, its chain to a trust anchor, validity and revocation. No network is called.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::parse::Parsed;
use super::parts::Parts;
use super::stop::Stop;
use crate::crypto::sha256;
use crate::env::revocation::Revocation;
use crate::reason::{Reason, Refusal};
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
    let anchor_sha256 = valid_anchor(&identity, parts.revocation(), now)?;
    Ok(Identified { parsed, identity, anchor_sha256 })
}

/// The anchor of the first way to trust that is valid and not revoked.
fn valid_anchor(
    identity: &Identity,
    revocation: &dyn Revocation,
    now: DateTime<Utc>,
) -> Result<[u8; 32], Stop> {
    let at_header = |violation| Refusal::at(violation, HEADER);
    identity.chain.valid_at(now).map_err(at_header)?;
    for path in identity.chain.paths().filter(|path| path.check_at(now).is_ok()) {
        if !is_revoked(path, revocation)? {
            let anchor = path.certificates().last().map(|anchor| *anchor.fingerprint());
            return anchor.ok_or_else(|| Reason::Internal.into());
        }
    }
    Err(Refusal::at(Reason::CertificateRevoked, HEADER).into())
}

/// Whether any certificate of the way but its anchor is revoked.
fn is_revoked(path: &Path, revocation: &dyn Revocation) -> Result<bool, Stop> {
    let issued = path.certificates().len().saturating_sub(1);
    for certificate in path.certificates().iter().take(issued.max(1)) {
        if revocation.is_revoked(certificate.issuer_der(), certificate.serial_number().as_bytes())? {
            return Ok(true);
        }
    }
    Ok(false)
}
