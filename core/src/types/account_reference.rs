//! How a payment names an account.

use super::{Bban, Currency, Iban};

/// An account as a body names it: its number, and the currency it is held in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccountReference {
    /// Its number.
    pub identification: AccountIdentification,
    /// Its currency.
    pub currency: Currency,
}

/// The number of an account.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
