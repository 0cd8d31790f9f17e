//! The three interfaces as contenders: Rust in this process, C and Python in processes that take turns with it.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::payments::{Payer, Signed};
use crate::products::Product;
use crate::rounds::{timed, Contender};
use crate::Outcome;

/// What a call asks for, and the only status that is a right answer.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// Creation of a payment.
    CreatePayment(Product),
    /// Status of an unknown payment.
    StatusOfUnknown,
}

impl Call {
    fn status(self) -> u16 {
        match self {
            Self::CreatePayment(_) => 201,
            Self::StatusOfUnknown => 404,
        }
    }
}

/// The Rust interface.
pub(crate) struct RustInterface {
    payer: Payer,
    call: Call,
    prepared: Vec<Signed>,
}

impl RustInterface {
    /// Opens the interface with a sandbox of its own.
    pub(crate) fn open(call: Call, database: Option<PathBuf>) -> Outcome<Self> {
        Ok(Self { payer: Payer::open(database)?, call, prepared: Vec::new() })
    }

    /// Opens the interface with a sandbox in memory, of that policy.
    pub(crate) fn with_policy(call: Call, policy: &str) -> Outcome<Self> {
        Ok(Self { payer: Payer::with_policy(policy)?, call, prepared: Vec::new() })
    }
}

impl Contender for RustInterface {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.prepared.clear();
        for _ in 0..calls {
            self.prepared.push(match self.call {
                Call::CreatePayment(product) => self.payer.creation_of(product)?,
                Call::StatusOfUnknown => self.payer.status_of_unknown()?,
            });
        }
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let wanted = self.call.status();
        let sandbox = &self.payer.sandbox;
        // What waits in memory, such as statistics, is written within the round.
        let (time, (wrong, written)) = timed(|| {
            let mut answered = self.prepared.iter().map(|signed| signed.send(sandbox));
            (answered.find(|status| *status != wanted), sandbox.engine().close())
        });
        written?;
        match wrong {
            Some(status) => Err(format!("answered {status} where {wanted} is right").into()),
            None => Ok(time),
        }
    }
}

/// A program that measures itself and takes orders by line: `prepare <calls>` is answered `ready`, `run` by the
/// nanoseconds the calls took. It ends when its input does.
pub(crate) struct ChildInterface {
    name: String,
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl ChildInterface {
    /// Starts a program.
    pub(crate) fn start(command: &mut Command) -> Outcome<Self> {
        let name = format!("{command:?}");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name}: {error}; `make bench` builds what is needed"))?;
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().ok_or("no output of the program")?);
        Ok(Self { name, child, orders, answers })
    }

    fn ask(&mut self, order: &str) -> Outcome<String> {
        self.order(order)?;
        self.answer(order)
    }

    /// Sends an order, whose answer is read later.
    pub(crate) fn order(&mut self, order: &str) -> Outcome<()> {
        let orders = self.orders.as_mut().ok_or("the program has ended")?;
        writeln!(orders, "{order}")?;
        Ok(orders.flush()?)
    }

    /// The answer to the order `run`.
    pub(crate) fn duration(&mut self) -> Outcome<Duration> {
        Ok(Duration::from_nanos(self.answer("run")?.parse()?))
    }

    fn answer(&mut self, order: &str) -> Outcome<String> {
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        match answer.trim() {
            "" => Err(format!("{} ended at `{order}`", self.name).into()),
            text => Ok(text.to_owned()),
        }
    }
}

impl Contender for ChildInterface {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        match self.ask(&format!("prepare {calls}"))?.as_str() {
            "ready" => Ok(()),
            other => Err(format!("{}: `{other}` where `ready` was due", self.name).into()),
        }
    }

    fn run(&mut self) -> Outcome<Duration> {
        self.order("run")?;
        self.duration()
    }
}

impl Drop for ChildInterface {
    fn drop(&mut self) {
        drop(self.orders.take()); // the end of its input ends it
                                  // A program that cannot be waited for has ended already.
        drop(self.child.wait());
    }
}
