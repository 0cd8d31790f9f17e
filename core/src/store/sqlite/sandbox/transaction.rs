//! The lines of the ledger (contract: Sandbox account transaction, Transaction details).

use std::fmt::{self, Debug};

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::{params, Row};
use rust_decimal::Decimal;

use super::books::Books;
use super::ledger_account::AccountKey;
use crate::error::{Error, Result};
use crate::store::sqlite::columns::{micros, Columns};
use crate::types::{Bban, Currency, Iban, Money, PaymentId, TransactionId};

/// The other side of a payment.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Counterpart {
    /// Its name.
    pub name: Option<String>,
    /// Its account number.
    pub bban: Option<Bban>,
    /// Its IBAN.
    pub iban: Option<Iban>,
}

/// How a sum became one of another currency (contract: Transaction details, currencyExchange).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The currency given.
    pub source: Currency,
    /// The currency got for it.
    pub target: Currency,
    /// The currency of which the rate prices one unit.
    pub unit: Currency,
    /// How many units of the other currency one unit is worth.
    pub rate: Decimal,
    /// The day of the rate.
    pub quotation_date: NaiveDate,
}

/// A line of an account's ledger. It never changes.
#[derive(Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its id.
    pub id: TransactionId,
    /// The account of the line.
    pub account: AccountKey,
    /// The order it settles, if it settles one.
    pub payment_id: Option<PaymentId>,
    /// Which entry of that order: 0 where it has one, and where the line settles none.
    pub entry: u32,
    /// When it was booked.
    pub booking_date: NaiveDate,
    /// From when on it bears interest.
    pub value_date: NaiveDate,
    /// The sum in the account's currency; what leaves the account is negative.
    pub amount: Money,
    /// The other side.
    pub counterpart: Counterpart,
    /// The creditor's own identification.
    pub creditor_id: Option<String>,
    /// For whom the creditor gets the money.
    pub ultimate_creditor: Option<String>,
    /// For whom the debtor pays.
    pub ultimate_debtor: Option<String>,
    /// The free message. Structured references are kept with the order.
    pub remittance: Option<String>,
    /// Why, as a code.
    pub purpose_code: Option<String>,
    /// What it is in ISO 20022, such as PMNT-ICDT-DMCT; 4 to 14 characters.
    pub bank_transaction_code: String,
    /// What the bank calls it.
    pub proprietary_code: Option<String>,
    /// The exchange, where the order was in another currency.
    pub exchange: Option<Exchange>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The structured reference of a line that settles no order, such as a KID. Those of an order are kept with it.
    pub reference: Option<String>,
}

/// Whether lines were booked on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookingOutcome {
    /// All of them.
    Booked,
    /// There is no such account.
    NoAccount,
    /// A line is of another account or currency, or the balance would have more than 18 digits before the point. The
    /// lines before it are in the books.
    NoBalance,
}

/// Log-safe: nothing of it.
impl Debug for Counterpart {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Counterpart").finish_non_exhaustive()
    }
}

/// Log-safe: the id alone.
impl Debug for Transaction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Transaction").field("id", &self.id).finish_non_exhaustive()
    }
}

const INSERT: &str =
    "INSERT INTO sandbox_transaction (id, account, payment_id, entry, booking_date, value_date, \
    amount, currency, counterpart_name, counterpart_bban, counterpart_iban, creditor_id, ultimate_creditor, \
    ultimate_debtor, remittance, purpose_code, bank_transaction_code, proprietary_code, exchange_source, \
    exchange_target, exchange_unit, exchange_rate, quotation_date, created_at, \
    reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// A query of lines, with the columns that [`read`] takes.
macro_rules! select_line {
    ($rest:literal) => {
        concat!(
            "SELECT id, account, payment_id, entry, booking_date, value_date, \
             amount, currency, counterpart_name, counterpart_bban, counterpart_iban, creditor_id, ultimate_creditor, \
             ultimate_debtor, remittance, purpose_code, bank_transaction_code, proprietary_code, exchange_source, \
             exchange_target, exchange_unit, exchange_rate, quotation_date, created_at, reference \
             FROM sandbox_transaction ",
            $rest
        )
    };
}
pub(super) use select_line;

impl Books<'_> {
    /// Books a line: the line and the balance it moves.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Internal`] where there is no such account, its currency is another, or
    /// its balance would have more than 18 digits before the point.
    pub fn book(&self, line: &Transaction) -> Result<()> {
        self.book_all(&line.account, std::slice::from_ref(line))
    }

    /// Books lines of one account, whose balance is read once and written once.
    ///
    /// # Errors
    /// As [`Books::book`]; the lines before the one that fits no balance may be in the books then. A line of another
    /// account is an [`Error::Internal`] too.
    pub fn book_all(&self, account: &AccountKey, lines: &[Transaction]) -> Result<()> {
        match self.try_book_all(account, lines)? {
            BookingOutcome::Booked => Ok(()),
            BookingOutcome::NoAccount if lines.is_empty() => Ok(()),
            BookingOutcome::NoAccount | BookingOutcome::NoBalance => {
                Err(Error::Internal("a line fits no balance".to_owned()))
            }
        }
    }

    /// As [`Books::book_all`], where the account may have been deleted and its balance set by hand.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn try_book_all(&self, account: &AccountKey, lines: &[Transaction]) -> Result<BookingOutcome> {
        let Some(mut booked) = self.booked_balance(account)? else { return Ok(BookingOutcome::NoAccount) };
        for line in lines {
            let fitting = Some(booked).filter(|_| line.account == *account);
            let moved = fitting.and_then(|booked| booked.checked_add(line.amount));
            let Some(moved) = moved else { return Ok(BookingOutcome::NoBalance) };
            booked = moved;
            self.insert_line(line)?;
        }
        self.set_booked(account, booked)?;
        Ok(BookingOutcome::Booked)
    }

    fn insert_line(&self, line: &Transaction) -> Result<()> {
        let (exchange, counterpart) = (line.exchange.as_ref(), &line.counterpart);
        let values = params![
            line.id.as_str(),
            line.account.as_str(),
            line.payment_id.as_ref().map(PaymentId::as_str),
            line.entry,
            line.booking_date.to_string(),
            line.value_date.to_string(),
            line.amount.to_string(),
            line.amount.currency().code(),
            counterpart.name,
            counterpart.bban.as_ref().map(Bban::as_str),
            counterpart.iban.as_ref().map(Iban::as_str),
            line.creditor_id,
            line.ultimate_creditor,
            line.ultimate_debtor,
            line.remittance,
            line.purpose_code,
            line.bank_transaction_code,
            line.proprietary_code,
            exchange.map(|exchange| exchange.source.code()),
            exchange.map(|exchange| exchange.target.code()),
            exchange.map(|exchange| exchange.unit.code()),
            exchange.map(|exchange| exchange.rate.to_string()),
            exchange.map(|exchange| exchange.quotation_date.to_string()),
            micros(line.created_at),
            line.reference,
        ];
        self.change(INSERT, values)?;
        Ok(())
    }

    /// The lines of an account: by booking date, then by creation, the newest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn transactions(&self, account: &AccountKey) -> Result<Vec<Transaction>> {
        let query = select_line!("WHERE account = ? ORDER BY booking_date DESC, number DESC");
        self.rows(query, [account.as_str()], read)
    }

    /// Takes every line of an account back: the lines and what they moved. How many there were.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Internal`] where there is no such account.
    pub fn unbook_all(&self, account: &AccountKey) -> Result<usize> {
        let lines = self.transactions(account)?;
        let booked = self.ledger_account(account)?.map(|account| account.booked);
        let booked = lines.iter().fold(booked, |booked, line| booked?.checked_sub(line.amount));
        let booked = booked.ok_or_else(|| Error::Internal("the lines fit no balance".to_owned()))?;
        self.change("DELETE FROM sandbox_transaction WHERE account = ?", [account.as_str()])?;
        self.set_booked(account, booked)?;
        Ok(lines.len())
    }
}

/// Reads the columns of [`select_line`].
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Transaction> {
    let mut columns = Columns::of(row);
    let id = columns.text(TransactionId::parse)?;
    let account = columns.text(AccountKey::parse)?;
    let payment_id = columns.optional_text(PaymentId::parse)?;
    let entry = columns.value()?;
    let (booking_date, value_date) =
        (columns.text(|text| text.parse().ok())?, columns.text(|text| text.parse().ok())?);
    Ok(Transaction {
        id,
        account,
        payment_id,
        entry,
        booking_date,
        value_date,
        amount: columns.money()?,
        counterpart: read_counterpart(&mut columns)?,
        creditor_id: columns.value()?,
        ultimate_creditor: columns.value()?,
        ultimate_debtor: columns.value()?,
        remittance: columns.value()?,
        purpose_code: columns.value()?,
        bank_transaction_code: columns.value()?,
        proprietary_code: columns.value()?,
        exchange: read_exchange(&mut columns)?,
        created_at: columns.time()?,
        reference: columns.value()?,
    })
}

/// Three columns: name, bban, iban.
pub(super) fn read_counterpart(columns: &mut Columns<'_>) -> rusqlite::Result<Counterpart> {
    Ok(Counterpart {
        name: columns.value()?,
        bban: columns.optional_text(|text| Bban::parse(text).ok())?,
        iban: columns.optional_text(|text| Iban::parse(text).ok())?,
    })
}

/// Five columns, all of them NULL where nothing was exchanged, and none where something was.
fn read_exchange(columns: &mut Columns<'_>) -> rusqlite::Result<Option<Exchange>> {
    let source = columns.optional_text(|text| Currency::parse(text).ok())?;
    let target = columns.optional_text(|text| Currency::parse(text).ok())?;
    let unit = columns.optional_text(|text| Currency::parse(text).ok())?;
    let rate = columns.optional_text(|text| text.parse().ok())?;
    let date = columns.optional_text(|text| text.parse().ok())?;
    match (source, target, unit, rate, date) {
        (None, None, None, None, None) => Ok(None),
        (Some(source), Some(target), Some(unit), Some(rate), Some(quotation_date)) => {
            Ok(Some(Exchange { source, target, unit, rate, quotation_date }))
        }
        _ => Err(columns.unknown()),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn an_exchange_is_whole_or_is_not_there() {
        let connection = Connection::open_in_memory().unwrap();
        let read = |row: &str| {
            connection.query_row(&format!("SELECT {row}"), [], |row| read_exchange(&mut Columns::of(row)))
        };
        assert!(read("'NOK', 'EUR', 'EUR', '11.5', '2026-09-01'").unwrap().is_some());
        assert_eq!(read("NULL, NULL, NULL, NULL, NULL").unwrap(), None);
        for half in [
            "'NOK', NULL, NULL, NULL, NULL",
            "NULL, 'EUR', 'EUR', '11.5', '2026-09-01'",
            "'NOK', 'EUR', 'EUR', '11.5', NULL",
        ] {
            assert!(read(half).is_err(), "{half}");
        }
    }
}
