//! What a store's error reports to the host: locked, unreachable or damaged, with its source.

use std::error::Error as _;
use std::path::Path;
use std::sync::Arc;

use uuid::Uuid;
use xs2a::store::{open, CommitOutcome, Store, UsedRequestId, Write};
use xs2a::Error;

fn open_file(path: &Path) -> xs2a::Result<Arc<dyn Store>> {
    open(&format!("sqlite://{}", path.display()))
}

fn use_request_id(store: &dyn Store, number: u128) -> xs2a::Result<CommitOutcome> {
    let at = chrono::DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    let request_id = Uuid::from_u128(number);
    store.commit(&[Write::UseRequestId(UsedRequestId {
        tpp: "PSDNO-FSA-1".into(),
        request_id: request_id.into(),
        at,
        since: at,
    })])
}

#[track_caller]
fn assert_only(error: &Error, locked: bool, unreachable: bool, damaged: bool) {
    let found = (error.is_locked(), error.is_unreachable(), error.is_damaged());
    assert_eq!(found, (locked, unreachable, damaged), "{error}");
    assert!(error.source().is_some(), "{error}");
    assert!(error.to_string().starts_with("store: "), "{error}");
}

#[test]
fn a_file_that_another_connection_locks_is_locked_until_released() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    let store = open_file(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_only(&use_request_id(&*store, 1).unwrap_err(), true, false, false);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(use_request_id(&*store, 1).unwrap(), CommitOutcome::Applied);
}

#[test]
fn a_file_with_overwritten_pages_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    use_request_id(&*open_file(&path).unwrap(), 1).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let page = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    assert!(bytes.len() > 4 * page, "the tables have pages of their own");
    bytes[page..].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let error = open_file(&path).and_then(|store| use_request_id(&*store, 2)).unwrap_err();
    assert_only(&error, false, false, true);
}

#[test]
fn a_file_that_is_no_database_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    std::fs::write(&path, "not a database, however long the text is".repeat(100)).unwrap();
    assert_only(&open_file(&path).map(drop).unwrap_err(), false, false, true);
}

#[test]
fn a_file_in_a_missing_folder_is_unreachable() {
    let folder = tempfile::tempdir().unwrap();
    let error = open_file(&folder.path().join("missing/bank.db")).map(drop).unwrap_err();
    assert_only(&error, false, true, false);
    let source = error.source().unwrap().downcast_ref::<std::io::Error>().unwrap();
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
}

#[cfg(feature = "postgres")]
#[test]
fn a_port_without_a_server_is_unreachable() {
    // The port of a listener that is closed again: no program listens on it.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error =
        open(&format!("postgresql://xs2a@127.0.0.1:{port}/bank?sslmode=disable")).map(drop).unwrap_err();
    assert_only(&error, false, true, false);
}

#[cfg(feature = "postgres")]
#[test]
fn a_server_that_accepts_and_never_answers_is_unreachable() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let address = format!("postgresql://xs2a@127.0.0.1:{port}/bank?sslmode=disable&connect_timeout=1");
    let error = open(&address).map(drop).unwrap_err();
    assert!(error.is_unreachable() && !error.is_locked() && !error.is_damaged(), "{error}");
    assert!(error.to_string().contains("has not answered for"), "{error}");
}
