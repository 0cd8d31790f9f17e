//! The signing string as bytes: in another charset, encoded, or with the body.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use percent_encoding::{percent_encode, NON_ALPHANUMERIC};

use super::super::budget::Flow;
use super::super::case::Case;
use super::super::charset::{recoded, utf16, UTF8_MARK};
use super::super::mistake::Visit;
use crate::crypto::any_hash::AnyHash;
use crate::limits::EXPLAIN_BODY_BYTES_MAX;

fn visit_all(texts: impl IntoIterator<Item = Vec<u8>>, visit: Visit<'_, [u8]>) -> Flow {
    texts.into_iter().try_for_each(|text| visit(&text))
}

/// The whole text in another charset.
pub(in crate::explain) fn charset(_: &Case<'_>, text: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    visit_all(recoded(text), visit)?;
    visit_all([[UTF8_MARK, text].concat()], visit)?;
    visit_all(utf16(&String::from_utf8_lossy(text)), visit)
}

/// The text in base64, hexadecimal or percent escapes.
pub(in crate::explain) fn encoded(_: &Case<'_>, text: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    let escaped = percent_encode(text, NON_ALPHANUMERIC).to_string();
    visit_all([STANDARD.encode(text).into_bytes(), hex(text).into_bytes(), escaped.into_bytes()], visit)
}

/// The body beside the text, or instead of it, or its hash.
pub(in crate::explain) fn body_signed(case: &Case<'_>, text: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    let body = case.request.body;
    visit(body)?;
    if body.is_empty() || body.len() > EXPLAIN_BODY_BYTES_MAX {
        return Flow::Continue(());
    }
    let hash = AnyHash::Sha256.of(body);
    let (base64, lower) = (STANDARD.encode(&hash), hex(&hash));
    let digest = format!("SHA-256={base64}");
    let hashes = [hash, base64.into_bytes(), lower.to_uppercase().into_bytes(), lower.into_bytes()];
    visit_all(hashes, visit)?;
    visit_all([digest.into_bytes()], visit)?;
    let separators = [&b"\n"[..], b"", b"\r\n", b"\n\n"];
    visit_all(separators.map(|separator| [text, separator, body].concat()), visit)?;
    visit_all(separators.map(|separator| [body, separator, text].concat()), visit)
}

/// Bytes in lower-case hexadecimal.
pub(in crate::explain) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
