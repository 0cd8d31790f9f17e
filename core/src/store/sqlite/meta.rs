//! Small numbers about the whole database, and the keys they are kept under.

use rusqlite::{Connection, OptionalExtension, Result};

use super::database::Database;
use crate::error;

/// What the sandbox's clock shows, in microseconds. What is exported tells it for itself.
pub(crate) const SANDBOX_CLOCK: &str = "sandbox clock";
/// The number of the last payment whose link has a row of its own, as all before it have: see `opening_link`. What is
/// exported has no links elsewhere.
pub(crate) const LINKS_MOVED: &str = "links moved";
/// How often a sandbox opened the database.
pub(in crate::store) const SANDBOX_GENERATION: &str = "sandbox generation";
/// That a production engine did.
pub(in crate::store) const PRODUCTION: &str = "production";
/// That the sandbox's bank has customers, or had some.
pub(in crate::store) const BANK_OPENED: &str = "sandbox_opened";

/// The number kept under a key, if there is one.
pub(in crate::store) fn kept(connection: &Connection, key: &str) -> Result<Option<i64>> {
    let mut prepared = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    prepared.query_row([key], |row| row.get(0)).optional()
}

/// The number kept under a key; 0 where there is none.
pub(in crate::store) fn number(connection: &Connection, key: &str) -> Result<i64> {
    kept(connection, key).map(Option::unwrap_or_default)
}

/// Keeps a number under a key, in place of what was there.
pub(in crate::store) fn set_number(connection: &Connection, key: &str, value: i64) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO meta (key, value) VALUES (?1, ?2) \
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )?
        .execute((key, value))
        .map(drop)
}

/// Adds one to the number under a key, which starts at 0, and gives the sum.
pub(in crate::store) fn count_up(connection: &Connection, key: &str) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO meta (key, value) VALUES (?1, 1) \
             ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING value",
        )?
        .query_row([key], |row| row.get(0))
}

impl Database {
    /// The number kept under a key of the table of small facts; 0 where there is none.
    ///
    /// # Errors
    /// [`Store`](error::Error::Store); [`Record`](error::Error::Record) where bytes are kept there.
    pub fn meta_number(&self, key: &str) -> error::Result<i64> {
        self.read(|connection| number(connection, key))
    }

    /// The number kept under a key, where 0 is one like any other.
    ///
    /// # Errors
    /// Those of [`Database::meta_number`].
    pub(crate) fn kept_meta_number(&self, key: &str) -> error::Result<Option<i64>> {
        self.read(|connection| kept(connection, key))
    }

    /// Keeps a number under a key.
    ///
    /// # Errors
    /// [`Store`](error::Error::Store).
    pub fn set_meta_number(&self, key: &str, value: i64) -> error::Result<()> {
        self.write(|connection| set_number(connection, key, value))
    }

    /// Adds one to the number under a key, which starts at 0, and gives the sum: no two callers, in no two
    /// processes, get the same.
    ///
    /// # Errors
    /// [`Store`](error::Error::Store); [`Record`](error::Error::Record) where bytes are kept there.
    pub fn count_up(&self, key: &str) -> error::Result<i64> {
        self.write(|connection| count_up(connection, key))
    }
}

#[cfg(test)]
mod tests {
    use crate::store::sqlite::Database;

    #[test]
    fn numbers_start_at_zero_and_are_kept_until_replaced() {
        let database = Database::open_memory().unwrap();
        assert_eq!(database.meta_number("clock").unwrap(), 0);
        assert_eq!(database.kept_meta_number("clock").unwrap(), None);
        for value in [1, i64::MIN, i64::MAX, 0] {
            database.set_meta_number("clock", value).unwrap();
            assert_eq!(database.meta_number("clock").unwrap(), value);
            assert_eq!(database.kept_meta_number("clock").unwrap(), Some(value));
        }
    }

    #[test]
    fn counting_gives_every_number_once() {
        let database = Database::open_memory().unwrap();
        let counted: Vec<_> = (0..3).map(|_| database.count_up("generation").unwrap()).collect();
        assert_eq!(counted, [1, 2, 3]);
        assert_eq!(database.meta_number("generation").unwrap(), 3);
        assert_eq!(database.count_up("another").unwrap(), 1);
    }
}
