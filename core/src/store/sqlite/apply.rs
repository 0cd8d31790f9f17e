//! How the writes of a call are applied, whoever begins and ends the transaction.

use std::fmt::Debug;

use rusqlite::{Connection, Result};

use crate::store::seam::{Committed, Write};

/// Applies writes within a transaction that somebody else begins and ends.
pub(super) trait Apply: Debug + Send + Sync {
    /// A turn to write begins: what was applied in the last one is kept, or was taken back.
    fn transaction_begins(&self, connection: &Connection) -> Result<()>;

    /// Applies one caller's writes up to the first that meets an obstacle.
    fn apply(&self, connection: &Connection, writes: &[Write]) -> Result<std::result::Result<(), Committed>>;

    /// Whether what may stand in the way of a caller's writes is met before anything is changed.
    fn fails_unchanged(&self, writes: &[Write]) -> bool;

    /// Applies the writes of one caller, who has the turn alone.
    fn apply_alone(
        &self,
        connection: &Connection,
        writes: &[Write],
    ) -> Result<std::result::Result<(), Committed>> {
        self.transaction_begins(connection)?;
        self.apply(connection, writes)
    }
}

/// Callers with names, for the tests of those who begin and end transactions.
#[cfg(test)]
pub(super) mod by_name {
    use std::thread::{self, ThreadId};

    use parking_lot::Mutex;
    use rusqlite::{ffi, Error};

    use super::super::meta;
    use super::*;
    use crate::types::PsuKey;

    /// Which thread applied whose writes.
    pub(in super::super) static APPLIED: Mutex<Vec<(String, ThreadId)>> = Mutex::new(Vec::new());

    /// Keeps the caller's name; then does what its last word says.
    #[derive(Debug)]
    pub(in super::super) struct ByName;

    /// The writes of a caller of that name.
    pub(in super::super) fn named(name: &str) -> [Write; 1] {
        [Write::RevokeConsent { tpp: name.into(), psu: PsuKey::new("1".to_owned()) }]
    }

    impl Apply for ByName {
        fn transaction_begins(&self, _: &Connection) -> Result<()> {
            Ok(())
        }

        fn fails_unchanged(&self, _: &[Write]) -> bool {
            false
        }

        fn apply(
            &self,
            connection: &Connection,
            writes: &[Write],
        ) -> Result<std::result::Result<(), Committed>> {
            let Some(Write::RevokeConsent { tpp: name, .. }) = writes.first() else {
                panic!("not of this test")
            };
            APPLIED.lock().push((name.to_string(), thread::current().id()));
            meta::set_number(connection, name, 1)?;
            match name.split(' ').next_back() {
                Some("loses") => Ok(Err(Committed::RaceLost)),
                Some("fails") => Err(Error::InvalidQuery),
                Some("panics") => panic!("as the test wants it"),
                // SQLite itself gives up the transaction, as it does where a disk is full.
                Some("breaks") => {
                    connection.execute_batch("ROLLBACK")?;
                    Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_FULL), None))
                }
                _ => Ok(Ok(())),
            }
        }
    }
}
