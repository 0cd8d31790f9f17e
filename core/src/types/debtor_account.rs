//! An account that is to pay.

use std::fmt::{self, Debug};

use super::Currency;

/// What the engine must know of an account that is to pay.
#[derive(Clone, PartialEq, Eq)]
pub struct DebtorAccount {
    /// The currency it is held in.
    pub currency: Currency,
    /// Other numbers that payments name it by, as they are sent: the masked PAN of a card account that was asked for
    /// by its number, and the other way round. The one asked for may be among them. A payment that names the
    /// account by one of these can be a logical duplicate. The first eight count. Empty: it has one name.
    pub other_numbers: Vec<String>,
}

/// Log-safe: no number.
impl Debug for DebtorAccount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { currency, other_numbers } = self;
        write!(out, "DebtorAccount({currency}, {} other numbers)", other_numbers.len())
    }
}
