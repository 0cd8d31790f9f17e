//! xs2a: an embeddable PSD2 "access to account" engine.
//!
//! It takes a raw HTTP request of a third party and returns the bank's complete answer. ARCHITECTURE.md, at the root of
//! the repository, follows a request through the code.
//!
//! | for | see |
//! |---|---|
//! | an engine in a gateway | [`Engine`], [`EngineBuilder`], [`Request`], [`Response`] |
//! | the bank behind it | [`bank`], in other languages [`json_bank`] |
//! | its state | [`store`]: [`store::open`], or a store of your own |
//! | time, randomness, log, registers | [`env`](mod@env) |
//! | trust anchors and lists | [`trust`] |
//! | what a bank may set | [`policy`] |
//! | errors | [`Error`] for the host, [`reason`] for what a TPP gets |
//! | functions without an engine | [`tools`], [`explain`](mod@explain) |
//! | a whole bank to test against | `Sandbox`, with feature `sandbox` |
//! | its tables as Apache Arrow and Parquet | `tables`, with features `arrow` and `parquet` |
//!
//! Records and enums that may grow are `#[non_exhaustive]`. These are not: what a host constructs (the records of
//! [`bank`] and [`store`], options), because a new field needs a value from it; and what a host must handle completely
//! ([`bank::Product`], [`bank::Order`], [`bank::ScaOccasion`], [`json_bank::BankMethod`], [`store::Write`]), because
//! a case that it does not handle must not compile. A change of one of these is a breaking change, and
//! `core/public-api.txt` shows every change.
#![forbid(unsafe_code)]
// The default build, which has the sandbox, reports dead code.
#![cfg_attr(
    not(feature = "sandbox"),
    expect(dead_code, reason = "some functions are used by the sandbox alone")
)]

/// The README's Rust examples, run as they are printed.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The same of the guide for gateways.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/gateway.md")]
struct GatewayGuide;

/// And of the guide to trust.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/trust.md")]
struct TrustGuide;

mod account;
mod audit;
pub mod bank;
mod basket;
mod consent;
mod crypto;
mod engine;
pub mod env;
mod error;
pub mod explain;
mod handler_error;
#[doc(hidden)]
pub mod internal;
pub mod json_bank;
#[expect(unreachable_pub, reason = "the macro declares all limits alike, and `internal` lists some of them")]
mod limits;
mod machine;
mod openapi;
mod operation;
mod payment;
mod pipeline;
pub mod policy;
pub mod reason;
#[cfg(feature = "sandbox")]
pub mod sandbox;
#[cfg(feature = "sandbox")]
mod sandbox_control;
mod sca;
mod session;
mod statistics;
pub mod store;
#[cfg(feature = "arrow")]
pub mod tables;
pub mod tools;
mod tpp;
pub mod trust;
pub mod types;
mod wire;

pub use engine::{
    logged, AnchorHealth, AuditCursor, AuditLines, Engine, EngineBuilder, EngineConfig, Erasure, Health,
    ListHealth, OpenAuthorisation, OutboxHealth, RunReport, ScaOutcome, SealHealth, StoreHealth, Subject,
};
pub use error::{Error, Result, StoreFault};
pub use explain::{explain, mistakes, ExplainOptions, Explanation};
#[cfg(feature = "sandbox")]
pub use sandbox::{Coverage, CoverageKind, Fault, FaultKind, FaultSpec, GeneratorVersion, PopulationPlan};
#[cfg(feature = "sandbox")]
pub use sandbox_control::{
    diff, JournalExport, JournalForm, ProvokedRequest, RefusedCall, Sandbox, SandboxOptions, ScaAnswer,
    StateRows, TestTpp,
};
pub use sca::callback::Redirect;
pub use statistics::figures::{DayStatistics, RequestFigures};
pub use types::Context;
pub use wire::call_record::Timing;
pub use wire::http::HttpAnswer;
pub use wire::request::Request;
pub use wire::response::{Response, ResponseHeaders};
