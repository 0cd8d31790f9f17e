//! What an explanation may use beside the request.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::env::clock::{Clock, SystemClock};
use crate::policy::KeyIdIssuer;
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;
use crate::wire::request::Request;

/// What [`explain`](super::explain) may use beside the request. All of it is optional.
#[derive(Clone)]
pub struct ExplainOptions<'a> {
    /// The bank's clock when the request was refused; the present by default.
    pub now: Option<DateTime<Utc>>,
    /// Certificates of other TPPs, and earlier ones of this TPP.
    pub certificates: Vec<Arc<Certificate>>,
    /// Paths that a gateway may add or strip before the bank's own, such as `/psd2`.
    pub base_paths: Vec<String>,
    /// Calls before this one.
    pub earlier: Vec<Request<'a>>,
    /// What certificates must chain to; `None`: neither chain nor validity is checked.
    pub trust_anchors: Option<TrustAnchors>,
    /// How keyId's issuer is compared.
    pub key_id_issuer: KeyIdIssuer,
    /// How long a search may take; 50 ms by default.
    pub budget: Duration,
    /// The clock that the budget is measured by; the machine's by default.
    pub clock: &'a dyn Clock,
}

impl Default for ExplainOptions<'_> {
    fn default() -> Self {
        Self {
            now: None,
            certificates: Vec::new(),
            base_paths: Vec::new(),
            earlier: Vec::new(),
            trust_anchors: None,
            key_id_issuer: KeyIdIssuer::Lenient,
            budget: Duration::from_millis(50),
            clock: &SystemClock,
        }
    }
}
