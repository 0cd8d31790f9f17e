//! The state of a sandbox as text, what differs between two, and the policies of a running one.
#![allow(
    dead_code,
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking; the short ways are those of other tests too"
)]

mod world;

#[path = "state/agree.rs"]
mod agree;
#[path = "account_information/aisp.rs"]
mod aisp;
#[path = "state/blame.rs"]
mod blame;
#[path = "state/bounds.rs"]
mod bounds;
#[path = "state/busy.rs"]
mod busy;
#[path = "management/counter.rs"]
mod counter;
#[path = "state/difference.rs"]
mod difference;
#[path = "state/document.rs"]
mod document;
#[path = "state/hand.rs"]
mod hand;
#[path = "state/policy.rs"]
mod policy;
