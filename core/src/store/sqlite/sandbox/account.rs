//! Ordinary accounts (contract: Sandbox management).

use std::fmt::{self, Debug};

use rusqlite::{params, Row};

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{AccountId, Bban, Currency, CustomerId, Iban, Money};

/// An ordinary account.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id, the `resourceId` of the answers.
    pub id: AccountId,
    /// The customer it belongs to.
    pub owner: CustomerId,
    /// Its Norwegian account number, of no other account.
    pub bban: Bban,
    /// The same number as an IBAN.
    pub iban: Iban,
    /// Its currency, that of all its sums.
    pub currency: Currency,
    /// What its owner calls it, at most 70 characters.
    pub name: String,
    /// What the bank calls its kind, such as BRUKSKONTO.
    pub product: String,
    /// Its kind in ISO 20022 (ExternalCashAccountType1Code), such as CACC.
    pub cash_account_type: String,
    /// How far below zero it may go; not negative.
    pub credit_line: Money,
    /// The balance it was opened with.
    pub opening: Money,
    /// The booked balance. It moves with the lines and by hand, never by writing the account.
    pub booked: Money,
}

/// Log-safe: the id alone.
impl Debug for Account {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Account").field("id", &self.id).finish_non_exhaustive()
    }
}

const INSERT: &str = "INSERT INTO sandbox_account (id, owner, bban, iban, currency, name, product, \
    cash_account_type, credit_line, opening, booked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, owner, bban, iban, currency, name, product, cash_account_type, credit_line, \
             opening, booked FROM sandbox_account WHERE bban IS NOT NULL AND ",
            $rest
        )
    };
}

impl Books<'_> {
    /// Opens an account; its booked balance is the opening one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of an account number in use too.
    pub fn insert_account(&self, account: &Account) -> Result<()> {
        let (credit_line, opening) = (account.credit_line.to_string(), account.opening.to_string());
        let values = params![
            account.id.as_str(),
            account.owner.as_str(),
            account.bban.as_str(),
            account.iban.as_str(),
            account.currency.code(),
            account.name,
            account.product,
            account.cash_account_type,
            credit_line,
            opening,
            opening,
        ];
        self.change(INSERT, values)?;
        Ok(())
    }

    /// The account of that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn account(&self, id: &AccountId) -> Result<Option<Account>> {
        self.row(select!("id = ?"), [id.as_str()], read)
    }

    /// The accounts of a customer, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn accounts_of(&self, owner: &CustomerId) -> Result<Vec<Account>> {
        self.rows(select!("owner = ? ORDER BY number"), [owner.as_str()], read)
    }

    /// Every ordinary account, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn accounts(&self) -> Result<Vec<Account>> {
        self.rows(select!("1 ORDER BY number"), [], read)
    }

    /// Closes an account, with its lines and the engagements with it; whether there was one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn delete_account(&self, id: &AccountId) -> Result<bool> {
        let statement = "DELETE FROM sandbox_account WHERE id = ? AND bban IS NOT NULL";
        Ok(self.change(statement, [id.as_str()])? > 0)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Account> {
    let mut columns = Columns::of(row);
    let id = columns.text(AccountId::parse)?;
    let owner = columns.text(CustomerId::parse)?;
    let bban = columns.text(|text| Bban::parse(text).ok())?;
    let iban = columns.text(|text| Iban::parse(text).ok())?;
    let currency = columns.text(|text| Currency::parse(text).ok())?;
    Ok(Account {
        id,
        owner,
        bban,
        iban,
        currency,
        name: columns.value()?,
        product: columns.value()?,
        cash_account_type: columns.value()?,
        credit_line: columns.text(|text| Money::parse(text, currency).ok())?,
        opening: columns.text(|text| Money::parse(text, currency).ok())?,
        booked: columns.text(|text| Money::parse(text, currency).ok())?,
    })
}
