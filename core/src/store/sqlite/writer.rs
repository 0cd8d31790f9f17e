//! The connection that writes to a database.

use rusqlite::{Connection, Result};

use super::apply::Apply;
use super::open_transaction::OpenTransaction;
use crate::store::seam::{Committed, Write};

/// A connection, and the transaction that calls left open on it.
#[derive(Debug)]
pub(super) struct Writer {
    connection: Connection,
    /// Of a database in memory.
    open: OpenTransaction,
}

impl Writer {
    /// With nothing open.
    pub(super) fn over(connection: Connection) -> Self {
        Self { connection, open: OpenTransaction::default() }
    }

    /// The connection, for looking at what calls have written, committed or not.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The connection, for whoever has committed what was open.
    pub(super) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Commits what calls left open.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.open.end(&self.connection)
    }

    /// Applies the writes of one call, as [`OpenTransaction::apply`].
    pub(super) fn apply(
        &mut self,
        apply: &dyn Apply,
        writes: &[Write],
    ) -> Result<std::result::Result<(), Committed>> {
        self.open.apply(&self.connection, apply, writes)
    }
}
