//! The process that kills the others, and counts in the end.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::kill::books::verdicts;
use crate::kill::outcome::Outcome;
use crate::kill::said::Said;
use crate::kill::steps::Stop;

/// Environment variable for a process that this test binary starts: which one it is.
pub(crate) const LIFE_VARIABLE: &str = "XS2A_TEST_KILL_LIFE";
/// Where it stops. Without, it goes on until it is killed.
pub(crate) const STOP_VARIABLE: &str = "XS2A_TEST_KILL_STOP";
/// How many payers it has, each in a thread; with none, it only delivers what is left.
pub(crate) const PAYERS_VARIABLE: &str = "XS2A_TEST_KILL_PAYERS";
/// The PSU-ID that the TPP knows the PSU by, once it does.
pub(crate) const PSU_VARIABLE: &str = "XS2A_TEST_KILL_PSU";
/// The bank's folder.
pub(crate) const FOLDER_VARIABLE: &str = "XS2A_TEST_KILL_FOLDER";
/// The address of the store; a developer who runs this test may set it too.
pub(crate) const STORE_VARIABLE: &str = "XS2A_KILL_STORE";
/// How the lines of a node begin, among those of the test runner.
pub(crate) const MARK: &str = "@node";

/// The steps at which nodes are killed.
const STEPS: [&str; 38] = [
    "before creation",
    "after creation",
    "before approval",
    "after approval",
    "before refusal",
    "after refusal",
    "before basket creation",
    "after basket creation",
    "before start",
    "after start",
    "before basket approval",
    "after basket approval",
    "before basket refusal",
    "after basket refusal",
    "before basket deletion",
    "after basket deletion",
    "before deletion",
    "after deletion",
    "before noting that the bank is asked to cancel",
    "after noting that the bank is asked to cancel",
    "before the bank's cancelling",
    "after the bank's cancelling",
    "before cancellation",
    "after cancellation",
    "before claim",
    "after claim",
    "before the bank",
    "after the bank",
    "before answer",
    "after answer",
    "before postponing",
    "after postponing",
    "before a dead letter",
    "after a dead letter",
    "before retrying",
    "after retrying",
    "before report",
    "after report",
];
/// How often a node may come by, up to the time at which it stops there.
const TURNS: usize = 2;
/// Each stop in another order, so that it comes after others: every so many stops, the next. All are coprime to the
/// number of stops.
const STRIDES: [usize; 5] = [1, 5, 7, 11, 13];
/// Every other of these rounds is one of crowds: threads that pay at the same time, whose commits go in groups.
const CROWD: u64 = 3;
/// How often two crowds on one store are killed at some moment.
const PAIRS: u64 = 75;
/// How long those live: one of them creates so many payments before, and then come milliseconds.
const CREATED_MAX: u64 = 13;
const MILLIS_MAX: u64 = 7;

struct Node {
    child: Child,
    out: BufReader<ChildStdout>,
}

struct Hunter {
    url: String,
    bank: PathBuf,
    lives: u64,
    kills: u64,
    said: Said,
}

impl Hunter {
    fn start(&mut self, payers: u64, stop: Option<&Stop>) -> Node {
        self.lives += 1;
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "kill::node::a_node", "--ignored", "--nocapture"])
            .env(LIFE_VARIABLE, self.lives.to_string())
            .env(PAYERS_VARIABLE, payers.to_string())
            .env(STORE_VARIABLE, &self.url)
            .env(FOLDER_VARIABLE, &self.bank)
            .env_remove(STOP_VARIABLE)
            .env_remove(PSU_VARIABLE)
            .stdout(Stdio::piped());
        if let Some(psu_id) = &self.said.psu_id {
            command.env(PSU_VARIABLE, psu_id);
        }
        if let Some(stop) = stop {
            command.env(STOP_VARIABLE, stop.to_string());
        }
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Node { child, out }
    }

    /// Hears a node until it says a word.
    fn hear_until(&mut self, word: &str, node: &mut Node, about: &dyn std::fmt::Display) {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(node.out.read_line(&mut line).unwrap(), 0, "a node ended: {word} {about}");
            match self.said.hear(line.trim_end_matches('\n')) {
                Some(said) if said == word => return,
                Some("idle") => panic!("a node did not come so far: {word} {about}"),
                _ => {}
            }
        }
    }

    /// Kills a process that is alive, with SIGKILL, and hears what it had said.
    fn kill(&mut self, mut node: Node) {
        assert!(node.child.try_wait().unwrap().is_none(), "a node ended by itself");
        node.child.kill().unwrap();
        node.child.wait().unwrap();
        self.kills += 1;
        for line in node.out.lines() {
            self.said.hear(&line.unwrap());
        }
    }

    fn kill_at(&mut self, stop: &Stop, payers: u64) {
        let mut node = self.start(payers, Some(stop));
        self.hear_until("at", &mut node, stop);
        self.kill(node);
    }

    /// Two processes at once, killed one after the other at moments spread over their work, the same in every run.
    fn kill_two(&mut self, pair: u64) {
        let [mut one, mut other] = [self.start(CROWD, None), self.start(CROWD, None)];
        self.hear_until("begun", &mut one, &pair);
        self.hear_until("begun", &mut other, &pair);
        for _ in 0..pair % CREATED_MAX {
            self.hear_until("created", &mut other, &pair);
        }
        for node in [one, other] {
            std::thread::sleep(Duration::from_millis(pair % MILLIS_MAX));
            self.kill(node);
        }
    }

    /// Lets one process come to an end.
    fn finish(&mut self) {
        let mut node = self.start(0, None);
        self.hear_until("done", &mut node, &"the last");
        node.out.lines().for_each(|line| drop(line.unwrap()));
        assert!(node.child.wait().unwrap().success());
    }
}

/// Kills nodes on that store, and holds what is in it and at the bank in the end against what they said.
fn hunt(url: String) {
    let directory = tempfile::tempdir().unwrap();
    let bank = directory.path().to_owned();
    let mut hunter = Hunter { url, bank, lives: 0, kills: 0, said: Said::default() };
    for (round, stride) in STRIDES.into_iter().enumerate() {
        let payers = if round % 2 == 0 { 1 } else { CROWD };
        for number in 0..STEPS.len() * TURNS {
            let number = number * stride % (STEPS.len() * TURNS);
            let turn = u64::try_from(number / STEPS.len()).unwrap() + 1;
            hunter.kill_at(&Stop { name: STEPS[number % STEPS.len()].to_owned(), turn }, payers);
        }
    }
    (0..PAIRS).for_each(|pair| hunter.kill_two(pair));
    hunter.finish();

    let Hunter { url, kills, said, bank, .. } = hunter;
    assert!(kills >= 500, "{kills}");
    assert!(STEPS.iter().all(|step| said.at.contains(*step)));
    let outcome = Outcome::of(said, verdicts(&bank));
    println!("{kills} kills\n{outcome}");
    outcome.compare_with_the_bank();
    outcome.compare_with_the_store(&*xs2a::store::open(&url).unwrap());
    outcome.assert_is_of_something();
}

#[test]
fn payments_arrive_once_though_nodes_on_sqlite_are_killed() {
    let directory = tempfile::tempdir().unwrap();
    let file = || format!("sqlite://{}", directory.path().join("engine.db").display());
    hunt(std::env::var(STORE_VARIABLE).unwrap_or_else(|_| file()));
}

#[cfg(feature = "postgres")]
#[test]
fn payments_arrive_once_though_nodes_on_postgresql_are_killed() {
    let Some(server) = crate::postgres_server::Server::shared() else { return };
    hunt(server.database());
}
