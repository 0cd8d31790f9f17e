//! The outbox: what becomes of authorised payments where the bank is away, answers nonsense or panics, where the
//! store fails, and where several nodes deliver at the same time.
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

#[path = "outbox/claims.rs"]
mod claims;
#[path = "outbox/delivery.rs"]
mod delivery;
#[path = "outbox/endings.rs"]
mod endings;
#[path = "outbox/nodes.rs"]
mod nodes;
#[path = "outbox/rails.rs"]
mod rails;
#[path = "outbox/reports.rs"]
mod reports;
#[path = "outbox/set_aside.rs"]
mod set_aside;
#[path = "outbox/times.rs"]
mod times;
