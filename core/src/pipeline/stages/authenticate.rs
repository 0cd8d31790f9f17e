//! Stage 3: Digest over the raw bytes, Date, the signed headers, the signature, the replay window.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::identify::Identified;
use super::parse::Parsed;
use crate::env::registry::Applicant;
use crate::handler_error::HandlerError;
use crate::pipeline::call_context::CallContext;
use crate::pipeline::replay_window::{replayed, used_at};
use crate::reason::Reason;
use crate::tpp::certificate::Certificate;
use crate::tpp::verify::SignedRequest;
use crate::types::CertificateHash;

/// A request that its TPP signed, for the first time.
pub(crate) struct Authentic<'r> {
    identified: Identified<'r>,
    tpp: Arc<str>,
    /// From when on its request id counts as used.
    used_at: DateTime<Utc>,
}

impl<'r> Authentic<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        self.identified.parsed()
    }

    pub(crate) fn certificate(&self) -> &Certificate {
        self.identified.certificate()
    }

    /// The organisation identifier of the TPP.
    pub(crate) fn tpp(&self) -> &Arc<str> {
        &self.tpp
    }

    /// From when on its request id counts as used.
    pub(crate) fn used_at(&self) -> DateTime<Utc> {
        self.used_at
    }

    /// The hash of the certificate that the call was made with.
    pub(crate) fn certificate_hash(&self) -> CertificateHash {
        CertificateHash::new(*self.identified.certificate().fingerprint())
    }

    /// What the register is asked.
    pub(crate) fn applicant(&self) -> Applicant<'_> {
        Applicant { organisation_id: &self.tpp, anchor_sha256: self.identified.anchor_sha256() }
    }
}

/// Verifies the signature and notes the request id.
pub(crate) fn authenticate(identified: Identified<'_>) -> Result<Authentic<'_>, HandlerError> {
    let parsed = identified.parsed();
    let CallContext { engine, request, policy, now, .. } = *parsed.context();
    let signed = SignedRequest {
        method: request.method,
        target: request.target,
        fields: parsed.headers(),
        body: request.body,
    };
    let date = identified.identity().authenticate(&signed, now, policy.key_id_issuer)?;
    let tpp = identified.certificate().shared_organisation_id();
    let tpp = tpp.ok_or(Reason::CertificateOrganisationMissing)?;
    let used_at = used_at(date, now);
    let request_id = parsed.call_headers().request_id.filter(|_| policy.replay_protection);
    if request_id.is_some_and(|request_id| !engine.replay_window.note(&tpp, request_id, used_at, now)) {
        return Err(replayed().into());
    }
    Ok(Authentic { identified, tpp, used_at })
}
