//! Payments that were cancelled before the bank took an order for them.

use chrono::{DateTime, Utc};
use rusqlite::params;

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::micros;
use crate::types::PaymentId;

impl Books<'_> {
    /// Notes that no order for this payment is to be taken any more. Noting it again changes nothing.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn remember_cancelled(&self, id: &PaymentId, at: DateTime<Utc>) -> Result<()> {
        let statement = "INSERT INTO sandbox_cancelled_payment (payment_id, cancelled_at) VALUES (?, ?) \
            ON CONFLICT DO NOTHING";
        self.change(statement, params![id.as_str(), micros(at)])?;
        Ok(())
    }

    /// Whether this payment was cancelled before the bank took an order for it.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn was_cancelled(&self, id: &PaymentId) -> Result<bool> {
        let query = "SELECT 1 FROM sandbox_cancelled_payment WHERE payment_id = ?";
        Ok(self.row(query, [id.as_str()], |_| Ok(()))?.is_some())
    }
}
