//! What it costs to steer and to watch a served bank.

use crate::interface::ChildInterface;
use crate::report::Figure;
use crate::rounds::Rounds;
use crate::rows::{against_fixed, python};
use crate::Outcome;

const STARTS: Rounds = Rounds { warm_up: 1, count: 5, calls: 1 };
const ANSWERS: Rounds = Rounds { warm_up: 1, count: 11, calls: 5 };
/// Requests over one connection.
const REQUESTS: Rounds = Rounds { warm_up: 1, count: 11, calls: 200 };
const START_MS_AIM: f64 = 300.0;
const RESTORE_MS_AIM: f64 = 5.0;
const PAGE_MS_AIM: f64 = 100.0;
/// 0.9 of the requests in the same time.
const WATCHED_AIM: f64 = 1.0 / 0.9;

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    Ok(vec![
        fixed("`xs2a serve`: from its start to the first answer", "start", STARTS, START_MS_AIM)?,
        watched()?,
        fixed("a snapshot restored over the control interface", "restore", ANSWERS, RESTORE_MS_AIM)?,
        fixed("the console's list of 10,000 calls: the first byte", "page", ANSWERS, PAGE_MS_AIM)?,
        fixed("the same by a filter that no call meets", "filtered", ANSWERS, PAGE_MS_AIM)?,
    ])
}

fn fixed(name: &'static str, kind: &str, rounds: Rounds, aim: f64) -> Outcome<Figure> {
    let mut bank = ChildInterface::start(python("bench/served_bank.py").arg(kind))?;
    let medians = rounds.measure(&mut [&mut bank])?;
    Ok(against_fixed(name, medians.seconds_of(0) * 1e3, aim, "ms"))
}

fn watched() -> Outcome<Figure> {
    let client = |kind: &str| ChildInterface::start(python("bench/http_load.py").arg(kind));
    let (mut watched, mut quiet) = (client("watched")?, client("quiet")?);
    let medians = REQUESTS.measure(&mut [&mut watched, &mut quiet])?;
    let per_second = |contender: usize| format!("{:.0}/s", 1.0 / medians.seconds_of(contender));
    Ok(Figure {
        name: "a signed status from `xs2a serve` with its log and an open console",
        measured: per_second(0),
        against: format!("without both: {}", per_second(1)),
        ratio: medians.ratio(0, 1),
        aim: Some(WATCHED_AIM),
    })
}
