//! What a store keeps of payments and signing baskets.

use chrono::{DateTime, Utc};

use crate::basket::record::Basket;
use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::types::{BasketId, PaymentId, PsuKey};

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

/// Which payments are listed: those that match all that is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentFilter {
    /// The person who pays.
    pub psu: Option<PsuKey>,
    /// The organisation identifier of the TPP.
    pub tpp: Option<String>,
    /// The status.
    pub status: Option<PaymentStatus>,
    /// Created at this time or later.
    pub created_from: Option<DateTime<Utc>>,
    /// Created before this time.
    pub created_to: Option<DateTime<Utc>>,
}

/// Payments, their histories, and signing baskets.
pub trait PaymentStore: Send + Sync {
    /// A payment of any TPP.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn payment(&self, id: &PaymentId) -> Result<Option<Payment>>;

    /// Payments, the newest first: those that come after the payment of the id `after` in this order, at most `limit`.
    /// None where `after` is the id of no payment.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn list_payments(
        &self,
        filter: &PaymentFilter,
        after: Option<&PaymentId>,
        limit: usize,
    ) -> Result<Vec<Payment>>;

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
