//! What a store keeps of payments and signing baskets.

use chrono::{DateTime, Utc};

use crate::basket::record::Basket;
use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::types::{BasketId, PaymentId};

/// What a store says of an event of a payment that it does not hold: a bug of the caller.
pub(crate) const EVENT_WITHOUT_PAYMENT: &str = "an event of a payment that is not there";

/// One status change of one payment, for the auditor. The creation time is in the payment itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The payment.
    pub payment_id: PaymentId,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// The status it left.
    pub from: PaymentStatus,
    /// The status it got.
    pub to: PaymentStatus,
    /// What caused it, such as `sca completed`, `sca exempted by the bank`, `bank: submitted`, `bank: reported`.
    pub cause: String,
}

/// Payments, their histories, and signing baskets.
pub trait PaymentStore: Send + Sync {
    /// A payment of any TPP.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn payment(&self, id: &PaymentId) -> Result<Option<Payment>>;

    /// The history of a payment, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn events(&self, id: &PaymentId) -> Result<Vec<Event>>;

    /// A signing basket of any TPP, deleted ones too.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn basket(&self, id: &BasketId) -> Result<Option<Basket>>;
}
