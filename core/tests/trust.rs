//! Chains and revocation, against certificates and lists that the `openssl` command makes.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking, and takes its own time"
)]

mod world;

#[path = "trust/bank_side.rs"]
mod bank_side;
#[path = "trust/chains.rs"]
mod chains;
#[path = "trust/encodings.rs"]
mod encodings;
#[path = "trust/identity.rs"]
mod identity;
#[path = "trust/lists.rs"]
mod lists;
#[path = "trust/many.rs"]
mod many;
#[path = "trust/trusted_list.rs"]
mod trusted_list;
#[path = "trust/workshop.rs"]
mod workshop;
