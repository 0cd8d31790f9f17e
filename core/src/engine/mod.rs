//! The engine: everything between a raw request and the bank's answer.

mod approve;
mod blocking;
mod builder;
mod circuit_breaker;
mod claim;
mod complete_sca;
mod config;
mod consent_list;
mod contain;
mod dead_letters;
mod deliver;
mod erase_psu;
mod export_audit;
mod health;
mod host_trust;
mod logging;
mod metrics;
mod open_authorisation;
mod operator_reads;
mod page;
mod payment_list;
mod public_api;
mod refuse_sca;
mod replace_seal;
mod replace_trust;
mod report;
mod run_due;
mod sca_json;
pub(crate) mod setting;
mod statistics;
mod timed_bank;
mod timeout_bank;
mod validity;

pub use builder::EngineBuilder;
pub use complete_sca::ScaOutcome;
pub use config::EngineConfig;
pub use erase_psu::Erasure;
pub use export_audit::{AuditCursor, AuditLines};
pub use health::{AnchorHealth, Health, ListHealth, OutboxHealth, SealHealth, StoreHealth};
#[cfg(feature = "sandbox")]
pub(crate) use logging::caught;
pub use logging::logged;
pub use open_authorisation::{OpenAuthorisation, Subject};
pub use public_api::Engine;
pub use run_due::RunReport;
