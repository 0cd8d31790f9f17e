//! In memory, calls share a commit: a transaction stays open for those that come next.
//!
//! A commit copies each page that its transaction changed, and so does the first change of a page in a transaction. A
//! database in memory has nothing to make durable, and whoever reads it does so over the one connection that also
//! writes. So what a call wrote is there once the call is done, and the commit can wait for the calls after it.

use rusqlite::{Connection, Result};

use super::apply::Apply;
use super::transaction::{attempt, Transaction};
use crate::store::seam::{Committed, Write};

/// How many calls share a commit.
const CALLS_MAX: usize = 64;
/// From so many pages on, every call has a commit of its own: what a commit has no room for is lost, and nobody may
/// lose what was answered before. It is half of the GiB that a database in memory may take, and what 64 calls write
/// fits into the other half: every text of a payment has its bound.
const PAGES_MAX: i64 = 131_072;

/// The transaction that the last calls left open, if they did.
#[derive(Debug, Default)]
pub(super) struct OpenTransaction {
    /// How many calls wrote in it.
    calls: usize,
    /// How many may.
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
        let ended = match apply.fails_unchanged(writes) {
            true => apply.apply_alone(connection, writes),
            // A savepoint copies each page that the call changes.
            false => attempt(connection, |connection| apply.apply_alone(connection, writes)),
        };
        if connection.is_autocommit() {
            self.note_given_up();
        }
        if let Ok(Ok(())) = ended {
            self.calls += 1;
            if self.calls >= self.calls_max {
                self.end_or_go_on(connection);
            }
        }
        ended
    }

    /// Commits what is open.
    pub(super) fn end(&mut self, connection: &Connection) -> Result<()> {
        if !connection.is_autocommit() {
            connection.prepare_cached("COMMIT")?.execute([])?;
        }
        self.calls = 0;
        Ok(())
    }

    /// What was written is there all the same, and the next call tries again.
    fn end_or_go_on(&mut self, connection: &Connection) {
        if let Err(error) = self.end(connection) {
            tracing::error!(%error, "what was written to the database in memory cannot be committed yet");
        }
    }

    fn begin(&mut self, connection: &Connection) -> Result<()> {
        let pages: i64 = connection.prepare_cached("PRAGMA page_count")?.query_row([], |row| row.get(0))?;
        self.calls_max = if pages < PAGES_MAX { CALLS_MAX } else { 1 };
        Transaction::for_writing(connection)?.leave_open();
        Ok(())
    }

    /// SQLite does that where the process has no memory left.
    fn note_given_up(&mut self) {
        if self.calls > 0 {
            tracing::error!(calls = self.calls, "SQLite gave up what calls had written to memory");
        }
        self.calls = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};

    use super::super::apply::by_name::{named, ByName};
    use super::super::database::Database;
    use super::super::store::SqliteStore;
    use super::*;
    use crate::error;
    use crate::payment::record::Payment;
    use crate::store::conformance::samples::{
        audited, authorisation, opening_link, payment, request_id, TPP,
    };
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
        for end in ["loses", "fails", "panics"] {
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
    fn what_sqlite_gives_up_is_gone_and_the_next_call_begins_anew() {
        let database = memory();
        call(&database, "before").unwrap().unwrap();
        assert!(call(&database, "breaks").is_err());
        call(&database, "after").unwrap().unwrap();
        assert_eq!(["before", "breaks", "after"].map(|name| kept(&database, name)), [false, false, true]);
    }

    #[test]
    fn a_creation_in_one_row_that_fails_takes_back_nothing_of_others() {
        let store = SqliteStore::new(Arc::new(memory()));
        let creation = |of: &Payment, id| {
            let payment = Arc::new(of.clone());
            let insert = Write::InsertPayment {
                payment,
                refuse_like_since: Some(of.created_at),
                also_like: Vec::new(),
            };
            let link = Write::InsertAuthorisation(opening_link(of));
            [request_id(TPP, id, 0), insert, link, Write::AppendAudit(audited(i64::from(id)))]
        };
        let first = payment(1);
        assert_eq!(store.commit(&creation(&first, 1)).unwrap(), Committed::Done);
        let of_other_order = Payment { likeness: [9; 32], ..first.clone() };
        for (again, id, obstacle) in [
            (&payment(2), 1, Committed::RequestReplayed),
            (&Payment { id: payment(3).id, ..first.clone() }, 2, Committed::LogicalDuplicate),
            (&of_other_order, 3, Committed::RaceLost),
        ] {
            assert_eq!(store.commit(&creation(again, id)).unwrap(), obstacle);
        }
        assert_eq!(store.commit(&creation(&payment(2), 4)).unwrap(), Committed::Done);
        for number in [1, 2] {
            assert_eq!(store.payment(&payment(number).id).unwrap(), Some(payment(number)));
            assert!(store.authorisation(&opening_link(&payment(number)).id).unwrap().is_some());
        }
        assert_eq!(store.payment(&payment(3).id).unwrap(), None);
        let all_time = DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC;
        let noted = store.audit(&all_time, None, 9).unwrap();
        let times: Vec<_> = noted.iter().map(|line| line.position().at).collect();
        assert_eq!(times, [1, 4].map(|micros| audited(micros).at), "none of those that failed");
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
    fn likenesses_are_known_after_a_call_was_taken_back() {
        let store = SqliteStore::new(Arc::new(memory()));
        let insert = |number| Write::InsertPayment {
            payment: Arc::new(payment(number)),
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
            let like = Arc::new(Payment { id, ..payment(number) });
            let since = Some(like.created_at);
            let again =
                Write::InsertPayment { payment: like, refuse_like_since: since, also_like: Vec::new() };
            assert_eq!(store.commit(&[again]).unwrap(), Committed::LogicalDuplicate, "{number}");
        }
    }
}
