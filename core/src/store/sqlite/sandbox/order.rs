//! The payment orders that the bank has taken.

use std::fmt::{self, Debug};

use chrono::{DateTime, Utc};
use rusqlite::{params, Row};

use super::books::Books;
use super::ledger_account::AccountKey;
use super::named_enum::named_enum;
use super::order_entry::OrderEntry;
use crate::error::Result;
use crate::payment::product::Product;
use crate::store::sqlite::columns::{micros, Columns};
use crate::types::{Money, PaymentId};

named_enum! {
    /// The state of an order. All but the first two are final.
    OrderState {
        /// In a batch to come.
        Waiting "WAITING",
        /// Taken, and carried out by no batch: a standing order.
        Standing "STANDING",
        /// Booked.
        Booked "BOOKED",
        /// Some entries are booked; for others the money was not there.
        PartlyNoFunds "PARTLY_NO_FUNDS",
        /// Some entries are booked; others were refused, none of them for want of money.
        Partly "PARTLY",
        /// Refused: the money was not there.
        NoFunds "NO_FUNDS",
        /// Refused: the account is not there, or may no longer pay.
        NoDebtor "NO_DEBTOR",
        /// Refused: a currency is not traded, or the sum in it is too large for an amount or a balance.
        NotConvertible "NOT_CONVERTIBLE",
        /// Cancelled while it waited.
        Cancelled "CANCELLED",
    }
}

/// A payment order.
#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// The payment it carries out: there is never a second order for it.
    pub payment_id: PaymentId,
    /// The product it was ordered under.
    pub product: Product,
    /// Its state.
    pub state: OrderState,
    /// Whether the engine has the outcome.
    pub reported: bool,
    /// When the bank took it.
    pub taken_at: DateTime<Utc>,
    /// When it is settled: at once, or in that batch. Of a standing order, which no batch settles, its first day.
    pub due_at: DateTime<Utc>,
    /// When it was booked, refused or cancelled.
    pub settled_at: Option<DateTime<Utc>>,
    /// The account that pays; `None` where there was none.
    pub debtor: Option<AccountKey>,
    /// What the bank charges the debtor on top, once.
    pub fee: Money,
    /// What is paid to whom: one entry, or those of a bulk in their order. Never none.
    pub entries: Vec<OrderEntry>,
}

/// Log-safe: the payment id and the state alone.
impl Debug for Order {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Order");
        shown.field("payment_id", &self.payment_id).field("state", &self.state).finish_non_exhaustive()
    }
}

const INSERT: &str = "INSERT INTO sandbox_order (payment_id, product, state, reported, taken_at, due_at, \
    settled_at, debtor, fee, fee_currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT payment_id, product, state, reported, taken_at, due_at, \
    settled_at, debtor, fee, fee_currency FROM sandbox_order WHERE payment_id = ?";

impl Books<'_> {
    /// Takes an order.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of a payment that has one too.
    pub fn insert_order(&self, order: &Order) -> Result<()> {
        let values = params![
            order.payment_id.as_str(),
            order.product.path(),
            order.state.as_str(),
            order.reported,
            micros(order.taken_at),
            micros(order.due_at),
            order.settled_at.map(micros),
            order.debtor.as_ref().map(AccountKey::as_str),
            order.fee.to_string(),
            order.fee.currency().code(),
        ];
        self.change(INSERT, values)?;
        self.insert_entries(&order.payment_id, &order.entries)
    }

    /// The order of that payment.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn order(&self, id: &PaymentId) -> Result<Option<Order>> {
        let Some(mut order) = self.row(SELECT, [id.as_str()], read)? else {
            return Ok(None);
        };
        order.entries = self.entries(id)?;
        Ok(Some(order))
    }

    /// Writes how a waiting order ended: its state, when, and what became of each entry. The outcome is then
    /// to be reported.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn close_order(&self, order: &Order) -> Result<()> {
        let statement = "UPDATE sandbox_order SET state = ?, settled_at = ? WHERE payment_id = ?";
        let settled_at = order.settled_at.map(micros);
        self.change(statement, params![order.state.as_str(), settled_at, order.payment_id.as_str()])?;
        self.close_entries(&order.payment_id, &order.entries)
    }

    /// Marks an order as cancelled. The caller knows it already, so it counts as reported.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn cancel_order(&self, id: &PaymentId, at: DateTime<Utc>) -> Result<()> {
        let statement =
            "UPDATE sandbox_order SET state = 'CANCELLED', reported = 1, settled_at = ? WHERE payment_id = ?";
        self.change(statement, params![micros(at), id.as_str()])?;
        Ok(())
    }

    /// Holds an order that no batch has settled. No batch settles it until it is released.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn hold_order(&self, id: &PaymentId) -> Result<()> {
        self.change("UPDATE sandbox_order SET held = 1 WHERE payment_id = ?", [id.as_str()])?;
        Ok(())
    }

    /// Whether an order is held.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn is_order_held(&self, id: &PaymentId) -> Result<bool> {
        let query = "SELECT held FROM sandbox_order WHERE payment_id = ?";
        Ok(self.row(query, [id.as_str()], |row| row.get(0))?.unwrap_or_default())
    }

    /// Releases an order. One that came due while it was held is settled in the next batch.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn release_order(&self, id: &PaymentId, now: DateTime<Utc>, next_run: DateTime<Utc>) -> Result<()> {
        let statement = "UPDATE sandbox_order SET held = 0, due_at = CASE \
            WHEN state = 'WAITING' AND due_at <= ?2 THEN ?3 ELSE due_at END WHERE payment_id = ?1 AND held = 1";
        self.change(statement, params![id.as_str(), micros(now), micros(next_run)])?;
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
        let query =
            "SELECT payment_id FROM sandbox_order WHERE state = 'WAITING' AND held = 0 AND due_at <= ? \
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
        let waiting = "SELECT min(due_at) FROM sandbox_order WHERE state = 'WAITING' AND held = 0";
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
    let product = columns.text(Product::of_path)?;
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
        fee: columns.money()?,
        entries: Vec::new(),
    })
}
