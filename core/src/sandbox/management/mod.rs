//! The sandbox's own routes: mock customers, agreements, accounts, card accounts and what is booked on them
//! (contract: Sandbox management). No production engine has them.

mod account;
mod account_number;
mod account_transaction;
mod account_transaction_view;
mod account_view;
mod agreement;
mod agreement_view;
mod balance;
pub mod bodies;
mod card_account;
mod card_transaction;
mod card_transaction_body;
mod card_transaction_view;
mod customer;
mod customer_view;
mod described;
mod engagement;
mod engaging;
pub(crate) mod handler_context;
mod initialize;
mod listing;
mod members;
mod moment;
pub(crate) mod operations;
mod outcome;

pub use operations::OPERATIONS;
