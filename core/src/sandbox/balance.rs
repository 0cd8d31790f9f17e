//! Balances as the bank reports them.

use super::{reserved, Rates};
use crate::account::record::{Balance, BalanceType};
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::{AccountKey, Books, LedgerAccount};
use crate::types::{AccountId, CardAccountId, Money};

/// Of an ordinary account: what is booked, and what is left of it when the waiting orders are paid.
pub(super) fn of_account(books: &Books<'_>, rates: &Rates, id: &AccountId) -> Result<Vec<Balance>> {
    match books.ledger_account(&AccountKey::from(id))? {
        Some(account) => Ok(booked_and_expected(books, rates, &account)?.to_vec()),
        None => Ok(Vec::new()),
    }
}

/// Of a card account: the same, and what can be spent, which is what is expected with the credit limit on top.
pub(super) fn of_card(books: &Books<'_>, rates: &Rates, id: &CardAccountId) -> Result<Vec<Balance>> {
    let Some(account) = books.ledger_account(&AccountKey::from(id))? else { return Ok(Vec::new()) };
    let [booked, expected] = booked_and_expected(books, rates, &account)?;
    let available = expected.amount.checked_add(account.credit_line);
    let amount = available.ok_or_else(|| Error::Internal("a balance has no sum".to_owned()))?;
    Ok(vec![booked, expected, balance(BalanceType::ForwardAvailable, amount)])
}

fn booked_and_expected(books: &Books<'_>, rates: &Rates, account: &LedgerAccount) -> Result<[Balance; 2]> {
    let expected = reserved::expected(books, rates, account)?;
    Ok([balance(BalanceType::ClosingBooked, account.booked), balance(BalanceType::Expected, expected)])
}

fn balance(kind: BalanceType, amount: Money) -> Balance {
    Balance { kind, amount }
}
