//! What a TPP needs to talk to a bank that exists in the sandbox alone.

pub mod pki;
pub mod sign;
