//! The sandbox's own routes: mock customers, agreements, accounts, cards and what is booked on them.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod sandbox_examples;
mod world;

#[path = "management/account_transactions.rs"]
mod account_transactions;
#[path = "management/accounts.rs"]
mod accounts;
#[path = "management/agreements.rs"]
mod agreements;
#[path = "management/card_accounts.rs"]
mod card_accounts;
#[path = "management/card_transactions.rs"]
mod card_transactions;
#[path = "management/counter.rs"]
mod counter;
#[path = "management/customers.rs"]
mod customers;
#[path = "management/every_member.rs"]
mod every_member;
#[path = "management/examples.rs"]
mod examples;
#[path = "management/routes.rs"]
mod routes;
#[path = "management/settling.rs"]
mod settling;
