//! xs2a: an embeddable PSD2 "access to account" engine.
//!
//! It takes a raw HTTP request of a third party and returns the bank's complete answer. ARCHITECTURE.md, at the root of
//! the repository, follows a request through the code.
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

pub mod account;
pub mod audit;
pub mod bank;
pub mod basket;
pub mod consent;
pub mod crypto;
pub mod engine;
pub mod env;
pub mod error;
pub mod explain;
mod handler_error;
pub mod json_bank;
pub mod limits;
pub mod machine;
pub mod openapi;
pub mod operation;
pub mod payment;
mod pipeline;
pub mod policy;
pub mod reason;
#[cfg(feature = "sandbox")]
pub mod sandbox;
#[cfg(feature = "sandbox")]
mod sandbox_control;
pub mod sca;
pub mod session;
pub mod store;
pub mod tools;
pub mod tpp;
pub mod trust;
pub mod types;
pub mod wire;

pub use engine::{Engine, EngineBuilder, OpenAuthorisation, RunReport, ScaOutcome};
pub use error::{Error, Result};
pub use explain::{explain, mistakes, ExplainOptions, Explanation};
#[cfg(feature = "sandbox")]
pub use sandbox::coverage::{Coverage, CoverageKind};
#[cfg(feature = "sandbox")]
pub use sandbox::faults::{Fault, FaultKind, FaultSpec};
#[cfg(feature = "sandbox")]
pub use sandbox::population::PopulationPlan;
#[cfg(feature = "sandbox")]
pub use sandbox_control::{
    diff, JournalExport, JournalForm, ProvokedRequest, RefusedCall, Sandbox, SandboxOptions, ScaAnswer,
    StateRows, TestTpp,
};
pub use sca::callback::Redirect;
pub use types::Context;
pub use wire::request::Request;
pub use wire::response::Response;
