//! The driver, asked by a thread that waits for the answer, and never for longer than its patience.
//!
//! The driver's own wrapper for threads, `postgres`, waits without limit: a server that takes a query and never
//! answers, because its process was stopped or its disk hangs, would hold one caller after the other.

use std::future::{poll_fn, Future};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::error::Severity;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Config, Row, SimpleQueryMessage, Socket, Statement};

use super::failure::{Failure, Result};
use super::time_limits::ANSWER_SECONDS_MAX;
use crate::error::Error;

/// How long the termination message of a closed connection may take; it avoids a line in the log of the server.
const FAREWELL_SECONDS_MAX: u64 = 1;

/// Values for the places of a statement.
pub(super) type Values<'v> = &'v [&'v (dyn ToSql + Sync)];

/// A connection to a server.
pub(super) struct Client {
    // Dropped before the line: the line sends the termination message once no further query is possible.
    driver: tokio_postgres::Client,
    line: Line,
    patience: Duration,
    warning: Warning,
}

/// The last warning of the server. It arrives before the answer of the statement that it is about.
type Warning = Arc<Mutex<Option<String>>>;

impl Client {
    /// A new connection, established and authenticated within that time.
    pub(super) fn connect<T>(config: &Config, tls: T, within: Duration) -> Result<Self>
    where
        T: MakeTlsConnect<Socket, Stream: Send + 'static, TlsConnect: Send> + Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            Failure::Said(Error::Store(format!(
                "the system cannot provide an event loop for PostgreSQL: {error}"
            )))
        })?;
        let mut line = Line { runtime: Some(runtime), talk: None, is_given_up: false };
        let (driver, mut talk) = line.wait(within, config.connect(tls))?;
        let warning = Warning::default();
        let noted = Arc::clone(&warning);
        line.talk = line.runtime.as_ref().map(|runtime| {
            runtime.spawn(async move {
                // An error ends it, and the next query returns the error.
                while let Some(Ok(message)) = poll_fn(|context| talk.poll_message(context)).await {
                    if let AsyncMessage::Notice(notice) = message {
                        if notice.parsed_severity() == Some(Severity::Warning) {
                            *noted.lock() = Some(notice.message().to_owned());
                        }
                    }
                }
            })
        });
        let patience = Duration::from_secs(ANSWER_SECONDS_MAX);
        Ok(Self { driver, line, patience, warning })
    }

    /// The last warning that was not taken.
    pub(super) fn take_warning(&mut self) -> Option<String> {
        self.warning.lock().take()
    }

    /// Waits that long for each answer from now on. Gives how long it was before.
    pub(super) fn set_patience(&mut self, patience: Duration) -> Duration {
        std::mem::replace(&mut self.patience, patience)
    }

    /// Whether the connection is known to be lost or unusable.
    pub(super) fn is_closed(&self) -> bool {
        self.line.is_given_up || self.driver.is_closed()
    }

    /// A statement, prepared.
    pub(super) fn prepare(&mut self, sql: &str) -> Result<Statement> {
        self.line.wait(self.patience, self.driver.prepare(sql))
    }

    /// How many rows a statement changed.
    pub(super) fn execute(&mut self, statement: &Statement, values: Values<'_>) -> Result<u64> {
        self.line.wait(self.patience, self.driver.execute(statement, values))
    }

    /// All rows of a query.
    pub(super) fn query(&mut self, statement: &Statement, values: Values<'_>) -> Result<Vec<Row>> {
        self.line.wait(self.patience, self.driver.query(statement, values))
    }

    /// The one row of a query, if there is one.
    pub(super) fn query_opt(&mut self, statement: &Statement, values: Values<'_>) -> Result<Option<Row>> {
        self.line.wait(self.patience, self.driver.query_opt(statement, values))
    }

    /// Runs statements without parameters, and returns their answers.
    pub(super) fn simple_query(&mut self, sql: &str) -> Result<Vec<SimpleQueryMessage>> {
        self.line.wait(self.patience, self.driver.simple_query(sql))
    }
}

/// Transfers queries and answers: only while a caller waits, on the thread of this caller.
struct Line {
    /// `None` once it ended.
    runtime: Option<Runtime>,
    /// The driver's half of the connection; it ends after the last question.
    talk: Option<JoinHandle<()>>,
    /// Whether an answer did not come in time. The state of the server is unknown then, so no other query is sent.
    is_given_up: bool,
}

impl Line {
    /// Waits for an answer.
    fn wait<T: Send>(
        &mut self,
        patience: Duration,
        answer: impl Future<Output = std::result::Result<T, tokio_postgres::Error>> + Send,
    ) -> Result<T> {
        if self.is_given_up {
            return Err(Failure::Silent(patience));
        }
        let ended = || Failure::Said(Error::Internal("a question on a line that ended".to_owned()));
        let runtime = self.runtime.as_ref().ok_or_else(ended)?;
        match where_waiting_is_allowed(|| wait(runtime, patience, answer))? {
            Some(answer) => Ok(answer?),
            None => {
                self.is_given_up = true;
                Err(Failure::Silent(patience))
            }
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        if let Some(talk) = self.talk.take() {
            let farewell = Duration::from_secs(FAREWELL_SECONDS_MAX);
            let _ = where_waiting_is_allowed(|| wait(&runtime, farewell, talk));
        }
        // Without waiting for the look-up of a name that hangs.
        runtime.shutdown_background();
    }
}

/// What comes of a future within a time.
fn wait<T>(runtime: &Runtime, patience: Duration, future: impl Future<Output = T>) -> Option<T> {
    runtime.block_on(async { tokio::time::timeout(patience, future).await.ok() })
}

/// A host that is asynchronous itself may call on a thread of its own runtime, where tokio panics rather than wait:
/// there another thread does.
fn where_waiting_is_allowed<T: Send>(wait: impl FnOnce() -> T + Send) -> Result<T> {
    if Handle::try_current().is_err() {
        return Ok(wait());
    }
    let no_thread = |why: &str| Failure::Said(Error::Store(format!("waiting for PostgreSQL: {why}")));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, wait);
        let thread = thread.map_err(|error| no_thread(&error.to_string()))?;
        thread.join().map_err(|_| no_thread("its thread panicked"))
    })
}
