//! An account to be opened.

use crate::error::Error;
use crate::sandbox::default_set::AccountKind;
use crate::types::{Bban, Currency, Iban};

/// What kind of account it is.
pub(super) enum Form {
    /// An ordinary account.
    Ordinary(&'static AccountKind),
    /// A credit card's, in NOK.
    Card,
}

/// An account to be opened for a customer of the neighbourhood.
pub(super) struct Holding {
    /// The customer's place in the neighbourhood.
    pub(super) owner: usize,
    /// Of another customer who may use it, such as the other one of a couple.
    pub(super) partner: Option<usize>,
    pub(super) form: Form,
    pub(super) currency: Currency,
    pub(super) bban: Bban,
    pub(super) iban: Iban,
    /// What is on it at first, in minor units.
    pub(super) opening: i64,
    /// How far it may go below zero, in minor units.
    pub(super) credit_line: i64,
    /// The number of its card with the middle hidden, where it has one.
    pub(super) masked_pan: Option<String>,
}

pub(super) fn broken() -> Error {
    Error::Internal("an invented neighbourhood does not fit together".to_owned())
}
