//! The simulated bank: customers, accounts and money that exist in the sandbox alone.

mod access;
pub mod bank;
pub mod batch;
pub mod default_data;
mod default_set;
mod derived_id;
pub mod description;
mod fee;
#[cfg(test)]
mod fixture;
mod intake;
pub mod ledger;
pub mod pki;
mod posting;
pub mod rates;
mod sample_rates;
pub mod sign;
pub mod view;

pub use access::OpenAgreement;
pub use bank::SandboxBank;
pub use rates::Rates;
