//! National identity numbers.

use std::fmt::{self, Debug};

use super::inline_ascii::InlineAscii;
use super::modulus_11::check_digit;
use crate::reason::Reason;

/// How many digits it has.
const DIGITS: usize = 11;
/// What the digits weigh in the first check digit, itself included.
const FIRST_WEIGHTS: [u32; DIGITS - 1] = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
/// What the digits weigh in the second check digit, itself included.
const SECOND_WEIGHTS: [u32; DIGITS] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/// A Norwegian identity number (fødselsnummer or D-nummer) as `X-PSU-IDENTITY` carries it: 11 digits.
///
/// Its check digits are a question of their own, for test persons often fail them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdentityNumber(InlineAscii<DIGITS>);

impl IdentityNumber {
    /// Reads 11 ASCII digits.
    ///
    /// # Errors
    /// [`Reason::HeaderNotIdentityNumber`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let is_number = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        let digits = InlineAscii::collect(text.bytes()).filter(|_| is_number);
        digits.map(Self).ok_or(Reason::HeaderNotIdentityNumber)
    }

    /// The number that begins with those nine digits. `None` for anything else, and where no check digits fit.
    pub fn completed(digits: &str) -> Option<Self> {
        let first = check_digit(digits, &FIRST_WEIGHTS)?;
        let second = check_digit(&format!("{digits}{first}"), &SECOND_WEIGHTS)?;
        Self::parse(&format!("{digits}{first}{second}")).ok()
    }

    /// The digits. Personal data: not for logs, answers or error texts.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether both modulus 11 check digits fit (the rule for every number issued before 2032).
    pub fn check_digits_ok(&self) -> bool {
        self.is_balanced(&FIRST_WEIGHTS) && self.is_balanced(&SECOND_WEIGHTS)
    }

    fn is_balanced(&self, weights: &[u32]) -> bool {
        let digits = self.0.as_bytes().iter().map(|digit| u32::from(digit.saturating_sub(b'0')));
        digits.zip(weights).map(|(digit, weight)| digit * weight).sum::<u32>() % 11 == 0
    }
}

/// Log-safe: nothing of it. The first six digits alone are a birth date, and with the last digits they are
/// the person.
impl Debug for IdentityNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("IdentityNumber(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::vectors;

    #[test]
    fn every_vector_is_judged_as_it_says() {
        for row in vectors::read("identity_numbers.json") {
            let number = IdentityNumber::parse(&row.text("text")).unwrap();
            assert_eq!(number.check_digits_ok(), row.truth("expected"), "{}", row.text("id"));
        }
    }

    #[test]
    fn nine_digits_are_completed_as_the_vectors_have_them() {
        for row in vectors::read("identity_numbers.json").into_iter().filter(|row| row.truth("expected")) {
            let number = row.text("text");
            let completed = number.get(..9).and_then(IdentityNumber::completed);
            assert_eq!(completed.unwrap().as_str(), number);
        }
        // The first check digit would be 10.
        assert_eq!(IdentityNumber::completed("010170007"), None);
        for text in ["", "01017000", "0101700071", "01017000x", "０１０１７０００７"] {
            assert_eq!(IdentityNumber::completed(text), None, "{text}");
        }
    }

    #[test]
    fn eleven_digits_pass_and_nothing_else_does() {
        assert_eq!(IdentityNumber::parse("13039319955").unwrap().as_str(), "13039319955");
        for text in
            ["", "1303931995", "130393199555", "1303931995x", "130393 19955", "１３０３９３１９９５５"]
        {
            assert_eq!(IdentityNumber::parse(text), Err(Reason::HeaderNotIdentityNumber), "{text}");
        }
    }

    #[test]
    fn debug_shows_nothing_of_it() {
        let shown = format!("{:?}", IdentityNumber::parse("13039319955").unwrap());
        assert!(!shown.contains(|character: char| character.is_ascii_digit()), "{shown}");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,14}") {
            let _ = IdentityNumber::parse(&text);
        }
    }
}
