//! The process that is killed: an engine that continues after the ones before it, and payers who call it.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use xs2a::bank::Bank;
use xs2a::env::clock::{Clock, ManualClock};
use xs2a::policy::{Environment, Policy};
use xs2a::store::Store;
use xs2a::tpp::trust::TrustAnchors;
use xs2a::Engine;

use crate::kill::bank::Ledger;
use crate::kill::hunter::{
    FOLDER_VARIABLE, LIFE_VARIABLE, PAYERS_VARIABLE, PSU_VARIABLE, STOP_VARIABLE, STORE_VARIABLE,
};
use crate::kill::steps::{say, wait_for_the_end, Steps, Stop};
use crate::kill::store::SteppingStore;
use crate::world::authority::{Authority, Signer};

const TPP: &str = "PSDNO-FSA-912345678";
const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
/// The most operations of one payer, if the process is not killed.
const DEEDS_MAX: u64 = 50;
/// The longest life of a process, if the process that kills it has ended first. More than a slow machine needs.
const LIFE_SECONDS_MAX: u64 = 300;
/// How often a node that begins looks for what is due.
const LOOKS_MAX: u64 = 100;
/// The most by which the node moves its clock. A payment that is to be cancelled may wait longer; it ends with its day.
const GO_ON_MAX: TimeDelta = TimeDelta::hours(1);

pub(crate) struct Node {
    pub(crate) engine: Engine,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) signer: Signer,
    /// Which process this is, from 1.
    pub(crate) life: u64,
    /// How many payers it has.
    pub(crate) payers: u64,
    /// How often they called.
    pub(crate) calls: AtomicU64,
    /// The PSU-ID that the TPP knows the PSU by, from their first approval on.
    pub(crate) psu_id: OnceLock<String>,
    bank: Arc<Ledger>,
}

#[test]
#[ignore = "the part of another process in the tests below"]
fn a_node() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let Some(life) = number(LIFE_VARIABLE) else { return };
    end_with_any_panic();
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(LIFE_SECONDS_MAX));
        std::process::exit(7);
    });
    let folder = PathBuf::from(std::env::var(FOLDER_VARIABLE).unwrap());
    let stop = std::env::var(STOP_VARIABLE).ok().map(|text| Stop::parse(&text).unwrap());
    let payers = number(PAYERS_VARIABLE).unwrap();
    let steps = Steps::until(stop);
    let node = Node::start(&std::env::var(STORE_VARIABLE).unwrap(), folder, (life, payers), steps);
    say("begun", "");
    node.go_on();
    if payers == 0 {
        return say("done", "");
    }
    std::thread::scope(|scope| {
        for payer in 0..payers {
            let node = &node;
            scope.spawn(move || {
                for turn in 0..DEEDS_MAX {
                    node.act(turn * payers + payer);
                    node.deliver();
                }
            });
        }
    });
    say("idle", "");
    wait_for_the_end();
}

/// Ends the process on any panic, even one that a caller would catch, so that the parent process finds it dead.
fn end_with_any_panic() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        print(panic);
        std::process::exit(8);
    }));
}

impl Node {
    fn start(url: &str, folder: PathBuf, (life, payers): (u64, u64), steps: Steps) -> Self {
        let root = Authority::root("Rot CA", 1, LONG);
        let steps = Arc::new(steps);
        let bank = Arc::new(Ledger::new(folder, life, Arc::clone(&steps)));
        let store = SteppingStore { inner: xs2a::store::open(url).unwrap(), steps };
        // What the processes before took is due again.
        let begin: DateTime<Utc> = "2026-09-01T10:00:00Z".parse().unwrap();
        let minutes = i64::try_from(life).unwrap() * 10;
        let clock = Arc::new(ManualClock::new(begin + TimeDelta::minutes(minutes)));
        // Several payers move one clock, so it does not measure how long the bank takes.
        let policy = Policy::from_json(Environment::Production, r#"{"bank_seconds_max":0}"#).unwrap();
        let engine = Engine::builder()
            .bank(Arc::clone(&bank) as Arc<dyn Bank>)
            .store(Arc::new(store) as Arc<dyn Store>)
            .clock(Arc::clone(&clock) as Arc<_>)
            .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
            .policy(policy)
            .build()
            .unwrap();
        let psu_id = std::env::var(PSU_VARIABLE).map(OnceLock::from).unwrap_or_default();
        let (signer, calls) = (root.issue(TPP, 2, LONG), AtomicU64::new(0));
        Self { engine, clock, signer, life, payers, calls, psu_id, bank }
    }

    /// Delivers what the processes before left, until nothing waits here or at the bank. Another process may leave
    /// more all the time.
    fn go_on(&self) {
        let end = self.clock.now() + GO_ON_MAX;
        for _ in 0..LOOKS_MAX {
            self.run();
            let Some(next) = self.engine.next_due().unwrap().filter(|next| *next < end) else { break };
            if next <= self.clock.now() {
                // The server still ends the transaction of a process that was killed: its orders are passed over.
                std::thread::sleep(Duration::from_millis(20));
            }
            self.clock.set(next.max(self.clock.now())).unwrap();
        }
        self.settle();
    }

    /// Delivers what is due a moment later: what failed once is, after a few of these.
    pub(crate) fn deliver(&self) {
        // Another payer may have moved the clock further in between.
        drop(self.clock.set(self.clock.now() + TimeDelta::milliseconds(250)));
        self.run();
    }

    fn run(&self) {
        self.engine.run_due().unwrap();
        for order in self.engine.dead_letters().unwrap() {
            // Another payer may have done so in between.
            drop(self.engine.retry_order(order.payment_id.as_str()));
        }
    }

    /// The bank carries out what it kept for a later day, and says so.
    pub(crate) fn settle(&self) {
        self.bank.carry_out_what_is_kept(|id, status| {
            self.engine.report_payment_status(id.as_str(), status, None).unwrap();
        });
    }
}
