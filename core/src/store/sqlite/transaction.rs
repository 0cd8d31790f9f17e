//! A transaction that is rolled back unless it is committed.

use rusqlite::{Connection, Result};

/// An open transaction. Its statements are prepared once per connection.
pub(super) struct Transaction<'c>(&'c Connection);

impl<'c> Transaction<'c> {
    /// Waits for the other writers, then keeps them out.
    pub(super) fn for_writing(connection: &'c Connection) -> Result<Self> {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(Self(connection))
    }

    /// The one that is open already.
    pub(super) fn of(connection: &'c Connection) -> Self {
        Self(connection)
    }

    /// Lets it go on after this.
    pub(super) fn leave_open(self) {
        std::mem::forget(self);
    }

    /// One view of the data for several queries.
    pub(super) fn for_reading(connection: &'c Connection) -> Result<Self> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Self(connection))
    }

    /// Whether SQLite gave up the whole transaction.
    pub(super) fn is_lost(&self) -> bool {
        self.0.is_autocommit()
    }

    /// Keeps what was done.
    pub(super) fn commit(self) -> Result<()> {
        self.0.prepare_cached("COMMIT")?.execute([]).map(drop)
    }
}

/// Runs a part of a transaction's changes that fails for itself: an `Err` of whatever kind takes back that part alone.
pub(super) fn attempt<T, R>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<std::result::Result<T, R>>,
) -> Result<std::result::Result<T, R>> {
    let part = Part::begin(connection)?;
    let verdict = work(connection);
    if matches!(verdict, Ok(Ok(_))) {
        part.keep()?;
    }
    verdict
}

/// A part that is taken back unless it is kept, whatever ends it.
struct Part<'c>(&'c Connection);

impl<'c> Part<'c> {
    fn begin(connection: &'c Connection) -> Result<Self> {
        connection.prepare_cached("SAVEPOINT part")?.execute([])?;
        Ok(Self(connection))
    }

    fn keep(self) -> Result<()> {
        self.0.prepare_cached("RELEASE part")?.execute([])?;
        std::mem::forget(self);
        Ok(())
    }

    fn take_back(&self) -> Result<()> {
        self.0.prepare_cached("ROLLBACK TO part")?.execute([])?;
        self.0.prepare_cached("RELEASE part")?.execute([]).map(drop)
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        // SQLite gives up the whole transaction on some errors: then there is no savepoint either. And it has to go
        // where a part of it cannot be taken back.
        if !self.0.is_autocommit() && self.take_back().is_err() {
            drop(Transaction::of(self.0));
        }
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
