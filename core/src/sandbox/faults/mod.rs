//! Faults: what a test makes go wrong on purpose. They are part of the sandbox object, never of its state.

mod bank;
mod fault;
mod scenario;
mod set;
mod spec;
mod words;

pub(crate) use bank::FaultyBank;
pub use fault::Fault;
pub(crate) use set::Faults;
pub(crate) use spec::ScaEnd;
pub use spec::{FaultKind, FaultSpec, Predicate};
