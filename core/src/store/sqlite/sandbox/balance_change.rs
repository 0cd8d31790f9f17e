//! Balances set by hand (contract: Sandbox management, change balance).

use chrono::{DateTime, Utc};
use rusqlite::params;

use super::books::Books;
use super::ledger_account::AccountKey;
use crate::error::{Error, Result};
use crate::store::sqlite::columns::{micros, Columns};
use crate::types::Money;

/// What setting a balance by hand did to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalanceChange {
    /// The account.
    pub account: AccountKey,
    /// The new balance less the old one.
    pub difference: Money,
}

const INSERT: &str =
    "INSERT INTO sandbox_balance_change (account, currency, difference, created_at) VALUES (?, ?, ?, ?)";

impl Books<'_> {
    /// Sets the booked balance of an account and keeps the difference.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Internal`] where there is no such account, its currency is another, or
    /// the difference would have more than 18 digits before the point.
    pub fn change_balance(
        &self,
        key: &AccountKey,
        booked: Money,
        now: DateTime<Utc>,
    ) -> Result<BalanceChange> {
        let account = self.ledger_account(key)?;
        let difference = account.and_then(|account| booked.checked_sub(account.booked));
        let difference = difference.ok_or_else(|| Error::Internal("a balance fits no account".to_owned()))?;
        let currency = difference.currency().code();
        self.change(INSERT, params![key.as_str(), currency, difference.to_string(), micros(now)])?;
        self.set_booked(key, booked)?;
        Ok(BalanceChange { account: key.clone(), difference })
    }

    /// The changes of an account's balance by hand, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn balance_changes(&self, key: &AccountKey) -> Result<Vec<BalanceChange>> {
        let query =
            "SELECT difference, currency FROM sandbox_balance_change WHERE account = ? ORDER BY number";
        self.rows(query, [key.as_str()], |row| {
            let mut columns = Columns::of(row);
            Ok(BalanceChange { account: key.clone(), difference: columns.money()? })
        })
    }
}
