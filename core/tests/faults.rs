//! Faults: what a test makes go wrong on purpose, and what does not go wrong because of it.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod world;

#[path = "faults/bank.rs"]
mod bank;
#[path = "faults/clock.rs"]
mod clock;
#[path = "faults/conditions.rs"]
mod conditions;
#[path = "faults/refusals.rs"]
mod refusals;
#[path = "faults/sandboxes.rs"]
mod sandboxes;
#[path = "faults/sca.rs"]
mod sca;
