//! The third party: its certificate, its signature, its roles.
//!
//! Everything here is pure: time, trust anchors and revocation are arguments.

pub(crate) mod bundle;
pub(crate) mod certificate;
pub(crate) mod certificate_header;
pub(crate) mod chain;
pub(crate) mod digest;
pub(crate) mod distinguished_name;
mod extension;
mod known_key_id;
pub(crate) mod qc_statement;
pub(crate) mod qualification;
pub(crate) mod response_key;
pub(crate) mod role;
pub(crate) mod serial_number;
mod shape;
pub(crate) mod sign;
pub(crate) mod signature_header;
pub(crate) mod signer;
mod signing_pair;
pub(crate) mod signing_string;
pub(crate) mod trust;
pub(crate) mod verify;
