//! What the bank answers about card accounts.

use crate::account::record::{Balance, CardAccount, CardTransaction, Page, TransactionQuery};
use crate::error::Result;
use crate::types::{ActingPsu, CardAccountId};

/// The card accounts of a bank, with balances and transactions.
pub trait BankCardAccounts: Send + Sync {
    /// The card accounts that this PSU may open to a TPP in that role, the oldest first.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>>;

    /// One of [`Self::card_accounts`]: the one with this id. An account with another id is an invalid answer.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>>;

    /// The balances of one of [`Self::card_accounts`].
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>>;

    /// A part of the booked transactions of one of [`Self::card_accounts`], in the order of
    /// [`BankAccounts::booked`](super::BankAccounts::booked) and with its rules of invalid answers.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>>;

    /// The pending transactions of one of [`Self::card_accounts`], the newest first.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>>;
}
