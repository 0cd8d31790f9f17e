//! The simulated bank: customers, accounts and money that exist in the sandbox alone.

mod access;
mod balance;
pub(crate) mod bank;
pub(crate) mod batch;
mod batch_times;
mod cancel;
mod card_history;
pub(crate) mod coverage;
pub(crate) mod default_data;
mod default_set;
mod derived_id;
pub(crate) mod description;
mod exchange;
pub(crate) mod faults;
mod fee;
#[cfg(test)]
mod fixture;
mod free_number;
mod history;
mod intake;
pub(crate) mod journal;
pub(crate) mod ledger;
#[cfg(test)]
mod ledger_properties;
mod listed;
pub(crate) mod management;
mod order_status;
pub(crate) mod page;
pub(crate) mod pki;
pub(crate) mod population;
mod posting;
mod private_customer;
mod reserved;
mod risk;
pub(crate) mod sign;
mod thread_key;
pub(crate) mod view;
mod visible;

pub(crate) use access::psu_key;
pub use access::OpenAgreement;
pub(crate) use bank::SandboxBank;
pub use coverage::{Coverage, CoverageKind};
pub use faults::{Fault, FaultKind, FaultSpec, Predicate};
pub use journal::{header_text, JournalEntry, RecordedCall, Step};
pub use ledger::Discrepancy;
pub use pki::ROOT_PEM;
pub use population::{GeneratorVersion, PopulationPlan};

pub use crate::env::interference::ObservedCall;
pub(crate) use crate::types::Rates;
