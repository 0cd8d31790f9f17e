//! The simulated bank's risk analysis: its result for each person is configured.

use super::SandboxBank;
use crate::bank::ScaDemand;
use crate::error::{Error, Result};
use crate::types::{CustomerId, Masked, PsuKey};

impl SandboxBank {
    /// Sets the result for a private customer from now on: `as_ruled`, `demanded` or `exempt`.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a number that no private customer has, and for an unknown demand; [`Error::Store`].
    pub fn set_sca_demand(&self, customer_number: &str, demand: &str) -> Result<()> {
        let none = || Error::Misuse(format!("`{demand}` is none of as_ruled, demanded, exempt"));
        let demand = ScaDemand::parse(demand).ok_or_else(none)?;
        let unknown =
            || Error::Misuse(format!("no private customer has the number `{}`", Masked(customer_number)));
        let person = self.person(customer_number)?.as_ref().and_then(customer).ok_or_else(unknown)?;
        self.database.write_books(|books| books.set_sca_demand(&person, demand))
    }

    /// The result for a person.
    pub(super) fn sca_demand(&self, psu: &PsuKey) -> Result<ScaDemand> {
        match customer(psu) {
            Some(person) => self.database.read_books(|books| books.sca_demand(&person)),
            None => Ok(ScaDemand::AsRuled),
        }
    }

    /// A person completed an SCA: one that was demanded is there.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn note_sca(&self, psu: &PsuKey) -> Result<()> {
        let Some(person) = customer(psu) else { return Ok(()) };
        // Nearly always there is nothing to write, and then no other writer has to wait.
        if self.sca_demand(psu)? != ScaDemand::Demanded {
            return Ok(());
        }
        self.database.write_books(|books| match books.sca_demand(&person)? {
            ScaDemand::Demanded => books.set_sca_demand(&person, ScaDemand::AsRuled),
            // The demand was changed between the two reads.
            ScaDemand::AsRuled | ScaDemand::Exempt => Ok(()),
        })
    }
}

fn customer(psu: &PsuKey) -> Option<CustomerId> {
    CustomerId::parse(psu.as_str())
}
