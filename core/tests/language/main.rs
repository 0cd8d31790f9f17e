//! The style and the structure of the source files.
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

mod import_graph;
mod layers;
mod rust_source;
mod tidy;
mod words;

use support::repository_root;
