//! What the bank answers to a question about one thing: that thing, or nothing.
//!
//! Another one may be open to the TPP as well, so that the table of access would let its data out under the id of the
//! one that was asked for. An answer in JSON is held against its question as it is read; here every bank is.

use crate::account::record::{Account, CardAccount, Transaction};
use crate::bank::Bank;
use crate::error::{Error, Result};
use crate::types::{AccountId, ActingPsu, CardAccountId, TransactionId};

/// The account with this id.
pub(crate) fn account(bank: &dyn Bank, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
    let found = bank.account(psu, id)?;
    only(found, |account| account.id == *id, "account: /accountId")
}

/// The card account with this id.
pub(crate) fn card_account(
    bank: &dyn Bank,
    psu: &ActingPsu,
    id: &CardAccountId,
) -> Result<Option<CardAccount>> {
    let found = bank.card_account(psu, id)?;
    only(found, |card| card.id == *id, "card_account: /cardAccountId")
}

/// The booked transaction with this id. One without an id is pending, and not what was asked for either.
pub(crate) fn transaction(
    bank: &dyn Bank,
    account: &AccountId,
    id: &TransactionId,
) -> Result<Option<Transaction>> {
    let found = bank.transaction(account, id)?;
    only(found, |transaction| transaction.id.as_ref() == Some(id), "transaction: /transactionId")
}

/// Another thing is the bank's mistake, in the words for an answer in JSON to another question. The ids stay out: the
/// text is logged.
fn only<T>(found: Option<T>, is_asked_for: impl FnOnce(&T) -> bool, place: &str) -> Result<Option<T>> {
    match found {
        Some(other) if !is_asked_for(&other) => {
            Err(Error::BankAnswer(format!("{place}: is not what was asked for")))
        }
        found => Ok(found),
    }
}
