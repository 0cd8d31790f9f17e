//! Other trust anchors while the engine runs, and those that count for nothing.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Engine;
use crate::env::clock::within_calendar;
use crate::tpp::certificate::Certificate;
use crate::tpp::response_key::ResponseKey;
use crate::tpp::trust::TrustAnchors;
use crate::types::instant::rfc3339_seconds;

impl Engine {
    /// Puts other trust anchors in the place of those there are. From the next call on the new ones count alone; a
    /// call that is under way may still end under the old ones. Those whose validity is over, or yet to begin, are
    /// logged.
    pub fn replace_trust_anchors(&self, anchors: TrustAnchors) {
        self.logging.around(|| warn_of_invalid(&anchors, self.parts.clock.now()));
        self.parts.replace_trust(anchors);
    }
}

/// Every TPP below such an anchor is refused, with a date for a reason and no word of the anchor. A trusted list may
/// have hundreds of them, so that they make one line.
pub(super) fn warn_of_invalid(anchors: &TrustAnchors, now: DateTime<Utc>) {
    // A clock that cannot be right says nothing of an anchor; each call says so of the clock.
    if within_calendar(now).is_err() {
        return;
    }
    let is_invalid = |anchor: &&Arc<Certificate>| anchor.is_early_at(now) || anchor.is_expired_at(now);
    let invalid = || anchors.certificates().filter(is_invalid);
    let Some(latest) = invalid().max_by_key(|anchor| anchor.not_after()) else { return };
    tracing::warn!(
        anchors = invalid().count(),
        among = anchors.len(),
        subject = %latest.subject().to_string().escape_debug(),
        not_before = rfc3339_seconds(latest.not_before()),
        not_after = rfc3339_seconds(latest.not_after()),
        "trust anchors vouch for nobody: their validity is over or yet to begin; the one that lasts longest is named"
    );
}

/// TPPs that check the answers refuse each.
pub(super) fn warn_of_invalid_seal(key: &ResponseKey, now: DateTime<Utc>) {
    let certificate = key.certificate();
    let is_valid = !certificate.is_early_at(now) && !certificate.is_expired_at(now);
    if is_valid || within_calendar(now).is_err() {
        return;
    }
    tracing::warn!(
        not_before = rfc3339_seconds(certificate.not_before()),
        not_after = rfc3339_seconds(certificate.not_after()),
        "answers are signed with a certificate whose validity is over or yet to begin"
    );
}
