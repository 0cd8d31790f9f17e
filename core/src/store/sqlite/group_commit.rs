//! Commits of many callers in one transaction: the `fsync` takes longest, and one serves them all.
//!
//! An obstacle of one caller rolls back nothing of another; each is answered after the commit that holds its writes is
//! durable.

use super::apply::Apply;
use super::commit_queue::CommitQueue;
use super::database::Database;
use crate::error::{Error, Result};
use crate::store::{CommitOutcome, Write};

/// The queue before a database's writer.
#[derive(Debug)]
pub(super) struct GroupCommit {
    apply: Apply,
    queue: CommitQueue<Vec<Write>, Result<CommitOutcome>>,
}

impl GroupCommit {
    /// An empty queue.
    pub(super) fn new(apply: Apply) -> Self {
        let broken_off = || Err(Error::Internal("the commit was broken off".to_owned()));
        Self { apply, queue: CommitQueue::new(broken_off) }
    }

    /// Commits the writes, all or nothing.
    pub(super) fn commit(&self, database: &Database, writes: &[Write]) -> Result<CommitOutcome> {
        // A caller that led while the process was forked never finishes in the copy: no caller there may wait for it.
        database.check_process()?;
        let alone = || database.write_unless(|connection| (self.apply)(connection, writes)).map(outcome);
        self.queue.serve(alone, || writes.to_vec(), |callers| self.commit_each(database, callers))
    }

    /// Commits the writes of several callers in one transaction; the answer of each.
    fn commit_each(&self, database: &Database, callers: &[&Vec<Write>]) -> Vec<Result<CommitOutcome>> {
        match database.write_each(callers, |connection, writes| (self.apply)(connection, writes)) {
            Ok(answers) => answers.into_iter().map(|answer| answer.map(outcome)).collect(),
            // Nothing is committed, for no caller.
            Err(error) => callers.iter().map(|_| Err(error.clone())).collect(),
        }
    }
}

fn outcome(done: std::result::Result<(), CommitOutcome>) -> CommitOutcome {
    match done {
        Ok(()) => CommitOutcome::Applied,
        Err(obstacle) => obstacle,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::{self, ThreadId};

    use parking_lot::Mutex;
    use rusqlite::{ffi, Connection};

    use super::super::commit_queue::CALLERS_MAX;
    use super::*;
    use crate::types::PsuKey;

    /// Which thread applied the writes of which caller.
    static APPLIED: Mutex<Vec<(String, ThreadId)>> = Mutex::new(Vec::new());

    /// The writes of a caller of that name.
    fn named(name: &str) -> [Write; 1] {
        [Write::RevokeConsent {
            at: chrono::DateTime::UNIX_EPOCH,
            tpp: name.into(),
            psu: PsuKey::new("1".to_owned()),
        }]
    }

    /// Keeps the caller's name; then does what its last word says.
    fn apply_named(connection: &Connection, writes: &[Write]) -> rusqlite::Result<Result<(), CommitOutcome>> {
        let Some(Write::RevokeConsent { tpp: name, .. }) = writes.first() else { panic!("not of this test") };
        APPLIED.lock().push((name.to_string(), thread::current().id()));
        connection.execute("INSERT INTO psu_id VALUES (?1, zeroblob(16), 'psu')", [name])?;
        match name.split(' ').next_back() {
            Some("loses") => Ok(Err(CommitOutcome::VersionConflict)),
            Some("fails") => Err(rusqlite::Error::InvalidQuery),
            Some("panics") => panic!("as the test wants it"),
            // SQLite itself rolls back the transaction, as it does when a disk is full.
            Some("breaks") => {
                connection.execute_batch("ROLLBACK")?;
                Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_FULL), None))
            }
            _ => Ok(Ok(())),
        }
    }

    struct Bank {
        database: Database,
        group: GroupCommit,
        _directory: tempfile::TempDir,
    }

    impl Bank {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let database = Database::open_file(directory.path().join("bank.db")).unwrap();
            Self { database, group: GroupCommit::new(apply_named), _directory: directory }
        }

        fn commit(&self, name: &str) -> Result<CommitOutcome> {
            self.group.commit(&self.database, &named(name))
        }

        fn kept(&self, name: &str) -> bool {
            let query = |connection: &Connection| {
                connection.prepare("SELECT 1 FROM psu_id WHERE tpp = ?1")?.exists([name])
            };
            self.database.read(query).unwrap()
        }

        /// Lets the callers commit so that the first leads alone and the others queue, in their order; how each
        /// ended. `None`: it panicked.
        fn commit_together(&self, names: &[&str]) -> Vec<Option<Result<CommitOutcome>>> {
            thread::scope(|scope| {
                let mut callers = Vec::new();
                self.database
                    .write(|_writer_is_held| {
                        for (ahead, name) in names.iter().copied().enumerate() {
                            callers.push(scope.spawn(move || self.commit(name)));
                            while !self.is_led_with(ahead) {
                                thread::yield_now();
                            }
                        }
                        Ok(())
                    })
                    .unwrap();
                callers.into_iter().map(|caller| caller.join().ok()).collect()
            })
        }

        fn is_led_with(&self, waiting: usize) -> bool {
            self.group.queue.position() == (true, waiting)
        }
    }

    fn is_done(ended: &Option<Result<CommitOutcome>>) -> bool {
        matches!(ended, Some(Ok(CommitOutcome::Applied)))
    }

    #[test]
    fn callers_that_queue_share_one_transaction_and_the_first_leads_alone() {
        let bank = Bank::new();
        let names: Vec<String> = (0..10).map(|number| format!("shared {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ended = bank.commit_together(&names);
        assert!(ended.iter().all(is_done) && names.iter().all(|name| bank.kept(name)));
        let applied = APPLIED.lock();
        let by = |name: &&str| applied.iter().find(|(applied, _)| applied == name).unwrap().1;
        let leaders: HashSet<ThreadId> = names.iter().map(by).collect();
        assert_eq!(leaders.len(), 2, "one for itself, and one for the nine others");
        assert_ne!(by(&names[0]), by(&names[1]));
    }

    #[test]
    fn more_callers_than_one_transaction_takes_wait_for_the_next() {
        let bank = Bank::new();
        let names: Vec<String> = (0..CALLERS_MAX + 2).map(|number| format!("many {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(bank.commit_together(&names).iter().all(is_done));
        let applied = APPLIED.lock();
        let by = |name: &&str| applied.iter().find(|(applied, _)| applied == name).unwrap().1;
        assert_eq!(names.iter().map(by).collect::<HashSet<_>>().len(), 3);
    }

    #[test]
    fn an_obstacle_of_one_caller_rolls_back_nothing_of_another() {
        let bank = Bank::new();
        let names = ["a leads", "a before", "a loses", "a between", "a fails", "a after"];
        let ended = bank.commit_together(&names);
        assert!([0, 1, 3, 5].into_iter().all(|caller| is_done(&ended[caller])), "{ended:?}");
        assert!(matches!(ended[2], Some(Ok(CommitOutcome::VersionConflict))));
        assert!(matches!(ended[4], Some(Err(Error::Store(_)))));
        let kept: Vec<bool> = names.iter().map(|name| bank.kept(name)).collect();
        assert_eq!(kept, [true, true, false, true, false, true]);
    }

    #[test]
    fn a_transaction_that_sqlite_rolls_back_fails_for_all_its_callers() {
        let bank = Bank::new();
        let ended = bank.commit_together(&["b leads", "b before", "b breaks", "b after"]);
        assert!(is_done(&ended[0]));
        assert!(ended[1..].iter().all(|ended| matches!(ended, Some(Err(Error::Store(_))))), "{ended:?}");
        assert!(["b before", "b breaks", "b after"].iter().all(|name| !bank.kept(name)));
        assert_eq!(bank.commit("b later").unwrap(), CommitOutcome::Applied);
    }

    #[test]
    fn a_leader_that_panics_leaves_no_caller_waiting() {
        let bank = Bank::new();
        let ended = bank.commit_together(&["c leads", "c before", "c panics", "c after"]);
        // The first of the queue led, and met the panic.
        assert!(is_done(&ended[0]) && ended[1].is_none());
        assert!(ended[2..].iter().all(|ended| matches!(ended, Some(Err(Error::Internal(_))))), "{ended:?}");
        assert!(["c before", "c panics", "c after"].iter().all(|name| !bank.kept(name)));
        assert_eq!(bank.commit("c later").unwrap(), CommitOutcome::Applied);
    }

    #[test]
    fn a_leader_that_panics_hands_over_to_callers_it_does_not_serve() {
        let bank = Bank::new();
        let mut names = vec!["d leads".to_owned(), "d panics".to_owned()];
        names.extend((2..CALLERS_MAX + 3).map(|number| format!("d{number} follows")));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ended = bank.commit_together(&names);
        assert!(is_done(&ended[0]) && ended[1].is_none());
        let (broken_off, served) = ended[2..].split_at(CALLERS_MAX - 1);
        assert!(broken_off.iter().all(|ended| matches!(ended, Some(Err(Error::Internal(_))))), "{ended:?}");
        assert!(served.len() == 2 && served.iter().all(is_done), "{served:?}");
    }
}
