//! The sandbox's own routes: mock customers, agreements, accounts, cards and what is booked on them.

mod account_transactions;
mod accounts;
mod agreements;
mod card_accounts;
mod card_transactions;
mod customers;
mod every_member;
mod examples;
mod routes;
mod settling;
