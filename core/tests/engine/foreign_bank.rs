//! A bank that is asked in JSON: the sandbox's, told in JSON by hand, answers as the sandbox's own; and whatever a bank
//! answers that it must not is its error.

mod answers;
mod mirror;
mod misbehaving;
mod twins;
