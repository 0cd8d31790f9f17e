//! The bank's SCA site, walked without a browser: what it shows, what it takes, what it refuses.

mod browser;
mod consents;
mod customers;
mod escaping;
mod faults;
mod forms;
mod languages;
mod links;
mod orders;
mod payments;
mod policy;
mod prompts;
mod repeatable;
mod roles;
