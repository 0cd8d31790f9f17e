//! One run: its time, its nodes over one store, the bank, and what is known of them.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use xs2a::bank::{Bank, PaymentOrder};
use xs2a::env::{Clock, Entropy};
use xs2a::internal::{from_micros, Database, SqliteStore};
use xs2a::policy::{AuditReads, Environment, Policy};
use xs2a::store::Store;
use xs2a::trust::TrustAnchors;
use xs2a::{Engine, Result};

use crate::bank::SimulatedBank;
use crate::books::Books;
use crate::dice::Dice;
use crate::model::{Known, Model, Span};
use crate::plan::{Hazard, Step, NODES};
use crate::seams::{hazard_name, Armed, Points, Seam};
use crate::store::SimulatedStore;
use crate::support::world::authority::{Authority, Signer};

pub(crate) const TPPS: [&str; 3] = ["PSDNO-FSA-912345678", "PSDNO-FSA-912345686", "PSDNO-FSA-912345694"];
const VALID: (&str, &str) = ("2026-01-01T00:00:00Z", "2049-12-31T00:00:00Z");
const START: &str = "2026-09-01T10:00:00Z";
/// How far a clock drifts: two seconds.
const DRIFT_MICROS_MAX: i64 = 2_000_000;

/// Where a run keeps its records.
#[derive(Clone)]
pub(crate) enum Records {
    Memory(Arc<Database>),
    #[cfg(feature = "postgres")]
    Shared(Arc<dyn Store>),
}

impl Records {
    pub(crate) fn in_memory() -> Self {
        Self::Memory(Arc::new(Database::open_memory().unwrap()))
    }

    pub(crate) fn store(&self) -> Arc<dyn Store> {
        match self {
            Self::Memory(database) => Arc::new(SqliteStore::new(Arc::clone(database))),
            #[cfg(feature = "postgres")]
            Self::Shared(store) => Arc::clone(store),
        }
    }
}

/// One process of a node.
pub(crate) struct Node {
    pub(crate) number: usize,
    pub(crate) process: u64,
    pub(crate) engine: Engine,
    pub(crate) skew: Arc<AtomicI64>,
    pub(crate) is_dead: Arc<AtomicBool>,
    clock: Arc<NodeClock>,
}

impl Node {
    pub(crate) fn now(&self) -> i64 {
        self.clock.now().timestamp_micros()
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::Relaxed)
    }

    /// Whether a TPP with the right time is answered.
    pub(crate) fn is_punctual(&self) -> bool {
        self.skew.load(Ordering::Relaxed).abs() < 30_000_000
    }
}

/// The clock of a node: the true time, and how far it is off.
struct NodeClock {
    time: Arc<AtomicI64>,
    skew: Arc<AtomicI64>,
}

impl Clock for NodeClock {
    fn now(&self) -> DateTime<Utc> {
        from_micros(self.time.load(Ordering::Relaxed) + self.skew.load(Ordering::Relaxed))
    }
}

/// One stream of random bytes for all nodes.
struct SeededStream(Mutex<Dice>);

impl Entropy for SeededStream {
    fn fill(&self, out: &mut [u8]) -> Result<()> {
        let mut dice = self.0.lock();
        out.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&dice.next().to_be_bytes()[..chunk.len()]));
        Ok(())
    }
}

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) rule: &'static str,
    pub(crate) text: String,
}

/// What a run came to.
#[derive(Default, Clone)]
pub(crate) struct Tally {
    /// Calls of TPPs, and of hosts.
    pub(crate) calls: u64,
    /// Calls of TPPs that were answered 2xx.
    pub(crate) accepted: u64,
    /// The simulated time in which the calls came, without the quiet months, in microseconds.
    pub(crate) busy_micros: i64,
    /// The quiet months.
    pub(crate) quiet_micros: i64,
    pub(crate) points: Points,
    pub(crate) crashes: u64,
}

pub(crate) struct World {
    pub(crate) time: Arc<AtomicI64>,
    pub(crate) nodes: Mutex<Vec<Arc<Node>>>,
    pub(crate) books: Arc<Mutex<Books>>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) model: Mutex<Model>,
    pub(crate) armed: Mutex<Vec<Armed>>,
    pub(crate) is_bank_away: AtomicBool,
    pub(crate) tpps: Vec<Signer>,
    /// Certificates of an authority that no node trusts.
    pub(crate) rogue: Signer,
    pub(crate) violation: Mutex<Option<Violation>>,
    pub(crate) tally: Mutex<Tally>,
    pub(crate) transcript: Mutex<String>,
    pub(crate) request_ids: AtomicU64,
    anchors: TrustAnchors,
    entropy: Arc<SeededStream>,
    records: Records,
    processes: AtomicU64,
    this: Weak<Self>,
}

impl World {
    pub(crate) fn open(seed: u64, records: Records) -> Arc<Self> {
        let root = Authority::root("Rot CA", 1, VALID);
        let start: DateTime<Utc> = START.parse().unwrap();
        let world = Arc::new_cyclic(|this| Self {
            time: Arc::new(AtomicI64::new(start.timestamp_micros())),
            nodes: Mutex::default(),
            books: Arc::new(Mutex::new(Books::new())),
            store: records.store(),
            model: Mutex::default(),
            armed: Mutex::default(),
            is_bank_away: AtomicBool::new(false),
            tpps: (2..).zip(TPPS).map(|(serial, tpp)| root.issue(tpp, serial, VALID)).collect(),
            rogue: Authority::root("Falsk CA", 1, VALID).issue(TPPS[0], 9, VALID),
            violation: Mutex::default(),
            tally: Mutex::default(),
            transcript: Mutex::default(),
            request_ids: AtomicU64::new(0),
            anchors: TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap(),
            entropy: Arc::new(SeededStream(Mutex::new(Dice::new(!seed)))),
            records,
            processes: AtomicU64::new(0),
            this: Weak::clone(this),
        });
        let nodes = (0..NODES).map(|number| world.start(number, Arc::default())).collect();
        *world.nodes.lock() = nodes;
        world
    }

    /// A new process of a node.
    fn start(&self, number: usize, skew: Arc<AtomicI64>) -> Arc<Node> {
        let is_dead = Arc::new(AtomicBool::new(false));
        let seam = || Seam { world: Weak::clone(&self.this), node: number, is_dead: Arc::clone(&is_dead) };
        let clock = Arc::new(NodeClock { time: Arc::clone(&self.time), skew: Arc::clone(&skew) });
        let mut policy = Policy::new(Environment::Production);
        policy.audit_reads = AuditReads::Committed;
        let bank = SimulatedBank { books: Arc::clone(&self.books), seam: seam() };
        let engine = Engine::builder()
            .bank(Arc::new(bank) as Arc<dyn Bank>)
            .store(Arc::new(SimulatedStore { inner: self.records.store(), seam: seam() }))
            .clock(Arc::clone(&clock) as Arc<dyn Clock>)
            .entropy(Arc::clone(&self.entropy) as Arc<dyn Entropy>)
            .trust_anchors(self.anchors.clone())
            .policy(policy)
            .build()
            .unwrap();
        let process = self.processes.fetch_add(1, Ordering::Relaxed);
        Arc::new(Node { number, process, engine, skew, is_dead, clock })
    }

    pub(crate) fn node(&self, number: usize) -> Arc<Node> {
        Arc::clone(&self.nodes.lock()[number])
    }

    pub(crate) fn now(&self) -> i64 {
        self.time.load(Ordering::Relaxed)
    }

    pub(crate) fn pass(&self, micros: i64) {
        self.time.fetch_add(micros, Ordering::Relaxed);
        self.tally.lock().busy_micros += micros;
    }

    /// Months without a call.
    pub(crate) fn be_quiet(&self, micros: i64) {
        self.time.fetch_add(micros, Ordering::Relaxed);
        self.tally.lock().quiet_micros += micros;
    }

    /// A process ends, and the next one begins.
    pub(crate) fn restart(&self, number: usize) {
        let skew = Arc::clone(&self.node(number).skew);
        let node = self.start(number, skew);
        self.nodes.lock()[number] = node;
    }

    /// Runs a step: the call of another node that comes within a call is one too.
    pub(crate) fn run_step(&self, step: &Step) {
        self.pass(step.gap_micros);
        self.drift(step);
        let hazards = step.hazards.clone();
        if self.armed.lock().is_empty() {
            self.model.lock().begin_step();
        }
        self.armed.lock().push(Armed { node: step.node, hazards, operations: 0, has_fired: false });
        self.act(step);
        self.armed.lock().pop();
        if self.node(step.node).is_dead() {
            self.tally.lock().crashes += 1;
            self.restart(step.node);
        }
    }

    /// A clock that is right within seconds goes a little wrong.
    fn drift(&self, step: &Step) {
        let skew = &self.node(step.node).skew;
        let present = skew.load(Ordering::Relaxed);
        if present.abs() <= DRIFT_MICROS_MAX {
            let by = i64::try_from(step.dice % 200_001).unwrap() - 100_000;
            skew.store((present + by).clamp(-DRIFT_MICROS_MAX, DRIFT_MICROS_MAX), Ordering::Relaxed);
        }
    }

    /// Whether something went wrong in the present step, or another call came in between, or the bank is away.
    pub(crate) fn has_fired(&self) -> bool {
        self.is_bank_away.load(Ordering::Relaxed)
            || self.armed.lock().last().is_some_and(|armed| armed.has_fired)
    }

    pub(crate) fn note_point(&self, name: &'static str, hazard: &Hazard) {
        self.tally.lock().points.insert((name, hazard_name(hazard)));
    }

    pub(crate) fn violate(&self, rule: &'static str, text: String) {
        self.violation.lock().get_or_insert(Violation { rule, text });
    }

    /// Notes a violation unless the condition holds.
    pub(crate) fn require(&self, holds: bool, rule: &'static str, text: impl FnOnce() -> String) {
        if !holds {
            self.violate(rule, text());
        }
    }

    pub(crate) fn log(&self, line: &str) {
        let mut transcript = self.transcript.lock();
        transcript.push_str(line);
        transcript.push('\n');
    }

    /// Runs a call of the host. The result, the time by the node's clock, and whether its outcome is known.
    pub(crate) fn host<T: std::fmt::Debug>(
        &self,
        node: &Node,
        name: &str,
        call: impl FnOnce(&Engine) -> Result<T>,
    ) -> (Result<T>, Span) {
        let from = node.now();
        self.tally.lock().calls += 1;
        let result = call(&node.engine);
        let span = Span { from, to: node.now() };
        self.log(&format!("{} node {} {name}: {result:?}", self.now(), node.number));
        (result, span)
    }

    /// What the bank is asked to carry out: what a PSU approved, unchanged, and not after it was answered.
    pub(crate) fn check_submission(&self, order: &PaymentOrder) {
        let id = order.payment_id.as_str();
        let model = self.model.lock();
        self.require(!model.delivered.contains(id), "outbox: an answered order is not delivered", || {
            format!("{id} was submitted again after the bank's answer was stored")
        });
        self.require(!model.finished.contains(id), "outbox: a finished payment is not submitted", || {
            format!("{id} was submitted after its end was stored")
        });
        let Some(payment) = model.by_id.get(id).map(|index| &model.payments[*index]) else {
            return self.violate("payment: only what a TPP created is submitted", format!("{id} is unknown"));
        };
        self.require(payment.approved != Known::No, "payment: only what a PSU approved is submitted", || {
            format!("{id} {}", payment.reference)
        });
    }
}
