//! What ordinary accounts and card accounts have in common: an owner, a balance and lines.

use std::fmt::{self, Debug};

use rusqlite::Row;

use super::books::Books;
use super::card_account::CardStatus;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{bare_card_number, AccountId, Bban, CardAccountId, Currency, CustomerId, Iban, Money};

/// The id of an account or of a card account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountKey(Box<str>);

impl AccountKey {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        AccountId::parse(text).as_ref().map(Self::from)
    }
}

impl From<&AccountId> for AccountKey {
    fn from(id: &AccountId) -> Self {
        Self(id.as_str().into())
    }
}

impl From<&CardAccountId> for AccountKey {
    fn from(id: &CardAccountId) -> Self {
        Self(id.as_str().into())
    }
}

/// An account as the ledger sees it.
#[derive(Clone, PartialEq, Eq)]
pub struct LedgerAccount {
    /// Which account it is.
    pub key: AccountKey,
    /// The customer it belongs to.
    pub owner: CustomerId,
    /// That customer's name.
    pub owner_name: String,
    /// What its owner calls it.
    pub name: String,
    /// Its account number; a card account has none here.
    pub bban: Option<Bban>,
    /// The same number as an IBAN.
    pub iban: Option<Iban>,
    /// Its currency, that of all its sums.
    pub currency: Currency,
    /// How far below zero it may go.
    pub credit_line: Money,
    /// The balance it was opened with.
    pub opening: Money,
    /// The booked balance.
    pub booked: Money,
    /// Whether it may pay: a card account only while it is enabled.
    pub may_pay: bool,
}

/// Log-safe: the id alone.
impl Debug for LedgerAccount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LedgerAccount").field("key", &self.key).finish_non_exhaustive()
    }
}

macro_rules! select {
    ($($rest:expr),+) => {
        concat!(
            "SELECT a.id, a.owner, o.name, a.name, a.bban, a.iban, a.currency, a.credit_line, a.opening, \
             a.booked, c.status FROM sandbox_account a JOIN sandbox_customer o ON o.id = a.owner \
             LEFT JOIN sandbox_card_account c ON c.account = a.id ",
            $($rest),+
        )
    };
}

/// The card accounts whose bare account number, which an index has, is as the rest says. See [`bare_card_number`].
macro_rules! cards {
    ($rest:literal) => {
        concat!(
            "SELECT account FROM sandbox_card_account \
             WHERE replace(replace(replace(account_number, '.', ''), ' ', ''), '-', '')",
            $rest
        )
    };
}

impl Books<'_> {
    /// The account of that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn ledger_account(&self, key: &AccountKey) -> Result<Option<LedgerAccount>> {
        self.row(select!("WHERE a.id = ?"), [key.as_str()], read)
    }

    /// The ordinary account of that number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn ledger_account_by_bban(&self, bban: &Bban) -> Result<Option<LedgerAccount>> {
        self.row(select!("WHERE a.bban = ?"), [bban.as_str()], read)
    }

    /// The ordinary account of that IBAN.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn ledger_account_by_iban(&self, iban: &Iban) -> Result<Option<LedgerAccount>> {
        self.row(select!("WHERE a.iban = ?"), [iban.as_str()], read)
    }

    /// The card accounts of that account number, however it is set out, the oldest first. It is not unique.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_ledger_accounts_by_account_number(&self, number: &str) -> Result<Vec<LedgerAccount>> {
        let query = select!("WHERE a.id IN (", cards!(" = ?1"), ") ORDER BY a.number");
        self.rows(query, [bare_card_number(number)], read)
    }

    /// The card accounts that show exactly that account number or that masked PAN, the oldest first. Neither is unique.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_ledger_accounts_showing(&self, number: &str) -> Result<Vec<LedgerAccount>> {
        const SHOWN: &str = select!(
            "WHERE a.id IN (",
            cards!(" = ?1 AND account_number = ?2 OR masked_pan = ?2"),
            ") ORDER BY a.number"
        );
        self.rows(SHOWN, [bare_card_number(number).as_str(), number], read)
    }

    /// Every account, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn ledger_accounts(&self) -> Result<Vec<LedgerAccount>> {
        self.rows(select!("ORDER BY a.number"), [], read)
    }

    /// The booked balance of the account of that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn booked_balance(&self, key: &AccountKey) -> Result<Option<Money>> {
        let query = "SELECT booked, currency FROM sandbox_account WHERE id = ?";
        self.row(query, [key.as_str()], |row| Columns::of(row).money())
    }

    /// Writes a balance that nothing proves.
    #[cfg(test)]
    pub(crate) fn forge_booked(&self, key: &AccountKey, booked: Money) -> Result<()> {
        self.set_booked(key, booked)
    }

    /// Writes a booked balance. Only what records why it moved may call this.
    pub(super) fn set_booked(&self, key: &AccountKey, booked: Money) -> Result<()> {
        let values = [booked.to_string(), key.as_str().to_owned()];
        self.change("UPDATE sandbox_account SET booked = ? WHERE id = ?", values)?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<LedgerAccount> {
    let mut columns = Columns::of(row);
    let key = columns.text(AccountKey::parse)?;
    let owner = columns.text(CustomerId::parse)?;
    let (owner_name, name) = (columns.value()?, columns.value()?);
    let bban = columns.optional_text(|text| Bban::parse(text).ok())?;
    let iban = columns.optional_text(|text| Iban::parse(text).ok())?;
    let currency = columns.text(|text| Currency::parse(text).ok())?;
    Ok(LedgerAccount {
        key,
        owner,
        owner_name,
        name,
        bban,
        iban,
        currency,
        credit_line: columns.text(|text| Money::parse(text, currency).ok())?,
        opening: columns.text(|text| Money::parse(text, currency).ok())?,
        booked: columns.text(|text| Money::parse(text, currency).ok())?,
        may_pay: columns.optional_text(CardStatus::parse)?.is_none_or(|status| status == CardStatus::Enabled),
    })
}
