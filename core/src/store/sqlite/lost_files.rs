//! Tests: files of an open database that lose their names, and files that are not opened.
//!
//! Another process is Python with its own SQLite.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::new_file::beside;
use super::{Database, SqliteStore};
use crate::error::Error;
use crate::store::conformance::samples::{insert, payment, payment_id};
use crate::store::{CommitOutcome, Store as _};

/// What a process of its own does with the database at this path, before it dies as by `kill -9`.
const FATE_VARIABLE: &str = "XS2A_TEST_LOST_FILES_FATE";
const PATH_VARIABLE: &str = "XS2A_TEST_LOST_FILES_PATH";

struct Bank {
    folder: tempfile::TempDir,
    store: SqliteStore,
}

impl Bank {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("bank.db"));
        let bank = Self { folder, store };
        assert_eq!(bank.commit(1).unwrap(), CommitOutcome::Applied);
        bank
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("bank.db")
    }

    fn commit(&self, number: u8) -> crate::Result<CommitOutcome> {
        self.store.commit(&[insert(payment(number))])
    }

    fn assert_refused(&self, says: &str) {
        for refused in [self.commit(2).map(drop), self.store.database().check_writable()] {
            match refused {
                Err(Error::Store(text)) => assert!(text.contains(says), "{text}"),
                other => panic!("{says}: {other:?}"),
            }
        }
        assert!(!is_kept(&self.store, 2), "{says}");
    }
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::new(Arc::new(Database::open_file(path).unwrap()))
}

fn is_kept(store: &SqliteStore, number: u8) -> bool {
    store.payments().payment(&payment_id(number)).unwrap().is_some()
}

fn refusal(path: &Path) -> String {
    match Database::open_file(path) {
        Err(Error::Store(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// Another process that opens the database, reads it and closes it.
fn look_at(path: &Path) {
    let program = "import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute('SELECT count(*) FROM payment').fetchone()
connection.close()";
    assert!(Command::new("python3").args(["-c", program]).arg(path).status().unwrap().success());
}

#[test]
fn a_commit_is_refused_once_a_file_lost_its_name() {
    type Change = fn(&Path, &Path);
    let changes: [(&str, Change, &str); 7] = [
        ("-wal", |file, _| std::fs::remove_file(file).unwrap(), "bank.db-wal` was removed or renamed"),
        ("-wal", |file, other| std::fs::rename(file, other).unwrap(), "bank.db-wal` was removed or renamed"),
        ("-wal", |file, other| std::fs::hard_link(file, other).unwrap(), "bank.db-wal` has 2 names"),
        ("-shm", |file, _| std::fs::remove_file(file).unwrap(), "bank.db-shm` was removed or renamed"),
        ("", |file, other| std::fs::rename(file, other).unwrap(), "bank.db` was removed or renamed"),
        ("", |file, other| std::fs::hard_link(file, other).unwrap(), "bank.db` has 2 names"),
        (
            "",
            |file, other| {
                std::fs::write(other, "another file").unwrap();
                std::fs::rename(other, file).unwrap();
            },
            "bank.db` was replaced",
        ),
    ];
    for (suffix, change, says) in changes {
        let bank = Bank::new();
        change(&beside(&bank.path(), suffix), &bank.folder.path().join("other"));
        bank.assert_refused(says);
        bank.assert_refused(says);
    }
}

#[test]
fn a_commit_goes_on_once_a_second_name_is_removed() {
    let bank = Bank::new();
    let second = bank.folder.path().join("second.db");
    std::fs::hard_link(bank.path(), &second).unwrap();
    bank.assert_refused("has 2 names");
    std::fs::remove_file(second).unwrap();
    assert_eq!(bank.commit(2).unwrap(), CommitOutcome::Applied);
}

#[test]
fn all_files_removed_refuse_a_commit_and_a_moved_folder_does_not() {
    let bank = Bank::new();
    for suffix in ["", "-wal", "-shm"] {
        std::fs::remove_file(beside(&bank.path(), suffix)).unwrap();
    }
    bank.assert_refused("bank.db` was removed or renamed");

    let outer = tempfile::tempdir().unwrap();
    let (before, after) = (outer.path().join("before"), outer.path().join("after"));
    std::fs::create_dir(&before).unwrap();
    let store = open(&before.join("bank.db"));
    std::fs::rename(&before, &after).unwrap();
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    store.database().check_writable().unwrap();
    drop(store);
    assert!(is_kept(&open(&after.join("bank.db")), 1));
}

/// As after `chroot`, or `setuid` to a user without the right to the folder.
#[test]
fn reads_go_on_when_no_further_connection_can_be_opened() {
    let outer = tempfile::tempdir().unwrap();
    let (before, after) = (outer.path().join("before"), outer.path().join("after"));
    std::fs::create_dir(&before).unwrap();
    let store = open(&before.join("bank.db"));
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    for is_replaced in [false, true] {
        std::fs::rename(&before, &after).unwrap();
        let _other = is_replaced.then(|| {
            std::fs::create_dir(&before).unwrap();
            open(&before.join("bank.db"))
        });
        std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    for _ in 0..50 {
                        assert!(is_kept(&store, 1));
                        assert_eq!(store.payments().events(&payment_id(1)).unwrap(), []);
                    }
                });
            }
        });
        if is_replaced {
            let refused = store.commit(&[insert(payment(2))]).unwrap_err().to_string();
            assert!(refused.contains("bank.db` was replaced"), "{refused}");
        } else {
            std::fs::rename(&after, &before).unwrap();
        }
    }
}

#[test]
fn a_removed_log_is_saved_at_the_next_commit_and_at_an_orderly_end() {
    for commits_after in [false, true] {
        let bank = Bank::new();
        std::fs::remove_file(beside(&bank.path(), "-wal")).unwrap();
        if commits_after {
            bank.assert_refused("bank.db-wal` was removed");
        }
        let Bank { folder, store } = bank;
        drop(store);
        assert!(is_kept(&open(&folder.path().join("bank.db")), 1));
    }
}

/// The part of a process that dies in the tests below.
#[test]
#[ignore = "the part of another process in the tests below"]
fn the_process_that_dies() {
    let Some(path) = std::env::var_os(PATH_VARIABLE).map(PathBuf::from) else { return };
    let store = open(&path);
    let commit = |number| store.commit(&[insert(payment(number))]);
    for number in 1..4 {
        assert_eq!(commit(number).unwrap(), CommitOutcome::Applied);
    }
    match std::env::var(FATE_VARIABLE).unwrap().as_str() {
        "copied" => {
            std::fs::copy(&path, path.with_extension("copy")).unwrap();
            look_at(&path);
        }
        "log removed" => std::fs::remove_file(beside(&path, "-wal")).unwrap(),
        fate => panic!("{fate}"),
    }
    for number in 4..7 {
        match commit(number) {
            Err(Error::Store(text)) => assert!(text.contains("bank.db-wal` was removed"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
    std::process::abort();
}

/// What a process commits that loses its log, and then dies, is what the next process finds.
#[test]
fn no_acknowledged_payment_is_lost_with_the_log() {
    for fate in ["copied", "log removed"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::sqlite::lost_files::the_process_that_dies", "--ignored", "--nocapture"])
            .env(PATH_VARIABLE, &path)
            .env(FATE_VARIABLE, fate)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_none() && !said.contains("panicked"), "{fate}: {said}");
        let store = open(&path);
        let kept: Vec<u8> = (1..7).filter(|number| is_kept(&store, *number)).collect();
        assert_eq!(kept, [1, 2, 3], "{fate}");
        assert_eq!(store.commit(&[insert(payment(4))]).unwrap(), CommitOutcome::Applied, "{fate}");
    }
}

#[test]
fn a_log_that_another_process_replaced_is_not_copied_into_the_database() {
    let bank = Bank::new();
    let path = bank.path();
    std::fs::copy(&path, path.with_extension("copy")).unwrap();
    look_at(&path);
    // The other process has closed the database and opens it again: it writes to a log of its own.
    let program = "import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute('UPDATE payment SET version = 7')
connection.commit()
connection.close()";
    assert!(Command::new("python3").args(["-c", program]).arg(&path).status().unwrap().success());
    let Bank { folder: _folder, store } = bank;
    drop(store);
    let version = open(&path).payments().payment(&payment_id(1)).unwrap().unwrap().version;
    assert_eq!(version, 7);
}

#[test]
fn a_file_with_several_names_is_not_opened_under_either() {
    let folder = tempfile::tempdir().unwrap();
    let (path, second) = (folder.path().join("bank.db"), folder.path().join("second.db"));
    drop(open(&path));
    std::fs::hard_link(&path, &second).unwrap();
    for name in [&path, &second] {
        let text = refusal(name);
        assert!(text.contains("several names") && text.contains(name.to_str().unwrap()), "{text}");
    }
    std::fs::remove_file(second).unwrap();
    drop(open(&path));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_this_process_has_open_by_other_means_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    drop(open(&path));
    let held = std::fs::File::open(&path).unwrap();
    let text = refusal(&path);
    assert!(text.contains("by other means") && text.contains("bank.db`"), "{text}");
    drop(held);
    // Two engines of one process are one copy of SQLite.
    let (first, second) = (open(&path), open(&path));
    assert_eq!(first.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    drop(first);
    assert!(is_kept(&second, 1));
}

#[test]
fn a_file_of_sql_text_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    std::fs::write(&path, "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE payment (id);\n")
        .unwrap();
    let text = refusal(&path);
    assert!(text.contains("bank.db`: it is SQL text, as `.dump` writes it"), "{text}");
}

#[test]
fn a_file_that_cannot_be_created_is_named_with_the_systems_reason() {
    let folder = tempfile::tempdir().unwrap();
    let text = refusal(&folder.path().join("none/bank.db"));
    assert!(text.contains("none/bank.db`: No such file or directory"), "{text}");
    let text = refusal(folder.path());
    assert!(text.contains("`: Is a directory"), "{text}");
}
