//! Whose database it is: a production engine's or a sandbox's. Neither opens the other's.
//!
//! A sandbox settles by itself whatever is due in its database, and changes it by a clock of its own; a production
//! engine would take a sandbox's payments for its customers'.

use std::path::Path;

use rusqlite::Connection;

use super::failure::failed;
use super::meta::{self, BANK_OPENED, PRODUCTION, SANDBOX_CLOCK, SANDBOX_GENERATION};
use super::Database;
use crate::error::{Error, Result};

impl Database {
    /// The database in a file, as [`Database::open_file`] gives it, for a sandbox. `may_open` is told what the clock
    /// of one that is there shows, in microseconds.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a production engine's, and what `may_open` says: nothing is changed then, and the
    /// schema stays an older one. Those of [`Database::open_file`].
    pub fn open_file_for_sandbox(
        path: impl AsRef<Path>,
        may_open: impl FnOnce(i64) -> Result<()>,
    ) -> Result<Self> {
        Self::open_file_if(path.as_ref(), |connection| {
            if is_productions(connection).map_err(failed)? {
                return Err(productions());
            }
            let is_opened = meta::number(connection, BANK_OPENED).map_err(failed)? != 0;
            match meta::kept(connection, SANDBOX_CLOCK).map_err(failed)? {
                Some(shown) if is_opened => may_open(shown),
                _ => Ok(()),
            }
        })
    }

    /// Opens it for a sandbox, and gives how often that was done: no two sandboxes get the same number.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a production engine's: nothing is changed then. [`Error::Store`].
    pub fn open_for_sandbox(&self) -> Result<i64> {
        let counted = self.write_unless(|connection| match is_productions(connection)? {
            true => Ok(Err(())),
            false => meta::count_up(connection, SANDBOX_GENERATION).map(Ok),
        })?;
        counted.map_err(|()| productions())
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

    /// The database in a file, as [`Database::open_file`] gives it, for a production engine.
    ///
    /// # Errors
    /// [`Error::Config`] where it is a sandbox's: nothing is changed then, and the schema stays an older one. Those of
    /// [`Database::open_file`].
    pub fn open_file_for_production(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_file_if(path.as_ref(), |connection| {
            match meta::number(connection, SANDBOX_GENERATION).map_err(failed)? {
                0 => Ok(()),
                _ => Err(sandboxs()),
            }
        })
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
        opened.map_err(|()| sandboxs())
    }
}

fn is_productions(connection: &Connection) -> rusqlite::Result<bool> {
    match (meta::number(connection, PRODUCTION)?, meta::number(connection, SANDBOX_GENERATION)?) {
        (0, 0) => has_records(connection),
        (is_marked, _) => Ok(is_marked != 0),
    }
}

/// Whether a production engine left anything: a Rust host may open a file without saying whose it is. An older schema
/// lacks some of the tables.
fn has_records(connection: &Connection) -> rusqlite::Result<bool> {
    const LEFT_IN: &str =
        "SELECT group_concat('EXISTS (SELECT 1 FROM ' || name || ')', ' OR ') FROM sqlite_schema
        WHERE name IN ('payment', 'authorisation', 'consent', 'psu_id', 'used_request_id', 'audit')";
    let left_in: String = connection.query_row(LEFT_IN, [], |row| row.get(0))?;
    connection.query_row(&format!("SELECT {left_in}"), [], |row| row.get(0))
}

fn productions() -> Error {
    let text = "the database is a production engine's: a sandbox would settle its payments by itself";
    Error::Config(text.to_owned())
}

fn sandboxs() -> Error {
    Error::Config("database: the file is a sandbox's: its customers and payments are made up".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rusqlite::MAIN_DB;

    use super::*;
    use crate::store::conformance::samples::{insert, payment};
    use crate::store::sqlite::{schema, SqliteStore};
    use crate::store::Store;

    /// A file of the schema before the audit, with these small facts, and whether it stays of that schema when it is
    /// opened so.
    fn stays_old(facts: &[(&str, i64)], open: impl FnOnce(&Path) -> Result<Database>) -> (bool, Result<()>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let older = schema::before("CREATE TABLE audit");
        facts.iter().for_each(|(key, value)| meta::set_number(&older, key, *value).unwrap());
        let version = schema::version(&older).unwrap();
        std::fs::write(&path, older.serialize(MAIN_DB).unwrap().to_vec()).unwrap();
        let opened = open(&path).map(drop);
        (schema::version(&Connection::open(&path).unwrap()).unwrap() == version, opened)
    }

    #[test]
    fn a_file_of_the_other_owner_is_refused_in_its_older_schema_and_left_in_it() {
        let sandbox = |path: &Path| Database::open_file_for_sandbox(path, |_| Ok(()));
        let production = |path: &Path| Database::open_file_for_production(path);
        let refused = |told: (bool, Result<()>)| matches!(told, (true, Err(Error::Config(_))));
        assert!(refused(stays_old(&[(PRODUCTION, 1)], sandbox)));
        assert!(refused(stays_old(&[(SANDBOX_GENERATION, 1)], production)));
        assert!(matches!(stays_old(&[(SANDBOX_GENERATION, 1)], sandbox), (false, Ok(()))));
        assert!(matches!(stays_old(&[(PRODUCTION, 1)], production), (false, Ok(()))));
        assert!(matches!(stays_old(&[], sandbox), (false, Ok(()))));
        let with_request = |path: &Path| {
            let connection = Connection::open(path).unwrap();
            let sql = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES ('', zeroblob(16), 0)";
            connection.execute(sql, []).unwrap();
            sandbox(path)
        };
        assert!(refused(stays_old(&[], with_request)));
    }

    #[test]
    fn a_clock_that_may_not_be_opened_leaves_the_older_schema() {
        let asked = |shown| match shown {
            7 | 0 | -1 => Err(Error::Misuse("the clock".to_owned())),
            _ => Ok(()),
        };
        let open = |path: &Path| Database::open_file_for_sandbox(path, asked);
        let opened = [(SANDBOX_GENERATION, 1), (BANK_OPENED, 1)];
        let shows = |clock| [&opened[..], &[(SANDBOX_CLOCK, clock)]].concat();
        for refused in [7, 0, -1] {
            assert!(matches!(stays_old(&shows(refused), open), (true, Err(Error::Misuse(_)))));
        }
        assert!(matches!(stays_old(&opened, open), (false, Ok(()))));
        assert!(matches!(stays_old(&shows(8), open), (false, Ok(()))));
    }

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
