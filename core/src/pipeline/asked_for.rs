//! What the bank answers is what it was asked for: this one thing or nothing, this part of a list.
//!
//! Another account may be open to the TPP as well, so that the table of access would let its data out under the id of
//! the one that was asked for; and a list beyond its period would show a history that takes an SCA. What a bank in any
//! language must keep to stands here once. The faults are in the words for JSON: the question, the place in the answer
//! (RFC 6901), and no value, since they are logged.

use std::fmt::Display;

use chrono::NaiveDate;

use crate::account::listing::Dated;
use crate::account::record::{Account, CardAccount, CardTransaction, Page, Transaction, TransactionQuery};
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

/// The part of an account's booked transactions that the query names.
pub(crate) fn booked(bank: &dyn Bank, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>> {
    part(bank.booked(id, query)?, query, "booked")
}

/// The part of a card account's booked transactions that the query names.
pub(crate) fn card_booked(
    bank: &dyn Bank,
    id: &CardAccountId,
    query: &TransactionQuery,
) -> Result<Page<CardTransaction>> {
    part(bank.card_booked(id, query)?, query, "card_booked")
}

/// An account's pending transactions. None has an id yet: one that it has now would be another's later.
pub(crate) fn pending(bank: &dyn Bank, id: &AccountId) -> Result<Vec<Transaction>> {
    let found = bank.pending(id)?;
    match found.iter().position(|transaction| transaction.id.is_some()) {
        None => Ok(found),
        Some(index) => Err(unusable(
            format_args!("pending: /transactions/{index}/transactionId"),
            "is there, though the transaction is pending",
        )),
    }
}

/// Another thing is the bank's mistake, as in JSON an answer to another question.
fn only<T>(found: Option<T>, is_asked_for: impl FnOnce(&T) -> bool, place: &str) -> Result<Option<T>> {
    match found {
        Some(other) if !is_asked_for(&other) => Err(unusable(place, "is not what was asked for")),
        found => Ok(found),
    }
}

/// The page, if it is the one that was asked for: no longer, no other period, in its order, and counted in the total.
fn part<T: Dated>(page: Page<T>, query: &TransactionQuery, question: &str) -> Result<Page<T>> {
    let length = u64::try_from(page.items.len()).unwrap_or(u64::MAX);
    if length > u64::from(query.limit) {
        return Err(unusable(format_args!("{question}: /transactions"), "has more than were asked for"));
    }
    if length > 0 && page.total < query.offset.saturating_add(length) {
        return Err(unusable(format_args!("{question}: /total"), "is less than what is listed"));
    }
    let mut before: Option<NaiveDate> = None;
    for (index, item) in page.items.iter().enumerate() {
        let day = item.booking_date();
        let fault = |text| unusable(format_args!("{question}: /transactions/{index}/bookingDate"), text);
        if !query.covers(day) {
            return Err(fault("lies outside the period that was asked for"));
        }
        if before.zip(day).is_some_and(|(before, day)| day > before) {
            return Err(fault("is later than the one before: the newest come first"));
        }
        before = day.or(before);
    }
    Ok(page)
}

/// That there is an answer, and no use in it.
fn unusable(place: impl Display, text: &str) -> Error {
    Error::BankAnswer(format!("{place}: {text}"))
}
