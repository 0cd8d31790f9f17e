//! The third party: its certificate, its signature, its roles.
//!
//! Everything here is pure: time, trust anchors and revocation are arguments.

pub mod bundle;
pub mod certificate;
pub mod certificate_header;
pub mod chain;
pub mod digest;
pub mod distinguished_name;
mod extension;
mod known_key_id;
pub mod qc_statement;
pub mod qualification;
pub mod response_key;
pub mod role;
pub mod serial_number;
mod shape;
pub mod sign;
pub mod signature_header;
pub mod signer;
mod signing_pair;
pub mod signing_string;
pub mod trust;
pub mod verify;
