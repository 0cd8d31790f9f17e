//! Tests: a process that was forked since it opened its database.

use std::sync::Arc;

use super::{Database, SqliteStore};
use crate::error::{Error, Result};
use crate::store::conformance::samples::{insert, payment, payment_id};
use crate::store::{CommitOutcome, Store};

fn assert_refused_after_fork<T: std::fmt::Debug>(ended: Result<T>) {
    match ended {
        Err(Error::Store(fault)) => assert!(fault.text().contains("before a fork"), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_uses_no_file_that_was_opened_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    let mut database = Database::open_file(&path).unwrap();
    database.fork_process();
    assert_refused_after_fork(database.read(|_| Ok(())));
    assert_refused_after_fork(database.write(|_| Ok(())));
    let store = SqliteStore::new(Arc::new(database));
    for _ in 0..2 {
        assert_refused_after_fork(store.commit(&[insert(payment(1))]));
        assert_refused_after_fork(store.payments().payment(&payment_id(1)));
    }
    match Database::open_file(&path) {
        Err(Error::Store(fault)) => {
            assert!(fault.text().contains("when this process was forked"), "{fault:?}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_goes_on_with_its_copy_of_a_database_in_memory() {
    let mut database = Database::open_memory().unwrap();
    database.fork_process();
    let store = SqliteStore::new(Arc::new(database));
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
}
