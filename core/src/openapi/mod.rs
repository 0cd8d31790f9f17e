//! The interface that TPPs call, as an OpenAPI 3.1 document: printed from the tables that answer the calls, so that it
//! says what this library does.
//!
//! Routes, headers and queries come from the operation tables, bodies from their declarations. The answers are declared
//! in `answers`; tests compare every answer with it.

mod answers;
mod bodies;
mod document;
mod operations;
mod parameters;

pub use document::document;
