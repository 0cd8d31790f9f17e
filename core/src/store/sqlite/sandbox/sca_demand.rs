//! What the simulated bank's risk analysis says of a person.

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{CustomerId, ScaDemand};

impl Books<'_> {
    /// What is said of a person; as the rules have it where nothing was set.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn sca_demand(&self, person: &CustomerId) -> Result<ScaDemand> {
        let query = "SELECT demand FROM sandbox_sca_demand WHERE person = ?";
        let set = self.row(query, [person.as_str()], |row| Columns::of(row).text(ScaDemand::parse))?;
        Ok(set.unwrap_or_default())
    }

    /// Sets what is said of a person from now on.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn set_sca_demand(&self, person: &CustomerId, demand: ScaDemand) -> Result<()> {
        match demand {
            ScaDemand::AsRuled => {
                self.change("DELETE FROM sandbox_sca_demand WHERE person = ?", [person.as_str()])?;
            }
            ScaDemand::Demanded | ScaDemand::Exempt => {
                let statement = "INSERT INTO sandbox_sca_demand (person, demand) VALUES (?, ?) \
                    ON CONFLICT DO UPDATE SET demand = excluded.demand";
                self.change(statement, [person.as_str(), demand.as_str()])?;
            }
        }
        Ok(())
    }
}
