//! One transaction for the changes of many callers.

use rusqlite::Connection;

use super::failure::failed;
use super::transaction::{attempt, Transaction};
use crate::error::{Error, Result};

/// The changes of all callers without a savepoint between them, for which SQLite would copy each page that any of them
/// changes. Nearly always nothing stands in anybody's way; `None` where something did: then nothing is changed.
pub(super) fn plain<C, T, R>(
    writer: &Connection,
    callers: &[C],
    begins: impl Fn(&Connection) -> rusqlite::Result<()>,
    work: impl Fn(&Connection, &C) -> rusqlite::Result<Result<T, R>>,
) -> Result<Option<Vec<T>>> {
    let transaction = Transaction::for_writing(writer).map_err(failed)?;
    begins(writer).map_err(failed)?;
    let mut done = Vec::with_capacity(callers.len());
    for caller in callers {
        let Ok(Ok(of_caller)) = work(writer, caller) else { return Ok(None) };
        done.push(of_caller);
    }
    transaction.commit().map_err(failed)?;
    Ok(Some(done))
}

/// The changes of each caller in a savepoint of its own.
pub(super) fn with_savepoints<C, T, R>(
    writer: &Connection,
    callers: &[C],
    begins: impl Fn(&Connection) -> rusqlite::Result<()>,
    work: impl Fn(&Connection, &C) -> rusqlite::Result<Result<T, R>>,
) -> Result<Vec<Result<Result<T, R>>>> {
    let transaction = Transaction::for_writing(writer).map_err(failed)?;
    begins(writer).map_err(failed)?;
    let mut ended = Vec::with_capacity(callers.len());
    for caller in callers {
        let verdict = attempt(writer, |connection| work(connection, caller)).map_err(failed);
        if transaction.is_lost() {
            return Err(verdict.err().unwrap_or_else(|| Error::Store("the transaction was lost".into())));
        }
        ended.push(verdict);
    }
    transaction.commit().map_err(failed)?;
    Ok(ended)
}
