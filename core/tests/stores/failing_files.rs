//! The n-th operation on the files of an SQLite store fails, for n = 1, 2, 3 … until a process meets no failure: the
//! store reports it, nothing that was acknowledged is lost, and the next process works.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use xs2a::store::{Block, BlockedSubject, Store, Write};
use xs2a::{Error, Result};

use crate::support::memory_folder::memory_folder;

const FILE_VARIABLE: &str = "XS2A_TEST_FAILING_FILE";
/// How many changes a process makes.
const CHANGES: usize = 4;
/// More operations than a process needs.
const OPERATIONS_MAX: usize = 2_000;

fn address(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

fn time() -> chrono::DateTime<chrono::Utc> {
    "2026-09-01T10:00:00Z".parse().unwrap()
}

fn change(store: &dyn Store, name: &str) -> Result<()> {
    let subject = BlockedSubject::Tpp(name.to_owned());
    let block = Block { subject, since: time(), until: None, why: "w".repeat(2_000) };
    store.commit(&[Write::Block(block)]).map(drop)
}

/// The names that a store holds.
fn names(store: &dyn Store) -> Result<Vec<String>> {
    let name = |block: Block| match block.subject {
        BlockedSubject::Tpp(name) => name,
        other => panic!("{other:?}"),
    };
    Ok(store.blocks().list_blocks(time())?.into_iter().map(name).collect())
}

/// The part of the other process: it prints what was acknowledged.
#[test]
fn changes_of_a_process_whose_files_fail() {
    let Some(path) = std::env::var_os(FILE_VARIABLE) else { return };
    let report = |done: Result<String>| match done {
        Ok(done) => println!("\n{done}"),
        Err(error @ (Error::Store(_) | Error::OutcomeUnknown(_) | Error::Record(_))) => {
            println!("\nerror {error}");
        }
        Err(other) => panic!("{other}"),
    };
    let store = match xs2a::store::open(&address(Path::new(&path))) {
        Ok(store) => store,
        Err(error) => return report(Err(error)),
    };
    for number in 0..CHANGES {
        let name = format!("tpp-{number}");
        report(change(&*store, &name).map(|()| format!("acknowledged {name}")));
    }
    report(names(&*store).map(|names| format!("listed {}", names.len())));
}

/// The library that lets operations fail, built by the C compiler.
fn failing_library(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores/failing_files/fail_nth.c");
    let library = folder.join("fail_nth.so");
    let built = Command::new("gcc")
        .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status()
        .unwrap();
    assert!(built.success());
    library
}

/// Runs a process whose n-th operation fails. What it printed, and whether one failed.
fn run(library: &Path, folder: &Path, number: usize) -> (Vec<String>, bool) {
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "failing_files::changes_of_a_process_whose_files_fail", "--nocapture"])
        .env(FILE_VARIABLE, folder.join("bank.db"))
        .env("LD_PRELOAD", library)
        .env("XS2A_FAIL_FOLDER", folder)
        .env("XS2A_FAIL_NTH", number.to_string())
        .output()
        .unwrap();
    let printed = String::from_utf8(ended.stdout).unwrap();
    let complaints = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "operation {number}: {printed}{complaints}");
    (printed.lines().map(str::to_owned).collect(), complaints.contains("failed"))
}

/// What was acknowledged is there, nothing is there that was not asked for, and the file can be used.
fn check(folder: &Path, printed: &[String], number: usize) {
    let context = format!("operation {number}: {printed:?}");
    let acknowledged: Vec<_> =
        printed.iter().filter_map(|line| line.strip_prefix("acknowledged ")).map(str::to_owned).collect();
    let store = xs2a::store::open(&address(&folder.join("bank.db"))).unwrap_or_else(|error| {
        panic!("{context}: {error}");
    });
    let found = names(&*store).unwrap();
    assert!(acknowledged.iter().all(|name| found.contains(name)), "{context}: {found:?}");
    let errors = printed.iter().filter(|line| line.starts_with("error ")).count();
    assert!(found.len() <= acknowledged.len() + errors, "{context}: {found:?}");
    change(&*store, "afterwards").unwrap();
    drop(store);
    let connection = rusqlite::Connection::open(folder.join("bank.db")).unwrap();
    let sound: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok", "{context}");
}

#[test]
fn each_failing_operation_on_a_file_is_reported_and_loses_nothing() {
    let tools = tempfile::tempdir().unwrap();
    let library = failing_library(tools.path());
    let mut reported = 0;
    let failures = (1..OPERATIONS_MAX).take_while(|number| {
        let folder = memory_folder();
        let (printed, has_failed) = run(&library, folder.path(), *number);
        check(folder.path(), &printed, *number);
        let errors = printed.iter().filter(|line| line.starts_with("error ")).count();
        assert!(has_failed || errors == 0, "operation {number}: {printed:?}");
        reported += usize::from(errors > 0);
        has_failed
    });
    let failures = failures.count();
    assert!((20..OPERATIONS_MAX - 1).contains(&failures), "{failures} operations");
    assert!(reported > failures / 2, "{reported} of {failures} failures were reported");
}
