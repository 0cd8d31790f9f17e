//! Whose database it is: a production engine's or a sandbox's. Neither opens the other's.
//!
//! A sandbox settles by itself whatever is due in its database, and changes it by a clock of its own; a production
//! engine would take a sandbox's payments for its customers'.

use super::{meta, Database};
use crate::error::{Error, Result};

/// Where a database keeps how often a sandbox opened it.
const SANDBOX: &str = "sandbox generation";
/// Where it keeps that a production engine did.
const PRODUCTION: &str = "production";

impl Database {
    /// Opens it for a sandbox, and gives how often that was done: no two sandboxes get the same number.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a production engine's: nothing is changed then. [`Error::Store`].
    pub fn open_for_sandbox(&self) -> Result<i64> {
        let counted = self.write_unless(|connection| match meta::number(connection, PRODUCTION)? {
            0 => meta::count_up(connection, SANDBOX).map(Ok),
            _ => Ok(Err(())),
        })?;
        counted.map_err(|()| {
            let text = "the database is a production engine's: a sandbox would settle its payments by itself";
            Error::Config(text.to_owned())
        })
    }

    /// Opens it for a production engine.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a sandbox's: nothing is changed then. [`Error::Store`].
    pub fn open_for_production(&self) -> Result<()> {
        let opened = self.write_unless(|connection| match meta::number(connection, SANDBOX)? {
            0 => meta::set_number(connection, PRODUCTION, 1).map(Ok),
            _ => Ok(Err(())),
        })?;
        opened.map_err(|()| {
            let text = "database: the file is a sandbox's: its customers and payments are made up";
            Error::Config(text.to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_sandboxs_or_a_production_engines_for_ever() {
        let database = Database::open_memory().unwrap();
        assert_eq!((1..=2).map(|_| database.open_for_sandbox().unwrap()).collect::<Vec<_>>(), [1, 2]);
        assert!(matches!(database.open_for_production(), Err(Error::Config(_))));
        assert_eq!(database.open_for_sandbox().unwrap(), 3);

        let database = Database::open_memory().unwrap();
        (0..2).for_each(|_| database.open_for_production().unwrap());
        assert!(matches!(database.open_for_sandbox(), Err(Error::Config(_))));
        database.open_for_production().unwrap();
    }
}
