//! Documents that are printed from the tables.
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

mod generated;

use support::sandbox_examples;
