//! Chains and revocation, against certificates and lists that the `openssl` command makes.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and takes its own time"
)]

#[path = "../support/mod.rs"]
mod support;

mod bank_side;
mod chains;
mod encodings;
mod identity;
mod lists;
mod many;
mod openssl;
mod signed_answers;
mod trust_vectors;
mod trusted_list;
mod workshop;

use support::world;
