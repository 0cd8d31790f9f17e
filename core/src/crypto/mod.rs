//! The only interface to cryptography: verify, sign, hash.
//!
//! `aws_lc` is used if its feature is on (the default), `pure_rust` otherwise. With both features the second is
//! there under its own name: tests and fuzz targets compare them.

#[cfg(not(any(feature = "aws-lc", feature = "pure-rust")))]
compile_error!("xs2a needs a cryptographic backend: enable the feature `aws-lc` or `pure-rust`");

pub(crate) mod any_hash;
#[cfg(feature = "aws-lc")]
pub(crate) mod aws_lc;
pub(crate) mod key;
#[cfg(feature = "sandbox")]
pub(crate) mod mac;
pub mod pem;
#[cfg(feature = "pure-rust")]
#[cfg_attr(feature = "aws-lc", expect(dead_code, unreachable_pub, reason = "tests compare a part of it"))]
pub(crate) mod pure_rust;
pub(crate) mod rsa_block;
pub(crate) mod scheme;
#[cfg(feature = "postgres")]
pub(crate) mod tls;

#[cfg(feature = "aws-lc")]
use aws_lc as backend;
#[cfg(all(feature = "pure-rust", not(feature = "aws-lc")))]
use pure_rust as backend;

pub(crate) use backend::refused_key;
pub use backend::{sha256, sha512, verify_certificate, RsaPrivateKey, RsaPublicKey};
pub(crate) use scheme::RefusedScheme;
pub use scheme::SignatureScheme;
