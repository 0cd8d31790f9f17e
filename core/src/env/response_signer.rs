//! Signing by a key that is not in this process.

use crate::error::Result;

/// Signs the bank's answers, with a key in hardware or in a service.
pub trait ResponseSigner: Send + Sync {
    /// The signature over `text`: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2), the hash included, by the key
    /// of `certificate`, which is DER. Called once for each answer, from several threads at once, and once when the
    /// certificate is put in place. It may take long, but it must return: the answer waits for it.
    ///
    /// # Errors
    /// Any [`Error`](crate::Error): the answer is then a 500 without a signature.
    fn sign(&self, certificate: &[u8], text: &[u8]) -> Result<Vec<u8>>;
}
