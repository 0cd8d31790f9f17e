//! What the bank answers is what it was asked for: this one thing or nothing, this part of a list.
//!
//! Another account may be open to the TPP as well, so that the table of access would let its data out under the id of
//! the one that was asked for; and a list beyond its period would show a history that takes an SCA. The rules for a
//! bank in any language are here, once. The faults are in the words for JSON: the question, the place in the answer
//! (RFC 6901), and no value, since they are logged.

use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;

use chrono::NaiveDate;

use crate::account::listing::Dated;
use crate::account::record::{Account, CardAccount, CardTransaction, Page, Transaction, TransactionQuery};
use crate::bank::Bank;
use crate::error::{Error, Result};
use crate::limits::BANK_QUESTIONS_PER_PART_MAX;
use crate::types::{AccountId, ActingPsu, CardAccountId, Currency, Money, TransactionId};

/// The account with this id.
pub(crate) fn account(bank: &dyn Bank, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
    let found = bank.account_data().account(psu, id)?;
    only(found, |account| account.id == *id, "account: /accountId")
}

/// The card account with this id.
pub(crate) fn card_account(
    bank: &dyn Bank,
    psu: &ActingPsu,
    id: &CardAccountId,
) -> Result<Option<CardAccount>> {
    let found = bank.card_account_data().card_account(psu, id)?;
    only(found, |card| card.id == *id, "card_account: /cardAccountId")
}

/// The booked transaction with this id. One without an id is pending, and not what was asked for either.
pub(crate) fn transaction(
    bank: &dyn Bank,
    account: &Account,
    id: &TransactionId,
) -> Result<Option<Transaction>> {
    let found = bank.account_data().transaction(&account.id, id)?;
    let found = only(found, |found| found.id.as_ref() == Some(id), "transaction: /transactionId")?;
    only(
        found,
        |found| found.amount.currency() == account.currency,
        "transaction: /transactionAmount/currency",
    )
}

/// The accounts of the PSU in that role. What two agreements reach is one account.
pub(crate) fn accounts(bank: &dyn Bank, psu: &ActingPsu) -> Result<Vec<Account>> {
    Ok(each_once(bank.account_data().accounts(psu)?, |account| &account.id))
}

/// The card accounts of the PSU in that role, each once.
pub(crate) fn card_accounts(bank: &dyn Bank, psu: &ActingPsu) -> Result<Vec<CardAccount>> {
    Ok(each_once(bank.card_account_data().card_accounts(psu)?, |card| &card.id))
}

fn each_once<T, K: Clone + Eq + Hash>(mut found: Vec<T>, id: impl Fn(&T) -> &K) -> Vec<T> {
    let mut seen = HashSet::new();
    found.retain(|item| seen.insert(id(item).clone()));
    found
}

/// The part of an account's booked transactions that the query names.
pub(crate) fn booked(
    bank: &dyn Bank,
    account: &Account,
    query: &TransactionQuery,
) -> Result<Page<Transaction>> {
    const QUESTION: &str = "booked";
    let page = part(query, QUESTION, |part| bank.account_data().booked(&account.id, part))?;
    check_currency(page.items.iter().map(|item| item.amount), account.currency, QUESTION)?;
    let mut seen = HashSet::new();
    match page.items.iter().position(|item| item.id.as_ref().is_some_and(|id| !seen.insert(id))) {
        None => Ok(page),
        Some(index) => Err(unusable(
            format_args!("{QUESTION}: /transactions/{index}/transactionId"),
            "is that of another one in the list",
        )),
    }
}

/// The part of a card account's booked transactions that the query names.
pub(crate) fn card_booked(
    bank: &dyn Bank,
    card: &CardAccount,
    query: &TransactionQuery,
) -> Result<Page<CardTransaction>> {
    const QUESTION: &str = "card_booked";
    let page = part(query, QUESTION, |part| bank.card_account_data().card_booked(&card.id, part))?;
    check_currency(page.items.iter().map(|item| item.amount), card.currency, QUESTION)?;
    Ok(page)
}

/// An account's pending transactions. None has an id yet: one that it has now would be another's later.
pub(crate) fn pending(bank: &dyn Bank, account: &Account) -> Result<Vec<Transaction>> {
    const QUESTION: &str = "pending";
    let found = bank.account_data().pending(&account.id)?;
    check_currency(found.iter().map(|item| item.amount), account.currency, QUESTION)?;
    match found.iter().position(|transaction| transaction.id.is_some()) {
        None => Ok(found),
        Some(index) => Err(unusable(
            format_args!("{QUESTION}: /transactions/{index}/transactionId"),
            "is there, though the transaction is pending",
        )),
    }
}

/// A card account's pending transactions.
pub(crate) fn card_pending(bank: &dyn Bank, card: &CardAccount) -> Result<Vec<CardTransaction>> {
    let found = bank.card_account_data().card_pending(&card.id)?;
    check_currency(found.iter().map(|item| item.amount), card.currency, "card_pending")?;
    Ok(found)
}

/// Another thing is the bank's mistake, as in JSON an answer to another question.
fn only<T>(found: Option<T>, is_asked_for: impl FnOnce(&T) -> bool, place: &str) -> Result<Option<T>> {
    match found {
        Some(other) if !is_asked_for(&other) => Err(unusable(place, "is not what was asked for")),
        found => Ok(found),
    }
}

/// The part that the query names, whole: a core may answer fewer at a time, and is then asked on. If its list changed
/// in between, the part is asked for again from its beginning, because halves of two lists are not one list.
fn part<T: Dated>(
    query: &TransactionQuery,
    question: &str,
    ask: impl Fn(&TransactionQuery) -> Result<Page<T>>,
) -> Result<Page<T>> {
    let mut whole = Page { items: Vec::new(), total: 0 };
    let mut rest = *query;
    for _ in 0..BANK_QUESTIONS_PER_PART_MAX {
        let page = ask(&rest)?;
        if !whole.items.is_empty() && page.total != whole.total {
            (whole.items, rest) = (Vec::new(), *query);
            continue;
        }
        let length = length(&page.items);
        check_count(length, page.total, &rest, question)?;
        whole.total = page.total;
        whole.items.extend(page.items);
        rest.offset = rest.offset.saturating_add(length);
        rest.limit = rest.limit.saturating_sub(u32::try_from(length).unwrap_or(u32::MAX));
        if rest.limit == 0 || rest.offset >= whole.total {
            check_days(&whole.items, query, question)?;
            return Ok(whole);
        }
        if length == 0 {
            return Err(unusable(
                format_args!("{question}: /total"),
                "is more than what is listed in the end",
            ));
        }
    }
    Err(unusable(format_args!("{question}: /transactions"), "takes too many questions to be whole"))
}

/// That a page is no longer than was asked for, and counted in the total.
fn check_count(length: u64, total: u64, query: &TransactionQuery, question: &str) -> Result<()> {
    if length > u64::from(query.limit) {
        return Err(unusable(format_args!("{question}: /transactions"), "has more than were asked for"));
    }
    if length > 0 && total < query.offset.saturating_add(length) {
        return Err(unusable(format_args!("{question}: /total"), "is less than what is listed"));
    }
    Ok(())
}

/// That what is listed is of the period, in its order.
fn check_days<T: Dated>(items: &[T], query: &TransactionQuery, question: &str) -> Result<()> {
    let mut before: Option<NaiveDate> = None;
    for (index, item) in items.iter().enumerate() {
        let fault = |text| unusable(format_args!("{question}: /transactions/{index}/bookingDate"), text);
        let day = item.booking_date().ok_or_else(|| fault("is missing, though the transaction is booked"))?;
        if !query.covers(Some(day)) {
            return Err(fault("lies outside the period that was asked for"));
        }
        if before.is_some_and(|before| day > before) {
            return Err(fault("is later than the one before: the newest come first"));
        }
        before = Some(day);
    }
    Ok(())
}

/// That sums are in the currency of their account.
fn check_currency(sums: impl Iterator<Item = Money>, held_in: Currency, question: &str) -> Result<()> {
    match sums.enumerate().find(|(_, sum)| sum.currency() != held_in) {
        None => Ok(()),
        Some((index, _)) => Err(unusable(
            format_args!("{question}: /transactions/{index}/transactionAmount/currency"),
            "is not the currency of the account",
        )),
    }
}

fn length<T>(items: &[T]) -> u64 {
    u64::try_from(items.len()).unwrap_or(u64::MAX)
}

/// That there is an answer, and no use in it.
fn unusable(place: impl Display, text: &str) -> Error {
    Error::BankAnswer(format!("{place}: {text}"))
}
