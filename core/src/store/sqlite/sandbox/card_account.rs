//! Card accounts (contract: Sandbox card account).

use std::fmt::{self, Debug};

use rusqlite::{params, Row};

use super::books::Books;
use super::named_enum::named_enum;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{CardAccountId, Currency, CustomerId, Money};

named_enum! {
    /// The status of a card account.
    CardStatus {
        /// In use.
        Enabled "enabled",
        /// Gone for good.
        Deleted "deleted",
        /// Not to be used for now.
        Blocked "blocked",
    }
}

/// A card account.
#[derive(Clone, PartialEq, Eq)]
pub struct CardAccount {
    /// Its id, the `resourceId` of the answers.
    pub id: CardAccountId,
    /// The customer it belongs to.
    pub owner: CustomerId,
    /// Its account number, as it was given.
    pub account_number: String,
    /// The card number with its middle hidden.
    pub masked_pan: String,
    /// Its currency, that of all its sums.
    pub currency: Currency,
    /// What its owner calls it, at most 70 characters.
    pub name: String,
    /// What the bank calls its kind.
    pub product: String,
    /// The card's id.
    pub card_id: String,
    /// The card's version number.
    pub card_id_v_no: String,
    /// When the card expires, as it was given.
    pub expiry: String,
    /// Its status.
    pub status: CardStatus,
    /// How far below zero it may go; not negative.
    pub credit_limit: Money,
    /// The balance it was opened with.
    pub opening: Money,
    /// The booked balance. It moves with the lines and by hand, never by writing the account.
    pub booked: Money,
}

/// Log-safe: the id alone.
impl Debug for CardAccount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CardAccount").field("id", &self.id).finish_non_exhaustive()
    }
}

const INSERT_LEDGER: &str = "INSERT INTO sandbox_account \
    (id, owner, currency, name, product, credit_line, opening, booked) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const INSERT_CARD: &str = "INSERT INTO sandbox_card_account \
    (account, account_number, masked_pan, card_id, card_id_v_no, expiry, status) VALUES (?, ?, ?, ?, ?, ?, ?)";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT a.id, a.owner, a.currency, a.name, a.product, a.credit_line, a.opening, a.booked, \
             c.account_number, c.masked_pan, c.card_id, c.card_id_v_no, c.expiry, c.status \
             FROM sandbox_account a JOIN sandbox_card_account c ON c.account = a.id ",
            $rest
        )
    };
}

impl Books<'_> {
    /// Opens a card account; its booked balance is the opening one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_card_account(&self, card: &CardAccount) -> Result<()> {
        let (id, opening) = (card.id.as_str(), card.opening.to_string());
        let ledger = params![
            id,
            card.owner.as_str(),
            card.currency.code(),
            card.name,
            card.product,
            card.credit_limit.to_string(),
            opening,
            opening,
        ];
        self.change(INSERT_LEDGER, ledger)?;
        let CardAccount { account_number, masked_pan, card_id, card_id_v_no, expiry, status, .. } = card;
        let values = params![id, account_number, masked_pan, card_id, card_id_v_no, expiry, status.as_str()];
        self.change(INSERT_CARD, values)?;
        Ok(())
    }

    /// The card account of that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_account(&self, id: &CardAccountId) -> Result<Option<CardAccount>> {
        self.row(select!("WHERE a.id = ?"), [id.as_str()], read)
    }

    /// The card accounts of a customer in every status, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_accounts_of(&self, owner: &CustomerId) -> Result<Vec<CardAccount>> {
        self.rows(select!("WHERE a.owner = ? ORDER BY a.number"), [owner.as_str()], read)
    }

    /// Every card account in every status, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_accounts(&self) -> Result<Vec<CardAccount>> {
        self.rows(select!("ORDER BY a.number"), [], read)
    }

    /// Gives a card account another status; whether there is such a card account.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn set_card_status(&self, id: &CardAccountId, status: CardStatus) -> Result<bool> {
        let values = [status.as_str(), id.as_str()];
        Ok(self.change("UPDATE sandbox_card_account SET status = ? WHERE account = ?", values)? > 0)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<CardAccount> {
    let mut columns = Columns::of(row);
    let id = columns.text(CardAccountId::parse)?;
    let owner = columns.text(CustomerId::parse)?;
    let currency = columns.text(|text| Currency::parse(text).ok())?;
    Ok(CardAccount {
        id,
        owner,
        currency,
        name: columns.value()?,
        product: columns.value()?,
        credit_limit: columns.text(|text| Money::parse(text, currency).ok())?,
        opening: columns.text(|text| Money::parse(text, currency).ok())?,
        booked: columns.text(|text| Money::parse(text, currency).ok())?,
        account_number: columns.value()?,
        masked_pan: columns.value()?,
        card_id: columns.value()?,
        card_id_v_no: columns.value()?,
        expiry: columns.value()?,
        status: columns.text(CardStatus::parse)?,
    })
}
