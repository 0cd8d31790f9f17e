//! Tests: several processes on one file, one of them killed in the middle of its work.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::{Database, SqliteStore};
use crate::store::conformance::samples::{event, insert, payment, payment_id};
use crate::store::seam::{Committed, Store, Write};

/// Tells a process that this test binary starts where the file is.
const PATH_VARIABLE: &str = "XS2A_TEST_STORE_PATH";
/// Tells it how often to count up.
const COUNT_VARIABLE: &str = "XS2A_TEST_STORE_COUNT";

fn open(path: &Path) -> SqliteStore {
    SqliteStore::new(Arc::new(Database::open_file(path).unwrap()))
}

/// Counts the version of payment 1 up, an event with each step, whoever comes in between.
fn count_up(store: &SqliteStore, steps: u32) {
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
fn consistent_version(store: &SqliteStore) -> u32 {
    let version = store.payment(&payment_id(1)).unwrap().unwrap().version;
    let events = store.events(&payment_id(1)).unwrap();
    assert!(events.len() >= version as usize - 1, "an event of each step before the one that was read");
    assert!(events.iter().zip(2..).all(|(line, version)| *line == event(1, version, "counted")));
    version
}

/// A file with payment 1 in it.
fn file() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bank.db");
    assert_eq!(open(&path).commit(&[insert(payment(1))]).unwrap(), Committed::Done);
    (directory, path)
}

/// Another process that counts up.
fn start_process(path: &Path, steps: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::sqlite::processes::the_other_process", "--ignored"])
        .env(PATH_VARIABLE, path)
        .env(COUNT_VARIABLE, steps.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "the part of another process in the tests below"]
fn the_other_process() {
    let Some(path) = std::env::var_os(PATH_VARIABLE) else { return };
    let steps = std::env::var(COUNT_VARIABLE).unwrap().parse().unwrap();
    count_up(&open(Path::new(&path)), steps);
}

#[test]
fn three_processes_on_one_file_lose_no_update() {
    const STEPS: u32 = 100;
    let (_directory, path) = file();
    let others = [start_process(&path, STEPS), start_process(&path, STEPS)];
    let store = open(&path);
    count_up(&store, STEPS);
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
    assert_eq!(consistent_version(&store), 1 + 3 * STEPS);
}

#[test]
fn a_process_killed_in_the_middle_leaves_whole_commits() {
    let (_directory, path) = file();
    for round in 0..3 {
        let before = consistent_version(&open(&path));
        let mut other = start_process(&path, u32::MAX);
        let store = open(&path);
        while consistent_version(&store) < before + 20 {
            assert!(other.try_wait().unwrap().is_none(), "round {round}: it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        other.kill().unwrap();
        other.wait().unwrap();
        let reopened = open(&path);
        let version = consistent_version(&reopened);
        assert_eq!(reopened.events(&payment_id(1)).unwrap().len(), version as usize - 1);
        count_up(&reopened, 1);
    }
}
