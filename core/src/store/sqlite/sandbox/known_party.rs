//! What the engine keeps for a person or a company that is the bank's customer.

use rusqlite::params;

use super::books::Books;
use crate::error::Result;
use crate::types::CustomerId;

/// Children before parents. A company's consents and sessions are those of the persons who act for it. Payments, their
/// histories and SCAs stay, as does the audit: they are records of the past.
const FORGET: [&str; 7] = [
    "DELETE FROM access_count WHERE psu = ?1 OR account IN (SELECT id FROM sandbox_account WHERE owner = ?1)",
    "DELETE FROM consent_account WHERE consent IN (SELECT number FROM consent WHERE psu = ?1 OR corporate = ?1)",
    "DELETE FROM consent WHERE psu = ?1 OR corporate = ?1",
    "DELETE FROM sca_session WHERE psu = ?1 OR corporate = ?1",
    "DELETE FROM corporate_psu WHERE psu = ?1 OR (tpp, corporate_id) IN
        (SELECT tpp, corporate_id FROM corporate_id WHERE corporate = ?1)",
    "DELETE FROM corporate_id WHERE corporate = ?1",
    "DELETE FROM psu_id WHERE psu = ?1",
];

impl Books<'_> {
    /// Deletes the ids by which TPPs know a customer, and the customer's consents, because the next customer with this
    /// number is another one.
    pub(super) fn forget_party(&self, id: &CustomerId) -> Result<()> {
        FORGET.iter().try_for_each(|statement| self.change(statement, params![id.as_str()]).map(drop))
    }
}
