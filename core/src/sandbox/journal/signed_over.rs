//! What a signature that does not verify was checked against, for a caller that signed something else.

use super::packed_call::RecordedCall;
use super::redact::Redaction;
use crate::tpp::signature_header::{signature_text, SignatureHeader};
use crate::tpp::signing_string::{signing_string, Fields as _, REQUEST_TARGET};

/// How much of a line is shown.
const LINE_CHARS_MAX: usize = 300;

/// The lines of the bank's signing string, each quoted, with escapes for what a terminal would not show. `None` where
/// the call has no `Signature` that can be read.
pub(super) fn signed_over(call: &RecordedCall, redaction: Redaction) -> Option<Vec<String>> {
    let fields: Vec<_> = call.headers.iter().collect();
    let value = fields.as_slice().value("Signature")?;
    let text = signature_text(&value).ok()?;
    let header = SignatureHeader::parse(&text).ok()?;
    let line = |name: &&str| {
        let signed = signing_string(&call.method, &call.target, fields.as_slice(), &[name]).ok()?;
        let signed = String::from_utf8_lossy(&signed);
        let (name, value) = signed.split_once(": ")?;
        let value = match name {
            REQUEST_TARGET => redaction.target(value),
            _ => redaction.header(name, value),
        };
        let shown: String = format!("{name}: {value}").chars().take(LINE_CHARS_MAX).collect();
        Some(format!("{shown:?}"))
    };
    header.names().iter().map(line).collect()
}
