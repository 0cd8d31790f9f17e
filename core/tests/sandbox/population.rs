//! Populations of a sandbox: their balances are consistent, their numbers exist nowhere else, and the default calls
//! work.

mod bounds;
mod history;
mod numbers;
mod use_of_it;
#[cfg(feature = "arrow")]
mod versions;
