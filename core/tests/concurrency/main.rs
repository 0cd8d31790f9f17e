//! Threads and processes at one engine or one database, also such as are killed.
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

mod four_nodes;
mod kill;
mod replaced;
mod threads;

#[cfg(feature = "postgres")]
use support::postgres_server;
use support::world;
