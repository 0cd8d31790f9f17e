//! Populations of a sandbox: what they own adds up, nobody has their numbers, and they can be used.
#![allow(
    dead_code,
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking; the short ways are those of other tests too"
)]

mod world;

#[path = "account_information/aisp.rs"]
mod aisp;
#[path = "population/bounds.rs"]
mod bounds;
#[path = "population/history.rs"]
mod history;
#[path = "population/numbers.rs"]
mod numbers;
#[path = "population/use_of_it.rs"]
mod use_of_it;
