//! The interface to what finds the mistake behind a refusal. A production engine has none.

use chrono::{DateTime, Utc};

use crate::policy::Policy;
use crate::tpp::trust::TrustAnchors;
use crate::wire::request::Request;

/// A call that is refused, and what the engine knows beside it.
pub(crate) struct RefusedRequest<'r> {
    pub(crate) request: &'r Request<'r>,
    /// The id of the reason, such as `SIG-13`.
    pub(crate) reason: &'static str,
    pub(crate) now: DateTime<Utc>,
    pub(crate) policy: &'r Policy,
    pub(crate) trust_anchors: TrustAnchors,
}

/// A mistake that is proven.
pub(crate) struct ShownMistake {
    /// Its id, such as `trailing-newline`.
    pub(crate) id: &'static str,
    /// What was done, and what to do instead.
    pub(crate) text: String,
}

/// Searches for the mistake behind a refusal.
pub(crate) trait RefusalExplainer: Send + Sync {
    /// `None` if authentication did not refuse the call, or if no mistake is proven.
    fn mistake(&self, refused: RefusedRequest<'_>) -> Option<ShownMistake>;
}
