//! TPP messages (contract: TPP message).

use serde::Serialize;

use crate::limits::MESSAGE_TEXT_CHARS_MAX;
use crate::reason::{Finding, Language};

/// One error or warning as a TPP reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TppMessage {
    /// `ERROR` or `WARNING`.
    pub category: &'static str,
    /// A code of the contract.
    pub code: &'static str,
    /// A JSON Pointer into the body, or the name of a header or query parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What to mend, at most 512 characters.
    pub text: String,
}

impl TppMessage {
    /// A finding in words.
    pub fn new(finding: &Finding, language: Language) -> Self {
        Self {
            category: finding.category.as_str(),
            code: finding.violation.reason.code().as_str(),
            path: finding.path.as_deref().filter(|path| !path.is_empty()).map(without_identity_numbers),
            text: without_identity_numbers(&finding.text(language))
                .chars()
                .take(MESSAGE_TEXT_CHARS_MAX)
                .collect(),
        }
    }
}

/// The digits of a national identity number, and of a Norwegian account number.
const IDENTITY_DIGITS: usize = 11;

/// The text with every run of eleven digits or more made unreadable. Paths and texts repeat names that the TPP chose,
/// and no answer may show a whole identity number.
fn without_identity_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, from_digits) = rest.split_at_checked(start).unwrap_or((rest, ""));
        let end = from_digits.find(|character: char| !character.is_ascii_digit());
        let (digits, after) =
            from_digits.split_at_checked(end.unwrap_or(from_digits.len())).unwrap_or((from_digits, ""));
        shown.push_str(before);
        shown.push_str(if digits.len() < IDENTITY_DIGITS { digits } else { "…" });
        rest = after;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::{Reason, Violation};

    #[test]
    fn a_text_of_512_characters_is_whole_and_a_longer_one_is_cut_there() {
        let named = |chars: usize| {
            let violation = Violation::with(Reason::ValueNotListed, &[&"å".repeat(chars)]);
            TppMessage::new(&Finding::error(violation, "/x"), Language::English).text
        };
        let around = named(0).chars().count();
        for (chars, length) in [(512 - around, 512), (513 - around, 512), (511 - around, 511), (9_000, 512)] {
            assert_eq!(named(chars).chars().count(), length, "{chars}");
        }
    }

    #[test]
    fn ten_digits_are_shown_and_eleven_are_not() {
        for (text, shown) in [
            ("", ""),
            ("/a/0/b", "/a/0/b"),
            ("1303931995", "1303931995"),
            ("13039319955", "…"),
            ("/x13039319955/å12085592767890", "/x…/å…"),
            ("6 digits 130393 and 19955", "6 digits 130393 and 19955"),
        ] {
            assert_eq!(without_identity_numbers(text), shown);
        }
    }
}
