//! Payments at the bank.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::types::{
    AccountReference, ActingPsu, Bban, Currency, DebtorAccount, KidAgreement, Money, PaymentId,
};

/// An authorised payment on its way to the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentOrder {
    /// The idempotency key: the same id is never carried out twice.
    pub payment_id: PaymentId,
    /// The product it was ordered under.
    pub product: Product,
    /// Who ordered it.
    pub psu: ActingPsu,
    /// The order itself.
    pub order: Order,
    /// The fee that was shown at creation.
    pub fee: Money,
    /// When the SCA was completed, or the bank exempted the payment from it.
    pub authorised_at: DateTime<Utc>,
}

/// The status of a submitted payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderStatus {
    /// Its status; PDNG where the bank will settle it later.
    pub status: PaymentStatus,
    /// Whether funds were available, if that is known.
    pub funds_available: Option<bool>,
}

impl OrderStatus {
    /// A status without information about the funds.
    pub const fn of(status: PaymentStatus) -> Self {
        Self { status, funds_available: None }
    }
}

/// The outcome of a request to cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancellation {
    /// The payment will not be carried out, or not any more.
    Cancelled,
    /// It is too late to cancel, for good: this is the status of the payment.
    TooLate(OrderStatus),
}

/// What a bank knows about a payment before it is created, and what it does with it afterwards.
pub trait BankPayments: Send + Sync {
    /// The account, if this PSU may pay from it in that role. The currency of the reference is
    /// ignored.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>>;

    /// The KID agreement of a creditor's account, if it has one.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>>;

    /// What the payment costs the debtor, in the currency the bank charges in; not negative.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn fee(&self, product: Product, order: &Order) -> Result<Money>;

    /// The value of one unit of the first currency in the second, above zero. `None`: not traded.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>>;

    /// Takes an authorised payment. May be called again with the same payment id after a crash; the second call returns
    /// the status of the payment and does nothing else. So does the first call for a payment that was cancelled before:
    /// CANC. The second call may come long after the first, if [`Self::cancel_payment`] gave no answer that could be
    /// stored. It is then repeated, in the end every hour, until the payment can no longer be cancelled.
    ///
    /// The day on which it was to be executed, or the last day of a periodic one, may be over: it is checked at
    /// creation only, and the PSU may approve late, or the bank may have been unavailable. The bank executes it on the
    /// next day that it can, or answers RJCT.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank) if the bank is unavailable: the order stays in the outbox and is delivered
    /// again, without limit. [`Error::BankAnswer`](crate::Error::BankAnswer) or a panic for an invalid answer: the
    /// order is delivered again too, and becomes a dead letter after ten such failures. A status that the payment
    /// cannot change to makes the order a dead letter at once.
    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus>;

    /// Cancels an authorised payment. A payment that the bank never took is cancelled too, permanently: an order that
    /// comes later is not executed. May be called again with the same id.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank): the payment is unchanged, and [`Self::submit_payment`] asks the bank for
    /// its status until the payment can no longer be cancelled, or the bank answers that it is too late.
    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation>;
}
