//! Tests: commits that must not be taken for others, because of a standby, a sequence or a newer schema.

use std::thread;
use std::time::Duration;

use super::outages::{assert_error_of_the_store, other_client};
use super::server::{Disk, Server};
use super::PostgresStore;
use crate::error::Error;
use crate::store::conformance::samples::{event, insert, payment, payment_id};
use crate::store::{CommitOutcome, Store, Write};

/// A server whose commits wait for a standby that does not exist, and a store on it.
fn with_missing_standby() -> Option<(Server, String, PostgresStore)> {
    let server = Server::start(Disk::Unsynced)?;
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    let mut administrator = other_client(&url);
    administrator.batch("ALTER SYSTEM SET synchronous_standby_names = 'missing'").unwrap();
    administrator.batch("SELECT pg_reload_conf()").unwrap();
    while administrator.answer("SHOW synchronous_standby_names").unwrap() != "missing" {
        thread::sleep(Duration::from_millis(10));
    }
    Some((server, url, store))
}

/// Commits a payment, and ends its wait for the standby by a function of PostgreSQL. `None` if the commit did not wait,
/// because the server's checkpointer has not read the setting yet.
fn commit_with_ended_wait(
    store: &PostgresStore,
    url: &str,
    number: u8,
    end: &str,
) -> Option<Result<CommitOutcome, Error>> {
    thread::scope(|scope| {
        let committing = scope.spawn(|| store.commit(&[insert(payment(number))]));
        let end = format!("SELECT {end}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        let mut administrator = other_client(url);
        while administrator.answer(&end).unwrap().is_empty() {
            if committing.is_finished() {
                return None;
            }
            thread::sleep(Duration::from_millis(10));
        }
        Some(committing.join().unwrap())
    })
}

#[test]
fn a_commit_whose_wait_for_the_standby_is_ended_has_an_unknown_outcome() {
    let Some((_server, url, store)) = with_missing_standby() else { return };
    let mut numbers = 1..100;
    for end in ["pg_cancel_backend", "pg_terminate_backend"] {
        let waited = |number| Some(number).zip(commit_with_ended_wait(&store, &url, number, end));
        let (number, committed) = numbers.find_map(waited).expect("no commit waits");
        assert!(matches!(committed, Err(Error::OutcomeUnknown(_))), "{number}: {committed:?}");
        // It is on this server, and would be lost with it.
        assert_eq!(store.payments().payment(&payment_id(number)).unwrap(), Some(payment(number)));
    }
}

#[test]
fn a_sequence_behind_its_table_is_no_lost_race() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    store.commit(&[insert(payment(1)), Write::AppendEvent(event(1, 0, "once"))]).unwrap();
    let mut other = other_client(&url);
    for (table, key, writes) in [
        ("payment", "payment_pkey", vec![insert(payment(2))]),
        ("event", "event_pkey", vec![Write::AppendEvent(event(1, 1, "again"))]),
    ] {
        other.batch(&format!("ALTER TABLE {table} ALTER COLUMN number RESTART WITH 1")).unwrap();
        assert_error_of_the_store(
            store.commit(&writes),
            &format!("the sequence of `{key}` is behind its table"),
        );
        let set = format!(
            "SELECT setval(pg_get_serial_sequence('xs2a.{table}', 'number'), max(number)) FROM {table}"
        );
        other.batch(&set).unwrap();
        assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::Applied, "{table}");
    }
    // A key that a caller chose is a lost race as before.
    assert_eq!(store.commit(&[insert(payment(2))]).unwrap(), CommitOutcome::VersionConflict);
}

#[test]
fn the_generated_keys_are_those_with_a_sequence() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    PostgresStore::open(&url).unwrap();
    let keys = other_client(&url).answer(
        "SELECT string_agg(conname, ' ' ORDER BY conname COLLATE \"C\") FROM pg_constraint
        JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
        WHERE contype IN ('p', 'u') AND attidentity <> '' AND connamespace = 'xs2a'::regnamespace",
    );
    assert_eq!(keys.unwrap(), super::failure::GENERATED_KEYS.join(" "));
}

#[test]
fn a_database_that_a_newer_library_migrated_while_open_is_not_written_to() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    store.check_writable().unwrap();
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    other_client(&url).batch("INSERT INTO migration (number) VALUES (2)").unwrap();
    for _ in 0..2 {
        assert_error_of_the_store(
            store.commit(&[insert(payment(2))]),
            "schema version 2, this library knows version 1",
        );
        assert_error_of_the_store(store.check_writable(), "schema version 2");
    }
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), None);
}
