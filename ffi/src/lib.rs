//! `libxs2a`: the C door. It converts and calls; every decision is made in the core.
//!
//! The contract with C stands once, in the preamble of `include/xs2a.h` (`cbindgen.toml`), and the signatures
//! say it in Rust: a pointer that may be NULL is an `Option`, an output is a `MaybeUninit` that
//! [`guard::produce`] alone writes, a handle the caller owns is a `Box`. So the only unsafe code left is where a length
//! or a size comes beside a pointer, or a text ends with a NUL, where an engine is borrowed or given away, and where
//! the host is called back.
#![expect(non_camel_case_types, reason = "the types carry the names they have in C")]
#![expect(clippy::missing_safety_doc, reason = "one contract for every function: the preamble of the header")]

pub mod abi;
pub mod bank;
pub mod clock;
pub mod engine;
pub mod error;
pub mod faults;
pub mod guard;
pub mod journal;
pub mod json;
pub mod message;
pub mod own_engine;
pub mod response_signature;
pub mod sandbox;
pub mod sca;
pub mod sca_demand;
pub mod signature;
pub mod state;
pub mod tools;
pub mod tpp;
pub mod trust;
pub mod upkeep;
pub mod version;
pub mod writer;
