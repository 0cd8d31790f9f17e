//! The entries of a payment order: one, or those of a bulk.

use std::fmt::{self, Debug};

use rusqlite::{params, Row};

use super::books::Books;
use super::named_enum::named_enum;
use super::transaction::{read_counterpart, Counterpart};
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{Bban, Bic, Iban, Money, PaymentId};

named_enum! {
    /// What became of an entry. All are final.
    EntryOutcome {
        /// Booked.
        Booked "BOOKED",
        /// Refused: the money was not there.
        NoFunds "NO_FUNDS",
        /// Refused: the account that pays is not there, or may no longer pay.
        NoDebtor "NO_DEBTOR",
        /// Refused: a currency is not traded, or the sum in it is too large for an amount or a balance.
        NotConvertible "NOT_CONVERTIBLE",
    }
}

/// A structured reference, such as a KID.
#[derive(Clone, PartialEq, Eq)]
pub struct OrderReference {
    /// The reference itself.
    pub reference: String,
    /// Its type, such as SCOR.
    pub reference_type: Option<String>,
    /// Who issued it.
    pub reference_issuer: Option<String>,
}

/// Log-safe: nothing of it.
impl Debug for OrderReference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("OrderReference").finish_non_exhaustive()
    }
}

/// What one payee gets.
#[derive(Clone, PartialEq, Eq)]
pub struct OrderEntry {
    /// What became of it; `None` until the order is settled.
    pub outcome: Option<EntryOutcome>,
    /// What the creditor gets.
    pub instructed: Money,
    /// The payee.
    pub creditor: Counterpart,
    /// The payee's bank.
    pub creditor_agent: Option<Bic>,
    /// For whom the debtor pays.
    pub ultimate_debtor: Option<String>,
    /// Why, as a code.
    pub purpose_code: Option<String>,
    /// The free message.
    pub remittance: Option<String>,
    /// The structured references.
    pub references: Vec<OrderReference>,
}

/// Log-safe: the outcome alone.
impl Debug for OrderEntry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("OrderEntry").field("outcome", &self.outcome).finish_non_exhaustive()
    }
}

const INSERT: &str = "INSERT INTO sandbox_order_entry (payment_id, position, outcome, amount, currency, \
    creditor_name, creditor_bban, creditor_iban, creditor_agent, ultimate_debtor, purpose_code, remittance) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT outcome, amount, currency, creditor_name, creditor_bban, creditor_iban, \
    creditor_agent, ultimate_debtor, purpose_code, remittance \
    FROM sandbox_order_entry WHERE payment_id = ? ORDER BY position";
const INSERT_REFERENCE: &str = "INSERT INTO sandbox_entry_reference \
    (payment_id, entry, position, reference, reference_type, reference_issuer) VALUES (?, ?, ?, ?, ?, ?)";
const SELECT_REFERENCES: &str = "SELECT reference, reference_type, reference_issuer \
    FROM sandbox_entry_reference WHERE payment_id = ? AND entry = ? ORDER BY position";
const SELECT_ALL_REFERENCES: &str = "SELECT entry, reference, reference_type, reference_issuer \
    FROM sandbox_entry_reference WHERE payment_id = ? ORDER BY entry, position";

impl Books<'_> {
    /// Adds the entries of a new order.
    pub(super) fn insert_entries(&self, id: &PaymentId, entries: &[OrderEntry]) -> Result<()> {
        (0_u32..).zip(entries).try_for_each(|(position, entry)| self.insert_entry(id, position, entry))
    }

    fn insert_entry(&self, id: &PaymentId, position: u32, entry: &OrderEntry) -> Result<()> {
        let creditor = &entry.creditor;
        let values = params![
            id.as_str(),
            position,
            entry.outcome.map(EntryOutcome::as_str),
            entry.instructed.to_string(),
            entry.instructed.currency().code(),
            creditor.name,
            creditor.bban.as_ref().map(Bban::as_str),
            creditor.iban.as_ref().map(Iban::as_str),
            entry.creditor_agent.as_ref().map(Bic::as_str),
            entry.ultimate_debtor,
            entry.purpose_code,
            entry.remittance,
        ];
        self.change(INSERT, values)?;
        for (number, reference) in (0_u32..).zip(&entry.references) {
            let OrderReference { reference, reference_type, reference_issuer } = reference;
            let values = params![id.as_str(), position, number, reference, reference_type, reference_issuer];
            self.change(INSERT_REFERENCE, values)?;
        }
        Ok(())
    }

    /// Writes what became of the entries of an order.
    pub(super) fn close_entries(&self, id: &PaymentId, entries: &[OrderEntry]) -> Result<()> {
        let statement = "UPDATE sandbox_order_entry SET outcome = ? WHERE payment_id = ? AND position = ?";
        (0_u32..).zip(entries).try_for_each(|(position, entry)| {
            let values = params![entry.outcome.map(EntryOutcome::as_str), id.as_str(), position];
            self.change(statement, values).map(drop)
        })
    }

    /// The entries of an order, in their order.
    pub(super) fn entries(&self, id: &PaymentId) -> Result<Vec<OrderEntry>> {
        let mut entries = self.rows(SELECT, [id.as_str()], read)?;
        let references = self.rows(SELECT_ALL_REFERENCES, [id.as_str()], |row| {
            let mut columns = Columns::of(row);
            let entry: usize = columns.value()?;
            Ok((entry, read_reference(&mut columns)?))
        })?;
        for (entry, reference) in references {
            if let Some(entry) = entries.get_mut(entry) {
                entry.references.push(reference);
            }
        }
        Ok(entries)
    }

    /// The structured references of one entry of an order, in their order.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn references(&self, id: &PaymentId, entry: u32) -> Result<Vec<OrderReference>> {
        self.rows(SELECT_REFERENCES, params![id.as_str(), entry], |row| read_reference(&mut Columns::of(row)))
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<OrderEntry> {
    let mut columns = Columns::of(row);
    Ok(OrderEntry {
        outcome: columns.optional_text(EntryOutcome::parse)?,
        instructed: columns.money()?,
        creditor: read_counterpart(&mut columns)?,
        creditor_agent: columns.optional_text(|text| Bic::parse(text).ok())?,
        ultimate_debtor: columns.value()?,
        purpose_code: columns.value()?,
        remittance: columns.value()?,
        references: Vec::new(),
    })
}

fn read_reference(columns: &mut Columns<'_>) -> rusqlite::Result<OrderReference> {
    Ok(OrderReference {
        reference: columns.value()?,
        reference_type: columns.value()?,
        reference_issuer: columns.value()?,
    })
}
