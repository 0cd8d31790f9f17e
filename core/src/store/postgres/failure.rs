//! What PostgreSQL refuses: what it means for a transaction, and how it is said to the operator.

use std::time::Duration;

use tokio_postgres::error::SqlState;

use super::time_limits::LOCK_SECONDS_MAX;
use super::tls;
use crate::error::{Error, StoreFault};

/// Why a piece of work on a connection did not succeed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server, or the way to it.
    Server(tokio_postgres::Error),
    /// The server said nothing for that long.
    Silent(Duration),
    /// No connection became free in the time that is waited for one: which of them, and how long, in words.
    Crowded(String),
    /// A column holds what this library does not write. The value is not shown: it may be personal data.
    Unknown,
    /// An error that the operator sees unchanged.
    Said(Error),
}

/// What work on a connection gives.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Server(error)
    }
}

impl Failure {
    /// Whether the connection is unusable; another one may work.
    pub(super) fn is_lost(&self) -> bool {
        let error = match self {
            Self::Server(error) => error,
            Self::Silent(_) => return true,
            Self::Crowded(_) | Self::Unknown | Self::Said(_) => return false,
        };
        match error.code() {
            // The server was shut down, or this connection was ended, idle for too long or not.
            Some(code) => {
                let ended = [
                    SqlState::ADMIN_SHUTDOWN,
                    SqlState::CRASH_SHUTDOWN,
                    SqlState::CANNOT_CONNECT_NOW,
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                ];
                code.code().starts_with("08") || code.code() == IDLE_SESSION_TIMEOUT || ended.contains(code)
            }
            None => error.is_closed() || input_or_output(error).is_some(),
        }
    }

    /// That it was waited for before it came: for an answer, for the network, or for a connection.
    pub(super) fn took_long(&self) -> bool {
        match self {
            Self::Server(error) => {
                input_or_output(error).is_some_and(|error| error.kind() == std::io::ErrorKind::TimedOut)
            }
            Self::Silent(_) | Self::Crowded(_) => true,
            Self::Unknown | Self::Said(_) => false,
        }
    }

    /// Whether the same transaction may succeed in another attempt, because it conflicted with another transaction.
    pub(super) fn is_passing(&self) -> bool {
        let code = self.code();
        code == Some(&SqlState::T_R_SERIALIZATION_FAILURE) || code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
    }

    /// Whether a statement was refused, or its answer not understood, and the connection is still usable. A refusal
    /// because of a failed transaction that is still open does not count.
    pub(super) fn is_refusal(&self) -> bool {
        let is_in_the_middle = self.code() == Some(&SqlState::IN_FAILED_SQL_TRANSACTION);
        !self.is_lost() && !is_in_the_middle && (self.code().is_some() || matches!(self, Self::Unknown))
    }

    /// That the server lets no more connections in: not at all, or not for this role or database.
    pub(super) fn is_connection_limit(&self) -> bool {
        self.code() == Some(&SqlState::TOO_MANY_CONNECTIONS)
    }

    /// That the role may not do so: it does not own the table, or was not granted it.
    pub(super) fn is_for_want_of_rights(&self) -> bool {
        self.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE)
    }

    /// That a value which must be unique is taken: a caller, or another node, chose the same.
    pub(super) fn is_taken(&self) -> bool {
        self.code() == Some(&SqlState::UNIQUE_VIOLATION) && self.taken_generated_key().is_none()
    }

    /// The violated constraint, if the server itself chose the value that is taken.
    fn taken_generated_key(&self) -> Option<&str> {
        let Self::Server(error) = self else { return None };
        error.as_db_error()?.constraint().filter(|name| GENERATED_KEYS.contains(name))
    }

    fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Server(error) => error.code(),
            Self::Silent(_) | Self::Crowded(_) | Self::Unknown | Self::Said(_) => None,
        }
    }

    /// The operator's error. PostgreSQL puts values into the detail of its messages, never into the message of the
    /// refusals our statements can meet: so the text is safe to log.
    pub(super) fn into_error(self) -> Error {
        let is_unreachable = self.is_lost() || self.is_connection_limit();
        if let Some(key) = self.taken_generated_key() {
            let text = format!(
                "PostgreSQL: the sequence of `{key}` is behind its table, as after a switch to a logical replica: set \
                 the sequences of the schema xs2a to the largest number of their tables"
            );
            return Error::Store(text.into());
        }
        let error = match self {
            Self::Server(error) => error,
            Self::Silent(patience) => {
                let text = format!("the PostgreSQL server has not answered for {} s", patience.as_secs());
                return Error::Store(StoreFault::new(text).unreachable());
            }
            Self::Crowded(text) => return Error::Store(StoreFault::new(text).unreachable()),
            Self::Unknown => return Error::Record("the stored value is not one this library writes".into()),
            Self::Said(error) => return error,
        };
        let Some((code, said)) = error.code().zip(error.as_db_error()) else {
            let text = format!("the PostgreSQL server cannot be reached: {}", cause(&error));
            return Error::Store(StoreFault::new(text).unreachable().caused_by(error));
        };
        let source = Sqlstate(code.code().to_owned());
        if code == &SqlState::LOCK_NOT_AVAILABLE {
            let text =
                format!("another connection locked a row or a table for more than {LOCK_SECONDS_MAX} s");
            return Error::Store(StoreFault::new(text).locked().caused_by(source));
        }
        let fault =
            StoreFault::new(format!("PostgreSQL: {} ({})", said.message(), code.code())).caused_by(source);
        let kind = if is_of_values(code) { Error::Record } else { Error::Store };
        kind(match (is_unreachable, is_of_damage(code)) {
            (true, _) => fault.unreachable(),
            (false, true) => fault.damaged(),
            (false, false) => fault,
        })
    }
}

/// The code of a refusal, as the source of the operator's error. The driver's own error is not kept, because its detail
/// may hold stored values.
#[derive(Debug, thiserror::Error)]
#[error("SQLSTATE {0}")]
struct Sqlstate(String);

/// The keys that are numbers of a sequence, so that no caller can choose one that is taken.
pub(super) const GENERATED_KEYS: [&str; 5] =
    ["audit_pkey", "consent_pkey", "event_pkey", "outbox_pkey", "payment_pkey"];

/// `idle_session_timeout`, which the driver has no name for.
const IDLE_SESSION_TIMEOUT: &str = "57P05";

/// Whether the cause is in the values of one record: their form (class 22), a rule of the table (23), their size (54),
/// or damage of the storage that holds them.
fn is_of_values(code: &SqlState) -> bool {
    ["22", "23", "54"].iter().any(|class| code.code().starts_with(class)) || is_of_damage(code)
}

/// Whether the server found damage of a table or of an index.
fn is_of_damage(code: &SqlState) -> bool {
    [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(code)
}

/// What the system, not the server, reported.
fn input_or_output(error: &tokio_postgres::Error) -> Option<&std::io::Error> {
    std::error::Error::source(error)?.downcast_ref()
}

/// The innermost of what the driver says. Its errors without a code are of the network and of the protocol, and
/// hold no values.
fn cause(error: &tokio_postgres::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    tls::why(innermost).unwrap_or_else(|| innermost.to_string())
}
