//! Text of limited length in the bank's repertoire.

use std::fmt::{self, Debug};

use super::visible::{has_visible, is_hidden, is_mark};
use super::{first_outside, Repertoire};
use crate::limits::{NAME_CHARS_MAX, REFERENCE_CHARS_MAX, REMITTANCE_CHARS_MAX};
use crate::reason::{Case, Reason, Violation};

/// A text of 1 to `MAX` characters (Unicode scalar values), each of which the bank's systems carry, and one of which
/// can be seen at least: a PSU is shown it. Kept as it came: nothing is trimmed, folded or normalised.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MAX: usize>(String);

/// A name or a street.
pub type Name = Text<NAME_CHARS_MAX>;
/// Unstructured remittance information.
pub type Remittance = Text<REMITTANCE_CHARS_MAX>;
/// A structured reference, its type or its issuer.
pub type Reference = Text<REFERENCE_CHARS_MAX>;

impl<const MAX: usize> Text<MAX> {
    /// Reads a text; an owned one is kept without copying.
    ///
    /// # Errors
    /// [`Reason::TextEmpty`], [`Reason::TextTooLong`] with both numbers, [`Reason::TextNotCarried`] with the
    /// position of the first such character from 1 and its code point in hexadecimal, such as `1F600`. `None` for
    /// a repertoire: the text was accepted before ([`first_outside`]), and may consist of blanks.
    pub fn parse(
        text: impl AsRef<str> + Into<String>,
        repertoire: impl Into<Option<Repertoire>>,
    ) -> Result<Self, Violation> {
        check(text.as_ref(), MAX, repertoire.into())?;
        Ok(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.0
    }
}

fn check(text: &str, chars_max: usize, repertoire: Option<Repertoire>) -> Result<(), Violation> {
    if text.is_empty() {
        return Err(Reason::TextEmpty.into());
    }
    let length = text.chars().count();
    if length > chars_max {
        return Err(Violation::with(Reason::TextTooLong, &[&chars_max, &length]));
    }
    let is_blank = repertoire.is_some() && !has_visible(text);
    match first_outside(repertoire, text) {
        Some((position, character)) if !is_blank || character.is_control() => {
            let code_point = format!("{:04X}", u32::from(character));
            let violation = Violation::with(Reason::TextNotCarried, &[&position, &code_point]);
            Err(Violation { case: case_of(character), ..violation })
        }
        _ if is_blank => Err(Violation::of_case(Case::TextBlank, &[])),
        _ => Ok(()),
    }
}

/// What a character is that is not carried, where the cause helps.
fn case_of(character: char) -> Option<Case> {
    match character {
        _ if character.is_control() => None,
        _ if is_hidden(character) => Some(Case::CharacterHidden),
        _ if is_mark(character) => Some(Case::LetterDecomposed),
        _ => None,
    }
}

/// Log-safe: the number of characters alone.
impl<const MAX: usize> Debug for Text<MAX> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Text({} characters)", self.0.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reason::Language;

    fn violation(text: &str) -> Violation {
        Text::<5>::parse(text, Repertoire::Latin1).unwrap_err()
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        assert_eq!(Text::<5>::parse("ÅÅÅÅÅ", Repertoire::Latin1).unwrap().as_str(), "ÅÅÅÅÅ");
        assert_eq!(violation("ÅÅÅÅÅÅ"), Violation::with(Reason::TextTooLong, &[&5, &6]));
    }

    #[test]
    fn one_character_passes_and_none_does_not() {
        assert!(Text::<5>::parse("-", Repertoire::Latin1).is_ok());
        assert_eq!(violation(""), Reason::TextEmpty.into());
    }

    #[test]
    fn a_text_of_which_nothing_can_be_seen_is_refused() {
        for text in [" ", "     ", "\u{A0}", " \u{AD}", "\u{2003}", "\u{3164}\u{2800}"] {
            assert_eq!(violation(text).case, Some(Case::TextBlank), "{text:?}");
            assert!(Text::<5>::parse(text, None).is_ok(), "as one may be kept from before");
        }
        assert_eq!(violation(" \n").reason, Reason::TextNotCarried);
        let mark = Text::<5>::parse(" \u{301}", Repertoire::Bmp).unwrap_err();
        assert_eq!(mark.case, Some(Case::TextBlank));
        for hidden in
            ['\u{A0}', '\u{AD}', '\u{3164}', '\u{2800}', '\u{115F}', '\u{34F}', '\u{180B}', '\u{200D}']
        {
            for repertoire in [Repertoire::Latin1, Repertoire::SwiftX, Repertoire::Bmp] {
                let found = Text::<5>::parse(format!("Kar{hidden}i"), repertoire).unwrap_err();
                assert_eq!(found.case, Some(Case::CharacterHidden), "{hidden:?} {repertoire:?}");
                assert_eq!(found.arguments, ["4".to_owned(), format!("{:04X}", u32::from(hidden))]);
            }
        }
    }

    #[test]
    fn a_decomposed_letter_is_named_as_such() {
        let text = violation("A\u{30A}s").text(Language::English);
        assert!(text.starts_with("the character U+030A at position 2 ") && text.contains("NFC"), "{text}");
        assert!(Text::<5>::parse("A\u{30A}s", Repertoire::Bmp).is_ok());
        assert!(Text::<5>::parse("Ås", Repertoire::Latin1).is_ok());
    }

    #[test]
    fn the_refusal_names_position_and_code_point() {
        let text = violation("hei😀").text(Language::English);
        assert_eq!(text, "the character U+1F600 at position 4 cannot be carried by the bank's systems");
        assert_eq!(violation("a\nb"), Violation::with(Reason::TextNotCarried, &[&2, &"000A"]));
    }

    #[test]
    fn a_text_too_long_is_that_with_any_content() {
        assert_eq!(violation(&"😀".repeat(1 << 16)).reason, Reason::TextTooLong);
    }

    #[test]
    fn debug_does_not_show_the_text() {
        let text = Name::parse("Kari Nordmann".to_owned(), Repertoire::Latin1).unwrap();
        assert_eq!(format!("{text:?}"), "Text(13 characters)");
        assert_eq!(text.into_string(), "Kari Nordmann");
    }

    proptest! {
        #[test]
        fn what_is_read_is_kept_as_it_came(text: String) {
            for repertoire in [Repertoire::Latin1, Repertoire::SwiftX, Repertoire::Bmp] {
                if let Ok(kept) = Text::<20>::parse(text.as_str(), repertoire) {
                    prop_assert_eq!(kept.as_str(), &text);
                }
            }
        }
    }
}
