//! Tests: several processes on one database, one of them killed in the middle of its work. The same on each store that
//! processes can share.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::conformance::samples::{
    event, insert, insert_unlike_since, payment, payment_id, psu, request_id, time, TPP,
};
use super::open;
use super::{CommitOutcome, Store, Write};
use crate::payment::record::Payment;

/// The address of the database, for a process that this test binary starts.
const URL_VARIABLE: &str = "XS2A_TEST_STORE_URL";
/// How often it counts up.
const COUNT_VARIABLE: &str = "XS2A_TEST_STORE_COUNT";
/// Its number as a contender; then it competes instead.
const CONTENDER_VARIABLE: &str = "XS2A_TEST_STORE_CONTENDER";
/// How many contests there are.
const CONTESTS: u8 = 60;

/// A database with payment 1 in it.
struct Shared {
    url: String,
    /// The folder of a file.
    _folder: Option<tempfile::TempDir>,
}

impl Shared {
    fn new(url: String, folder: Option<tempfile::TempDir>) -> Self {
        let shared = Self { url, _folder: folder };
        assert_eq!(shared.open().commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
        shared
    }

    fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::new(format!("sqlite://{}", folder.path().join("bank.db").display()), Some(folder))
    }

    #[cfg(feature = "postgres")]
    fn postgresql() -> Option<Self> {
        Some(Self::new(super::postgres::server::Server::shared()?.database(), None))
    }

    fn open(&self) -> Arc<dyn Store> {
        open(&self.url).unwrap()
    }

    /// Another process that counts up.
    fn start_process(&self, steps: u32) -> Child {
        self.start(COUNT_VARIABLE, steps)
    }

    /// Another process that competes.
    fn start_contender(&self, contender: u8) -> Child {
        self.start(CONTENDER_VARIABLE, contender.into())
    }

    fn start(&self, variable: &str, value: u32) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::processes::the_other_process", "--ignored"])
            .env(URL_VARIABLE, &self.url)
            .env(variable, value.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// Counts the version of payment 1 up, with an event for each step, beside other processes.
fn count_up(store: &dyn Store, steps: u32) {
    let mut done = 0;
    while done < steps {
        let mut next = store.payments().payment(&payment_id(1)).unwrap().unwrap();
        next.version += 1;
        let line = event(1, next.version.into(), "counted");
        match store.commit(&[Write::UpdatePayment(Box::new(next)), Write::AppendEvent(line)]).unwrap() {
            CommitOutcome::Applied => done += 1,
            lost => assert_eq!(lost, CommitOutcome::VersionConflict),
        }
    }
}

/// The number of the payment of a contender in a contest.
fn number_in(contest: u8, contender: u8) -> u8 {
    2 + contest + contender * CONTESTS
}

/// Creates a payment in each contest. In one half of them the payments of all contenders are duplicates, in the other
/// half they have one request id.
fn compete(store: &dyn Store, contender: u8) {
    for contest in 0..CONTESTS {
        let payment = Payment { psu: Some(psu(1)), ..payment(number_in(contest, contender)) };
        let ended = match contest % 2 {
            0 => {
                let payment = Payment { duplicate_fingerprint: [contest; 32], ..payment };
                store.commit(&[insert_unlike_since(payment, time(0))]).unwrap()
            }
            _ => store.commit(&[request_id(TPP, contest, 0), insert(payment)]).unwrap(),
        };
        let lost = [CommitOutcome::DuplicatePayment, CommitOutcome::RequestReplayed];
        assert!(
            ended == CommitOutcome::Applied || ended == lost[usize::from(contest % 2)],
            "{contest}: {ended:?}"
        );
    }
}

/// The version of payment 1, having compared it with the events.
fn consistent_version(store: &dyn Store) -> u32 {
    let version = store.payments().payment(&payment_id(1)).unwrap().unwrap().version;
    let events = store.payments().events(&payment_id(1)).unwrap();
    assert!(events.len() >= version as usize - 1, "an event of each step before the one that was read");
    assert!(events.iter().zip(2..).all(|(line, version)| *line == event(1, version, "counted")));
    version
}

#[test]
#[ignore = "the part of another process in the tests below"]
fn the_other_process() {
    let Ok(url) = std::env::var(URL_VARIABLE) else { return };
    let store = open(&url).unwrap();
    match std::env::var(CONTENDER_VARIABLE) {
        Ok(contender) => compete(&*store, contender.parse().unwrap()),
        Err(_) => count_up(&*store, std::env::var(COUNT_VARIABLE).unwrap().parse().unwrap()),
    }
}

/// Three processes lose no update.
fn count_together(shared: &Shared) {
    const STEPS: u32 = 100;
    let others = [shared.start_process(STEPS), shared.start_process(STEPS)];
    let store = shared.open();
    count_up(&*store, STEPS);
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
    assert_eq!(consistent_version(&*store), 1 + 3 * STEPS);
}

/// Of the payments that three processes create in one contest, one is kept.
fn compete_together(shared: &Shared) {
    let others = [shared.start_contender(1), shared.start_contender(2)];
    let store = shared.open();
    compete(&*store, 0);
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
    for contest in 0..CONTESTS {
        let is_kept = |contender: &u8| {
            store.payments().payment(&payment_id(number_in(contest, *contender))).unwrap().is_some()
        };
        assert_eq!((0..3).filter(is_kept).count(), 1, "{contest}");
    }
}

/// A process that is killed in the middle leaves whole commits and no lock.
fn kill_in_the_middle(shared: &Shared) {
    let store = shared.open();
    for round in 0..3 {
        let before = consistent_version(&*store);
        let mut other = shared.start_process(u32::MAX);
        while consistent_version(&*store) < before + 20 {
            assert!(other.try_wait().unwrap().is_none(), "round {round}: it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        other.kill().unwrap();
        other.wait().unwrap();
        // What a server still does for a killed process comes before this, and the next opening finds the same.
        count_up(&*store, 1);
        let reopened = shared.open();
        let version = consistent_version(&*reopened);
        assert_eq!(reopened.payments().events(&payment_id(1)).unwrap().len(), version as usize - 1);
    }
}

#[test]
fn three_processes_on_one_sqlite_file_lose_no_update() {
    count_together(&Shared::sqlite());
}

#[test]
fn three_processes_on_one_sqlite_file_keep_one_of_duplicates() {
    compete_together(&Shared::sqlite());
}

#[test]
fn a_process_killed_in_the_middle_leaves_whole_commits_in_an_sqlite_file() {
    kill_in_the_middle(&Shared::sqlite());
}

#[cfg(feature = "postgres")]
#[test]
fn three_processes_on_one_postgresql_database_lose_no_update() {
    if let Some(shared) = Shared::postgresql() {
        count_together(&shared);
    }
}

#[cfg(feature = "postgres")]
#[test]
fn three_processes_on_one_postgresql_keep_one_of_duplicates() {
    if let Some(shared) = Shared::postgresql() {
        compete_together(&shared);
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_killed_process_leaves_whole_commits_and_no_lock_in_postgresql() {
    if let Some(shared) = Shared::postgresql() {
        kill_in_the_middle(&shared);
    }
}
