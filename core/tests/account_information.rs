//! Account information over the whole engine: who may read what, for how long, how often.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod world;

#[path = "account_information/aisp.rs"]
mod aisp;

#[path = "account_information/agreements.rs"]
mod agreements;
#[path = "account_information/answers.rs"]
mod answers;
#[path = "account_information/consents.rs"]
mod consents;
#[path = "account_information/corporate.rs"]
mod corporate;
#[path = "account_information/deleted_customers.rs"]
mod deleted_customers;
#[path = "account_information/every_route.rs"]
mod every_route;
#[path = "account_information/history.rs"]
mod history;
#[path = "account_information/isolation.rs"]
mod isolation;
#[path = "account_information/made_by_hand.rs"]
mod made_by_hand;
#[path = "account_information/order.rs"]
mod order;
#[path = "account_information/quota.rs"]
mod quota;
#[path = "account_information/routes.rs"]
mod routes;
#[path = "account_information/sessions.rs"]
mod sessions;
#[path = "account_information/table.rs"]
mod table;
