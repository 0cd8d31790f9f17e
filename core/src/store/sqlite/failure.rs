//! What SQLite refuses, said to the operator.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::connection::BUSY_SECONDS_MAX;
use crate::error::Error;
use crate::store::EVENT_WITHOUT_PAYMENT;

/// The operator's error for one of SQLite. SQLite names tables, columns and statements, never their values,
/// so the text is safe to log.
pub(super) fn failed(error: rusqlite::Error) -> Error {
    failed_after(error, BUSY_SECONDS_MAX)
}

/// The same for an error of that connection, whose database is in a file or in memory.
pub(super) fn failed_on(connection: &Connection, error: rusqlite::Error) -> Error {
    if error.sqlite_error_code() != Some(ErrorCode::DiskFull) {
        return failed(error);
    }
    Error::Store(match connection.path().filter(|path| !path.is_empty()) {
        Some(path) => format!("cannot write to `{path}`: the disk is full"),
        // SQLITE_MEMDB_DEFAULT_MAXSIZE.
        None => "a database in memory is full at 1 GiB: use one in a file".to_owned(),
    })
}

/// An error of opening a database, with the path of its file.
pub(super) fn named(path: &Path, error: Error) -> Error {
    match error {
        Error::Store(text) if !text.contains('`') => {
            Error::Store(format!("cannot open `{}`: {text}", path.display()))
        }
        other => other,
    }
}

/// The same, where another process was waited for so long.
pub(super) fn failed_after(error: rusqlite::Error, busy_seconds_max: u64) -> Error {
    if is_of_values(&error) {
        return Error::Record(error.to_string());
    }
    // Nothing but an event that is appended says that.
    if matches!(error, rusqlite::Error::StatementChangedRows(_)) {
        return Error::Store(EVENT_WITHOUT_PAYMENT.to_owned());
    }
    Error::Store(match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy) => {
            format!("another process held the database for more than {busy_seconds_max} s")
        }
        Some(ErrorCode::DiskFull) => "the disk is full".into(),
        Some(ErrorCode::NotADatabase) => "the file is not an SQLite database".into(),
        _ => error.to_string(),
    })
}

/// Whether the cause is in the values of one row: this library does not write such values, a rule of the table refuses
/// them, they are too large, or their page is damaged.
fn is_of_values(error: &rusqlite::Error) -> bool {
    use rusqlite::Error as Fault;
    match error {
        Fault::FromSqlConversionFailure(..)
        | Fault::IntegralValueOutOfRange(..)
        | Fault::InvalidColumnType(..)
        | Fault::Utf8Error(..)
        | Fault::ToSqlConversionFailure(..) => true,
        other => matches!(
            other.sqlite_error_code(),
            Some(
                ErrorCode::ConstraintViolation
                    | ErrorCode::DatabaseCorrupt
                    | ErrorCode::TooBig
                    | ErrorCode::TypeMismatch
            )
        ),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn text_of(code: i32) -> String {
        failed(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)).to_string()
    }

    #[test]
    fn waiting_too_long_says_for_whom_and_how_long() {
        assert_eq!(text_of(ffi::SQLITE_BUSY), "store: another process held the database for more than 5 s");
        assert!(text_of(ffi::SQLITE_BUSY_RECOVERY).contains("5 s"));
    }

    #[test]
    fn errors_of_a_record_differ_from_errors_of_the_store() {
        let conversion = rusqlite::Error::IntegralValueOutOfRange(0, -1);
        let constraint =
            rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CONSTRAINT_NOTNULL), None);
        let corrupt = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT_INDEX), None);
        for error in [conversion, constraint, corrupt] {
            assert!(matches!(failed(error), Error::Record(_)));
        }
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_LOCKED, ffi::SQLITE_FULL, ffi::SQLITE_IOERR] {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            assert!(matches!(failed(error), Error::Store(_)), "{code}");
        }
    }

    #[test]
    fn a_full_disk_is_named_and_a_full_memory_is_not_called_a_disk() {
        let folder = tempfile::tempdir().unwrap();
        let file = Connection::open(folder.path().join("bank.db")).unwrap();
        for (connection, says) in [
            (file, "bank.db`: the disk is full"),
            (Connection::open_in_memory().unwrap(), "in memory is full at 1 GiB: use one in a file"),
        ] {
            connection.execute_batch("CREATE TABLE t (x); PRAGMA max_page_count = 2").unwrap();
            let full = connection.execute_batch("INSERT INTO t VALUES (zeroblob(9000))").unwrap_err();
            let text = failed_on(&connection, full).to_string();
            assert!(text.ends_with(says), "{text}");
        }
    }

    #[test]
    fn everything_is_an_error_of_the_store() {
        assert_eq!(text_of(ffi::SQLITE_NOTADB), "store: the file is not an SQLite database");
        assert_eq!(text_of(ffi::SQLITE_FULL), "store: the disk is full");
        assert!(matches!(failed(rusqlite::Error::InvalidQuery), Error::Store(_)));
    }
}
