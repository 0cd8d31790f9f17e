//! The database of a sandbox: the tables of the engine, and its own.

use std::path::Path;

use rusqlite::Connection;

use super::fact::{self, BANK_OPENED, CLOCK, GENERATION};
use super::image;
use super::schema::SANDBOX;
use crate::error::Result;
use crate::store::sqlite::database_role::DatabaseRole;
use crate::store::sqlite::failure::{failed, named};
use crate::store::sqlite::Database;

/// What SQLite gives a database in memory (SQLITE_MEMDB_DEFAULT_MAXSIZE).
const MEMORY_BYTES_MAX: u64 = 1 << 30;

impl Database {
    /// A new, empty database of a sandbox in memory.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if memory runs out.
    pub fn open_memory_for_sandbox() -> Result<Self> {
        image::open_empty().map(Self::in_memory)
    }

    /// The database of a sandbox in a file, as [`Database::open_file`] opens one of a production engine. `may_open`
    /// gets what the clock of an existing one shows, in microseconds.
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for the file of a production engine, and the error of `may_open`:
    /// nothing is changed then. Those of [`Database::open_file`].
    pub fn open_file_for_sandbox(
        path: impl AsRef<Path>,
        may_open: impl FnOnce(i64) -> Result<()>,
    ) -> Result<Self> {
        let database = Self::open_file_as(path.as_ref(), DatabaseRole::Sandbox, |connection| {
            match shown_clock(connection)? {
                Some(shown) => may_open(shown),
                None => Ok(()),
            }
        })?;
        let migrated = SANDBOX.migrate(&*database.writer()?, DatabaseRole::Sandbox);
        migrated.map_err(|error| named(path.as_ref(), error))?;
        Ok(database)
    }

    /// How many bytes a database in memory can still grow by. `None` for a file, which only its disk limits.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn memory_bytes_left(&self) -> Result<Option<u64>> {
        if self.path().is_some() {
            return Ok(None);
        }
        let pragma = |name| {
            self.read(|connection| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0)))
        };
        let taken = pragma("page_count")? * pragma("page_size")?;
        Ok(Some(MEMORY_BYTES_MAX.saturating_sub(taken)))
    }

    /// Counts how often a sandbox opened the database: no two sandboxes get the same number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn next_generation(&self) -> Result<i64> {
        self.count_fact_up(GENERATION)
    }

    /// Lets other contents, which are to replace the present ones, have no lower generation.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); [`Error::Record`](crate::Error::Record) if the kept value is no number.
    pub fn keep_generation_in(&self, incoming: &Self) -> Result<()> {
        let generation = self.fact(GENERATION)?;
        if incoming.fact(GENERATION)? < generation {
            incoming.set_fact(GENERATION, generation)?;
        }
        Ok(())
    }
}

/// What the clock of a database shows whose bank has, or had, customers.
///
/// # Errors
/// [`Error::Store`](crate::Error::Store) for tables that this library does not know.
fn shown_clock(connection: &Connection) -> Result<Option<i64>> {
    if (SANDBOX.version)(connection, DatabaseRole::Sandbox)? == 0 {
        return Ok(None);
    }
    let is_opened = fact::number(connection, BANK_OPENED).map_err(failed)? != 0;
    let shown = fact::kept(connection, CLOCK).map_err(failed)?;
    Ok(shown.filter(|_| is_opened))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn open(path: &Path) -> Result<Database> {
        Database::open_file_for_sandbox(path, |_| Ok(()))
    }

    fn tables(path: &Path) -> String {
        let sql = "SELECT group_concat(name, ' ' ORDER BY name) FROM sqlite_schema";
        Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_file_of_the_other_role_is_refused_and_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let [sandbox, production] = ["sandbox.db", "production.db"].map(|name| folder.path().join(name));
        drop(open(&sandbox).unwrap());
        drop(Database::open_file(&production).unwrap());
        assert!(tables(&sandbox).contains("sandbox_") && !tables(&production).contains("sandbox_"));
        let contents = [&sandbox, &production].map(|path| std::fs::read(path).unwrap());
        let refused = |opened: Result<Database>, role: &str| {
            let error = opened.unwrap_err();
            assert!(matches!(&error, Error::Config(text) if text.contains(role)), "{error}");
        };
        refused(open(&production), "production engine");
        refused(Database::open_file(&sandbox), "sandbox");
        assert_eq!([&sandbox, &production].map(|path| std::fs::read(path).unwrap()), contents);
        open(&sandbox).unwrap();
    }

    #[test]
    fn a_clock_is_asked_for_once_the_bank_has_customers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sandbox.db");
        let refuse = |shown| Err(Error::Misuse(format!("it shows {shown}")));
        let database = Database::open_file_for_sandbox(&path, refuse).unwrap();
        database.set_fact(CLOCK, 7).unwrap();
        Database::open_file_for_sandbox(&path, refuse).unwrap();
        database.set_fact(BANK_OPENED, 1).unwrap();
        let refused = Database::open_file_for_sandbox(&path, refuse).unwrap_err();
        assert!(refused.to_string().contains("it shows 7"), "{refused}");
        open(&path).unwrap();
    }

    #[test]
    fn newer_tables_of_a_sandbox_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sandbox.db");
        open(&path).unwrap().set_fact(fact::SCHEMA_VERSION, 2).unwrap();
        let refused = open(&path).unwrap_err();
        assert!(
            matches!(&refused, Error::Store(fault) if fault.text().contains("schema version 2")),
            "{refused}"
        );
    }

    #[test]
    fn a_file_whose_creation_was_interrupted_gets_its_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sandbox.db");
        drop(Database::open_file_as(&path, DatabaseRole::Sandbox, |_| Ok(())).unwrap());
        assert!(!tables(&path).contains("sandbox_"));
        assert_eq!(open(&path).unwrap().next_generation().unwrap(), 1);
    }

    #[test]
    fn contents_that_replace_others_have_no_lower_generation() {
        let [own, incoming] = [0, 1].map(|_| Database::open_memory_for_sandbox().unwrap());
        assert_eq!([0; 3].map(|_| own.next_generation().unwrap()), [1, 2, 3]);
        own.keep_generation_in(&incoming).unwrap();
        own.replace_by(incoming).unwrap();
        assert_eq!(own.next_generation().unwrap(), 4);
    }
}
