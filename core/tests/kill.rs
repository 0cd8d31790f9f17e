//! Nodes that are killed at every step of their work, hundreds of times: every payment that was acknowledged arrives
//! at the bank, none twice, and none that nobody authorised. What was acknowledged as cancelled is never carried out,
//! and of a signing basket all payments are ordered or none.
//!
//! The store is an SQLite file, or the empty database that `XS2A_KILL_STORE` names by its address; and once more a
//! PostgreSQL database, where there is a server.
#![cfg(unix)]
// Which cryptography signs the calls has no part in it: once is enough.
#![cfg(not(feature = "pure-rust"))]
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod fakes;
#[cfg(feature = "postgres")]
mod postgres_server;
mod world;

#[path = "kill/bank.rs"]
mod bank;
#[path = "kill/baskets.rs"]
mod baskets;
#[path = "kill/books.rs"]
mod books;
#[path = "kill/cancelling.rs"]
mod cancelling;
#[path = "kill/hunter.rs"]
mod hunter;
#[path = "kill/node.rs"]
mod node;
#[path = "kill/outcome.rs"]
mod outcome;
#[path = "kill/payer.rs"]
mod payer;
#[path = "kill/plan.rs"]
mod plan;
#[path = "kill/said.rs"]
mod said;
#[path = "kill/steps.rs"]
mod steps;
#[path = "kill/store.rs"]
mod store;
