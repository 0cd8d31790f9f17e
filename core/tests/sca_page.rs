//! The bank's SCA site, walked without a browser: what it shows, what it takes, what it refuses.
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

#[path = "sca_page/browser.rs"]
mod browser;
#[path = "sca_page/consents.rs"]
mod consents;
#[path = "sca_page/errands.rs"]
mod errands;
#[path = "sca_page/escaping.rs"]
mod escaping;
#[path = "sca_page/faults.rs"]
mod faults;
#[path = "sca_page/forms.rs"]
mod forms;
#[path = "sca_page/languages.rs"]
mod languages;
#[path = "sca_page/links.rs"]
mod links;
#[path = "sca_page/orders.rs"]
mod orders;
#[path = "sca_page/payments.rs"]
mod payments;
#[path = "sca_page/policy.rs"]
mod policy;
#[path = "sca_page/repeatable.rs"]
mod repeatable;
#[path = "sca_page/roles.rs"]
mod roles;
