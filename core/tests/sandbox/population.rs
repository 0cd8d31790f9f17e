//! Populations of a sandbox: what they own adds up, nobody has their numbers, and they can be used.

mod bounds;
mod history;
mod numbers;
mod use_of_it;
