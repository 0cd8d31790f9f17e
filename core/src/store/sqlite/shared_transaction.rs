//! One transaction for the changes of many callers.

use rusqlite::Connection;

use super::failure::failed_on;
use super::transaction::{with_savepoint, Transaction};
use crate::error::{Error, Result};

/// Applies the changes of all callers without savepoints, for which SQLite would copy each page that a caller changes.
/// Nearly always no caller meets an obstacle; `None` if one did: then the transaction must be rolled back.
pub(super) fn without_savepoints<C, T, R>(
    writer: &Connection,
    callers: &[C],
    work: impl Fn(&Connection, &C) -> rusqlite::Result<Result<T, R>>,
) -> Option<Vec<T>> {
    let mut done = Vec::with_capacity(callers.len());
    for caller in callers {
        let Ok(Ok(of_caller)) = work(writer, caller) else { return None };
        done.push(of_caller);
    }
    Some(done)
}

/// Applies the changes of each caller in a savepoint of its own.
///
/// # Errors
/// [`Error::Store`] if SQLite has rolled back the whole transaction.
pub(super) fn with_savepoints<C, T, R>(
    writer: &Connection,
    transaction: &Transaction<'_>,
    callers: &[C],
    work: impl Fn(&Connection, &C) -> rusqlite::Result<Result<T, R>>,
) -> Result<Vec<Result<Result<T, R>>>> {
    let mut ended = Vec::with_capacity(callers.len());
    for caller in callers {
        let verdict = with_savepoint(writer, |connection| work(connection, caller));
        let verdict = verdict.map_err(|error| failed_on(writer, error));
        if transaction.is_lost() {
            return Err(verdict.err().unwrap_or_else(|| Error::Store("the transaction was lost".into())));
        }
        ended.push(verdict);
    }
    Ok(ended)
}
