//! Populations of a sandbox: their balances are consistent, their numbers exist nowhere else, and the default calls
//! work.

mod bounds;
mod cases;
#[cfg(feature = "arrow")]
mod event_tables;
#[cfg(feature = "arrow")]
mod events;
mod history;
#[cfg(feature = "arrow")]
mod labels;
mod life;
mod lives;
mod numbers;
mod pending;
#[cfg(feature = "arrow")]
mod rules;
mod use_of_it;
#[cfg(feature = "arrow")]
mod versions;
