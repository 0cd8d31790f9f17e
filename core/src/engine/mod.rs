//! The engine: everything between a raw request and the bank's answer.

mod builder;
mod complete_sca;
mod facade;
mod report;
mod run_due;

pub use builder::EngineBuilder;
pub use complete_sca::ScaOutcome;
pub use facade::{Engine, OpenAuthorisation};
pub use run_due::RunReport;
