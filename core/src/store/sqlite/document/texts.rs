//! The forms of texts that people and TPPs write, by what the routes and headers that take them have for them.
//!
//! Which characters a bank carries is a policy, and a state does not hold the policy under which it was made. So a text
//! may hold what any of them takes: all of them are within the largest.

use super::form::Form;
use crate::limits::{
    BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN, FORWARDED_CHARS_MAX, NAME_CHARS_MAX,
    REFERENCE_CHARS_MAX, REMITTANCE_CHARS_MAX, SESSION_ID_BYTES_MAX,
};
use crate::types::{has_visible, Country, Text};

/// A name, a street.
pub(super) const NAME: Form =
    Form::Known(is_text::<NAME_CHARS_MAX>, "a text of 1 to 70 characters that a bank carries");
/// As [`NAME`], or empty.
pub(super) const NAME_OR_NONE: Form = Form::Known(
    |text| text.is_empty() || is_text::<NAME_CHARS_MAX>(text),
    "a text of at most 70 characters that a bank carries",
);
/// A reference, a number that is no number of the bank's own.
pub(super) const REFERENCE: Form =
    Form::Known(is_text::<REFERENCE_CHARS_MAX>, "a text of 1 to 35 characters that a bank carries");
/// A free message.
pub(super) const REMITTANCE: Form =
    Form::Known(is_text::<REMITTANCE_CHARS_MAX>, "a text of 1 to 140 characters that a bank carries");
/// A code of ISO 20022 or ISO 18245 whose list the routes do not look at.
pub(super) const CODE: Form = Form::Known(is_text::<4>, "a text of 1 to 4 characters that a bank carries");
/// A bank transaction code of ISO 20022.
pub(super) const BANK_TRANSACTION_CODE: Form =
    Form::Known(is_bank_transaction_code, "a text of 4 to 14 characters that a bank carries");
/// A country.
pub(super) const COUNTRY: Form = Form::Known(|text| Country::parse(text).is_ok(), "a country, such as NO");
/// What a TPP calls a session.
pub(super) const SESSION_ID: Form =
    Form::Known(|text| (1..=SESSION_ID_BYTES_MAX).contains(&text.len()), "a text of 1 to 256 bytes");
/// The brand of a TPP.
pub(super) const BRAND: Form = Form::Known(
    |text| (1..=FORWARDED_CHARS_MAX).contains(&text.chars().count()),
    "a text of 1 to 512 characters",
);
/// The name that a TPP was registered under.
pub(super) const TPP_NAME: Form = Form::Known(has_visible, "a text that is not blank");

fn is_text<const MAX: usize>(text: &str) -> bool {
    Text::<MAX>::parse(text, None).is_ok()
}

fn is_bank_transaction_code(text: &str) -> bool {
    is_text::<BANK_TRANSACTION_CODE_CHARS_MAX>(text)
        && text.chars().count() >= BANK_TRANSACTION_CODE_CHARS_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_fewest_and_its_most_characters_and_not_one_less_or_more() {
        for (form, fewest, most) in [
            (NAME, 1, 70),
            (NAME_OR_NONE, 0, 70),
            (REFERENCE, 1, 35),
            (REMITTANCE, 1, 140),
            (CODE, 1, 4),
            (BANK_TRANSACTION_CODE, 4, 14),
            (BRAND, 1, 512),
        ] {
            let Form::Known(takes, what) = form else { panic!("each is such a form") };
            for (chars, is_taken) in
                [(fewest, true), (most, true), (most + 1, false), (fewest.max(1) - 1, fewest == 0)]
            {
                assert_eq!(takes(&"Ł".repeat(chars)), is_taken, "{chars} characters, where it is {what}");
            }
            assert!(what.contains(&format!("{most} characters")), "{what}");
        }
        let Form::Known(takes, what) = SESSION_ID else { panic!("it is such a form") };
        let bytes = [(0, false), (1, true), (256, true), (257, false)];
        assert!(bytes.iter().all(|(count, is_taken)| takes(&"s".repeat(*count)) == *is_taken), "{what}");
    }

    #[test]
    fn a_text_holds_what_some_bank_carries() {
        for form in [NAME, NAME_OR_NONE, REFERENCE, REMITTANCE, CODE, BANK_TRANSACTION_CODE] {
            let Form::Known(takes, what) = form else { panic!("each is such a form") };
            assert!(takes("Ærø "), "{what}");
            assert!(takes("\u{202E}abc"), "as one may be kept from before: {what}");
            for text in ["a\nbc", "abc\0", "ab\u{85}c", "abc😀"] {
                assert!(!takes(text), "{text:?}, where it is {what}");
            }
        }
    }
}
