//! Payments made durable by one thread and by many, against bare commits of the same rows.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::baseline::SqliteCommit;
use crate::payments::{Payer, Signed};
use crate::report::Figure;
use crate::rounds::{timed, Contender, Rounds};
use crate::rows::{micros, Folder};
use crate::same_rows::SameRows;
use crate::Outcome;

/// Divisible by the largest number of threads, and so many that the log is written back in each round of each
/// contender: what is measured is a stream of payments, not how threads begin and end. In thirty rounds each of the
/// five comes behind each other one six times.
const PAYMENTS: Rounds = Rounds { warm_up: 2, count: 30, calls: 1_600 };
/// The rows.
const ROWS: [&str; 7] = [
    "a bare durable commit of a payment's rows",
    "create an instant payment in a file, durable",
    "the same, against a bare commit of the same rows",
    "the same with four threads",
    "the same with four threads, against bare commits of the same rows",
    "the same with sixteen threads",
    "the same with sixteen threads, against bare commits of the same rows",
];

/// Measures the rows in a process of its own: what other rows leave behind makes many threads slower.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let output = Command::new(std::env::current_exe()?).arg("durable").output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let text = String::from_utf8(output.stdout)?;
    let figures = ROWS.into_iter().zip(text.lines()).map(|(name, line)| {
        let (ratio, amounts) = line.split_once('|').ok_or("a figure is missing")?;
        let (measured, against) = amounts.split_once('|').ok_or("an amount is missing")?;
        Ok(Figure {
            name,
            measured: measured.into(),
            against: against.into(),
            ratio: ratio.parse()?,
            aim: None,
        })
    });
    let figures: Vec<Figure> = figures.collect::<Outcome<_>>()?;
    if figures.len() == ROWS.len() {
        Ok(figures)
    } else {
        Err("a row is missing".into())
    }
}

/// The work of that process: prints a line for each row, its ratio, its amount and what that is set against.
pub(crate) fn print_figures() -> Outcome<()> {
    let folder = Folder::make()?;
    let mut bare = SqliteCommit::new(folder.path())?;
    let mut same_rows = SameRows::in_file(folder.path())?;
    let open = |threads| Creation::open(&folder.path().join(format!("{threads}.db")), threads);
    let [mut one, mut four, mut sixteen] = [open(1)?, open(4)?, open(16)?];
    let mut contenders: [&mut dyn Contender; 5] =
        [&mut bare, &mut same_rows, &mut one, &mut four, &mut sixteen];
    let medians = PAYMENTS.measure(&mut contenders)?;
    let one_row = ("one durable commit of one row", 0);
    let its_rows = ("one bare durable commit of the same rows", 1);
    let alone = ("one thread", 2);
    let rows =
        [(1, one_row), (2, one_row), (2, its_rows), (3, alone), (3, its_rows), (4, alone), (4, its_rows)];
    for (contender, (base, against)) in rows {
        let ratio = medians.ratio(contender, against);
        let [measured, against] = [contender, against].map(|of| micros(medians.seconds_of(of)));
        println!("{ratio}|{measured}|{base}: {against}");
    }
    Ok(())
}

/// Creates payments in a sandbox in a file.
struct Creation {
    payer: Payer,
    threads: usize,
    prepared: Vec<Signed>,
}

impl Creation {
    fn open(file: &Path, threads: usize) -> Outcome<Self> {
        Ok(Self { payer: Payer::open(Some(file.to_owned()))?, threads, prepared: Vec::new() })
    }
}

impl Contender for Creation {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.prepared = (0..calls).map(|_| self.payer.creation()).collect::<Outcome<_>>()?;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (sandbox, prepared) = (&self.payer.sandbox, &self.prepared);
        let created = AtomicUsize::new(0);
        let share = |calls: &[Signed]| {
            let done = calls.iter().filter(|call| call.send(sandbox) == 201).count();
            created.fetch_add(done, Ordering::Relaxed);
        };
        let (time, ()) = timed(|| match self.threads {
            1 => share(prepared),
            threads => std::thread::scope(|scope| {
                for calls in prepared.chunks(prepared.len() / threads) {
                    scope.spawn(move || share(calls));
                }
            }),
        });
        match created.into_inner() == prepared.len() {
            true => Ok(time),
            false => Err("a payment was refused".into()),
        }
    }
}
