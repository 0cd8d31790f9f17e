//! Tests: two versions of the library serve one database while the newer one migrates it.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::database::Database;
use super::outages::{assert_error_of_the_store, other_client};
use super::schema::{Sequence, ENGINE};
use super::server::Server;
use super::PostgresStore;
use crate::store::conformance::samples::{audited, event, insert, payment, payment_id, request_id, time};
use crate::store::migration::Migration;
use crate::store::{CommitOutcome, Store, Write};

/// The next version: what it adds, the present one does not use.
const EXPANDED: Sequence = Sequence(&[
    ENGINE.0[0],
    Migration {
        sql: "ALTER TABLE payment ADD COLUMN purpose TEXT NOT NULL DEFAULT '';
            CREATE INDEX payment_by_purpose ON payment (purpose);
            CREATE TABLE later (id TEXT PRIMARY KEY)",
        oldest_writer: 1,
    },
]);
/// The version after it: what it removes, the present one still uses.
const CONTRACTED: Sequence = Sequence(&[
    ENGINE.0[0],
    EXPANDED.0[1],
    Migration { sql: "ALTER TABLE used_request_id RENAME COLUMN used_at TO first_used_at", oldest_writer: 2 },
]);

fn open(url: &str, sequence: Sequence) -> crate::Result<PostgresStore> {
    Database::with_schema(url, sequence).map(|database| PostgresStore { database })
}

/// Calls of every kind until `stop`, each of which must succeed; counts them.
fn serve(store: &PostgresStore, numbers: &AtomicU8, calls: &AtomicUsize, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        let writes = [
            insert(payment(number)),
            Write::AppendEvent(event(number, 0, "created")),
            Write::AppendAudit(audited(0)),
        ];
        // After 256 numbers they come again: then the payment is there, which is an answer.
        let created = store.commit(&writes).unwrap();
        assert!(matches!(created, CommitOutcome::Applied | CommitOutcome::VersionConflict), "{created:?}");
        store.commit(&[request_id("PSDNO-FSA-1", number, 0)]).unwrap();
        assert_eq!(store.payments().payment(&payment_id(number)).unwrap(), Some(payment(number)));
        assert!(!store.payments().events(&payment_id(number)).unwrap().is_empty());
        store.outbox().next_order_due().unwrap();
        store.check_writable().unwrap();
        calls.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn two_versions_serve_one_database_while_one_migrates_it() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let old = open(&url, ENGINE).unwrap();
    let (numbers, stop) = (AtomicU8::new(0), AtomicBool::new(false));
    let (of_old, of_new) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // For a minute at most.
    let until = |count: &AtomicUsize, least: usize| {
        let is_reached = (0..12_000).any(|_| {
            thread::sleep(Duration::from_millis(5));
            count.load(Ordering::Relaxed) >= least
        });
        assert!(is_reached, "the calls go on");
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| serve(&old, &numbers, &of_old, &stop));
        }
        until(&of_old, 50);
        // It migrates while the old one serves; then both serve.
        let new = open(&url, EXPANDED).unwrap();
        assert_eq!(other_client(&url).answer("SELECT max(number) FROM migration").unwrap(), "2");
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| serve(&new, &numbers, &of_new, &stop));
            }
            let before = of_old.load(Ordering::Relaxed);
            until(&of_new, 50);
            until(&of_old, before + 50);
            // A node of the old version that starts again serves too.
            let restarted = open(&url, ENGINE).unwrap();
            restarted.check_writable().unwrap();
            stop.store(true, Ordering::Relaxed);
        });
    });
}

#[test]
fn a_version_that_a_contracting_migration_excludes_writes_no_more() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let (oldest, older) = (open(&url, ENGINE).unwrap(), open(&url, EXPANDED).unwrap());
    let newest = open(&url, CONTRACTED).unwrap();
    assert_error_of_the_store(
        oldest.commit(&[insert(payment(1))]),
        "schema version 3, this library knows version 1",
    );
    assert_error_of_the_store(oldest.check_writable(), "schema version 3");
    assert_error_of_the_store(oldest.retention().purge_payments(time(1), 1), "schema version 3");
    assert!(open(&url, ENGINE).is_err());
    for (store, number) in [(&older, 1), (&newest, 2)] {
        assert_eq!(store.commit(&[insert(payment(number))]).unwrap(), CommitOutcome::Applied);
    }
}

#[test]
fn a_migration_without_a_record_excludes_every_older_version() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = open(&url, ENGINE).unwrap();
    let mut other = other_client(&url);
    other.batch("INSERT INTO migration (number) VALUES (2)").unwrap();
    assert_error_of_the_store(store.commit(&[insert(payment(1))]), "schema version 2");
    other.batch("UPDATE migration SET oldest_writer = 1 WHERE number = 2").unwrap();
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
}
