//! How a payment names an account.

use std::fmt::{self, Debug};

use super::{Bban, Currency, Iban, Masked};

/// An account as a body names it: its number, and the currency it is held in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccountReference {
    /// Its number.
    pub identification: AccountIdentification,
    /// Its currency.
    pub currency: Currency,
}

/// The number of an account.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum AccountIdentification {
    /// A domestic account number.
    Bban(Bban),
    /// An international account number.
    Iban(Iban),
    /// A card account (`schemeNameProprietary` creditCardAccount), by account number or masked PAN.
    Card(String),
}

impl AccountIdentification {
    /// The number as text, without dots and spaces.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Bban(bban) => bban.as_str(),
            Self::Iban(iban) => iban.as_str(),
            Self::Card(number) => number,
        }
    }
}

/// The account number of a card account without what only sets it out.
pub(crate) fn bare_card_number(number: &str) -> String {
    number.replace(['.', ' ', '-'], "")
}

/// Log-safe: the last four characters.
impl Debug for AccountIdentification {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bban(bban) => bban.fmt(out),
            Self::Iban(iban) => iban.fmt(out),
            Self::Card(number) => out.debug_tuple("Card").field(&Masked(number)).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_whole_in_a_log() {
        for (identification, shown) in [
            (AccountIdentification::Bban(Bban::parse("95360573029").unwrap()), "Bban(…3029)"),
            (AccountIdentification::Iban(Iban::parse("NO9386011117947").unwrap()), "Iban(…7947)"),
            (AccountIdentification::Card("95360573029".to_owned()), "Card(…3029)"),
            (AccountIdentification::Card("4111111111111111".to_owned()), "Card(…1111)"),
        ] {
            assert_eq!(format!("{identification:?}"), shown);
            let reference = AccountReference { identification, currency: Currency::NOK };
            assert!(format!("{reference:?}").contains(shown));
        }
    }
}
