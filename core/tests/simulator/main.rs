//! A seeded simulator: several nodes over one store, TPPs that behave and misbehave, PSUs, operators, a bank and clocks
//! that fail. Every answer is compared with a naive model, and so is everything that is stored in the end.
//!
//! A seed determines a run to the byte: one thread runs one step after the other, and a call of another node comes in
//! only where the plan says so. A failure prints its seed and the fewest steps that were found to fail.
//! `make simulate` runs it for an hour: see CONTRIBUTING.md.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]
// Which cryptography signs the calls has no part in it: once is enough.
#![cfg(not(feature = "pure-rust"))]

#[path = "../support/mod.rs"]
mod support;

#[allow(dead_code, reason = "the corpus uses all of it")]
#[path = "../corpus/dice.rs"]
mod dice;

mod accounts;
mod act;
mod audit;
mod bank;
mod baskets;
mod books;
mod client;
mod closing;
mod intruder;
mod model;
mod operators;
mod payments;
mod plan;
mod report;
mod run;
mod sca;
mod seams;
mod store;
mod world;

use plan::{plan, Deed};
use run::{run, shrink};
use world::Records;

/// How many steps a run has.
pub(crate) const STEPS: usize = 1_500;

#[test]
fn a_seed_gives_one_run_to_the_byte() {
    let steps = plan(7, 600);
    let [first, second] = [(); 2].map(|()| run(7, &steps, Records::in_memory()));
    assert_eq!(first.violation, None);
    assert!(first.transcript.lines().count() > 400, "{}", first.transcript.lines().count());
    assert_eq!(first.transcript, second.transcript);
    assert_ne!(first.transcript, run(8, &plan(8, 600), Records::in_memory()).transcript);
}

#[test]
fn a_failure_shrinks_to_the_steps_that_it_needs() {
    let steps = plan(3, 400);
    let is_of = |steps: &[plan::Step], deed| steps.iter().filter(|step| step.deed == deed).count();
    let fails = |steps: &[plan::Step]| is_of(steps, Deed::Block) >= 1 && is_of(steps, Deed::RunDue) >= 2;
    assert!(fails(&steps));
    let shorter = shrink(steps, fails);
    assert!(fails(&shorter) && shorter.len() == 3, "{shorter:?}");
}

#[cfg(feature = "postgres")]
#[test]
fn a_run_over_postgresql_keeps_every_rule() {
    let Some(server) = support::postgres_server::Server::shared() else { return };
    let records = Records::Shared(xs2a::store::open(&server.database()).unwrap());
    let outcome = run(11, &plan(11, 300), records);
    assert_eq!(outcome.violation, None, "{}", outcome.transcript);
}

/// `XS2A_SIMULATE_SECONDS`: how long, one seed by default; `XS2A_SIMULATE_SEED`: the first seed, 1 by default.
#[test]
fn every_seed_keeps_every_rule() {
    report::simulate();
}
