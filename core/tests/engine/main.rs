//! The engine of a host: its seams, its outbox, its audit, its log, and a bank that is asked in JSON.
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

mod audit;
mod call_record;
mod health;
mod host_seal;
mod http_messages;
mod json_bank;
mod logs;
mod metrics;
mod nth_failure;
mod operator;
mod outbox;
mod retention;
mod seams;
mod statistics;

#[cfg(feature = "postgres")]
use support::postgres_server;
use support::{setup, world};
