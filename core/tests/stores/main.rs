//! Stores: a sandbox in an SQLite file, the connection to a PostgreSQL server, and a store that runs the public suite.
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

#[cfg(feature = "sqlite")]
mod conditions;
#[cfg(all(feature = "conformance", feature = "sqlite"))]
mod conformance;
#[cfg(feature = "sqlite")]
mod failing_files;
#[cfg(feature = "sandbox")]
mod files;
mod postgres_tls;

#[cfg(feature = "sandbox")]
use support::world;
