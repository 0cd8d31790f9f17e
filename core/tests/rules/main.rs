//! What a TPP may do and what it is answered: payments, baskets, SCA, consents and account information, over a
//! sandbox.
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

mod account_information;
mod bad_input;
mod baskets;
mod cancellation;
mod duplicates;
mod execution;
mod main_job;
mod negotiation;
mod payment_body;
mod payment_machine;
mod payments;
mod precedence;
mod products;
mod risk;
mod sca;
mod settlement;

use support::{aisp, fakes, repository_root, setup, world};
