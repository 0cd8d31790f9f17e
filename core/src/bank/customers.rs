//! Who is a customer of the bank.

use crate::account::record::CorporateAgreement;
use crate::error::Result;
use crate::types::{IdentityNumber, PsuKey};

/// The persons of a bank, and the corporate agreements that they may act under.
pub trait BankCustomers: Send + Sync {
    /// The person with this national identity number.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>>;

    /// The corporate agreements a person may act under, the oldest first.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>>;
}
