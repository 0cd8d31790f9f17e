//! Rows as this version of the library does not write them.

use crate::types::PaymentId;

/// A change of rows without the store: as by a later version of the library, or by an operator.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Damage {
    /// The payment has a product that this library does not know.
    UnknownProduct(PaymentId),
    /// The payment, and its order in the outbox, have an id that no payment can have.
    InvalidId {
        /// The payment.
        payment: PaymentId,
        /// The id that it has then.
        id: String,
    },
    /// The order of the payment has failed less than no time.
    NegativeAttempts(PaymentId),
}

impl Damage {
    /// The statements that do this, for a database with the tables of this repository. Foreign keys hold again after
    /// the last statement, not before.
    pub fn sql(&self) -> String {
        match self {
            Self::UnknownProduct(id) => {
                format!("UPDATE payment SET product = 'payments/gold' WHERE id = '{id}'")
            }
            Self::InvalidId { payment, id } => format!(
                "UPDATE payment SET id = '{id}' WHERE id = '{payment}';
                UPDATE outbox SET payment_id = '{id}' WHERE payment_id = '{payment}'"
            ),
            Self::NegativeAttempts(id) => {
                format!("UPDATE outbox SET attempts = -1 WHERE payment_id = '{id}'")
            }
        }
    }
}
