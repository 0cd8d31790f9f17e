//! The cryptography of TLS, for the store on PostgreSQL.

use rustls::crypto::CryptoProvider;

/// AWS-LC, which is linked already; `None` in a library without it.
pub(crate) fn provider() -> Option<CryptoProvider> {
    #[cfg(feature = "aws-lc")]
    let provider = Some(rustls::crypto::aws_lc_rs::default_provider());
    #[cfg(not(feature = "aws-lc"))]
    let provider = None;
    provider
}
