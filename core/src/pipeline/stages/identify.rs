//! Stage 2: the certificate, its chain to a trust anchor, validity and revocation. No network is called.

use std::sync::Arc;

use super::parse::Parsed;
use crate::handler_error::HandlerError;
use crate::pipeline::call_context::CallContext;
use crate::reason::{Reason, Refusal, Violation};
use crate::tpp::certificate::Certificate;
use crate::tpp::verify::Identity;
use crate::trust::chain_status::counting_path;
use crate::wire::headers::TPP_CERTIFICATE;

/// A request whose certificate counts at this moment.
pub(crate) struct Identified<'r> {
    parsed: Box<Parsed<'r>>,
    identity: Arc<Identity>,
    anchor_sha256: [u8; 32],
}

impl<'r> Identified<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        &self.parsed
    }

    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
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
pub(crate) fn identify(parsed: Box<Parsed<'_>>) -> Result<Identified<'_>, HandlerError> {
    let CallContext { engine, policy, .. } = *parsed.context();
    let header = parsed
        .headers()
        .get(TPP_CERTIFICATE)
        .ok_or_else(|| Refusal::at(Reason::HeaderMissing, TPP_CERTIFICATE))?;
    let identity = match engine.chains.get(&header) {
        Some(seen) => seen,
        None => engine.with_trust(|anchors| -> Result<_, Refusal> {
            let fresh = Arc::new(Identity::from_header(&header, anchors)?);
            // Kept while the anchors are held, so that no chain outlives the trust it was found under.
            engine.chains.insert(&header, Arc::clone(&fresh));
            Ok(fresh)
        })?,
    };
    let anchor_sha256 = valid_anchor(&identity, parsed.context())?;
    let wanted = policy.certificate_type;
    if !identity.certificate.qualification().satisfies(wanted) {
        let violation = Violation::with(Reason::CertificateTypeRefused, &[&wanted.name()]);
        return Err(Refusal::at(violation, TPP_CERTIFICATE).into());
    }
    Ok(Identified { parsed, identity, anchor_sha256 })
}

/// SHA-256 of the anchor at the end of the chain that counts now.
fn valid_anchor(identity: &Identity, context: &CallContext<'_>) -> Result<[u8; 32], HandlerError> {
    let CallContext { engine, policy, now, .. } = *context;
    let found = counting_path(&identity.chain, engine.revocation(), policy, now)?;
    let path = found.map_err(|violation| Refusal::at(violation, TPP_CERTIFICATE))?;
    let anchor = path.certificates().last().map(|anchor| *anchor.fingerprint());
    anchor.ok_or_else(|| Reason::Internal.into())
}
