//! Many seeds, one after the other, and what they came to.

use std::time::{Duration, Instant};

use crate::plan::{plan, Step};
use crate::run::{run, shrink, Outcome};
use crate::seams::Points;
use crate::world::{Records, Tally};
use crate::STEPS;

/// Is set where a fault is to be found, and not to be explained.
const FAULT: &str = "XS2A_SIMULATE_FAULT";
/// One in so many seeds is run over PostgreSQL too, which takes longer.
#[cfg(feature = "postgres")]
const SEEDS_PER_POSTGRES_RUN: u64 = 20;
/// How long a failure is shortened.
const SHRINKING_MAX: Duration = Duration::from_secs(120);
/// How much of the transcript of a failure is printed.
const LINES_SHOWN: usize = 60;
const MICROS_PER_SECOND: f64 = 1e6;
const SECONDS_PER_DAY: f64 = 86_400.0;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect(variable))
}

#[expect(clippy::disallowed_methods, reason = "how long the simulator runs, which changes no run")]
fn stopwatch() -> Instant {
    Instant::now()
}

/// Runs seeds for a while. Panics at the first that breaks a rule.
pub(crate) fn simulate() {
    let bound = Duration::from_secs(number("XS2A_SIMULATE_SECONDS", 0));
    let first = number("XS2A_SIMULATE_SEED", 1);
    let start = stopwatch();
    let mut total = Tally::default();
    let mut seed = first;
    while start.elapsed() < bound || seed == first {
        let steps = plan(seed, STEPS);
        let outcome = run(seed, &steps, Records::in_memory());
        #[cfg(feature = "postgres")]
        if seed.is_multiple_of(SEEDS_PER_POSTGRES_RUN) && std::env::var_os(FAULT).is_none() {
            run_over_postgres(seed);
        }
        if std::env::var_os("XS2A_SIMULATE_TRANSCRIPT").is_some() {
            print!("{}", outcome.transcript);
        }
        if outcome.violation.is_some() {
            show_failure(seed, steps, &outcome);
        }
        add(&mut total, &outcome.tally);
        seed += 1;
    }
    show(&total, seed - first, start.elapsed());
}

/// A shorter run over PostgreSQL, where there is a server.
#[cfg(feature = "postgres")]
fn run_over_postgres(seed: u64) {
    let Some(server) = crate::support::postgres_server::Server::shared() else { return };
    let records = Records::Shared(xs2a::store::open(&server.database()).unwrap());
    let outcome = run(seed, &plan(seed, STEPS / 5), records);
    assert_eq!(outcome.violation, None, "seed {seed} over PostgreSQL: {}", outcome.transcript);
    println!("seed {seed} over PostgreSQL: {} calls", outcome.tally.calls);
}

fn add(total: &mut Tally, tally: &Tally) {
    total.calls += tally.calls;
    total.accepted += tally.accepted;
    total.busy_micros += tally.busy_micros;
    total.quiet_micros += tally.quiet_micros;
    total.crashes += tally.crashes;
    total.points.extend(&tally.points);
}

#[expect(clippy::cast_precision_loss, reason = "figures of a report")]
fn show(total: &Tally, seeds: u64, took: Duration) {
    let [busy, quiet] =
        [total.busy_micros, total.quiet_micros].map(|micros| micros as f64 / MICROS_PER_SECOND);
    let (calls, seconds) = (total.calls as f64, took.as_secs_f64());
    println!(
        "simulated: seeds={seeds} days={:.1} quiet_days={:.0} calls={} accepted={} crashes={} points={} \
         seconds={seconds:.0}",
        busy / SECONDS_PER_DAY,
        quiet / SECONDS_PER_DAY,
        total.calls,
        total.accepted,
        total.crashes,
        total.points.len(),
    );
    println!(
        "simulated: {:.0} calls a second, {:.2} calls a simulated minute, {:.0} times as fast as the simulated time",
        calls / seconds,
        calls / (busy / 60.0),
        busy / seconds,
    );
    show_points(&total.points);
}

/// Where something went wrong: every operation, and what happened at it.
fn show_points(points: &Points) {
    let mut names: Vec<&str> = points.iter().map(|(name, _)| *name).collect();
    names.dedup();
    for name in names {
        let hazards: Vec<_> =
            points.iter().filter(|(of, _)| *of == name).map(|(_, hazard)| *hazard).collect();
        println!("  {name}: {}", hazards.join(", "));
    }
}

fn show_failure(seed: u64, steps: Vec<Step>, outcome: &Outcome) {
    let Some(violation) = &outcome.violation else { return };
    println!("seed {seed} breaks a rule: {}", violation.rule);
    println!("  {}", violation.text);
    // A fault that was put in on purpose is only to be found.
    if std::env::var_os(FAULT).is_some() {
        panic!("the fault was found");
    }
    let start = stopwatch();
    let fails = |steps: &[Step]| {
        if start.elapsed() > SHRINKING_MAX {
            return false;
        }
        let found = run(seed, steps, Records::in_memory()).violation;
        found.is_some_and(|found| found.rule == violation.rule)
    };
    let shorter = shrink(steps, fails);
    let last = run(seed, &shorter, Records::in_memory());
    println!("{} steps are enough:", shorter.len());
    shorter.iter().for_each(|step| println!("  {step:?}"));
    let lines: Vec<&str> = last.transcript.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].iter().for_each(|line| println!("  {line}"));
    let found = last.violation.map_or_else(String::new, |found| found.text);
    panic!("seed {seed}: {}: {found}", violation.rule);
}
