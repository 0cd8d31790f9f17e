//! One PostgreSQL database: reading it and writing it.
//!
//! Every statement sees what was committed before it began; what must not change between two statements of a
//! transaction is locked by the first. A transaction that conflicts with another is repeated.

use std::time::Duration;

use super::columns::Columns;
use super::connection::Connection;
use super::failure::{Failure, Result};
use super::pool::Pool;
use super::pooler::refuse_pooler;
use super::privileges::check_privileges;
use super::time_limits::LIFT_LIMITS_OF_ROLE;
use super::{address, schema};
use crate::error::{self, Error, StoreFault};
use crate::store::Connections;

/// How often a transaction runs that conflicts with others.
const ATTEMPTS_MAX: u32 = 10;
/// How long the first pause between two attempts is; each further one is twice as long.
const FIRST_PAUSE_MILLIS: u64 = 1;
/// How often the server is asked what became of a commit, while it does not know yet or comes back: for longer than a
/// transaction may do nothing on a connection whose end the server has not noticed.
const QUESTIONS_MAX: u32 = 120;
/// How long the pause between two such questions is.
const QUESTION_PAUSE_MILLIS: u64 = 100;
/// How long a statement may take that deletes expired rows.
const SWEEP_SECONDS_MAX: u64 = 300;

/// An open database: its pool of connections.
#[derive(Debug)]
pub(super) struct Database {
    /// The migrations that this library knows.
    sequence: schema::Sequence,
    pool: Pool,
}

/// How a transaction ended that met no error.
enum Ended<T> {
    /// It is in, or was called off.
    Known(T),
    /// The connection was lost before the answer to the commit came.
    Unanswered { verdict: T, transaction: Transaction },
}

/// What a transaction is called, for questions about it on other connections.
struct Transaction {
    /// The server's number of it.
    number: String,
    /// The history in which the number counts.
    timeline: String,
}

impl Database {
    /// The state of the pool; `None` in a process that was forked off.
    pub(super) fn connections(&self) -> Option<Connections> {
        self.pool.connections()
    }

    /// The database at an address, brought to the present schema.
    ///
    /// # Errors
    /// [`Error::Config`] for an address that cannot be used; [`Error::Store`] where no server answers, or its
    /// database cannot be used.
    pub(super) fn open(url: &str) -> error::Result<Self> {
        Self::with_schema(url, schema::ENGINE)
    }

    /// As [`Database::open`], with the migrations of another version of this library.
    pub(super) fn with_schema(url: &str, sequence: schema::Sequence) -> error::Result<Self> {
        let database = Self { sequence, pool: Pool::new(address::read(url)?) };
        refuse_pooler(&database.pool).map_err(Failure::into_error)?;
        // Before the migrations, whose errors would name one table; and after, for the tables that they made.
        database.run(check_privileges)?;
        database.run(|connection| sequence.migrate(connection))?;
        database.run(check_privileges)?;
        Ok(database)
    }

    /// Fails if a newer library has migrated the database since it was opened.
    pub(super) fn check_version(&self) -> error::Result<()> {
        self.run(|connection| {
            let versions = connection.answer(schema::VERSIONS)?;
            self.sequence.check_writer(&versions).map(drop)
        })
    }

    /// The pool, for who plays that the process was forked.
    #[cfg(test)]
    pub(super) fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    /// Runs one statement: a query, or a change that needs no other beside it. It may be run again.
    pub(super) fn run<T>(&self, work: impl Fn(&mut Connection) -> Result<T>) -> error::Result<T> {
        self.attempt(work).map_err(Failure::into_error)
    }

    /// Runs one statement that may look through a large table, as after a node that was away for long. Gives how many
    /// rows it changed.
    pub(super) fn sweep(&self, work: impl Fn(&mut Connection) -> Result<u64>) -> error::Result<usize> {
        let patience = Duration::from_secs(SWEEP_SECONDS_MAX);
        let changed = self.run(|connection| {
            connection.with_patience(patience, |connection| self.unlimited(connection, &work))
        })?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// Makes a change without the limits of the role, unless a newer library forbids this one to.
    fn unlimited<T>(
        &self,
        connection: &mut Connection,
        work: impl Fn(&mut Connection) -> Result<T>,
    ) -> Result<T> {
        connection.batch(&format!("BEGIN; {LIFT_LIMITS_OF_ROLE}"))?;
        let done = connection.answer(schema::VERSIONS).and_then(|versions| {
            self.sequence.check_writer(&versions)?;
            work(connection)
        });
        match done {
            Ok(done) => connection.batch("COMMIT").map(|()| done),
            Err(failure) => undo(connection, failure),
        }
    }

    /// The same as [`Database::run`], for who looks at the failure.
    fn attempt<T>(&self, work: impl Fn(&mut Connection) -> Result<T>) -> Result<T> {
        let mut was_lost = false;
        let mut attempts = 1;
        loop {
            let mut lease = self.pool.take()?;
            match work(lease.connection()?) {
                Ok(done) => {
                    lease.keep();
                    return Ok(done);
                }
                // It was lost while idle, and so are the other idle ones. If a new one is lost too, the server is away.
                Err(failure) if failure.is_lost() && !was_lost => {
                    was_lost = true;
                    self.pool.forget_idle();
                }
                Err(failure) if failure.is_passing() && attempts < ATTEMPTS_MAX => {
                    lease.keep();
                    std::thread::sleep(Duration::from_millis(FIRST_PAUSE_MILLIS << attempts));
                    attempts += 1;
                }
                Err(failure) => {
                    // The server refused a statement, and the transaction around it is over: the connection is well.
                    if failure.is_refusal() {
                        lease.keep();
                    }
                    return Err(failure);
                }
            }
        }
    }

    /// Runs changes as one transaction that `work` can call off: an inner `Err` changes nothing and is
    /// handed on. `work` may be run again, from the start.
    pub(super) fn write_unless<T, R>(
        &self,
        work: impl Fn(&mut Connection) -> Result<std::result::Result<T, R>>,
    ) -> error::Result<std::result::Result<T, R>> {
        // Twice at most: if the connection is lost in every commit, another attempt does not help, and nothing is
        // committed.
        for _ in 0..2 {
            match self.run(|connection| transact(connection, self.sequence, &work))? {
                Ended::Known(verdict) => return Ok(verdict),
                Ended::Unanswered { verdict, transaction } if self.is_in(&transaction)? => {
                    return Ok(verdict)
                }
                Ended::Unanswered { .. } => {}
            }
        }
        let text = "the connection to PostgreSQL was lost during a commit, which was not applied";
        Err(Error::Store(StoreFault::new(text).unreachable()))
    }

    /// Whether a transaction is committed whose commit was not answered.
    ///
    /// # Errors
    /// If the server does not know.
    fn is_in(&self, transaction: &Transaction) -> error::Result<bool> {
        let unknown = || {
            let text =
                "the connection to PostgreSQL was lost during a commit, and whether it is in is not known";
            Error::OutcomeUnknown(StoreFault::new(text).unreachable())
        };
        for _ in 0..QUESTIONS_MAX {
            match self.attempt(|connection| transaction.status(connection)) {
                Ok(Status::Committed) => return Ok(true),
                Ok(Status::Aborted) => return Ok(false),
                Ok(Status::Unknown) => return Err(unknown()),
                // Each question would take as long again.
                Err(failure) if failure.took_long() => return Err(unknown()),
                // The server is still at it, or on its way back.
                Ok(Status::InProgress) | Err(_) => {
                    std::thread::sleep(Duration::from_millis(QUESTION_PAUSE_MILLIS));
                }
            }
        }
        Err(unknown())
    }
}

/// What became of a transaction whose commit was not answered.
enum Status {
    InProgress,
    Committed,
    Aborted,
    /// The server cannot say, or its synchronous standby may not have the commit.
    Unknown,
}

impl Transaction {
    /// Begins one, in the schema that this library knows.
    fn begin(connection: &mut Connection, sequence: schema::Sequence) -> Result<Self> {
        let sql = format!("BEGIN; SELECT pg_current_xact_id(), ({})", schema::VERSIONS);
        let [number, versions] = connection.columns(&sql)?.try_into().map_err(|_| Failure::Unknown)?;
        sequence.check_writer(&versions)?;
        Ok(Self { number, timeline: connection.timeline().to_owned() })
    }

    /// What became of it.
    fn status(&self, connection: &mut Connection) -> Result<Status> {
        // A session that is ended while it waits for a synchronous standby leaves a transaction that is committed on
        // this server alone.
        const SQL: &str = "SELECT coalesce(pg_xact_status($1::text::xid8), ''),
            current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') <> 'local'";
        // A standby that took over gives the same number to another transaction.
        if connection.timeline() != self.timeline {
            return Ok(Status::Unknown);
        }
        let Some(row) = connection.row(SQL, &[&self.number])? else { return Ok(Status::Unknown) };
        let mut columns = Columns::of(&row);
        let (status, waits_for_standby): (String, bool) = (columns.value()?, columns.value()?);
        Ok(match status.as_str() {
            "in progress" => Status::InProgress,
            "aborted" => Status::Aborted,
            "committed" if !waits_for_standby => Status::Committed,
            _ => Status::Unknown,
        })
    }
}

/// One transaction from its beginning to its commit or rollback.
fn transact<T, R>(
    connection: &mut Connection,
    sequence: schema::Sequence,
    work: impl Fn(&mut Connection) -> Result<std::result::Result<T, R>>,
) -> Result<Ended<std::result::Result<T, R>>> {
    let transaction = match Transaction::begin(connection, sequence) {
        Ok(transaction) => transaction,
        Err(failure) => return undo(connection, failure),
    };
    match work(connection) {
        Ok(Ok(done)) => match commit(connection) {
            Err(failure) if failure.is_lost() => Ok(Ended::Unanswered { verdict: Ok(done), transaction }),
            committed => committed.map(|()| Ended::Known(Ok(done))),
        },
        Ok(called_off) => connection.batch("ROLLBACK").map(|()| Ended::Known(called_off)),
        Err(failure) => undo(connection, failure),
    }
}

/// Commits. The server answers with a warning if it gave up waiting for a synchronous standby, which may not have the
/// transaction.
fn commit(connection: &mut Connection) -> Result<()> {
    // One that a statement before it gave.
    connection.take_warning();
    let committed = connection.batch("COMMIT");
    match connection.take_warning() {
        None => committed,
        Some(warning) => Err(Failure::Said(Error::OutcomeUnknown(
            format!(
                "PostgreSQL answered a commit with a warning, and whether it lasts is not known: {warning}"
            )
            .into(),
        ))),
    }
}

/// Ends the transaction that a failure left open, as it may be where only the second half of its beginning failed: the
/// next user of the connection would meet it.
fn undo<T>(connection: &mut Connection, failure: Failure) -> Result<T> {
    if failure.is_lost() {
        return Err(failure);
    }
    connection.batch("ROLLBACK").and(Err(failure))
}
