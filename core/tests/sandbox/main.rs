//! The sandbox itself: its controls, its routes, its state, its journal and its SCA site.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod control;
mod counter;
mod coverage;
mod determinism;
mod faults;
mod journal;
mod management;
mod mistakes;
mod population;
mod provoke;
mod sca_page;
mod snapshots;
mod state;

use support::{aisp, sandbox_examples, world};
