//! The seam to the bank's own core (what the field calls an SPI).
//!
//! The engine asks; the bank answers. No database transaction is open while it does, so a slow bank slows
//! down one call and never the others. Every method may fail with [`Error::Bank`](crate::Error::Bank): the
//! TPP is then answered SYSTEM_ERROR and nothing is stored.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::payment::order::CreditTransfer;
use crate::payment::product::Product;
use crate::types::{
    AccountReference, ActingPsu, Bban, Currency, DebtorAccount, IdentityNumber, KidAgreement, Money,
    PaymentId, PsuKey,
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
    pub transfer: CreditTransfer,
    /// The fee that was shown at creation.
    pub fee: Money,
    /// When the SCA was completed.
    pub authorised_at: DateTime<Utc>,
}

/// Where a submitted payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderStatus {
    /// Its status; PDNG where the bank will settle it later.
    pub status: PaymentStatus,
    /// Whether the money was there, where that is known.
    pub funds_available: Option<bool>,
}

/// The bank behind the engine.
pub trait Bank: Send + Sync {
    /// The person with this national identity number.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>>;

    /// The account, if this PSU may pay from it in that role. The currency of the reference is not
    /// looked at.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>>;

    /// The KID agreement of a creditor's account, if it has one.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>>;

    /// What the payment costs the debtor, in the currency the bank charges in.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn fee(&self, product: Product, transfer: &CreditTransfer) -> Result<Money>;

    /// How many units of the second currency one unit of the first is worth. `None`: not traded.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>>;

    /// Takes an authorised payment. May be called again with the same payment id after a crash; the
    /// second call answers where the payment stands and does nothing else.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank): the order stays in the outbox and is delivered again.
    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus>;
}
