//! In memory, calls share a commit: a transaction stays open for those that come next.
//!
//! A commit copies each page that its transaction changed, and so does the first change of a page in a transaction. A
//! database in memory has nothing to make durable, and whoever reads it does so over the one connection that also
//! writes. So what a call wrote is there once the call is done, and the commit can wait for the calls after it.

use rusqlite::{Connection, Result};

use super::apply::Apply;
use super::failure::failed;
use super::transaction::Transaction;
use crate::error::{self, Error};
use crate::store::seam::{Committed, Write};

/// How many calls share a commit. Their writes are kept that long.
const CALLS_MAX: usize = 64;
/// From so many pages on, every call has a commit of its own: what a commit has no room for is lost, and nobody may
/// lose what was answered before. It is half of the GiB that a database in memory may take.
const PAGES_MAX: i64 = 131_072;

/// The transaction that the last calls left open, if they did.
#[derive(Debug, Default)]
pub(super) struct OpenTransaction {
    /// The writes of each call in it, in their order.
    calls: Vec<Vec<Write>>,
    /// How many calls it may hold.
    calls_max: usize,
}

impl OpenTransaction {
    /// Applies the writes of one call. Where something stands in their way, or an error, nothing of them is kept, and
    /// the calls before lose nothing.
    pub(super) fn apply(
        &mut self,
        connection: &Connection,
        apply: &dyn Apply,
        writes: &[Write],
    ) -> Result<std::result::Result<(), Committed>> {
        if connection.is_autocommit() {
            self.begin(connection)?;
        }
        let call = Call { before: connection.total_changes(), transaction: self, connection, apply };
        match apply.apply_alone(connection, writes) {
            Ok(Ok(())) => call.keep(writes).map(Ok),
            obstacle => obstacle,
        }
    }

    /// Commits what is open.
    pub(super) fn end(&mut self, connection: &Connection) -> Result<()> {
        if !connection.is_autocommit() {
            Transaction::of(connection).commit()?;
        }
        self.calls.clear();
        Ok(())
    }

    fn begin(&mut self, connection: &Connection) -> Result<()> {
        if !self.calls.is_empty() {
            tracing::error!(calls = self.calls.len(), "SQLite gave up what calls had written to memory");
            self.calls.clear();
        }
        let pages: i64 = connection.prepare_cached("PRAGMA page_count")?.query_row([], |row| row.get(0))?;
        self.calls_max = if pages < PAGES_MAX { CALLS_MAX } else { 1 };
        Transaction::for_writing(connection)?.leave_open();
        Ok(())
    }

    /// Takes everything back, and does it again without what was not kept.
    fn do_again(&mut self, connection: &Connection, apply: &dyn Apply) -> error::Result<()> {
        let calls = std::mem::take(&mut self.calls);
        drop(Transaction::of(connection));
        self.begin(connection).map_err(failed)?;
        for writes in &calls {
            // What succeeded once does so again: nobody else wrote meanwhile.
            if let Err(obstacle) = apply.apply(connection, writes).map_err(failed)? {
                return Err(Error::Internal(format!("{obstacle:?} where there was none")));
            }
        }
        self.calls = calls;
        Ok(())
    }
}

/// A call that is being applied: unless it is kept, its changes are taken back, whatever ends it.
struct Call<'t> {
    transaction: &'t mut OpenTransaction,
    connection: &'t Connection,
    apply: &'t dyn Apply,
    /// How many rows the connection had changed.
    before: u64,
}

impl Call<'_> {
    fn keep(mut self, writes: &[Write]) -> Result<()> {
        self.transaction.calls.push(writes.to_vec());
        if self.transaction.calls.len() >= self.transaction.calls_max {
            if let Err(error) = self.transaction.end(self.connection) {
                self.transaction.calls.pop();
                return Err(error);
            }
        }
        self.before = self.connection.total_changes();
        Ok(())
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        // Nearly always what stands in the way is met before anything is changed. SQLite gives up the whole transaction
        // on some errors.
        let is_changed = self.connection.total_changes() != self.before;
        if is_changed || (self.connection.is_autocommit() && !self.transaction.calls.is_empty()) {
            if let Err(error) = self.transaction.do_again(self.connection, self.apply) {
                tracing::error!(%error, "what was written to the database in memory cannot be written again");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::apply::by_name::{named, ByName};
    use super::super::database::Database;
    use super::super::store::SqliteStore;
    use super::*;
    use crate::store::conformance::samples::{authorisation, payment};
    use crate::store::Store;

    fn memory() -> Database {
        Database::open_memory().unwrap()
    }

    fn call(database: &Database, name: &str) -> error::Result<std::result::Result<(), Committed>> {
        database.write_call(&ByName, &named(name))
    }

    fn kept(database: &Database, name: &str) -> bool {
        database.meta_number(name).unwrap() != 0
    }

    fn is_open(database: &Database) -> bool {
        !database.read(|connection| Ok(connection.is_autocommit())).unwrap()
    }

    #[test]
    fn calls_share_a_commit_and_each_is_seen_at_once() {
        let database = memory();
        for number in 1..=CALLS_MAX {
            assert_eq!(call(&database, &number.to_string()).unwrap(), Ok(()));
            assert!(kept(&database, &number.to_string()));
            assert_eq!(is_open(&database), number < CALLS_MAX, "{number}");
        }
    }

    #[test]
    fn what_ends_a_call_takes_back_its_own_changes_alone() {
        for end in ["loses", "fails", "panics", "breaks"] {
            let database = memory();
            for name in ["first", "second"] {
                call(&database, name).unwrap().unwrap();
            }
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(&database, end)));
            assert!(!matches!(ended, Ok(Ok(Ok(())))), "{end}");
            call(&database, "after").unwrap().unwrap();
            for (name, is_kept) in [("first", true), ("second", true), (end, false), ("after", true)] {
                assert_eq!(kept(&database, name), is_kept, "{name} where one {end}");
            }
            let fork = database.fork().unwrap();
            assert!(kept(&fork, "first") && kept(&fork, "after") && !kept(&fork, end), "{end}");
        }
    }

    #[test]
    fn who_writes_by_a_transaction_of_their_own_commits_what_is_open() {
        let database = memory();
        call(&database, "a call").unwrap().unwrap();
        database.set_meta_number("a change", 1).unwrap();
        assert!(!is_open(&database));
        let called_off = database.write_unless(|_| Ok(Err::<(), _>("no")));
        assert_eq!(called_off.unwrap(), Err("no"));
        assert!(kept(&database, "a call") && kept(&database, "a change"));
    }

    #[test]
    fn copies_hold_what_is_open_and_a_replacement_does_not() {
        let database = memory();
        let empty = database.image().unwrap();
        call(&database, "a call").unwrap().unwrap();
        assert!(kept(&Database::from_image(&database.image().unwrap()).unwrap(), "a call"));
        call(&database, "another").unwrap().unwrap();
        assert!(kept(&database.fork().unwrap(), "another"));
        call(&database, "a third").unwrap().unwrap();
        database.replace_by(Database::from_image(&empty).unwrap()).unwrap();
        call(&database, "of the new").unwrap().unwrap();
        for (name, is_kept) in [("a call", false), ("a third", false), ("of the new", true)] {
            assert_eq!(kept(&database, name), is_kept, "{name}");
        }
    }

    #[test]
    fn likenesses_are_known_after_calls_were_done_again() {
        let store = SqliteStore::new(std::sync::Arc::new(memory()));
        let insert = |number| Write::InsertPayment {
            payment: std::sync::Arc::new(payment(number)),
            refuse_like_since: Some(payment(number).created_at),
            also_like: Vec::new(),
        };
        let link = |number, of| Write::InsertAuthorisation(authorisation(number, of));
        assert_eq!(store.commit(&[insert(1), link(1, 1)]).unwrap(), Committed::Done);
        // The payment is in, the link's id is taken.
        assert_eq!(store.commit(&[insert(2), link(1, 2)]).unwrap(), Committed::RaceLost);
        assert_eq!(store.payment(&payment(2).id).unwrap(), None);
        assert_eq!(store.commit(&[insert(2), link(2, 2)]).unwrap(), Committed::Done);
        for number in [1, 2] {
            let id = payment(number + 2).id;
            let like = std::sync::Arc::new(crate::payment::record::Payment { id, ..payment(number) });
            let since = Some(like.created_at);
            let again =
                Write::InsertPayment { payment: like, refuse_like_since: since, also_like: Vec::new() };
            assert_eq!(store.commit(&[again]).unwrap(), Committed::LogicalDuplicate, "{number}");
        }
    }
}
