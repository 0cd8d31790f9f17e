//! Nodes that are killed at every step of their work, hundreds of times: every payment that was acknowledged arrives
//! at the bank, none twice, and none that nobody authorised. What was acknowledged as cancelled is never carried out,
//! and of a signing basket all payments are ordered or none.
//!
//! The store is an SQLite file, or the empty database that `XS2A_KILL_STORE` names by its address; and once more a
//! PostgreSQL database, where there is a server.
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
