//! The simulated bank: customers, accounts and money that exist in the sandbox alone.

mod access;
mod balance;
pub mod bank;
pub mod batch;
mod batch_times;
mod cancel;
mod card_history;
pub mod coverage;
pub mod default_data;
mod default_set;
mod derived_id;
pub mod description;
mod exchange;
pub mod faults;
mod fee;
#[cfg(test)]
mod fixture;
mod free_number;
mod history;
mod intake;
pub mod journal;
pub mod ledger;
#[cfg(test)]
mod ledger_properties;
mod listed;
pub mod management;
mod order_status;
pub(crate) mod page;
pub mod pki;
pub mod population;
mod posting;
mod private_customer;
mod reserved;
mod risk;
pub mod sign;
mod thread_key;
pub mod view;
mod visible;

pub(crate) use access::psu_key;
pub use access::OpenAgreement;
pub use bank::SandboxBank;

pub use crate::types::Rates;
