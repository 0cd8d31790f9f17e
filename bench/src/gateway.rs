//! Payments through an engine over a host's bank: a bank that is slow, and a file that two processes write to.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use xs2a::env::clock::ManualClock;
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::policy::{Environment, Policy};
use xs2a::sandbox::pki;
use xs2a::tpp::trust::TrustAnchors;
use xs2a::{Engine, Error};

use crate::interface::ChildInterface;
use crate::payments::{Payer, Signed, NOW};
use crate::report::Figure;
use crate::rounds::{in_threads, Contender, Rounds};
use crate::rows::{micros, Folder};
use crate::Outcome;

/// The argument that makes this program one of several processes with an engine on one file.
pub(crate) const NODE: &str = "gateway-node";

const THREADS: usize = 16;
/// Each thread creates twenty payments in a round.
const SLOW: Rounds = Rounds { warm_up: 1, count: 15, calls: 320 };
/// As many as the other rows of a file have, because the log has to be written back in each round.
const SHARED: Rounds = Rounds { warm_up: 2, count: 10, calls: 1_600 };
/// What the bank is asked while a payment of an unknown PSU is created: the KID agreement of the creditor, and the fee.
const QUESTIONS: usize = 2;

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    Ok(vec![over_a_slow_bank()?, in_two_processes()?])
}

fn over_a_slow_bank() -> Outcome<Figure> {
    let folder = Folder::make()?;
    let mut creation = Creation::open(&folder.path().join("slow.db"), 1, THREADS, Bank::slow())?;
    let mut bank_alone = Pauses::default();
    let medians = SLOW.measure(&mut [&mut creation, &mut bank_alone])?;
    Ok(Figure {
        name: "create an instant payment in a file, sixteen threads, a bank that answers in 1 to 20 ms",
        measured: micros(medians.seconds_of(0)),
        against: format!("as many answers of that bank alone: {}", micros(medians.seconds_of(1))),
        ratio: medians.ratio(0, 1),
        aim: None,
    })
}

fn in_two_processes() -> Outcome<Figure> {
    let folder = Folder::make()?;
    let mut one = Creation::open(&folder.path().join("one.db"), 1, THREADS, Bank::quick())?;
    let mut two = TwoProcesses::start(&folder.path().join("two.db"))?;
    let medians = SHARED.measure(&mut [&mut two, &mut one])?;
    Ok(Figure {
        name: "create an instant payment in a file, two processes of eight threads",
        measured: micros(medians.seconds_of(0)),
        against: format!("one process of sixteen threads: {}", micros(medians.seconds_of(1))),
        ratio: medians.ratio(0, 1),
        aim: None,
    })
}

/// The work of one of the processes, as [`ChildInterface`] asks for it.
pub(crate) fn run_node() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let [file, seed, threads] = arguments.as_slice() else {
        return Err("a node takes the file, a seed and the number of threads".into());
    };
    let mut creation = Creation::open(&PathBuf::from(file), seed.parse()?, threads.parse()?, Bank::quick())?;
    for order in io::stdin().lock().lines() {
        let order = order?;
        let answer = match order.split_once(' ') {
            Some(("prepare", calls)) => {
                creation.prepare(calls.parse()?)?;
                "ready".to_owned()
            }
            _ => creation.run()?.as_nanos().to_string(),
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

/// Two nodes that work at the same time.
struct TwoProcesses([ChildInterface; 2]);

impl TwoProcesses {
    fn start(file: &Path) -> Outcome<Self> {
        let start = |seed: &str| -> Outcome<ChildInterface> {
            let mut command = Command::new(std::env::current_exe()?);
            let threads = (THREADS / 2).to_string();
            ChildInterface::start(command.arg(NODE).arg(file).args([seed, &threads]))
        };
        Ok(Self([start("2")?, start("3")?]))
    }
}

impl Contender for TwoProcesses {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        let Self(nodes) = self;
        nodes.iter_mut().try_for_each(|node| node.prepare(calls / 2))
    }

    fn run(&mut self) -> Outcome<Duration> {
        let Self([first, second]) = self;
        first.order("run")?;
        second.order("run")?;
        // Both began at once, so the slower one took the time of all.
        Ok(first.duration()?.max(second.duration()?))
    }
}

/// Creates payments with an engine over a file.
struct Creation {
    engine: Engine,
    payer: Payer,
    seed: usize,
    threads: usize,
    prepared: Vec<Signed>,
}

impl Creation {
    fn open(file: &Path, seed: usize, threads: usize, bank: Bank) -> Outcome<Self> {
        let mut trust = TrustAnchors::new();
        trust.add(pki::root()?);
        let engine = Engine::builder()
            .bank(Arc::new(JsonBank::new(bank)))
            .store(xs2a::store::open(&format!("sqlite://{}", file.display()))?)
            .clock(Arc::new(ManualClock::new(NOW.parse()?)))
            .trust_anchors(trust)
            // The account numbers of the test data fail the check that production makes.
            .policy(Policy::new(Environment::Sandbox))
            .build()?;
        let payer = Payer::of_seed(u64::try_from(seed)?)?;
        Ok(Self { engine, payer, seed, threads, prepared: Vec::new() })
    }
}

impl Contender for Creation {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        // Payments of two processes meet in one database: none is a duplicate of another.
        self.prepared = (0..calls).map(|_| self.payer.creation_by(self.seed)).collect::<Outcome<_>>()?;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let shares = self.prepared.chunks(self.prepared.len() / self.threads).collect();
        let create = |calls: &[Signed]| calls.iter().filter(|call| call.send_to(&self.engine) == 201).count();
        in_threads(shares, self.prepared.len(), create)
    }
}

/// The answers of the slow bank, without an engine.
#[derive(Default)]
struct Pauses {
    bank: Delays,
    calls: usize,
}

impl Contender for Pauses {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let share = self.calls / THREADS;
        in_threads(vec![share; THREADS], self.calls, |share| {
            (0..share * QUESTIONS).for_each(|_| self.bank.pause());
            share
        })
    }
}

/// A bank that knows what the creation of a payment asks for.
struct Bank(Option<Delays>);

impl Bank {
    fn quick() -> Self {
        Self(None)
    }

    fn slow() -> Self {
        Self(Some(Delays::default()))
    }
}

impl BankCalls for Bank {
    fn call(&self, method: BankMethod, _request: &str, answer: &mut AnswerWriter) -> xs2a::Result<()> {
        if let Some(delays) = &self.0 {
            delays.pause();
        }
        match method {
            BankMethod::KidAgreement => answer.write(b"null"),
            BankMethod::Fee => answer.write(br#"{"fee":{"amount":"0.00","currency":"NOK"}}"#),
            other => Err(Error::Bank(format!("{other:?} is no question of a creation"))),
        }
    }
}

/// Pauses of 1 to 20 ms, each length equally often.
#[derive(Default)]
struct Delays(AtomicU64);

impl Delays {
    fn pause(&self) {
        // 7 and 20 have no common divisor, so twenty pauses in a row have every length.
        let number = self.0.fetch_add(7, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(1 + number % 20));
    }
}
