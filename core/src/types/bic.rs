//! Business identifier codes.

use std::fmt::{self, Debug, Display};

use super::inline_ascii::InlineAscii;
use crate::reason::Reason;

/// With a branch.
const BIC_CHARS_MAX: usize = 11;
const BIC_CHARS_WITHOUT_BRANCH: usize = 8;

/// A BIC: the contract's pattern `[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?` over the whole text
/// (contract: Transaction details; ISO 9362:2014).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bic(InlineAscii<BIC_CHARS_MAX>);

impl Bic {
    /// Reads a BIC without normalisation: lower case and spaces are refused.
    ///
    /// # Errors
    /// [`Reason::BicMalformed`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let bic = InlineAscii::collect(text.bytes()).ok_or(Reason::BicMalformed)?;
        let has_length = matches!(text.len(), BIC_CHARS_WITHOUT_BRANCH | BIC_CHARS_MAX);
        let has_form = bic.as_bytes().iter().enumerate().all(|(place, byte)| is_allowed_at(place, *byte));
        (has_length && has_form).then_some(Self(bic)).ok_or(Reason::BicMalformed)
    }

    /// The BIC as it was read.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The bank without the branch: eight characters.
    pub fn without_branch(&self) -> &str {
        self.as_str().get(..BIC_CHARS_WITHOUT_BRANCH).unwrap_or_default()
    }

    /// Its two-letter country.
    pub fn country_code(&self) -> &str {
        self.as_str().get(4..6).unwrap_or_default()
    }
}

/// The pattern, place by place, counted from zero.
fn is_allowed_at(place: usize, byte: u8) -> bool {
    match place {
        0..=5 => byte.is_ascii_uppercase(),
        6 => matches!(byte, b'A'..=b'Z' | b'2'..=b'9'),
        7 => matches!(byte, b'A'..=b'N' | b'P'..=b'Z' | b'0'..=b'9'),
        _ => matches!(byte, b'A'..=b'Z' | b'0'..=b'9'),
    }
}

/// A BIC names a bank, not a person.
impl Debug for Bic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Bic({self})")
    }
}

impl Display for Bic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Whether the text is a BIC.
pub fn bic_is_valid(text: &str) -> bool {
    Bic::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::vectors;

    #[test]
    fn every_vector_is_judged_as_it_says() {
        for row in vectors::read("bics.json") {
            assert_eq!(bic_is_valid(&row.text("text")), row.truth("expected"), "{}", row.text("id"));
        }
    }

    #[test]
    fn the_country_is_in_the_middle() {
        assert_eq!(Bic::parse("DNBANOKKXXX").unwrap().country_code(), "NO");
    }

    #[test]
    fn a_branch_is_of_the_bank_of_its_first_eight_characters() {
        for text in ["DNBANOKK", "DNBANOKKXXX", "DNBANOKK123"] {
            assert_eq!(Bic::parse(text).unwrap().without_branch(), "DNBANOKK");
        }
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,12}") {
            let _ = Bic::parse(&text);
        }

        #[test]
        fn everything_the_pattern_generates_is_read(text in "[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?") {
            let bic = Bic::parse(&text).unwrap();
            prop_assert_eq!(bic.as_str(), text);
        }
    }
}
