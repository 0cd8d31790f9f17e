//! What transactions by card have more than their lines in the ledger (contract: Sandbox card transactions).

use std::fmt::{self, Debug};

use chrono::NaiveDate;
use rusqlite::{params, Row};

use super::books::Books;
use super::ledger_account::AccountKey;
use super::transaction::{self, select_line, Transaction};
use crate::account::record::{CardAcceptorAddress, TransactionQuery};
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{Money, TransactionId};

/// The details of a use of a card. Its line has the rest: the sum in the account's currency, where what was
/// spent is negative, the booking date, what the statement says (as the free message), the exchange, and what
/// the bank calls it.
#[derive(Clone, PartialEq, Eq)]
pub struct CardDetails {
    /// `cardTransactionId`, as it was given.
    pub card_transaction_id: String,
    /// `terminalId`.
    pub terminal_id: Option<String>,
    /// When the card was used.
    pub transaction_date: Option<NaiveDate>,
    /// From when on it bears interest, where that was given. The line has a day always.
    pub value_date: Option<NaiveDate>,
    /// The sum in the currency it was spent in; what was spent is positive.
    pub original_amount: Money,
    /// `contractIdentification` of the exchange.
    pub contract_identification: Option<String>,
    /// What the exchange cost.
    pub markup_fee: Money,
    /// The same in percent, as text.
    pub markup_fee_percentage: Option<String>,
    /// `cardAcceptorId`.
    pub card_acceptor_id: Option<String>,
    /// Where the card was used.
    pub card_acceptor_address: CardAcceptorAddress,
    /// ISO 18245.
    pub merchant_category_code: Option<String>,
    /// The card that was used, masked.
    pub masked_pan: Option<String>,
    /// Whether it is on an invoice.
    pub invoiced: Option<bool>,
}

/// Log-safe: nothing of it.
impl Debug for CardDetails {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CardDetails").finish_non_exhaustive()
    }
}

const INSERT: &str = "INSERT INTO sandbox_card_transaction (line, card_transaction_id, terminal_id, \
    transaction_date, value_date, original_amount, original_currency, contract_identification, markup_fee, \
    markup_fee_currency, markup_fee_percentage, card_acceptor_id, street, building_number, postal_code, city, \
    country, merchant_category_code, masked_pan, invoiced) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT card_transaction_id, terminal_id, \
    transaction_date, value_date, original_amount, original_currency, contract_identification, markup_fee, \
    markup_fee_currency, markup_fee_percentage, card_acceptor_id, street, building_number, postal_code, city, \
    country, merchant_category_code, masked_pan, invoiced FROM sandbox_card_transaction WHERE line = ?";

impl Books<'_> {
    /// Books a use of a card: its line, the balance that moves, and its details.
    ///
    /// # Errors
    /// As [`Books::book`].
    pub fn book_card(&self, line: &Transaction, details: &CardDetails) -> Result<()> {
        self.book(line)?;
        self.insert_card_details(&line.id, details)
    }

    /// Adds what a line that is booked already has as a use of a card.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_card_details(&self, line: &TransactionId, details: &CardDetails) -> Result<()> {
        let address = &details.card_acceptor_address;
        let values = params![
            line.as_str(),
            details.card_transaction_id,
            details.terminal_id,
            details.transaction_date.map(|day| day.to_string()),
            details.value_date.map(|day| day.to_string()),
            details.original_amount.to_string(),
            details.original_amount.currency().code(),
            details.contract_identification,
            details.markup_fee.to_string(),
            details.markup_fee.currency().code(),
            details.markup_fee_percentage,
            details.card_acceptor_id,
            address.street,
            address.building_number,
            address.postal_code,
            address.city,
            address.country,
            details.merchant_category_code,
            details.masked_pan,
            details.invoiced,
        ];
        self.change(INSERT, values)?;
        Ok(())
    }

    /// A part of the lines of a card account that are uses of the card, the newest first. Payments from the account are
    /// left out and do not count.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_uses(&self, account: &AccountKey, query: &TransactionQuery) -> Result<Vec<Transaction>> {
        let uses = select_line!(
            "WHERE account = ? AND booking_date >= ? AND booking_date <= ? \
             AND EXISTS (SELECT 1 FROM sandbox_card_transaction WHERE line = sandbox_transaction.id) \
             ORDER BY booking_date DESC, number DESC LIMIT ? OFFSET ?"
        );
        let day =
            |day: Option<NaiveDate>, otherwise: &str| day.map_or(otherwise.to_owned(), |day| day.to_string());
        let (from, to) = (day(query.from, ""), day(query.to, "9999-12-31"));
        let offset = i64::try_from(query.offset).unwrap_or(i64::MAX);
        self.rows(uses, params![account.as_str(), from, to, query.limit, offset], transaction::read)
    }

    /// The details of a line that is a use of a card; `None` for any other line.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn card_details(&self, line: &TransactionId) -> Result<Option<CardDetails>> {
        self.row(SELECT, [line.as_str()], read)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<CardDetails> {
    let mut columns = Columns::of(row);
    let (card_transaction_id, terminal_id) = (columns.value()?, columns.value()?);
    let transaction_date = columns.optional_text(|text| text.parse().ok())?;
    let value_date = columns.optional_text(|text| text.parse().ok())?;
    Ok(CardDetails {
        card_transaction_id,
        terminal_id,
        transaction_date,
        value_date,
        original_amount: columns.money()?,
        contract_identification: columns.value()?,
        markup_fee: columns.money()?,
        markup_fee_percentage: columns.value()?,
        card_acceptor_id: columns.value()?,
        card_acceptor_address: CardAcceptorAddress {
            street: columns.value()?,
            building_number: columns.value()?,
            postal_code: columns.value()?,
            city: columns.value()?,
            country: columns.value()?,
        },
        merchant_category_code: columns.value()?,
        masked_pan: columns.value()?,
        invoiced: columns.value()?,
    })
}
