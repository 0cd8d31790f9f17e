//! What rows of a population cost, as data teams take them, and what they cost by hand.

use crate::interface::ChildInterface;
use crate::report::Figure;
use crate::rounds::Rounds;
use crate::rows::{against_fixed, progress, python};
use crate::Outcome;

/// A call is a thousand rows; how many are made at once, bench/data_rows.py says.
const ROUNDS: Rounds = Rounds { warm_up: 1, count: 5, calls: 1 };
const MILLION: Rounds = Rounds { warm_up: 1, count: 3, calls: 1_000 };
const TEN_MILLION: Rounds = Rounds { warm_up: 0, count: 1, calls: 10_000 };

/// Microseconds that a row may take: a million a second, 250,000 and 120,000.
const ARROW_AIM: f64 = 1.0;
const MEMORY_AIM: f64 = 4.0;
const FILE_AIM: f64 = 8.33;
const FRAME_SECONDS_AIM: f64 = 1.0;
const PARQUET_SECONDS_AIM: f64 = 30.0;

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    progress("rows of a population, against others' rows");
    let mut rows = made()?;
    progress("a million transactions as a frame");
    let seconds = rows_of("frame", MILLION)?;
    let name = "a million transactions of a sandbox as a polars frame";
    rows.push(against_fixed(name, seconds, FRAME_SECONDS_AIM, "s"));
    progress("ten million transactions as Parquet");
    let seconds = rows_of("parquet", TEN_MILLION)?;
    let name = "ten million transactions to Parquet, two programs";
    rows.push(against_fixed(name, seconds, PARQUET_SECONDS_AIM, "s"));
    Ok(rows)
}

fn rows_of(kind: &str, rounds: Rounds) -> Outcome<f64> {
    let medians = rounds.measure(&mut [&mut child(kind)?])?;
    Ok(medians.seconds_of(0) * rounds.calls as f64)
}

fn made() -> Outcome<Vec<Figure>> {
    let (mut arrow, mut memory, mut file) = (child("arrow")?, child("memory")?, child("file")?);
    let (mut numpy, mut faker, mut mimesis) = (child("numpy")?, child("faker")?, child("mimesis")?);
    let medians =
        ROUNDS.measure(&mut [&mut arrow, &mut memory, &mut file, &mut numpy, &mut faker, &mut mimesis])?;
    let micros = |contender| medians.seconds_of(contender) * 1e3;
    let against = |name, contender, base, base_name: &str| Figure {
        name,
        measured: format!("{:.2} µs", micros(contender)),
        against: format!("{base_name}: {:.2} µs", micros(base)),
        ratio: medians.ratio(contender, base),
        aim: None,
    };
    Ok(vec![
        against_fixed("a transaction of a population to Arrow, no database", micros(0), ARROW_AIM, "µs"),
        against("the same", 0, 3, "vectors of numpy, without a life"),
        against("the same", 0, 4, "Faker, no_NO"),
        against("the same", 0, 5, "mimesis, no"),
        against_fixed("a transaction into a ledger in memory", micros(1), MEMORY_AIM, "µs"),
        against_fixed("a transaction into a ledger in a file", micros(2), FILE_AIM, "µs"),
    ])
}

fn child(kind: &str) -> Outcome<ChildInterface> {
    ChildInterface::start(python("bench/data_rows.py").arg(kind))
}
