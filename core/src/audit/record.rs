//! What is kept of the audit.

use std::fmt;

use chrono::{DateTime, Utc};

use super::kind::AuditKind;
use crate::types::{Context, CorporateKey, PsuKey, RequestId};

/// One line of the audit. It is written once and never changed.
#[derive(Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// When it happened, by the engine's clock.
    pub at: DateTime<Utc>,
    /// What happened. Never [`AuditKind::PaymentStatus`]: the history of the payment holds those.
    pub kind: AuditKind,
    /// The id of what it happened to; [`Self::kind`] determines what the id names.
    pub id: Option<String>,
    /// The organisation identifier of the TPP. Of a refused call: the one in the certificate it showed.
    pub tpp: Option<String>,
    /// The person, by the bank's own reference.
    pub psu: Option<PsuKey>,
    /// The context that person acts in.
    pub context: Option<Context>,
    /// The corporate customer that person acts for, by the bank's own reference.
    pub corporate: Option<CorporateKey>,
    /// What caused it: the name of the operation, or what the host did, such as `sca completed`.
    pub cause: String,
    /// The X-Request-ID of the call that caused it.
    pub request_id: Option<RequestId>,
    /// Further details, as the text of a JSON object.
    pub details: Option<String>,
}

/// Log-safe: who the PSU is, from where they called, and the ids that open something are not shown.
impl fmt::Debug for AuditEvent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AuditEvent")
            .field("at", &self.at)
            .field("kind", &self.kind)
            .field("tpp", &self.tpp)
            .field("cause", &self.cause)
            .finish_non_exhaustive()
    }
}
