//! What the bank answers about accounts.

use crate::account::record::{Account, Balance, Page, Transaction, TransactionQuery};
use crate::error::Result;
use crate::types::{AccountId, ActingPsu, TransactionId};

/// The ordinary accounts of a bank, with balances and transactions.
pub trait BankAccounts: Send + Sync {
    /// The ordinary accounts that this PSU may open to a TPP in that role, the oldest first.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>>;

    /// One of [`Self::accounts`]: the one with this id. An account with another id is an invalid answer.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>>;

    /// The balances of one of [`Self::accounts`].
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>>;

    /// A part of the booked transactions of one of [`Self::accounts`], the newest first by booking date, then
    /// by creation. Invalid answers are: a booking date outside of the period (with a first or last day in the
    /// query also a missing one), more transactions than the limit, a later day after an earlier one, and a total
    /// below the offset plus the listed transactions.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>>;

    /// Every pending transaction of one of [`Self::accounts`], the newest first. One with an id is an invalid
    /// answer.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>>;

    /// One booked transaction of one of [`Self::accounts`]: the one with this id. One with another id, or
    /// without one, is an invalid answer.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>>;
}
