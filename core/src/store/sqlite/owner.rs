//! Whose database it is: a production engine's or a sandbox's. Neither opens the other's.
//!
//! A sandbox settles by itself whatever is due in its database, and changes it by a clock of its own; a production
//! engine would take a sandbox's payments for its customers'.

use super::meta::{self, PRODUCTION, SANDBOX_GENERATION};
use super::Database;
use crate::error::{Error, Result};

/// Whether a production engine left anything: a Rust host may open a file without saying whose it is.
const HAS_RECORDS: &str = "SELECT EXISTS (SELECT 1 FROM payment) OR EXISTS (SELECT 1 FROM authorisation)
    OR EXISTS (SELECT 1 FROM consent) OR EXISTS (SELECT 1 FROM psu_id) OR EXISTS (SELECT 1 FROM used_request_id)
    OR EXISTS (SELECT 1 FROM audit)";

impl Database {
    /// Opens it for a sandbox, and gives how often that was done: no two sandboxes get the same number.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a production engine's: nothing is changed then. [`Error::Store`].
    pub fn open_for_sandbox(&self) -> Result<i64> {
        let counted = self.write_unless(|connection| {
            let marks =
                (meta::number(connection, PRODUCTION)?, meta::number(connection, SANDBOX_GENERATION)?);
            let is_productions = match marks {
                (0, 0) => connection.query_row(HAS_RECORDS, [], |row| row.get(0))?,
                (is_marked, _) => is_marked != 0,
            };
            match is_productions {
                true => Ok(Err(())),
                false => meta::count_up(connection, SANDBOX_GENERATION).map(Ok),
            }
        })?;
        counted.map_err(|()| {
            let text = "the database is a production engine's: a sandbox would settle its payments by itself";
            Error::Config(text.to_owned())
        })
    }

    /// Lets other contents, which are to replace the present ones, be the same owner's.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Record`] where what is kept there is no number.
    pub fn keep_owner_in(&self, incoming: &Self) -> Result<()> {
        let generation = self.meta_number(SANDBOX_GENERATION)?;
        if incoming.meta_number(SANDBOX_GENERATION)? < generation {
            incoming.set_meta_number(SANDBOX_GENERATION, generation)?;
        }
        match incoming.meta_number(PRODUCTION)? {
            0 => Ok(()),
            _ => incoming.set_meta_number(PRODUCTION, 0),
        }
    }

    /// Opens it for a production engine.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a sandbox's: nothing is changed then. [`Error::Store`].
    pub fn open_for_production(&self) -> Result<()> {
        let opened = self.write_unless(|connection| match meta::number(connection, SANDBOX_GENERATION)? {
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
    use std::sync::Arc;

    use super::*;
    use crate::store::conformance::samples::{insert, payment};
    use crate::store::sqlite::SqliteStore;
    use crate::store::Store;

    #[test]
    fn what_holds_payments_and_was_no_sandboxs_is_a_production_engines() {
        let database = Arc::new(Database::open_memory().unwrap());
        SqliteStore::new(Arc::clone(&database)).commit(&[insert(payment(1))]).unwrap();
        assert!(matches!(database.open_for_sandbox(), Err(Error::Config(_))));
        database.open_for_production().unwrap();

        let database = Arc::new(Database::open_memory().unwrap());
        database.open_for_sandbox().unwrap();
        SqliteStore::new(Arc::clone(&database)).commit(&[insert(payment(1))]).unwrap();
        assert_eq!(database.open_for_sandbox().unwrap(), 2);
    }

    #[test]
    fn contents_that_come_in_are_the_owners_of_those_that_go() {
        let (own, incoming) = (Database::open_memory().unwrap(), Database::open_memory().unwrap());
        assert_eq!((0..3).map(|_| own.open_for_sandbox().unwrap()).max(), Some(3));
        incoming.open_for_production().unwrap();
        own.keep_owner_in(&incoming).unwrap();
        own.replace_by(incoming).unwrap();
        assert!(matches!(own.open_for_production(), Err(Error::Config(_))));
        assert_eq!(own.open_for_sandbox().unwrap(), 4);
    }

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
