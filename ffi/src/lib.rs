//! `libxs2a`: the C interface without the sandbox. It converts and calls; every decision is made in the core.
//! `libxs2a_sandbox` (`ffi/sandbox`) is made of the same files, and of its own.
//!
//! The contract with C is written once, in the preamble of `include/xs2a.h` (`cbindgen.toml`), and the signatures
//! express it in Rust: a pointer that may be NULL is an `Option`, an output is a `MaybeUninit` that [`guard::produce`]
//! alone writes, a handle the caller owns is a `Box`. So the only unsafe code left is where a length or a size comes
//! beside a pointer, or a text ends with a NUL, where an engine is borrowed or given away, and where the host is called
//! back.
#![expect(non_camel_case_types, reason = "the types carry the names they have in C")]
#![expect(clippy::missing_safety_doc, reason = "one contract for every function: the preamble of the header")]

pub mod abi;
pub mod bank;
pub mod bytes;
pub mod engine;
pub mod error;
pub mod explain;
pub mod guard;
pub mod json;
mod library;
pub mod message;
mod only_library;
pub mod operate;
pub mod own_engine;
pub mod response_signature;
pub mod signature;
pub mod statistics;
mod time;
pub mod tools;
pub mod trust;
pub mod upkeep;
pub mod version;
pub mod writer;
