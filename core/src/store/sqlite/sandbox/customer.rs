//! Customers, private and corporate (contract: Sandbox customer).

use std::fmt::{self, Debug};

use rusqlite::{params, Row};

use super::books::Books;
use super::named_enum::named_enum;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{CustomerId, Masked};

named_enum! {
    /// What a customer is (contract: Sandbox customer, customerType).
    CustomerType {
        /// A person. Only persons authenticate.
        Private "PRIVATE",
        /// A company, for which persons act.
        Corporate "CORPORATE",
    }
}

/// What a PSU types to authenticate: 6 to 11 digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CustomerNumber(Box<str>);

impl CustomerNumber {
    /// Reads a customer number; `None` for anything but 6 to 11 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let is_number = (6..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self(text.into()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Log-safe: the last four digits.
impl Debug for CustomerNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("CustomerNumber").field(&Masked(&self.0)).finish()
    }
}

/// A customer.
#[derive(Clone, PartialEq, Eq)]
pub struct Customer {
    /// Its id.
    pub id: CustomerId,
    /// Its number, of no other customer.
    pub number: CustomerNumber,
    /// What it is.
    pub kind: CustomerType,
    /// Its name.
    pub name: String,
}

/// Log-safe: the id alone.
impl Debug for Customer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Customer").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Books<'_> {
    /// Adds a customer.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of a number in use too.
    pub fn insert_customer(&self, customer: &Customer) -> Result<()> {
        let Customer { id, number, kind, name } = customer;
        let values = params![id.as_str(), number.as_str(), kind.as_str(), name];
        self.change(
            "INSERT INTO sandbox_customer (id, customer_number, type, name) VALUES (?, ?, ?, ?)",
            values,
        )?;
        Ok(())
    }

    /// The customer of that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn customer(&self, id: &CustomerId) -> Result<Option<Customer>> {
        self.row(
            "SELECT id, customer_number, type, name FROM sandbox_customer WHERE id = ?",
            [id.as_str()],
            read,
        )
    }

    /// The customer of that number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn customer_by_number(&self, number: &str) -> Result<Option<Customer>> {
        self.row(
            "SELECT id, customer_number, type, name FROM sandbox_customer WHERE customer_number = ?",
            [number],
            read,
        )
    }

    /// Every customer, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn customers(&self) -> Result<Vec<Customer>> {
        self.rows("SELECT id, customer_number, type, name FROM sandbox_customer ORDER BY number", [], read)
    }

    /// The oldest private customers, at most so many.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn first_private_customers(&self, limit: u32) -> Result<Vec<Customer>> {
        self.rows(
            "SELECT id, customer_number, type, name FROM sandbox_customer WHERE type = 'PRIVATE'
             ORDER BY number LIMIT ?",
            [limit],
            read,
        )
    }

    /// Removes a customer with all that is theirs: accounts, card accounts, agreements, and their engagements
    /// under those of others; and what the engine keeps for them. Whether there was one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn delete_customer(&self, id: &CustomerId) -> Result<bool> {
        self.forget_party(id)?;
        Ok(self.change("DELETE FROM sandbox_customer WHERE id = ?", [id.as_str()])? > 0)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Customer> {
    let mut columns = Columns::of(row);
    Ok(Customer {
        id: columns.text(CustomerId::parse)?,
        number: columns.text(CustomerNumber::parse)?,
        kind: columns.text(CustomerType::parse)?,
        name: columns.value()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_customer_number_has_six_to_eleven_digits() {
        for (text, is_number) in [
            ("12345", false),
            ("123456", true),
            ("12345678901", true),
            ("123456789012", false),
            ("12345a", false),
            ("１２３４５６", false),
        ] {
            assert_eq!(CustomerNumber::parse(text).is_some(), is_number, "{text}");
        }
    }

    #[test]
    fn debug_shows_neither_name_nor_number() {
        let customer = Customer {
            id: CustomerId::from_bytes([7; 18]),
            number: CustomerNumber::parse("13039319955").unwrap(),
            kind: CustomerType::Private,
            name: "Testodius Test".to_owned(),
        };
        let text = format!("{customer:?} {:?}", customer.number);
        assert!(!text.contains("Testodius") && !text.contains("13039319955"), "{text}");
    }
}
