//! Tests: several processes on one database, one of them killed in the middle of its work.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::server::Server;
use super::PostgresStore;
use crate::store::conformance::samples::{event, insert, payment, payment_id};
use crate::store::seam::{Committed, Store, Write};

/// Tells a process that this test binary starts where the database is.
const URL_VARIABLE: &str = "XS2A_TEST_STORE_URL";
/// Tells it how often to count up.
const COUNT_VARIABLE: &str = "XS2A_TEST_STORE_COUNT";

fn open(url: &str) -> PostgresStore {
    PostgresStore::open(url).unwrap()
}

/// Counts the version of payment 1 up, an event with each step, whoever comes in between.
fn count_up(store: &PostgresStore, steps: u32) {
    let mut done = 0;
    while done < steps {
        let mut next = store.payment(&payment_id(1)).unwrap().unwrap();
        next.version += 1;
        let line = event(1, next.version.into(), "counted");
        match store.commit(&[Write::UpdatePayment(next), Write::AppendEvent(line)]).unwrap() {
            Committed::Done => done += 1,
            lost => assert_eq!(lost, Committed::RaceLost),
        }
    }
}

/// The version of payment 1, having compared it with the events.
fn consistent_version(store: &PostgresStore) -> u32 {
    let version = store.payment(&payment_id(1)).unwrap().unwrap().version;
    let events = store.events(&payment_id(1)).unwrap();
    assert!(events.len() >= version as usize - 1, "an event of each step before the one that was read");
    assert!(events.iter().zip(2..).all(|(line, version)| *line == event(1, version, "counted")));
    version
}

/// A database with payment 1 in it.
fn database() -> Option<String> {
    let url = Server::shared()?.database();
    assert_eq!(open(&url).commit(&[insert(payment(1))]).unwrap(), Committed::Done);
    Some(url)
}

/// Another process that counts up.
fn start_process(url: &str, steps: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::postgres::processes::the_other_process", "--ignored"])
        .env(URL_VARIABLE, url)
        .env(COUNT_VARIABLE, steps.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "the part of another process in the tests below"]
fn the_other_process() {
    let Ok(url) = std::env::var(URL_VARIABLE) else { return };
    let steps = std::env::var(COUNT_VARIABLE).unwrap().parse().unwrap();
    count_up(&open(&url), steps);
}

#[test]
fn three_processes_on_one_database_lose_no_update() {
    const STEPS: u32 = 100;
    let Some(url) = database() else { return };
    let others = [start_process(&url, STEPS), start_process(&url, STEPS)];
    let store = open(&url);
    count_up(&store, STEPS);
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
    assert_eq!(consistent_version(&store), 1 + 3 * STEPS);
}

#[test]
fn a_node_killed_in_the_middle_leaves_whole_commits_and_no_lock() {
    let Some(url) = database() else { return };
    let store = open(&url);
    for round in 0..3 {
        let before = consistent_version(&store);
        let mut other = start_process(&url, u32::MAX);
        while consistent_version(&store) < before + 20 {
            assert!(other.try_wait().unwrap().is_none(), "round {round}: it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        other.kill().unwrap();
        other.wait().unwrap();
        // What the server still does for it comes before this.
        count_up(&store, 1);
        let version = consistent_version(&store);
        assert_eq!(store.events(&payment_id(1)).unwrap().len(), version as usize - 1);
    }
}
