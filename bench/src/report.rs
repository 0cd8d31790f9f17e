//! Where the figures go: standard output, the page of the documentation, a file for programs.

use std::num::NonZero;
use std::{fs, thread};

use serde_json::json;
use xs2a::env::{Clock, SystemClock};

use crate::rows::repository;
use crate::Outcome;

/// One row.
pub(crate) struct Figure {
    /// What is measured.
    pub(crate) name: &'static str,
    /// Its amount, with unit.
    pub(crate) measured: String,
    /// What it is set against, and the amount of that.
    pub(crate) against: String,
    /// Measured over base: lower is better.
    pub(crate) ratio: f64,
    /// The ratio that is aimed at, where one is.
    pub(crate) aim: Option<f64>,
}

/// The whole table.
pub(crate) struct Figures {
    pub(crate) rows: Vec<Figure>,
}

/// Prints the table and writes both files.
pub(crate) fn publish(figures: &Figures) -> Outcome<()> {
    let table = table(figures);
    print!("{table}");
    fs::create_dir_all(repository().join("target"))?;
    fs::write(repository().join("target/bench.json"), json_text(figures)?)?;
    fs::create_dir_all(repository().join("docs"))?;
    fs::write(repository().join("docs/performance.md"), page(&table))?;
    Ok(())
}

/// Prints the table alone.
pub(crate) fn print(figures: &Figures) {
    print!("{}", table(figures));
}

fn table(figures: &Figures) -> String {
    let mut table =
        String::from("| what | measured | against | ratio | aim | |\n|---|--:|---|--:|--:|---|\n");
    for row in &figures.rows {
        let verdict = match row.aim {
            Some(aim) if row.ratio <= aim => "met",
            Some(_) => "missed",
            None => "",
        };
        let ratio = format!("{:.3}", row.ratio);
        let aim = row.aim.map_or_else(|| "–".to_owned(), |aim| format!("{aim:.3}"));
        table.push_str(&format!(
            "| {} | {} | {} | {ratio} | {aim} | {verdict} |\n",
            row.name, row.measured, row.against
        ));
    }
    table
}

fn json_text(figures: &Figures) -> Outcome<String> {
    let rows = figures.rows.iter();
    let list: Vec<_> =
        rows.map(|row| json!({"name": row.name, "ratio": row.ratio, "aim": row.aim})).collect();
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

fn page(table: &str) -> String {
    let date = SystemClock.now().format("%Y-%m-%d");
    let cpu = cpu().map(|model| format!(" on {model}")).unwrap_or_default();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    format!(
        "<!-- Written by `make bench`; do not edit. -->\n\n# Performance\n\n\
         Measured on {date}{cpu} ({processors} processors), with the default cryptography (AWS-LC).\n\n{table}\n{NOTES}"
    )
}

const NOTES: &str = "\
A ratio is the median, over the rounds, of a row's time against its bare cost in the same round: both work in turn in
one run, so a busy or a slow machine touches both. Lower is better. Requests are signed before the clock starts, each
with its own X-Request-ID and its own amount.

- **Authenticate**: from the raw headers and body of a creation to knowing who signed it: header limits, the
  certificate among those seen last, validity, digest, date, signing string, keyId, signature. The certificate chain
  was verified before, as it is for every request of a TPP but its first.
- **Answer a question for a status**: the whole call, for an unknown payment: routing, headers, authentication, replay
  window, register, role, look-up, JSON.
- **Create an instant payment**: the same, and the body, its rules, the payment, its authorisation and the answer with
  the link, written to SQLite in memory. The row above it says what the libraries take of that: the verification, and
  prepared inserts of the payment and its authorisation in one transaction, nothing read or answered.
- **Every product**: the same creation, in turn with the instant one; the bulk has ten payments, each with rules and
  look-ups of its own.
- **Validate**: `validate_payment` on the bytes of a body, against the pydantic model of `bench/python_stack.py`, which
  knows that product alone and fewer of its rules; and a bulk against the same payments in bodies of their own.
- **Through C and Python**: programs that open a sandbox of their own and time the calls they make.
- **A Python stack**: `bench/python_stack.py`, the same work for the same requests as a team would write it: pyca's
  cryptography, a pydantic model, sqlite3 in memory. Its certificate is parsed once, too. In the second row the library
  httpsig verifies the signatures, and all else is the same; it takes no parsed key, so it reads one for each request.
- **Durable**: SQLite in WAL mode with synchronous=FULL, on the disk of the build folder, in a process of its own; the
  bare commit is one row of a table without an index beside it. A payment's rows are the payment, its
  authorisation and the request id, with their indexes.
- **A slow bank, two processes**: a production engine over a bank that is asked in JSON. The slow one answers in 1 to
  20 ms; a creation asks it twice. Two processes of eight threads write to one file, against one process of sixteen.
- **PostgreSQL**: the machine's own server in a folder for temporary files, with its default of a durable commit,
  over a Unix socket; the bare commits have as many connections, statements and rows.
- **Explained refusals**: the requests of `tests/vectors/mistakes`, each explained with the default budget of 50 ms; of
  five times in a row the middle one counts. A body of 1 MiB is one whose Digest is of none of its forms, so that the
  search takes its whole budget. A payment in a sandbox with the policy `explain_to_tpp` is measured in turn with one in
  a sandbox without.
- **Transactions**: what the bank behind the engine answers, of accounts with purchases spread over ten years, in a
  file. The long list has ten million where `XS2A_BENCH_TEN_MILLION` is set, which takes minutes to load, else one
  million. The total that links to the last page need is part of every page.
- **Balances**: the booked and the expected balance as the bank returns them, so the orders that wait are looked up
  too; the bare cost is one row by its key.
- **Eight threads**: the same number of pages in all, from the short list. Lower is better here too: half the time of
  one thread is twice its speed, and no more than the machine's processors can be gained. The row of bare SQLite says
  how much of that it gives: a connection for each thread, the same rows into text, nothing of this library.
- **What an operator asks**: `consents` and `payments` as JSON, of a file with a million payments of five thousand
  persons and two thousand consents of ten persons, written past the engine; the median of 51 calls.
- **Loaded by the API**: signed calls of the sandbox's own route, checked item by item, booked in the ledger with its
  counts and its balance; the bare inserts go to a table of the same columns without any of that. All in memory.
- **A population**: `populate` in fresh sandboxes, some ten thousand transactions each: customers, accounts, their
  lives, and every line in the ledger.
- **A transaction of a population**: `bench/data_rows.py`, through Python; both tables of transactions. Into a ledger
  come customers and accounts too, in a new sandbox each time. The rows of numpy, Faker and mimesis have as many
  columns of plausible values that have nothing to do with each other: no balance, no household, no month. The ten
  million are written by `xs2a populate` with every other table, a half by each program.
- **A sandbox for a test**: `fork` and `close` from Python, which is what the fixture of the pytest plugin does. The
  thousand tests are one run of pytest each, its start included; the fake (`bench/fake_bank.py`) knows neither
  signatures nor most of the rules.
- **Served**: requests over one kept connection to a server in a process of its own, the next one sent when the last is
  answered; `python -m xs2a serve`, Flask behind waitress, Prism on Node. Lower is better here too: the ratio is of the
  times. Prism's rows are there where `make bench` could install it.
- **Steered and watched**: `xs2a serve` in a process of its own; from its start, that of Python included. The journal
  of the console's list has 10,000 calls. The log and the open console are a log in text to /dev/null and one reader of
  the console's events, on the same machine; the ratio is of the times.
- **Endurance**: one production engine with its records and its audit in a file: signed questions for a status with new
  ids, the same ones again, certificates in ever new spellings whose chain is found again each time, certificates that
  are none, absent headers and routes, under a clock that moves on. Ten million requests where `XS2A_BENCH_TEN_MILLION`
  is set, else one million.
- **Memory**: what the kernel counts as private to the process, over many sandboxes and many payments.
";

/// The processor, where the system reports it.
fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
