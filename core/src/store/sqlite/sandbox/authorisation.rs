//! Uses of a card that are authorised and not booked yet.

use std::fmt::{self, Debug};

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::{params, Row};

use super::books::Books;
use super::ledger_account::AccountKey;
use crate::error::Result;
use crate::store::sqlite::columns::{micros, Columns};
use crate::types::{Currency, Money, TransactionId};

/// A use of a card that is authorised and not booked yet.
#[derive(Clone, PartialEq, Eq)]
pub struct CardAuthorisation {
    /// The id of the line to come.
    pub id: TransactionId,
    /// The account of the card.
    pub account: AccountKey,
    /// When the card was used.
    pub transaction_date: NaiveDate,
    /// The sum in the account's currency; what leaves the account is negative.
    pub amount: Money,
    /// The sum in the currency it was spent in; what was spent is positive.
    pub original_amount: Money,
    /// The name of the merchant.
    pub merchant: String,
    /// What the statement says.
    pub remittance: String,
    /// What it is in ISO 20022.
    pub bank_transaction_code: String,
    /// What the bank calls it.
    pub proprietary_code: String,
    /// The merchant's identification.
    pub card_acceptor_id: String,
    /// Where the card was used; `None` of a merchant without a place.
    pub city: Option<String>,
    /// Its country, by ISO 3166.
    pub country: String,
    /// ISO 18245.
    pub merchant_category_code: String,
    /// The card that was used, masked.
    pub masked_pan: String,
    /// When it was authorised.
    pub authorised_at: DateTime<Utc>,
}

/// Log-safe: the id alone.
impl Debug for CardAuthorisation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CardAuthorisation").field("id", &self.id).finish_non_exhaustive()
    }
}

const INSERT: &str = "INSERT INTO sandbox_authorisation (id, account, transaction_date, amount, currency, \
    original_amount, original_currency, merchant, remittance, bank_transaction_code, proprietary_code, \
    card_acceptor_id, city, country, merchant_category_code, masked_pan, authorised_at) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SELECT: &str =
    "SELECT id, account, transaction_date, amount, currency, original_amount, original_currency, \
    merchant, remittance, bank_transaction_code, proprietary_code, card_acceptor_id, city, country, \
    merchant_category_code, masked_pan, authorised_at FROM sandbox_authorisation WHERE account = ? \
    ORDER BY number DESC";

impl Books<'_> {
    /// Keeps an authorisation until its line is booked.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_authorisation(&self, new: &CardAuthorisation) -> Result<()> {
        let values = params![
            new.id.as_str(),
            new.account.as_str(),
            new.transaction_date.to_string(),
            new.amount.to_string(),
            new.amount.currency().code(),
            new.original_amount.to_string(),
            new.original_amount.currency().code(),
            new.merchant,
            new.remittance,
            new.bank_transaction_code,
            new.proprietary_code,
            new.card_acceptor_id,
            new.city,
            new.country,
            new.merchant_category_code,
            new.masked_pan,
            micros(new.authorised_at),
        ];
        self.change(INSERT, values).map(drop)
    }

    /// Takes the authorisation of a line away, because the line is booked.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn delete_authorisation(&self, line: &TransactionId) -> Result<()> {
        self.change("DELETE FROM sandbox_authorisation WHERE id = ?", [line.as_str()]).map(drop)
    }

    /// The authorisations of an account, the newest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn authorisations(&self, account: &AccountKey) -> Result<Vec<CardAuthorisation>> {
        self.rows(SELECT, [account.as_str()], read)
    }

    /// What authorisations take from an account, as a sum of its currency that is not negative. `None`: it has no sum.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn authorised(&self, account: &AccountKey, currency: Currency) -> Result<Option<Money>> {
        let query = "SELECT amount, currency FROM sandbox_authorisation WHERE account = ?";
        let sums = self.rows(query, [account.as_str()], |row| Columns::of(row).money())?;
        Ok(sums.into_iter().try_fold(Money::zero(currency), Money::checked_sub))
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<CardAuthorisation> {
    let mut columns = Columns::of(row);
    Ok(CardAuthorisation {
        id: columns.text(TransactionId::parse)?,
        account: columns.text(AccountKey::parse)?,
        transaction_date: columns.text(|text| text.parse().ok())?,
        amount: columns.money()?,
        original_amount: columns.money()?,
        merchant: columns.value()?,
        remittance: columns.value()?,
        bank_transaction_code: columns.value()?,
        proprietary_code: columns.value()?,
        card_acceptor_id: columns.value()?,
        city: columns.value()?,
        country: columns.value()?,
        merchant_category_code: columns.value()?,
        masked_pan: columns.value()?,
        authorised_at: columns.time()?,
    })
}
