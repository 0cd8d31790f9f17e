//! What is held back of a booked balance, where both balances were set by hand (contract: Sandbox management,
//! change balance).

use super::books::Books;
use super::ledger_account::AccountKey;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{Currency, Money};

impl Books<'_> {
    /// What is held back of an account's booked balance; it may be negative.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn held_back(&self, key: &AccountKey, currency: Currency) -> Result<Money> {
        let query = "SELECT held_back FROM sandbox_account WHERE id = ?";
        let held = self.row(query, [key.as_str()], |row| {
            Columns::of(row).optional_text(|text| Money::parse(text, currency).ok())
        })?;
        Ok(held.flatten().unwrap_or_else(|| Money::zero(currency)))
    }

    /// Holds that much back from now on, in the account's currency.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn hold_back(&self, key: &AccountKey, held: Money) -> Result<()> {
        let text = (!held.is_zero()).then(|| held.to_string());
        self.change("UPDATE sandbox_account SET held_back = ? WHERE id = ?", (text, key.as_str()))?;
        Ok(())
    }
}
