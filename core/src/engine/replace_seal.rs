//! Another seal while the engine runs.

use std::sync::Arc;

use super::logging::caught;
use super::validity::warn_of_seal;
use super::Engine;
use crate::error::{Error, Result};
use crate::tpp::response_key::ResponseKey;

impl Engine {
    /// Replaces what answers are signed with. It counts from the next call on; a call in progress may still be signed
    /// by the old one. An engine that signed no answers signs them from then on. A certificate that is expired or not
    /// yet valid is logged.
    pub fn replace_response_key(&self, key: ResponseKey) {
        // It is put in place though the host's clock panics.
        self.logging.around(|| {
            caught("replace_response_key", || warn_of_seal(&key, self.context.clock.now()));
        });
        *self.context.response_key.write() = Some(Arc::new(key));
    }

    /// As [`Engine::replace_response_key`], with a certificate and its private key, PEM or DER; without a key, the
    /// host's function signs ([`EngineBuilder::response_signer`](super::EngineBuilder::response_signer)). On an error
    /// the old one stays.
    ///
    /// # Errors
    /// As [`ResponseKey::new`] and [`ResponseKey::with_signer`]; [`Error::Misuse`] for an engine without such a
    /// function, and for one that was not built from a configuration, such as that of a sandbox.
    pub fn replace_response_key_with(&self, certificate: &[u8], private_key: Option<&[u8]>) -> Result<()> {
        let signer = self.host_trust()?.signer.as_ref();
        self.replace_response_key_by(|| match (private_key, signer) {
            (Some(private_key), _) => ResponseKey::new(certificate, private_key),
            (None, Some(signer)) => ResponseKey::with_signer(certificate, Arc::clone(signer)),
            (None, None) => {
                let text = "there is neither a private key nor a function that signs with it";
                Err(Error::Misuse(text.to_owned()))
            }
        })
    }

    /// As [`Engine::replace_response_key`], with what `make` returns; its failure is logged, and a panic of the host's
    /// function is one. On an error the old one stays.
    ///
    /// # Errors
    /// Those of `make`; [`Error::Misuse`] for an engine that was not built from a configuration.
    pub fn replace_response_key_by(&self, make: impl FnOnce() -> Result<ResponseKey>) -> Result<()> {
        self.host_trust()?;
        let key = self.logging.guard("replace_response_key", make)?;
        self.replace_response_key(key);
        Ok(())
    }
}
