//! Nodes that are killed at every step of their work, hundreds of times: every acknowledged payment arrives at the
//! bank, none twice, and none without authorisation. A payment that was acknowledged as cancelled is never executed,
//! and of a signing basket all payments are ordered or none.
//!
//! The store is an SQLite file, or the empty database whose address `XS2A_KILL_STORE` holds; and also a PostgreSQL
//! database if a server is available.
#![cfg(unix)]
// Which cryptography signs the calls has no part in it: once is enough.
#![cfg(not(feature = "pure-rust"))]

mod bank;
mod baskets;
mod books;
mod cancelling;
mod hunter;
mod node;
mod outcome;
mod payer;
mod plan;
mod said;
mod steps;
mod store;
