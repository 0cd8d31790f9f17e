//! What a browser may do with a page (W3C Content Security Policy Level 3).

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use super::layout::STYLE;
use crate::crypto::sha256;

/// The page loads nothing, runs nothing, and may not be framed; one without a form sends none. For a page with a form,
/// the policy does not limit the form's target: browsers hold `form-action` against every redirect that follows, and
/// after its call-back a TPP may send its reader on to any host and to any app. The token and the check of the origin
/// guard what is sent here, and everything shown is escaped, so that the form is ours.
pub(super) fn content_security_policy(has_form: bool) -> String {
    let form_action = if has_form { "" } else { "; form-action 'none'" };
    let style = STANDARD.encode(sha256(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'{form_action}; frame-ancestors 'none'; base-uri 'none'"
    )
}
