//! A bank that is asked in JSON: the sandbox's, told in JSON by hand, answers as the sandbox's own; and whatever a bank
//! answers that it must not is its error.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod world;

#[path = "foreign_bank/answers.rs"]
mod answers;
#[path = "foreign_bank/mirror.rs"]
mod mirror;
#[path = "foreign_bank/misbehaving.rs"]
mod misbehaving;
#[path = "foreign_bank/twins.rs"]
mod twins;
