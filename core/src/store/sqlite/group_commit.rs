//! Commits of many callers in one transaction: the `fsync` takes longest, and one serves them all.
//!
//! There is no thread for it, and no caller waits for others to come. A caller that finds no commit in progress leads,
//! alone and at once. A caller that comes while another leads queues; when the leader is done, the first in the queue
//! leads, for all that queue by then. An obstacle of one caller rolls back nothing of another; each is answered after
//! the commit that holds its writes is durable.

use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use super::apply::Apply;
use super::database::Database;
use crate::error::{Error, Result};
use crate::store::{CommitOutcome, Write};

/// The most callers that one transaction serves: those who come after lead the next one.
const CALLERS_MAX: usize = 64;

/// The queue before a database's writer.
#[derive(Debug)]
pub(super) struct GroupCommit {
    apply: Apply,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    is_led: bool,
    waiting: Vec<Arc<Ticket>>,
}

/// A caller that waits.
#[derive(Debug)]
struct Ticket {
    writes: Vec<Write>,
    turn: Mutex<Turn>,
    changed: Condvar,
}

#[derive(Debug)]
enum Turn {
    Waits,
    Leads,
    Answered(Result<CommitOutcome>),
    /// The answer was fetched.
    Over,
}

impl GroupCommit {
    /// An empty queue.
    pub(super) fn new(apply: Apply) -> Self {
        Self { apply, queue: Mutex::default() }
    }

    /// Commits the writes, all or nothing.
    pub(super) fn commit(&self, database: &Database, writes: &[Write]) -> Result<CommitOutcome> {
        // A caller that led while the process was forked never finishes in the copy: no caller there may wait for it.
        database.check_process()?;
        match self.enter(writes) {
            None => {
                let _leadership = Leadership { group: self };
                let done = database.write_unless(|connection| (self.apply)(connection, writes))?;
                Ok(done.map_or_else(|obstacle| obstacle, |()| CommitOutcome::Applied))
            }
            Some(ticket) => ticket.wait().unwrap_or_else(|| {
                self.lead(database);
                ticket.answer()
            }),
        }
    }

    /// A place in the queue; `None` where there is none and the caller leads.
    fn enter(&self, writes: &[Write]) -> Option<Arc<Ticket>> {
        let mut queue = self.queue.lock();
        if !queue.is_led {
            queue.is_led = true;
            return None;
        }
        let ticket = Arc::new(Ticket::new(writes.to_vec()));
        queue.waiting.push(Arc::clone(&ticket));
        Some(ticket)
    }

    /// Commits the writes of the callers that wait, this one among them, in the order they came.
    fn lead(&self, database: &Database) {
        let served = Served(self.next_to_serve());
        let leadership = Leadership { group: self };
        let answers =
            database.write_each(&served.0, |connection, ticket| (self.apply)(connection, &ticket.writes));
        // The next commit begins before the callers of this one are woken: else they would all be back in the queue
        // by the time the next leader has a processor, and no caller would work during a commit.
        drop(leadership);
        match answers {
            Ok(answers) => {
                for (ticket, answer) in served.0.iter().zip(answers) {
                    ticket.give(|| {
                        answer
                            .map(|ended| ended.map_or_else(|obstacle| obstacle, |()| CommitOutcome::Applied))
                    });
                }
            }
            // Nothing is committed, for no caller.
            Err(error) => served.0.iter().for_each(|ticket| ticket.give(|| Err(error.clone()))),
        }
    }

    fn next_to_serve(&self) -> Vec<Arc<Ticket>> {
        let mut queue = self.queue.lock();
        let count = queue.waiting.len().min(CALLERS_MAX);
        queue.waiting.drain(..count).collect()
    }
}

/// The leadership. However it ends, the next in the queue leads.
struct Leadership<'g> {
    group: &'g GroupCommit,
}

impl Drop for Leadership<'_> {
    fn drop(&mut self) {
        let mut queue = self.group.queue.lock();
        match queue.waiting.first() {
            Some(next) => next.promote(),
            None => queue.is_led = false,
        }
    }
}

/// The callers that a leader answers. However it ends, none is left waiting.
struct Served(Vec<Arc<Ticket>>);

impl Drop for Served {
    fn drop(&mut self) {
        for ticket in &self.0 {
            ticket.give(|| Err(Error::Internal("the commit was broken off".to_owned())));
        }
    }
}

impl Ticket {
    fn new(writes: Vec<Write>) -> Self {
        Self { writes, turn: Mutex::new(Turn::Waits), changed: Condvar::new() }
    }

    /// Waits for the answer; `None` where the caller is to lead instead.
    fn wait(&self) -> Option<Result<CommitOutcome>> {
        let mut turn = self.turn.lock();
        self.changed.wait_while(&mut turn, |turn| matches!(turn, Turn::Waits));
        match std::mem::replace(&mut *turn, Turn::Over) {
            Turn::Answered(answer) => Some(answer),
            leads_or_over => {
                *turn = leads_or_over;
                None
            }
        }
    }

    fn promote(&self) {
        *self.turn.lock() = Turn::Leads;
        self.changed.notify_one();
    }

    /// Gives the first answer; later ones do not count and are not made.
    fn give(&self, answer: impl FnOnce() -> Result<CommitOutcome>) {
        let mut turn = self.turn.lock();
        if matches!(*turn, Turn::Waits | Turn::Leads) {
            *turn = Turn::Answered(answer());
            // The woken thread takes this lock first.
            drop(turn);
            self.changed.notify_one();
        }
    }

    /// The answer that was given.
    fn answer(&self) -> Result<CommitOutcome> {
        match std::mem::replace(&mut *self.turn.lock(), Turn::Over) {
            Turn::Answered(answer) => answer,
            _ => Err(Error::Internal("a commit ended without an answer".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::{self, ThreadId};

    use rusqlite::{ffi, Connection};

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
            let queue = self.group.queue.lock();
            queue.is_led && queue.waiting.len() == waiting
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
