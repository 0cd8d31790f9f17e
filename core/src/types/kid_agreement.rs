//! What a creditor has agreed with the bank about the KID on incoming payments.

use super::{Kid, Modulus};
use crate::reason::{Reason, Violation};

/// A KID agreement of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KidAgreement {
    /// Whether every payment to the account needs a KID.
    pub required: bool,
    /// By which modulus the creditor computes check digits.
    pub modulus: Modulus,
    /// The fewest characters, the check digit counted.
    pub digits_min: u8,
    /// The most characters, the check digit counted.
    pub digits_max: u8,
}

impl KidAgreement {
    /// Judges the KID of a payment to the account, `None` where it has none.
    ///
    /// # Errors
    /// [`Reason::KidMissing`] where one is required; [`Reason::KidNotAgreed`] where it is of another modulus or
    /// length.
    pub fn check(&self, kid: Option<&Kid>) -> Result<(), Violation> {
        match kid {
            None if self.required => Err(Reason::KidMissing.into()),
            None => Ok(()),
            Some(kid) if self.admits(kid) => Ok(()),
            Some(_) => Err(Violation::with(
                Reason::KidNotAgreed,
                &[&self.modulus, &self.digits_min, &self.digits_max],
            )),
        }
    }

    /// Whether a KID has the modulus and the length agreed.
    pub fn admits(&self, kid: &Kid) -> bool {
        let lengths = usize::from(self.digits_min)..=usize::from(self.digits_max);
        kid.fits(self.modulus) && lengths.contains(&kid.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Language;

    const AGREEMENT: KidAgreement =
        KidAgreement { required: true, modulus: Modulus::Ten, digits_min: 5, digits_max: 7 };

    fn reason(agreement: KidAgreement, kid: Option<&str>) -> Option<Reason> {
        let kid = kid.map(|text| Kid::parse(text).unwrap());
        agreement.check(kid.as_ref()).err().map(|violation| violation.reason)
    }

    #[test]
    fn a_missing_kid_is_refused_only_where_one_is_required() {
        assert_eq!(reason(AGREEMENT, None), Some(Reason::KidMissing));
        assert_eq!(reason(KidAgreement { required: false, ..AGREEMENT }, None), None);
    }

    #[test]
    fn lengths_count_from_the_least_to_the_most() {
        for (text, expected) in [
            ("0000", Some(Reason::KidNotAgreed)),
            ("00000", None),
            ("2345676", None),
            ("00000000", Some(Reason::KidNotAgreed)),
        ] {
            assert_eq!(reason(AGREEMENT, Some(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_kid_of_the_other_modulus_is_not_agreed() {
        let eleven = KidAgreement { modulus: Modulus::Eleven, ..AGREEMENT };
        assert_eq!(reason(eleven, Some("709634")), Some(Reason::KidNotAgreed));
        assert_eq!(reason(AGREEMENT, Some("709634")), None);
    }

    #[test]
    fn the_refusal_says_what_was_agreed() {
        let text = AGREEMENT.check(Some(&Kid::parse("00").unwrap())).unwrap_err().text(Language::English);
        assert_eq!(text, "the KID does not fit the creditor's agreement: modulus 10, 5 to 7 digits");
    }
}
