//! What a store keeps of orders for the bank.

use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::payment::product::Product;
use crate::types::PaymentId;

/// An order in the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxOrder {
    /// The payment to be submitted.
    pub payment_id: PaymentId,
    /// How often delivery failed.
    pub attempts: u32,
    /// How many of those failures were caused by the order, and not by a bank that is away.
    pub faults: u32,
    /// When it is delivered, or delivered again.
    pub due_at: DateTime<Utc>,
    /// The product of its payment, as that is stored: nothing is written of it here. `None` where the payment is
    /// missing, or names a product that this library does not know.
    pub product: Option<Product>,
}

/// An order that stays in the outbox and is not delivered: delivering it again would not help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The id of the payment that was to be submitted, as stored: if its row cannot be read, this may be an invalid id.
    pub payment_id: String,
    /// How often delivery failed; 0 where that cannot be read.
    pub attempts: u32,
    /// Why, in English; safe to log.
    pub why: String,
    /// When it became a dead letter; for an unreadable order that no run has claimed yet, when it was due.
    pub since: DateTime<Utc>,
}

impl DeadLetter {
    /// The reason of an unreadable order: its row has values that this library does not write.
    pub const UNREADABLE: &'static str = "it cannot be read";
}

/// An order that is due, and whose row has values that this library does not write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableOrder {
    /// The number of its row in the table outbox.
    pub number: i64,
    /// The payment that was to be submitted; `None` where that cannot be read either.
    pub payment_id: Option<PaymentId>,
}

/// What is due.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DueOrders {
    /// What the caller delivers; after a claim as it was before.
    pub orders: Vec<OutboxOrder>,
    /// Orders that are due and cannot be read: the caller moves them to the dead letters.
    pub unreadable: Vec<UnreadableOrder>,
}

/// Orders on their way to the bank, and dead letters.
pub trait OutboxStore: Send + Sync {
    /// How many orders wait, readable or not, without dead letters.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn waiting_orders(&self) -> Result<u64>;

    /// The orders due at that time, the longest waiting first, at most `limit`. Unreadable orders are returned
    /// separately, so that they do not block readable ones; the caller moves them to the dead letters by
    /// [`Write::MoveUnreadableToDeadLetters`](super::Write::MoveUnreadableToDeadLetters), or gets them again. The
    /// result is empty only if no order is due.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn due_orders(&self, now: DateTime<Utc>, limit: usize) -> Result<DueOrders>;

    /// As [`Self::due_orders`], and each order is due again only at `until`: of several nodes one gets it, and if that
    /// node dies, it is due again then. The orders are returned as they were before the claim. The result is empty only
    /// if no order is due, or other nodes are claiming those that are; it may hold a part of the unreadable orders and
    /// no readable one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn claim_orders(&self, now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> Result<DueOrders>;

    /// When the next order is due, one that cannot be read too; `None` where none waits.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn next_order_due(&self) -> Result<Option<DateTime<Utc>>>;

    /// Whether an order waits that is due after `after`, unreadable ones included. Always false if the newest payment
    /// was created after `now`: then the clock of this node is behind.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn has_order_due_after(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<bool>;

    /// Makes orders that are due after `after` due `now`, unless the newest payment was created after `now`. Their
    /// attempts are kept. Returns the number of these orders.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn clamp_future_due_times(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<usize>;

    /// The dead letters and the unreadable orders that wait, the oldest first and among equals the first enqueued, at
    /// most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>>;

    /// How many dead letters there are, at most `limit`. Unreadable orders that wait are not counted.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn count_dead_letters(&self, limit: usize) -> Result<usize>;

    /// Whether the order of that payment is a dead letter. An unreadable order that waits is not one yet.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn is_dead_letter(&self, id: &PaymentId) -> Result<bool>;
}
