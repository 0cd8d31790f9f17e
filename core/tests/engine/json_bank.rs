//! A bank that is asked in JSON: the sandbox's bank, written in JSON by hand, gives the same answers as the sandbox
//! itself; any invalid answer of a bank is the bank's error.

mod answers;
mod mirror;
mod misbehaving;
mod questions;
mod twins;
