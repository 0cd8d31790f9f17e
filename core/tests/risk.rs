//! SCA by risk: the bank may demand one that the rules do not ask for, and exempt from one that they do.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod fakes;
mod world;

#[path = "account_information/aisp.rs"]
#[allow(dead_code, clippy::allow_attributes, reason = "each test binary uses its own part")]
mod aisp;

#[path = "risk/accounts.rs"]
mod accounts;
#[path = "risk/control.rs"]
mod control;
#[path = "risk/payments.rs"]
mod payments;
#[path = "risk/questions.rs"]
mod questions;
