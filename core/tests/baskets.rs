//! Signing baskets: what may be in one, who sees it, and what its one SCA does to each payment.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod fakes;
#[path = "engine/house.rs"]
mod house;
mod world;

#[path = "baskets/creation.rs"]
mod creation;
#[path = "baskets/isolation.rs"]
mod isolation;
#[path = "baskets/lifecycle.rs"]
mod lifecycle;
#[path = "baskets/signing.rs"]
mod signing;
