//! The export, and its failures.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use xs2a::env::LogLevel;
use xs2a::internal::Database;
use xs2a::Error;

use crate::setup::{Kept, Setup};

#[test]
fn an_export_that_fails_is_logged_once_and_ends_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bank.db");
    let kept = Arc::new(Kept::default());
    let setup = Setup::built(Database::open_file(&path).unwrap(), |builder| {
        builder.logger(Arc::clone(&kept) as Arc<_>)
    });
    setup.ordered();
    kept.0.lock().clear();
    let whole = || setup.engine.audit(DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC);
    assert!(whole().all(|line| line.is_ok()));
    assert_eq!(kept.0.lock().len(), 0);
    Connection::open(&path).unwrap().execute_batch("ALTER TABLE audit RENAME TO elsewhere").unwrap();
    let mut lines = whole();
    assert!(matches!(lines.next(), Some(Err(Error::Store(_)))));
    assert!(lines.next().is_none());
    let logged = std::mem::take(&mut *kept.0.lock());
    let [(level, _, message)] = logged.as_slice() else { panic!("{logged:?}") };
    assert_eq!(*level, LogLevel::Error);
    assert!(message.starts_with("a call failed call=\"audit\" error=\"store: "), "{message}");
}
