//! Certificates of the host that make every call fail, or every answer, because they are expired or not yet valid,
//! because their keys are not supported, or because there are none. They are logged when they are put in place, because
//! the cause is in no single call that could report it.

use chrono::{DateTime, Utc};

use crate::env::clock::within_calendar;
use crate::pipeline::engine_context::EngineContext;
use crate::tpp::certificate::Certificate;
use crate::tpp::response_key::ResponseKey;
use crate::tpp::trust::TrustAnchors;
use crate::types::instant::rfc3339_seconds;

/// Those that an engine begins with.
pub(super) fn warn_of_certificates(engine: &EngineContext) {
    let now = engine.clock.now();
    engine.with_trust(|anchors| warn_of_anchors(anchors, now));
    if let Some(key) = engine.response_key() {
        warn_of_seal(&key, now);
    }
}

/// Every TPP below such an anchor is refused, and the refusal gives a date but not the anchor. A trusted list may have
/// hundreds of anchors, so they are logged in one line.
pub(super) fn warn_of_anchors(anchors: &TrustAnchors, now: DateTime<Utc>) {
    if anchors.is_empty() {
        tracing::warn!("there are no trust anchors: every TPP is refused");
    }
    warn_of_keys(anchors);
    let invalid = || anchors.certificates().filter(|anchor| is_invalid(anchor, now));
    let Some(latest) = invalid().max_by_key(|anchor| anchor.not_after()) else { return };
    tracing::warn!(
        anchors = invalid().count(),
        among = anchors.len(),
        subject = latest.subject().to_string(),
        not_before = rfc3339_seconds(latest.not_before()),
        not_after = rfc3339_seconds(latest.not_after()),
        "no trust anchor is valid now: expired or not yet valid; the one that is valid longest is named"
    );
}

/// A refusal of a TPP below such an anchor names the kind of the key; the log also names the anchor.
fn warn_of_keys(anchors: &TrustAnchors) {
    let refused = || anchors.certificates().filter_map(|anchor| Some((anchor, anchor.refused_key()?)));
    let Some((latest, key)) = refused().max_by_key(|(anchor, _)| anchor.not_after()) else { return };
    tracing::warn!(
        anchors = refused().count(),
        among = anchors.len(),
        subject = latest.subject().to_string(),
        %key,
        "trust anchors are ignored: their keys are not supported; the one that is valid longest is named"
    );
}

/// TPPs that check the answers refuse each.
pub(super) fn warn_of_seal(key: &ResponseKey, now: DateTime<Utc>) {
    let certificate = key.certificate();
    if is_invalid(certificate, now) {
        tracing::warn!(
            not_before = rfc3339_seconds(certificate.not_before()),
            not_after = rfc3339_seconds(certificate.not_after()),
            "answers are signed with a certificate that is expired or not yet valid"
        );
    }
}

/// Never by a clock that cannot be right: each call says so of the clock.
pub(super) fn is_invalid(certificate: &Certificate, now: DateTime<Utc>) -> bool {
    within_calendar(now).is_ok() && (certificate.is_early_at(now) || certificate.is_expired_at(now))
}
