//! The mistake behind a refusal, shown to the TPP. Only a sandbox does so, if its policy has `explain_to_tpp`.

use super::call_context::CallContext;
use super::refusal_explainer::{RefusedRequest, ShownMistake};
use crate::handler_error::HandlerError;
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::tpp::trust::TrustAnchors;

/// Adds the mistake as a warning. Without an explainer nothing is searched, and the error stays as it is.
pub(crate) fn with_mistake(context: &CallContext<'_>, error: HandlerError) -> HandlerError {
    match error {
        HandlerError::Refused(refusal) => {
            HandlerError::Refused(match mistake(context, refusal.reason().id()) {
                Some(mistake) => with_warning(refusal, &mistake),
                None => refusal,
            })
        }
        failed @ HandlerError::Failed(_) => failed,
    }
}

fn mistake(context: &CallContext<'_>, reason: &'static str) -> Option<ShownMistake> {
    let CallContext { engine, request, policy, now, .. } = *context;
    let explainer = engine.explainer.as_ref().filter(|_| policy.shows_mistakes())?;
    let trust_anchors = engine.with_trust(TrustAnchors::clone);
    explainer.mistake(RefusedRequest { request, reason, now, policy, trust_anchors })
}

fn with_warning(refusal: Refusal, mistake: &ShownMistake) -> Refusal {
    let path = refusal.findings().next().and_then(|finding| finding.path.clone()).unwrap_or_default();
    let violation = Violation::with(Reason::MistakeExplained, &[&mistake.id, &mistake.text]);
    refusal.with(Finding::warning(violation, path))
}
