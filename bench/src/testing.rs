//! What a sandbox costs those who test: one for each test, one that is served.

use std::process::Command;

use crate::interface::ChildInterface;
use crate::report::Figure;
use crate::rounds::Rounds;
use crate::rows::{against_fixed, interpreter, progress, python, repository};
use crate::Outcome;

/// Forks from Python.
const FORKS: Rounds = Rounds { warm_up: 1, count: 11, calls: 100 };
/// Tests in one run of pytest.
const TESTS: usize = 1000;
const RUNS: Rounds = Rounds { warm_up: 0, count: 3, calls: 1 };
/// Requests over one connection.
const REQUESTS: Rounds = Rounds { warm_up: 1, count: 11, calls: 200 };
/// What the sandbox of a test may take.
const FORK_MS_AIM: f64 = 1.0;

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let mut rows = vec![fork()?, tests()?];
    rows.extend(served()?);
    Ok(rows)
}

fn fork() -> Outcome<Figure> {
    let mut forks = with("bench/python_tests.py", "fork")?;
    let medians = FORKS.measure(&mut [&mut forks])?;
    let millis = medians.seconds_of(0) * 1e3;
    Ok(against_fixed("a sandbox of its own for a pytest test: fork and close", millis, FORK_MS_AIM, "ms"))
}

/// Rounds count calls one by one; a run of pytest is one call of a thousand tests.
fn tests() -> Outcome<Figure> {
    let (mut ours, mut fake) = (thousand("xs2a")?, thousand("fake")?);
    let medians = RUNS.measure(&mut [&mut ours, &mut fake])?;
    Ok(Figure {
        name: "1000 pytest tests, each a payment through SCA in a sandbox of its own",
        measured: seconds(medians.seconds_of(0)),
        against: format!("a fake of dictionaries, set back for each: {}", seconds(medians.seconds_of(1))),
        ratio: medians.ratio(0, 1),
        aim: None,
    })
}

fn served() -> Outcome<Vec<Figure>> {
    let mut rows = Vec::new();
    let others = [
        (
            "flask",
            "a signed status from `xs2a serve`, by requests in a second",
            "a Flask constant behind waitress",
        ),
        ("prism", "the same, against a mock", "Stoplight's Prism, the same route"),
    ];
    for (kind, name, base) in others {
        if !is_installed(kind) {
            progress(&format!("######## SKIPPED: {kind} is not installed; no row against it"));
            continue;
        }
        let (mut ours, mut theirs) = (with("bench/http_load.py", "xs2a")?, with("bench/http_load.py", kind)?);
        let medians = REQUESTS.measure(&mut [&mut ours, &mut theirs])?;
        rows.push(Figure {
            name,
            measured: per_second(medians.seconds_of(0)),
            against: format!("{base}: {}", per_second(medians.seconds_of(1))),
            ratio: medians.ratio(0, 1),
            aim: None,
        });
    }
    Ok(rows)
}

fn is_installed(kind: &str) -> bool {
    match kind {
        "prism" => repository().join("target/bench/prism/node_modules/.bin/prism").exists(),
        _ => {
            let mut import = interpreter();
            runs(import.args(["-c", "import flask, waitress"]))
        }
    }
}

fn runs(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

fn with(script: &str, kind: &str) -> Outcome<ChildInterface> {
    ChildInterface::start(python(script).arg(kind))
}

/// A child process whose one call is a thousand tests.
fn thousand(kind: &str) -> Outcome<ChildInterface> {
    let mut command = python("bench/python_tests.py");
    ChildInterface::start(command.arg(kind).env("XS2A_BENCH_TESTS", TESTS.to_string()))
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

fn per_second(seconds: f64) -> String {
    format!("{:.0}/s", 1.0 / seconds)
}
