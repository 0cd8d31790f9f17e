//! A transaction that is rolled back unless it is committed.

use rusqlite::{Connection, Result};

/// An open transaction. Its statements are prepared once per connection.
pub(super) struct Transaction<'c>(&'c Connection);

impl<'c> Transaction<'c> {
    /// Waits until no other connection writes, then takes the write lock of the database.
    pub(super) fn for_writing(connection: &'c Connection) -> Result<Self> {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(Self(connection))
    }

    /// One view of the data for several queries.
    pub(super) fn for_reading(connection: &'c Connection) -> Result<Self> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Self(connection))
    }

    /// Returns true if SQLite has rolled back the whole transaction.
    pub(super) fn is_lost(&self) -> bool {
        self.0.is_autocommit()
    }

    /// Commits the changes.
    pub(super) fn commit(self) -> Result<()> {
        self.0.prepare_cached("COMMIT")?.execute([]).map(drop)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // After a commit, and after errors on which SQLite rolls back by itself, there is nothing to do. A
        // failing rollback leaves a transaction that the next BEGIN reports.
        if !self.0.is_autocommit() {
            let _ = self.0.prepare_cached("ROLLBACK").and_then(|mut rollback| rollback.execute([]));
        }
    }
}

/// Runs some changes of a transaction in a savepoint: an `Err` of either kind rolls back these changes alone.
pub(super) fn with_savepoint<T, R>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<std::result::Result<T, R>>,
) -> Result<std::result::Result<T, R>> {
    let savepoint = Savepoint::begin(connection)?;
    let verdict = work(connection);
    if matches!(verdict, Ok(Ok(_))) {
        savepoint.release()?;
    }
    verdict
}

/// A savepoint that is rolled back unless it is released.
struct Savepoint<'c>(&'c Connection);

impl<'c> Savepoint<'c> {
    fn begin(connection: &'c Connection) -> Result<Self> {
        connection.prepare_cached("SAVEPOINT caller")?.execute([])?;
        Ok(Self(connection))
    }

    fn release(self) -> Result<()> {
        self.0.prepare_cached("RELEASE caller")?.execute([])?;
        std::mem::forget(self);
        Ok(())
    }

    fn roll_back(&self) -> Result<()> {
        self.0.prepare_cached("ROLLBACK TO caller")?.execute([])?;
        self.0.prepare_cached("RELEASE caller")?.execute([]).map(drop)
    }
}

impl Drop for Savepoint<'_> {
    fn drop(&mut self) {
        // SQLite rolls back the whole transaction on some errors: then there is no savepoint either. If the savepoint
        // cannot be rolled back, the transaction has to be.
        if !self.0.is_autocommit() && self.roll_back().is_err() {
            drop(Transaction(self.0));
        }
    }
}
