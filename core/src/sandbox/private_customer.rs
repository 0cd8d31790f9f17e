//! The private customers of the bank: who can sign in at its site.

use super::access;
use super::bank::SandboxBank;
use crate::error::Result;
use crate::store::sqlite::sandbox::{Customer, CustomerType};
use crate::types::{CustomerId, PsuKey};

impl SandboxBank {
    /// The person with this customer number, which at SCA is used as the national identity number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn person(&self, customer_number: &str) -> Result<Option<PsuKey>> {
        Ok(self.private_customer(customer_number)?.as_ref().map(access::psu_key))
    }

    /// The private customer of that number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub(crate) fn private_customer(&self, customer_number: &str) -> Result<Option<Customer>> {
        let customer = self.database.read_books(|books| books.customer_by_number(customer_number))?;
        Ok(customer.filter(|customer| customer.kind == CustomerType::Private))
    }

    /// The customer behind a reference of the engine.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub(crate) fn customer_of(&self, psu: &PsuKey) -> Result<Option<Customer>> {
        let Some(id) = CustomerId::parse(psu.as_str()) else { return Ok(None) };
        self.database.read_books(|books| books.customer(&id))
    }

    /// The oldest private customers, at most so many.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub(crate) fn first_private_customers(&self, limit: u32) -> Result<Vec<Customer>> {
        self.database.read_books(|books| books.first_private_customers(limit))
    }
}
