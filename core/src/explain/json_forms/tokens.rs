//! What the readers of JSON tokens share.

/// Nesting beyond this is not rewritten: indentation would make a long text of a short one.
pub(super) const DEPTH_MAX: usize = 64;

/// A string with its quotes, and what is after it.
pub(super) fn take_string(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, character)| {
        let ends = *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        ends
    });
    text.split_at_checked(end?.0 + 1)
}
