//! What a TPP needs to try the check of a sandbox's signed answers.

use super::sandbox::Sandbox;
use crate::sandbox::pki::ROOT_PEM;

impl Sandbox {
    /// The root certificate of the test PKI, PEM: the trust anchor of the certificate that comes with the answers
    /// of a sandbox whose policy has `sign_responses`. Its key is public; trust it nowhere else.
    pub fn root_pem(&self) -> &'static str {
        ROOT_PEM
    }
}
