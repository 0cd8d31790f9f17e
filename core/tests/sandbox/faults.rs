//! Faults: what a test makes go wrong on purpose, and what does not go wrong because of it.

mod bank;
mod clock;
mod conditions;
mod refusals;
mod sandboxes;
mod sca;
mod scenarios;
