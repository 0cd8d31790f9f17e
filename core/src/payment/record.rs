//! What is kept of a payment, and the one way its status changes.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::machine::PaymentStatus;
use super::order::Order;
use super::product::{Product, Service};
use crate::machine::Machine;
use crate::types::Context;
use crate::types::IdentityNumber;
use crate::types::Money;
use crate::types::Party;
use crate::types::{BasketId, PaymentId};
use crate::types::{CorporateKey, PsuKey};

/// A payment as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Its id, which never expires.
    pub id: PaymentId,
    /// Counts the changes, for compare-and-swap. A new payment has 1.
    pub version: u32,
    /// The organisation identifier of the TPP that created it.
    pub tpp: Arc<str>,
    /// The product it was created under.
    pub product: Product,
    /// Whose payment it is; unknown until the SCA of a single-SCA payment is completed.
    pub psu: Option<PsuKey>,
    /// The context the PSU acts in.
    pub context: Option<Context>,
    /// The corporate customer the PSU acts for.
    pub corporate: Option<CorporateKey>,
    /// The person that X-PSU-IDENTITY of the creating call named: no other may authorise the payment. Removed when the
    /// payment leaves RCVD. A payment that is never authorised keeps it, because it can be authorised at any time.
    pub identity: Option<IdentityNumber>,
    /// The order itself.
    pub order: Order,
    /// What the bank charges for it.
    pub fee: Money,
    /// `transactionStatus`. Changed by [`Payment::become_status`] alone.
    pub status: PaymentStatus,
    /// Whether the money was there, once known.
    pub funds_available: Option<bool>,
    /// Why the bank holds it, or empty; `None` if it is not on hold. Only a payment in PDNG is.
    pub on_hold: Option<String>,
    /// When its SCA was completed, or the bank exempted it from one.
    pub authorised_at: Option<DateTime<Utc>>,
    /// The open signing basket that holds it: until the basket is closed, only the basket authorises or cancels it.
    pub basket: Option<BasketId>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// Identifies logically equal payments: SHA-256 over what makes two of them look the same.
    pub duplicate_fingerprint: [u8; 32],
}

/// A status change that is refused, and the rule that refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransitionRefused {
    /// The table has no such row.
    #[error("a payment in {from} cannot become {to}")]
    NoRow {
        /// The status it has.
        from: PaymentStatus,
        /// The status it was to get.
        to: PaymentStatus,
    },
    /// It would leave RCVD for anything but RJCT or CANC.
    #[error("a payment that is not authorised cannot become {to}")]
    Unauthorised {
        /// The status it was to get.
        to: PaymentStatus,
    },
    /// It would be PART.
    #[error("only a bulk can become PART")]
    NoBulk,
}

impl Payment {
    /// Whom it belongs to, as far as that is known.
    pub(crate) fn party(&self) -> Party {
        Party { psu: self.psu.clone(), context: self.context, corporate: self.corporate.clone() }
    }

    /// Moves the payment to another status and counts the change. It is not on hold any more. The person named to
    /// authorise it is removed, because no row of the table leads back to RCVD.
    ///
    /// # Errors
    /// `TransitionRefused` where the table has no such row, where an unauthorised payment would leave RCVD for a
    /// status other than RJCT or CANC, and where a payment other than a bulk would become PART.
    pub fn become_status(&mut self, to: PaymentStatus) -> Result<(), TransitionRefused> {
        let ends_unexecuted = matches!(to, PaymentStatus::Rjct | PaymentStatus::Canc);
        if !self.status.may_become(to) {
            return Err(TransitionRefused::NoRow { from: self.status, to });
        }
        if self.status == PaymentStatus::Rcvd && !ends_unexecuted && self.authorised_at.is_none() {
            return Err(TransitionRefused::Unauthorised { to });
        }
        if to == PaymentStatus::Part && self.product.service() != Service::BulkPayments {
            return Err(TransitionRefused::NoBulk);
        }
        self.status = to;
        self.identity = None;
        self.on_hold = None;
        self.version += 1;
        Ok(())
    }
}
