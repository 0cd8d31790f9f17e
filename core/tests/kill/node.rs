//! The process that is killed: an engine that goes on where the ones before it fell, and takes payments.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use xs2a::bank::Bank;
use xs2a::consent::record::Grant;
use xs2a::engine::ScaOutcome;
use xs2a::env::clock::{Clock, ManualClock};
use xs2a::store::Store;
use xs2a::tpp::trust::TrustAnchors;
use xs2a::types::{ActingPsu, Context, PsuKey};
use xs2a::{Engine, Request};

use crate::bank::{Ledger, ABORTED, CYCLE};
use crate::hunter::{FOLDER_VARIABLE, LIFE_VARIABLE, PAYERS_VARIABLE, STOP_VARIABLE, STORE_VARIABLE};
use crate::steps::{say, wait_for_the_end, Steps, Stop};
use crate::store::SteppingStore;
use crate::world::authority::{Authority, Signer};
use crate::world::{accepted, changed, creation_headers, link, straks, STRAKS};

const TPP: &str = "PSDNO-FSA-912345678";
const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
/// What one payer pays at most, should nobody kill the process.
const PAYMENTS_MAX: u64 = 50;
/// How long a process lives at most, should whoever kills it have fallen first.
const LIFE_SECONDS_MAX: u64 = 60;
/// How often a node that begins looks for what is due.
const LOOKS_MAX: u64 = 100;

struct Node {
    engine: Engine,
    clock: Arc<ManualClock>,
    signer: Signer,
    /// Which process this is, from 1.
    life: u64,
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
    let node = Node::start(&std::env::var(STORE_VARIABLE).unwrap(), folder, life, Steps::until(stop));
    say("begun", "");
    node.go_on();
    let payers = number(PAYERS_VARIABLE).unwrap();
    if payers == 0 {
        return say("done", "");
    }
    std::thread::scope(|scope| {
        for payer in 0..payers {
            let node = &node;
            scope.spawn(move || {
                for turn in 0..PAYMENTS_MAX {
                    node.pay(turn * payers + payer);
                    node.deliver();
                }
            });
        }
    });
    say("idle", "");
    wait_for_the_end();
}

/// Nothing is to panic here, not even where somebody would catch it: the process ends, and whoever wants to kill it
/// finds it dead.
fn end_with_any_panic() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        print(panic);
        std::process::exit(8);
    }));
}

impl Node {
    fn start(url: &str, folder: PathBuf, life: u64, steps: Steps) -> Self {
        let root = Authority::root("Rot CA", 1, LONG);
        let steps = Arc::new(steps);
        let bank = Ledger::new(folder, life, Arc::clone(&steps));
        let store = SteppingStore { inner: xs2a::store::open(url).unwrap(), steps };
        // What the processes before took is due again.
        let begin: DateTime<Utc> = "2026-09-01T10:00:00Z".parse().unwrap();
        let minutes = i64::try_from(life).unwrap() * 10;
        let clock = Arc::new(ManualClock::new(begin + TimeDelta::minutes(minutes)));
        let engine = Engine::builder()
            .bank(Arc::new(bank) as Arc<dyn Bank>)
            .store(Arc::new(store) as Arc<dyn Store>)
            .clock(Arc::clone(&clock) as Arc<_>)
            .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
            .build()
            .unwrap();
        Self { engine, clock, signer: root.issue(TPP, 2, LONG), life }
    }

    /// Delivers what the processes before left, until nothing waits. Another process may leave more all the time.
    fn go_on(&self) {
        for _ in 0..LOOKS_MAX {
            self.run();
            let Some(next) = self.engine.next_due().unwrap() else { return };
            self.clock.set(next.max(self.clock.now())).unwrap();
        }
    }

    /// Delivers what is due a moment later: what failed once is, after a few of these.
    fn deliver(&self) {
        // Another payer may have moved the clock further meanwhile.
        drop(self.clock.set(self.clock.now() + TimeDelta::milliseconds(250)));
        self.run();
    }

    fn run(&self) {
        self.engine.run_due().unwrap();
        for order in self.engine.set_aside().unwrap() {
            // Another payer may have done so meanwhile.
            drop(self.engine.retry_order(order.payment_id.as_str()));
        }
    }

    /// A payment from its creation to the answer of its PSU.
    fn pay(&self, number: u64) {
        let reference = format!("{}-{number}", self.life);
        let body = changed(straks(), &[("/remittanceInformationUnstructured", json!(reference))]).to_string();
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let request_id = (u128::from(self.life) << 64) | u128::from(number);
        let now = self.clock.now();
        let signed = self.signer.sign("POST", &target, &creation_headers(), body.as_bytes(), now, request_id);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let request = Request { method: "POST", target: &target, headers: &headers, body: body.as_bytes() };
        let created = accepted(&self.engine.handle(&request));
        say("created", &format!("{reference} {}", created["paymentId"].as_str().unwrap()));
        let id = link(&created).rsplit('/').next().unwrap().to_owned();
        if number % CYCLE == ABORTED {
            assert!(!self.engine.complete_sca(&id, &ScaOutcome::Aborted).unwrap().approved);
            return say("aborted", &reference);
        }
        say("ordered", &reference);
        let psu = ActingPsu { psu: PsuKey::new("kari"), context: Context::Private, corporate: None };
        let outcome = ScaOutcome::Approved { psu, grant: Grant::Everything };
        assert!(self.engine.complete_sca(&id, &outcome).unwrap().approved);
        say("acknowledged", &reference);
    }
}
