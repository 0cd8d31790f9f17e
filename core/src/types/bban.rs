//! Basic bank account numbers, and the Norwegian one among them.

use std::fmt::{self, Debug};

use super::inline_ascii::InlineAscii;
use super::Masked;
use crate::limits::BBAN_CHARS_MAX;
use crate::reason::{Reason, Violation};

/// How many digits a Norwegian account number has: bank (4), kind (2), customer (4) and a check digit.
const NORWEGIAN_DIGITS: usize = 11;
/// What the first ten digits weigh in the check digit, from the left.
const NORWEGIAN_WEIGHTS: [u32; NORWEGIAN_DIGITS - 1] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/// An account number of a country: 1 to 30 ASCII letters and digits, letters in the case they came in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bban(InlineAscii<BBAN_CHARS_MAX>);

impl Bban {
    /// Reads an account number; the dots and spaces people group it with (`9536.05.73002`) are dropped.
    ///
    /// # Errors
    /// [`Reason::BbanMalformed`].
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let kept = text.bytes().filter(|byte| !matches!(byte, b'.' | b' '));
        InlineAscii::collect(kept)
            .filter(|kept| !kept.as_bytes().is_empty())
            .filter(|kept| kept.as_bytes().iter().all(u8::is_ascii_alphanumeric))
            .map(Self)
            .ok_or_else(|| Violation::with(Reason::BbanMalformed, &[&BBAN_CHARS_MAX]))
    }

    /// The number without dots and spaces.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it has the form of a Norwegian account number: 11 digits.
    pub fn is_norwegian(&self) -> bool {
        let bytes = self.0.as_bytes();
        bytes.len() == NORWEGIAN_DIGITS && bytes.iter().all(u8::is_ascii_digit)
    }

    /// Whether it is a Norwegian account number whose last digit is the modulus 11 check digit of the
    /// others. Where that digit would be 10, no number fits.
    pub fn norwegian_check_digit_ok(&self) -> bool {
        let mut digits = self.0.as_bytes().iter().map(|byte| u32::from(byte.wrapping_sub(b'0')));
        let weighted: u32 =
            NORWEGIAN_WEIGHTS.iter().zip(digits.by_ref()).map(|(weight, digit)| weight * digit).sum();
        self.is_norwegian() && digits.next().is_some_and(|check| (weighted + check).is_multiple_of(11))
    }
}

/// Log-safe: the last four characters.
impl Debug for Bban {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Bban").field(&Masked(self.as_str())).finish()
    }
}

/// Whether the text is a Norwegian account number: 11 digits, dots and spaces aside, the check digit right.
pub fn account_number_is_valid(text: &str) -> bool {
    Bban::parse(text).is_ok_and(|bban| bban.norwegian_check_digit_ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::vectors;

    #[test]
    fn every_vector_is_judged_as_it_says() {
        for row in vectors::read("account_numbers.json") {
            assert_eq!(
                account_number_is_valid(&row.text("text")),
                row.truth("expected"),
                "{}",
                row.text("id")
            );
        }
    }

    #[test]
    fn one_and_thirty_characters_pass_none_and_thirty_one_do_not() {
        for length in [1, 30] {
            assert_eq!(Bban::parse(&"A".repeat(length)).unwrap().as_str().len(), length);
        }
        for length in [0, 31, 1 << 20] {
            assert_eq!(Bban::parse(&"1".repeat(length)).unwrap_err().reason, Reason::BbanMalformed);
        }
    }

    #[test]
    fn dots_and_spaces_are_dropped_and_letters_keep_their_case() {
        assert_eq!(Bban::parse("9536.05.73002").unwrap(), Bban::parse("9536 05 73002").unwrap());
        assert_eq!(Bban::parse(" aB.1 ").unwrap().as_str(), "aB1");
        assert!(Bban::parse(" . ").is_err());
        assert!(Bban::parse(&format!("{}{}", " ".repeat(50), "1".repeat(30))).is_ok());
    }

    #[test]
    fn other_characters_are_refused() {
        for text in ["9536-05-73002", "9536\t0573002", "9536\u{A0}0573002", "９５３６０５７３００２", "å"]
        {
            assert!(Bban::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_eleven_digits_are_norwegian() {
        assert!(Bban::parse("00000000000").unwrap().is_norwegian());
        for text in ["0000000000", "000000000000", "0000000000A"] {
            let bban = Bban::parse(text).unwrap();
            assert!(!bban.is_norwegian() && !bban.norwegian_check_digit_ok(), "{text}");
        }
    }

    #[test]
    fn debug_shows_the_last_four_characters_alone() {
        assert_eq!(format!("{:?}", Bban::parse("91351631959").unwrap()), "Bban(…1959)");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,40}") {
            let _ = Bban::parse(&text).map(|bban| bban.norwegian_check_digit_ok());
        }

        #[test]
        fn spelling_and_reading_again_is_identity(text in "[A-Za-z0-9. ]{0,34}") {
            if let Ok(bban) = Bban::parse(&text) {
                prop_assert_eq!(Bban::parse(bban.as_str()).unwrap(), bban);
            }
        }

        #[test]
        fn exactly_one_check_digit_fits_at_the_most(number in 0_u64..10_000_000_000) {
            let fitting = (0..10).filter(|check| account_number_is_valid(&format!("{number:010}{check}"))).count();
            prop_assert!(fitting <= 1);
        }
    }
}
