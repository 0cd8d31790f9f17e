//! KID: the customer identification a Norwegian creditor puts on an invoice.

use std::fmt::{self, Debug, Display};

use super::inline_ascii::InlineAscii;
use super::Masked;
use crate::reason::Reason;

/// The shortest KID: one digit and its check digit.
const KID_CHARS_MIN: usize = 2;
/// The longest KID.
const KID_CHARS_MAX: usize = 25;

/// How the check digit of a KID is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modulus {
    /// Weights 2, 1, 2, … from the right, digits of the products summed (Luhn).
    Ten,
    /// Weights 2 to 7, over and over, from the right; a check digit of ten is written `-`.
    Eleven,
}

impl Modulus {
    /// 10 or 11.
    pub fn number(self) -> u8 {
        match self {
            Self::Ten => 10,
            Self::Eleven => 11,
        }
    }

    /// The one of that number.
    pub(crate) fn from_number(number: i64) -> Option<Self> {
        [Self::Ten, Self::Eleven].into_iter().find(|modulus| i64::from(modulus.number()) == number)
    }

    /// Digits with their check digit behind them.
    #[cfg(feature = "sandbox")]
    pub(crate) fn completed(self, digits: &str) -> String {
        format!("{digits}{}", char::from(self.check_digit(digits.as_bytes())))
    }

    /// The check digit of these ASCII digits.
    fn check_digit(self, digits: &[u8]) -> u8 {
        let from_right = digits.iter().rev().map(|digit| u32::from(digit.saturating_sub(b'0')));
        match self {
            Self::Ten => {
                let weighted =
                    from_right.zip([2, 1].into_iter().cycle()).map(|(digit, weight)| digit * weight);
                let sum: u32 = weighted.map(|product| product / 10 + product % 10).sum();
                spelt((10 - sum % 10) % 10)
            }
            Self::Eleven => {
                let sum: u32 = from_right.zip((2..=7).cycle()).map(|(digit, weight)| digit * weight).sum();
                spelt((11 - sum % 11) % 11)
            }
        }
    }
}

/// A check digit from 0 to 10 as it is written.
fn spelt(check: u32) -> u8 {
    u8::try_from(check).ok().filter(|digit| *digit < 10).map_or(b'-', |digit| b'0' + digit)
}

impl Display for Modulus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.number())
    }
}

/// A KID: 2 to 25 digits, the last of which may be `-`, valid by modulus 10 or by modulus 11.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kid(InlineAscii<KID_CHARS_MAX>);

impl Kid {
    /// Reads a KID without normalisation; spaces are refused.
    ///
    /// # Errors
    /// [`Reason::KidInvalid`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let kid = InlineAscii::collect(text.bytes()).map(Self).ok_or(Reason::KidInvalid)?;
        let has_length = kid.length() >= KID_CHARS_MIN;
        let digits_only = kid.payload().iter().all(u8::is_ascii_digit);
        let is_valid = has_length && digits_only && (kid.fits(Modulus::Ten) || kid.fits(Modulus::Eleven));
        is_valid.then_some(kid).ok_or(Reason::KidInvalid)
    }

    /// The KID as it was read.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// How many characters it has, the check digit counted.
    pub fn length(&self) -> usize {
        self.0.as_bytes().len()
    }

    /// Whether its last character is the check digit of this modulus.
    pub fn fits(&self, modulus: Modulus) -> bool {
        self.0.as_bytes().last() == Some(&modulus.check_digit(self.payload()))
    }

    /// All but the check digit.
    fn payload(&self) -> &[u8] {
        self.0.as_bytes().split_last().map_or(&[], |(_, payload)| payload)
    }
}

/// Log-safe: the last four characters.
impl Debug for Kid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Kid").field(&Masked(self.as_str())).finish()
    }
}

/// Whether the text is a KID, by either modulus.
pub fn kid_is_valid(text: &str) -> bool {
    Kid::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::vectors;

    #[test]
    fn every_vector_is_judged_as_it_says() {
        for row in vectors::read("kids.json") {
            let kid = Kid::parse(&row.text("text"));
            let fits = |modulus| kid.is_ok_and(|kid| kid.fits(modulus));
            let id = row.text("id");
            assert_eq!(kid.is_ok(), row.truth("expected"), "{id}");
            assert_eq!(fits(Modulus::Ten), row.truth("expected_modulus_10"), "{id}");
            assert_eq!(fits(Modulus::Eleven), row.truth("expected_modulus_11"), "{id}");
        }
    }

    #[test]
    fn two_and_twenty_five_characters_pass_one_and_twenty_six_do_not() {
        for (length, valid) in [(0, false), (1, false), (2, true), (25, true), (26, false)] {
            assert_eq!(kid_is_valid(&"0".repeat(length)), valid, "{length}");
        }
    }

    #[test]
    fn a_dash_is_a_check_digit_of_modulus_eleven_alone() {
        let kid = Kid::parse("06-").unwrap();
        assert!(kid.fits(Modulus::Eleven) && !kid.fits(Modulus::Ten));
        for text in ["-", "--", "6--", "-6", "-06"] {
            assert!(!kid_is_valid(text), "{text}");
        }
    }

    #[test]
    fn debug_shows_the_last_four_characters_alone() {
        assert_eq!(format!("{:?}", Kid::parse("1234567897").unwrap()), "Kid(…7897)");
        assert_eq!(format!("{:?}", Kid::parse("2345676").unwrap()), "Kid(…)");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,30}") {
            let _ = Kid::parse(&text);
        }

        #[test]
        fn a_computed_check_digit_fits_and_no_other_does(digits in "[0-9]{1,24}", eleven: bool) {
            let modulus = if eleven { Modulus::Eleven } else { Modulus::Ten };
            let fitting: Vec<u8> = b"0123456789-"
                .iter()
                .copied()
                .filter(|check| {
                    let text = format!("{digits}{}", char::from(*check));
                    Kid::parse(&text).is_ok_and(|kid| kid.fits(modulus))
                })
                .collect();
            prop_assert_eq!(fitting, [modulus.check_digit(digits.as_bytes())]);
        }
    }
}
