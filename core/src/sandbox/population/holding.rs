//! An account to be opened.

use super::diary::Entry;
use crate::sandbox::default_set::AccountKind;
use crate::types::{Bban, Currency, Iban};

/// What kind of account it is.
pub(super) enum Form {
    /// An ordinary account.
    Ordinary(&'static AccountKind),
    /// A credit card's, in NOK, with its card number of which the middle is hidden.
    Card(String),
}

/// What is on an account at first, in minor units.
#[derive(Debug, Clone, Copy)]
pub(super) enum Opening {
    /// So much.
    Exactly(i64),
    /// So much beyond what it takes never to fall below zero.
    Above(i64),
}

/// An account to be opened for a customer of the neighbourhood.
pub(super) struct Holding {
    /// The customer's place in the neighbourhood.
    pub(super) owner: usize,
    pub(super) form: Form,
    pub(super) currency: Currency,
    pub(super) bban: Bban,
    pub(super) iban: Iban,
    pub(super) opening: Opening,
}

/// What follows from entries is rounded up to hundreds of whole units.
const STEP: i64 = 10_000;

impl Opening {
    /// In minor units, for these entries in their order.
    pub(super) fn before(self, entries: &[Entry]) -> i64 {
        match self {
            Self::Exactly(sum) => sum,
            Self::Above(cushion) => {
                let balances = entries.iter().scan(0, |balance, entry| {
                    *balance += entry.sum;
                    Some(*balance)
                });
                let lacking = -balances.min().unwrap_or_default().min(0);
                (lacking + cushion + STEP - 1) / STEP * STEP
            }
        }
    }
}
