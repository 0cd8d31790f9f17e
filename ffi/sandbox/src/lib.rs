//! `libxs2a_sandbox`: everything that `libxs2a` has, and the sandbox. In a program it takes the place of `libxs2a`.
//!
//! The functions of `libxs2a` are its files, compiled here once more against a core that has the sandbox: so each is
//! exported, and has one source. The contract with C is that of `ffi/src/lib.rs`.
#![expect(non_camel_case_types, reason = "the types carry the names they have in C")]
#![expect(clippy::missing_safety_doc, reason = "one contract for every function: the preamble of the header")]

pub mod clock;
pub mod faults;
pub mod headers;
pub mod journal;
mod library;
pub mod sandbox;
pub mod sca;
pub mod sca_demand;
pub mod state;
pub mod table;
pub mod tpp;

// What libxs2a has too.
#[path = "../../src/abi.rs"]
pub mod abi;
#[path = "../../src/bank.rs"]
pub mod bank;
#[path = "../../src/bytes.rs"]
pub mod bytes;
#[path = "../../src/engine.rs"]
pub mod engine;
#[path = "../../src/error.rs"]
pub mod error;
#[path = "../../src/explain.rs"]
pub mod explain;
#[path = "../../src/guard.rs"]
pub mod guard;
#[path = "../../src/json.rs"]
pub mod json;
#[path = "../../src/message.rs"]
pub mod message;
#[path = "../../src/only_library.rs"]
mod only_library;
#[path = "../../src/operate.rs"]
pub mod operate;
#[path = "../../src/own_engine.rs"]
pub mod own_engine;
#[path = "../../src/response_signature.rs"]
pub mod response_signature;
#[path = "../../src/signature.rs"]
pub mod signature;
#[path = "../../src/statistics.rs"]
pub mod statistics;
#[path = "../../src/time.rs"]
mod time;
#[path = "../../src/tools.rs"]
pub mod tools;
#[path = "../../src/trust.rs"]
pub mod trust;
#[path = "../../src/upkeep.rs"]
pub mod upkeep;
#[path = "../../src/version.rs"]
pub mod version;
#[path = "../../src/writer.rs"]
pub mod writer;
