//! International bank account numbers.

use std::fmt::{self, Debug};

use super::iban_structure;
use super::inline_ascii::InlineAscii;
use super::{Bban, Masked};
use crate::limits::IBAN_CHARS_MAX;
use crate::reason::Reason;

/// An account number after ISO 13616: country, two check digits (ISO 7064 modulus 97-10) and the country's
/// own number in the form the IBAN registry gives it. Kept without spaces, in upper case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iban(InlineAscii<IBAN_CHARS_MAX>);

impl Iban {
    /// Reads an IBAN; spaces are dropped, lower case becomes upper case.
    ///
    /// National check digits inside the country's number are not looked at.
    ///
    /// # Errors
    /// [`Reason::IbanMalformed`] where the country is not in the registry or its number has another form;
    /// [`Reason::IbanCheckDigits`] where the form is right.
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let kept = text.bytes().filter(|byte| *byte != b' ').map(|byte| byte.to_ascii_uppercase());
        let iban = InlineAscii::collect(kept).map(Self).ok_or(Reason::IbanMalformed)?;
        let (country, check, number) = iban.parts().ok_or(Reason::IbanMalformed)?;
        if !iban_structure::admits(country, number) || !check.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Reason::IbanMalformed);
        }
        if check.parse() != Ok(check_number(country, number)) {
            return Err(Reason::IbanCheckDigits);
        }
        Ok(iban)
    }

    /// The IBAN of a Norwegian account number; `None` where the bban does not have its 11 digits.
    pub fn of_norwegian(bban: &Bban) -> Option<Self> {
        let check = format!("{:02}", check_number("NO", bban.as_str()));
        let text = ["NO", &check, bban.as_str()];
        let iban = InlineAscii::collect(text.into_iter().flat_map(str::bytes)).map(Self);
        iban.filter(|_| bban.is_norwegian())
    }

    /// The IBAN without spaces, in upper case.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Its two-letter country. Not always a [`super::Country`]: Kosovo's XK is in no other list.
    pub fn country_code(&self) -> &str {
        self.parts().map_or("", |(country, _, _)| country)
    }

    /// The Norwegian account number in it; `None` for an IBAN of another country.
    pub fn bban(&self) -> Option<Bban> {
        let (country, _, number) = self.parts()?;
        (country == "NO").then(|| Bban::parse(number).ok()).flatten()
    }

    /// Country, check digits and the country's number.
    fn parts(&self) -> Option<(&str, &str, &str)> {
        let (country, rest) = self.as_str().split_at_checked(2)?;
        let (check, number) = rest.split_at_checked(2)?;
        Some((country, check, number))
    }
}

/// Log-safe: the last four characters.
impl Debug for Iban {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Iban").field(&Masked(self.as_str())).finish()
    }
}

/// Whether the text is an IBAN (ISO 13616), spaces and case aside.
pub fn iban_is_valid(text: &str) -> bool {
    Iban::parse(text).is_ok()
}

/// The check digits as a number: 98 minus the remainder of number, country and two zeros by 97, letters counting 10 to
/// 35. Comparing with it, rather than asking for the remainder 1, refuses 00, 01 and 99, which have the same remainders
/// as 97, 98 and 02 and are never issued.
fn check_number(country: &str, number: &str) -> u8 {
    let characters = number.bytes().chain(country.bytes()).chain(*b"00");
    let remainder = characters.fold(0_u16, |remainder, byte| match byte {
        b'A'..=b'Z' => (remainder * 100 + u16::from(byte - b'A') + 10) % 97,
        _ => (remainder * 10 + u16::from(byte.saturating_sub(b'0'))) % 97,
    });
    98 - u8::try_from(remainder).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::vectors;

    #[test]
    fn every_vector_is_judged_as_it_says() {
        for row in vectors::read("ibans.json") {
            assert_eq!(iban_is_valid(&row.text("text")), row.truth("expected"), "{}", row.text("id"));
        }
    }

    #[test]
    fn a_norwegian_iban_and_its_account_number_give_each_other() {
        let pairs = [
            ("95360573002", "NO0995360573002"),
            ("26743379224", "NO8626743379224"),
            ("91351631959", "NO8591351631959"),
            ("86011117947", "NO9386011117947"),
        ];
        for (bban, iban) in pairs {
            let bban = Bban::parse(bban).unwrap();
            let iban = Iban::parse(iban).unwrap();
            assert_eq!((Iban::of_norwegian(&bban), iban.bban()), (Some(iban), Some(bban)));
        }
    }

    #[test]
    fn the_account_number_of_another_country_is_none() {
        let iban = Iban::parse("DK5000400440116243").unwrap();
        assert_eq!((iban.country_code(), iban.bban()), ("DK", None));
        assert_eq!(Iban::of_norwegian(&Bban::parse("1234567890").unwrap()), None);
        assert_eq!(Iban::of_norwegian(&Bban::parse("1234567890A").unwrap()), None);
        assert_eq!(Iban::of_norwegian(&Bban::parse(&"1".repeat(30)).unwrap()), None);
    }

    #[test]
    fn spaces_are_dropped_and_case_does_not_count() {
        assert_eq!(Iban::parse("no93 8601 1117 947").unwrap().as_str(), "NO9386011117947");
        assert!(Iban::parse("NO93-8601-1117-947").is_err());
    }

    #[test]
    fn form_and_check_digits_are_refused_apart() {
        assert_eq!(Iban::parse("NO9486011117947"), Err(Reason::IbanCheckDigits));
        for text in ["", "N", "NO", "NO9", "NO93", "NO938601111794", "NO93860111179477", "XX9386011117947"] {
            assert_eq!(Iban::parse(text), Err(Reason::IbanMalformed), "{text}");
        }
    }

    #[test]
    fn check_digits_that_are_never_issued_are_refused() {
        let of = |check: u32| {
            (0..99_999_999_999_u64).step_by(1_000_003).map(move |bban| format!("NO{check:02}{bban:011}"))
        };
        let twin = |check| of(check).find(|text| iban_is_valid(text)).unwrap();
        for (issued, never) in [(97, "00"), (98, "01"), (2, "99")] {
            let text = twin(issued).replacen(&format!("{issued:02}"), never, 1);
            assert_eq!(Iban::parse(&text), Err(Reason::IbanCheckDigits), "{text}");
        }
    }

    #[test]
    fn debug_shows_the_last_four_characters_alone() {
        assert_eq!(format!("{:?}", Iban::parse("NO9386011117947").unwrap()), "Iban(…7947)");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "([A-Z]{2}[0-9]{2})?\\PC{0,40}") {
            let _ = Iban::parse(&text).map(|iban| iban.bban());
        }

        #[test]
        fn every_norwegian_account_number_survives_its_iban(number in 0_u64..100_000_000_000) {
            let bban = Bban::parse(&format!("{number:011}")).unwrap();
            let iban = Iban::of_norwegian(&bban).unwrap();
            prop_assert_eq!(Iban::parse(iban.as_str()).unwrap(), iban);
            prop_assert_eq!(iban.bban(), Some(bban));
        }
    }
}
