//! Forms of the body that Digest may have been taken of.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use percent_encoding::{percent_encode, NON_ALPHANUMERIC};

use super::budget::Flow;
use super::case::Case;
use super::charset::{recoded, utf16, UTF8_MARK};
use super::json_forms::{self, quoted, unquoted, Escapes};
use super::mistake::{Texts, Visit};
use crate::limits::{EXPLAIN_BODY_BYTES_MAX, EXPLAIN_COPIED_BYTES_MAX};

/// Every kind of form, in the order of likelihood.
pub(super) const KINDS: [Texts; 6] = [empty, newline, json_rewritten, charset, json_string, other_texts];

/// Visits each form. Bodies beyond the limit have none.
pub(super) fn each(case: &Case<'_>, visit: Visit<'_, [u8]>) -> Flow {
    KINDS.iter().try_for_each(|forms| of_kind(case, *forms, visit))
}

/// Visits each form of one kind. Bodies beyond the limit have none.
pub(super) fn of_kind(case: &Case<'_>, forms: Texts, visit: Visit<'_, [u8]>) -> Flow {
    match case.request.body.len() > EXPLAIN_BODY_BYTES_MAX {
        true => Flow::Continue(()),
        false => forms(case, case.request.body, visit),
    }
}

/// No body.
pub(super) fn empty(_: &Case<'_>, _: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    visit(b"")
}

/// Line breaks at the end, and of the other kind.
pub(super) fn newline(_: &Case<'_>, body: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    for end in [&b"\n"[..], b"\r\n", b"\r", b" ", b"\0"] {
        visit(&[body, end].concat())?;
        if let Some(cut) = body.strip_suffix(end) {
            visit(cut)?;
        }
    }
    visit(body.trim_ascii())?;
    visit(body.trim_ascii_end())?;
    if body.contains(&b'\n') {
        visit(&with_line_ends(body, b"\r\n"))?;
        visit(&with_line_ends(body, b"\n"))?;
        visit(&with_line_ends(body, b""))?;
    }
    Flow::Continue(())
}

/// The text with other line ends.
fn with_line_ends(body: &[u8], end: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                text.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
                text.extend_from_slice(end);
            }
            None => text.extend_from_slice(line),
        }
    }
    text
}

/// The same JSON, written by another program.
pub(super) fn json_rewritten(_: &Case<'_>, body: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    match json_forms::each(body, &mut |form| visit(form).is_continue()) {
        true => Flow::Continue(()),
        false => Flow::Break(()),
    }
}

/// The body in another charset, with or without a byte order mark.
pub(super) fn charset(_: &Case<'_>, body: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    visit(&[UTF8_MARK, body].concat())?;
    if let Some(bare) = body.strip_prefix(UTF8_MARK) {
        visit(bare)?;
    }
    if body.len() > EXPLAIN_COPIED_BYTES_MAX {
        return Flow::Continue(());
    }
    recoded(body).iter().try_for_each(|form| visit(form))?;
    utf16(&String::from_utf8_lossy(body)).iter().try_for_each(|form| visit(form))
}

/// The body as a JSON string, or what it is a JSON string of.
pub(super) fn json_string(_: &Case<'_>, body: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    let Ok(text) = std::str::from_utf8(body) else { return Flow::Continue(()) };
    if text.starts_with('"') {
        visit(unquoted(text).as_bytes())?;
    }
    Escapes::ALL.iter().try_for_each(|escapes| visit(quoted(text, *escapes).as_bytes()))
}

/// Texts that are not the body: those of earlier calls, the target, the body encoded.
pub(super) fn other_texts(case: &Case<'_>, body: &[u8], visit: Visit<'_, [u8]>) -> Flow {
    for earlier in case.options.earlier.iter().rev() {
        visit(earlier.body)?;
    }
    let target = case.request.target;
    let path = target.split('?').next().unwrap_or_default();
    let query = target.split_once('?').map(|(_, query)| query).unwrap_or_default();
    let texts = [target, path, query, "{}", "[]", "null", "undefined", "\"\"", "''", " ", "\n", "None"];
    texts.iter().try_for_each(|text| visit(text.as_bytes()))?;
    for (_, value) in case.fields() {
        visit(value.trim_ascii())?;
    }
    if body.len() <= EXPLAIN_COPIED_BYTES_MAX {
        visit(STANDARD.encode(body).as_bytes())?;
        visit(percent_encode(body, NON_ALPHANUMERIC).to_string().as_bytes())?;
    }
    match case.expected() {
        Some(draft) => visit(&draft.text()),
        None => Flow::Continue(()),
    }
}
