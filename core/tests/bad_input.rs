//! Input that no sensible client sends: every request has an answer that is well formed, none is a 500, and
//! nothing is stored of what is refused.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod world;

#[path = "bad_input/bench.rs"]
mod bench;

#[path = "bad_input/at_random.rs"]
mod at_random;
#[path = "bad_input/bodies.rs"]
mod bodies;
#[path = "bad_input/header_fields.rs"]
mod header_fields;
#[path = "bad_input/targets.rs"]
mod targets;
