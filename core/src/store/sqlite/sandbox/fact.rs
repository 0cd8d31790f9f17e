//! Facts about a whole sandbox: numbers by their keys.

use rusqlite::{Connection, OptionalExtension, Result};

use crate::error;
use crate::store::sqlite::Database;

/// What the sandbox's clock shows, in microseconds. An exported document has it in a member of its own.
pub(crate) const CLOCK: &str = "sandbox clock";
/// How often the database was opened by a sandbox.
pub(in crate::store::sqlite) const GENERATION: &str = "sandbox generation";
/// That the sandbox's bank has customers, or had some.
pub(in crate::store::sqlite) const BANK_OPENED: &str = "sandbox_opened";
/// How many populations were generated.
pub(in crate::store::sqlite) const POPULATIONS: &str = "sandbox populations";
/// The version of the sandbox's tables.
pub(crate) const SCHEMA_VERSION: &str = "sandbox schema version";

/// The number kept under a key, if there is one.
pub(in crate::store::sqlite) fn kept(connection: &Connection, key: &str) -> Result<Option<i64>> {
    let mut prepared = connection.prepare_cached("SELECT value FROM sandbox_fact WHERE key = ?1")?;
    prepared.query_row([key], |row| row.get(0)).optional()
}

/// The number kept under a key; 0 where there is none.
pub(in crate::store::sqlite) fn number(connection: &Connection, key: &str) -> Result<i64> {
    kept(connection, key).map(Option::unwrap_or_default)
}

/// Keeps a number under a key, in place of what was there.
pub(in crate::store::sqlite) fn set_number(connection: &Connection, key: &str, value: i64) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO sandbox_fact (key, value) VALUES (?1, ?2) \
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )?
        .execute((key, value))
        .map(drop)
}

/// Adds one to the number under a key, which starts at 0, and gives the sum.
pub(in crate::store::sqlite) fn count_up(connection: &Connection, key: &str) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO sandbox_fact (key, value) VALUES (?1, 1) \
             ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING value",
        )?
        .query_row([key], |row| row.get(0))
}

impl Database {
    /// The number kept under a key; 0 if there is none.
    ///
    /// # Errors
    /// [`Store`](error::Error::Store); [`Record`](error::Error::Record) where bytes are kept there.
    pub fn fact(&self, key: &str) -> error::Result<i64> {
        self.read(|connection| number(connection, key))
    }

    /// The number kept under a key, where 0 is one like any other.
    ///
    /// # Errors
    /// Those of [`Database::fact`].
    pub(crate) fn kept_fact(&self, key: &str) -> error::Result<Option<i64>> {
        self.read(|connection| kept(connection, key))
    }

    /// Keeps a number under a key.
    ///
    /// # Errors
    /// [`Store`](error::Error::Store).
    pub fn set_fact(&self, key: &str, value: i64) -> error::Result<()> {
        self.write(|connection| set_number(connection, key, value))
    }

    /// Adds one to the number under a key, which starts at 0, and gives the sum: no two callers, in no two
    /// processes, get the same.
    ///
    /// # Errors
    /// [`Store`](error::Error::Store); [`Record`](error::Error::Record) where bytes are kept there.
    pub fn count_fact_up(&self, key: &str) -> error::Result<i64> {
        self.write(|connection| count_up(connection, key))
    }
}

#[cfg(test)]
mod tests {
    use crate::store::sqlite::Database;

    #[test]
    fn numbers_start_at_zero_and_are_kept_until_replaced() {
        let database = Database::open_memory_for_sandbox().unwrap();
        assert_eq!(database.fact("clock").unwrap(), 0);
        assert_eq!(database.kept_fact("clock").unwrap(), None);
        for value in [1, i64::MIN, i64::MAX, 0] {
            database.set_fact("clock", value).unwrap();
            assert_eq!(database.fact("clock").unwrap(), value);
            assert_eq!(database.kept_fact("clock").unwrap(), Some(value));
        }
    }

    #[test]
    fn counting_gives_every_number_once() {
        let database = Database::open_memory_for_sandbox().unwrap();
        let counted: Vec<_> = (0..3).map(|_| database.count_fact_up("generation").unwrap()).collect();
        assert_eq!(counted, [1, 2, 3]);
        assert_eq!(database.fact("generation").unwrap(), 3);
        assert_eq!(database.count_fact_up("another").unwrap(), 1);
    }
}
