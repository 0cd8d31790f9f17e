//! Trust anchors that were added to the sandbox's own.

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;

impl Books<'_> {
    /// Trusts one more CA certificate, given in DER; whether it is a new one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn insert_trust_anchor(&self, der: &[u8]) -> Result<bool> {
        let statement = "INSERT INTO sandbox_trust_anchor (der) VALUES (?) ON CONFLICT DO NOTHING";
        Ok(self.change(statement, [der])? > 0)
    }

    /// The added CA certificates in DER, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn trust_anchors(&self) -> Result<Vec<Vec<u8>>> {
        self.rows("SELECT der FROM sandbox_trust_anchor ORDER BY number", [], |row| Columns::of(row).value())
    }
}
