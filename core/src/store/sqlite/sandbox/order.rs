//! The payment orders that the bank has taken.

use std::fmt::{self, Debug};

use chrono::{DateTime, Utc};
use rusqlite::{params, Row};

use super::books::Books;
use super::ledger_account::AccountKey;
use super::named_enum::named_enum;
use super::transaction::{read_counterpart, Counterpart};
use crate::error::Result;
use crate::payment::product::Product;
use crate::store::sqlite::columns::{micros, Columns};
use crate::types::{Bban, Bic, Iban, Money, PaymentId};

named_enum! {
    /// Where an order stands. All but the first are final.
    OrderState {
        /// In the next batch.
        Waiting "WAITING",
        /// Booked.
        Booked "BOOKED",
        /// Refused: the money was not there.
        NoFunds "NO_FUNDS",
        /// Refused: the account is not there, or may no longer pay.
        NoDebtor "NO_DEBTOR",
        /// Refused: a currency is not traded, or the sum in it is too large.
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

/// A payment order.
#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// The payment it carries out: there is never a second order for it.
    pub payment_id: PaymentId,
    /// The product it was ordered under.
    pub product: Product,
    /// Where it stands.
    pub state: OrderState,
    /// Whether the engine has the outcome.
    pub reported: bool,
    /// When the bank took it.
    pub taken_at: DateTime<Utc>,
    /// When it is settled: at once, or in that batch.
    pub due_at: DateTime<Utc>,
    /// When it was booked or refused.
    pub settled_at: Option<DateTime<Utc>>,
    /// The account that pays; `None` where there was none.
    pub debtor: Option<AccountKey>,
    /// What the creditor gets.
    pub instructed: Money,
    /// What the bank charges the debtor on top.
    pub fee: Money,
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

/// Log-safe: the payment id and the state alone.
impl Debug for Order {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Order");
        shown.field("payment_id", &self.payment_id).field("state", &self.state).finish_non_exhaustive()
    }
}

const INSERT: &str = "INSERT INTO sandbox_order (payment_id, product, state, reported, taken_at, due_at, \
    settled_at, debtor, amount, currency, fee, fee_currency, creditor_name, creditor_bban, creditor_iban, \
    creditor_agent, ultimate_debtor, purpose_code, remittance) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const INSERT_REFERENCE: &str = "INSERT INTO sandbox_order_reference \
    (payment_id, position, reference, reference_type, reference_issuer) VALUES (?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT payment_id, product, state, reported, taken_at, due_at, \
    settled_at, debtor, amount, currency, fee, fee_currency, creditor_name, creditor_bban, creditor_iban, \
    creditor_agent, ultimate_debtor, purpose_code, remittance FROM sandbox_order WHERE payment_id = ?";
const SELECT_REFERENCES: &str = "SELECT reference, reference_type, reference_issuer \
    FROM sandbox_order_reference WHERE payment_id = ? ORDER BY position";

impl Books<'_> {
    /// Takes an order.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of a payment that has one too.
    pub fn insert_order(&self, order: &Order) -> Result<()> {
        let creditor = &order.creditor;
        let values = params![
            order.payment_id.as_str(),
            order.product.as_str(),
            order.state.as_str(),
            order.reported,
            micros(order.taken_at),
            micros(order.due_at),
            order.settled_at.map(micros),
            order.debtor.as_ref().map(AccountKey::as_str),
            order.instructed.to_string(),
            order.instructed.currency().code(),
            order.fee.to_string(),
            order.fee.currency().code(),
            creditor.name,
            creditor.bban.as_ref().map(Bban::as_str),
            creditor.iban.as_ref().map(Iban::as_str),
            order.creditor_agent.as_ref().map(Bic::as_str),
            order.ultimate_debtor,
            order.purpose_code,
            order.remittance,
        ];
        self.change(INSERT, values)?;
        self.insert_references(order)
    }

    fn insert_references(&self, order: &Order) -> Result<()> {
        for (position, reference) in (0_i64..).zip(&order.references) {
            let OrderReference { reference, reference_type, reference_issuer } = reference;
            let values =
                params![order.payment_id.as_str(), position, reference, reference_type, reference_issuer];
            self.change(INSERT_REFERENCE, values)?;
        }
        Ok(())
    }

    /// The order of that payment.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn order(&self, id: &PaymentId) -> Result<Option<Order>> {
        let Some(mut order) = self.row(SELECT, [id.as_str()], read)? else {
            return Ok(None);
        };
        order.references = self.references(id)?;
        Ok(Some(order))
    }

    /// The structured references of an order, in their order.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn references(&self, id: &PaymentId) -> Result<Vec<OrderReference>> {
        self.rows(SELECT_REFERENCES, [id.as_str()], read_reference)
    }

    /// Writes how a waiting order ended. The outcome is then to be reported.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn close_order(&self, id: &PaymentId, state: OrderState, at: DateTime<Utc>) -> Result<()> {
        let statement = "UPDATE sandbox_order SET state = ?, settled_at = ? WHERE payment_id = ?";
        self.change(statement, params![state.as_str(), micros(at), id.as_str()])?;
        Ok(())
    }

    /// Notes that the engine has the outcome; nothing happens to an order that still waits.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn mark_reported(&self, id: &PaymentId) -> Result<()> {
        let statement = "UPDATE sandbox_order SET reported = 1 WHERE payment_id = ? AND state <> 'WAITING'";
        self.change(statement, [id.as_str()])?;
        Ok(())
    }

    /// The payments whose orders are due by then, the longest waiting first, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn due_payments(&self, at: DateTime<Utc>, limit: u32) -> Result<Vec<PaymentId>> {
        let query = "SELECT payment_id FROM sandbox_order WHERE state = 'WAITING' AND due_at <= ? \
            ORDER BY due_at, number LIMIT ?";
        self.rows(query, params![micros(at), limit], |row| Columns::of(row).text(PaymentId::parse))
    }

    /// The payments whose outcome the engine does not have yet, in the order they were settled, at most
    /// `limit`, with the state of their orders.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn unreported_payments(&self, limit: u32) -> Result<Vec<(PaymentId, OrderState)>> {
        let query = "SELECT payment_id, state FROM sandbox_order WHERE reported = 0 AND state <> 'WAITING' \
            ORDER BY settled_at, number LIMIT ?";
        self.rows(query, [limit], |row| {
            let mut columns = Columns::of(row);
            Ok((columns.text(PaymentId::parse)?, columns.text(OrderState::parse)?))
        })
    }

    /// When the bank has next to do something: the earliest batch that an order waits for, or the time of
    /// the earliest outcome that is not reported.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn next_order_time(&self) -> Result<Option<DateTime<Utc>>> {
        let waiting = "SELECT min(due_at) FROM sandbox_order WHERE state = 'WAITING'";
        let unreported =
            "SELECT min(settled_at) FROM sandbox_order WHERE reported = 0 AND state <> 'WAITING'";
        let waiting = self.row(waiting, [], |row| Columns::of(row).optional_time())?.flatten();
        let unreported = self.row(unreported, [], |row| Columns::of(row).optional_time())?.flatten();
        Ok(waiting.into_iter().chain(unreported).min())
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Order> {
    let mut columns = Columns::of(row);
    let payment_id = columns.text(PaymentId::parse)?;
    let product = columns.text(Product::parse)?;
    let state = columns.text(OrderState::parse)?;
    let reported = columns.value()?;
    let (taken_at, due_at, settled_at) = (columns.time()?, columns.time()?, columns.optional_time()?);
    let debtor = columns.optional_text(AccountKey::parse)?;
    Ok(Order {
        payment_id,
        product,
        state,
        reported,
        taken_at,
        due_at,
        settled_at,
        debtor,
        instructed: columns.money()?,
        fee: columns.money()?,
        creditor: read_counterpart(&mut columns)?,
        creditor_agent: columns.optional_text(|text| Bic::parse(text).ok())?,
        ultimate_debtor: columns.value()?,
        purpose_code: columns.value()?,
        remittance: columns.value()?,
        references: Vec::new(),
    })
}

fn read_reference(row: &Row<'_>) -> rusqlite::Result<OrderReference> {
    let mut columns = Columns::of(row);
    Ok(OrderReference {
        reference: columns.value()?,
        reference_type: columns.value()?,
        reference_issuer: columns.value()?,
    })
}
