//! Every member of a payment's body, product by product: what is taken, what is not, and what is said of it.
//!
//! Each body goes two ways, through a sandbox and through `tools::validate_payment`; both must say the same.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod repository_root;
mod world;

#[path = "payment_body/bench.rs"]
mod bench;
#[path = "payment_body/table.rs"]
mod table;

#[path = "payment_body/amounts.rs"]
mod amounts;
#[path = "payment_body/bulks.rs"]
mod bulks;
#[path = "payment_body/completeness.rs"]
mod completeness;
#[path = "payment_body/dates.rs"]
mod dates;
#[path = "payment_body/members.rs"]
mod members;
#[path = "payment_body/references.rs"]
mod references;
#[path = "payment_body/rules.rs"]
mod rules;
