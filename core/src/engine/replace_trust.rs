//! Other trust anchors, revocation lists and registers while the engine runs.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::host_trust::{HostTrust, Register};
use super::logging::caught;
use super::validity::warn_of_anchors;
use super::Engine;
use crate::error::{Error, Result};
use crate::tpp::bundle::parse_bundle;
use crate::tpp::trust::TrustAnchors;
use crate::trust::{RegisterExtract, RevocationLists};

impl Engine {
    /// Replaces the trust anchors. Only the new ones count from the next call on; a call in progress may still use the
    /// old ones. Anchors that are expired or not yet valid, and anchors whose keys are not supported, are logged, and
    /// so is an empty set: then every TPP is refused.
    pub fn replace_trust_anchors(&self, anchors: TrustAnchors) {
        // They are put in place though the host's clock panics.
        self.logging.around(|| {
            caught("replace_trust_anchors", || warn_of_anchors(&anchors, self.context.clock.now()));
        });
        self.context.replace_trust(anchors);
    }

    /// As [`Engine::replace_trust_anchors`], with the certificates of PEM, or the one of DER; returns their number. On
    /// an error the old ones stay.
    ///
    /// # Errors
    /// [`Error::Config`] for a text without a certificate, or with one that cannot be read; [`Error::Misuse`] for an
    /// engine that was not built from a configuration, such as that of a sandbox.
    pub fn replace_trust_anchors_with(&self, bundle: &[u8]) -> Result<usize> {
        self.host_trust()?;
        let anchors =
            TrustAnchors::from_bundle(bundle).map_err(|fault| Error::unusable("trust_anchors", &fault))?;
        let count = anchors.len();
        self.replace_trust_anchors(anchors);
        Ok(count)
    }

    /// Takes the revocation lists of PEM, or the one of DER, as [`RevocationLists::supply`] does, and returns
    /// their number. `authorities` are the certificates, PEM or DER, that may have issued them. On an error no list
    /// is taken.
    ///
    /// # Errors
    /// [`Error::Config`] with the [`ListFault`](crate::trust::ListFault), and for authorities that cannot be read;
    /// [`Error::Misuse`] as [`Engine::replace_trust_anchors_with`].
    pub fn supply_revocation_lists(&self, lists: &[u8], authorities: &[u8]) -> Result<usize> {
        let held = self.revocation_lists()?;
        let authorities =
            parse_bundle(authorities).map_err(|fault| Error::unusable("authorities", &fault))?;
        let authorities: Vec<_> = authorities.into_iter().map(Arc::new).collect();
        let supplied = held.supply(lists, &authorities);
        supplied.map_err(|fault| Error::Config(format!("revocation list: {fault}")))
    }

    /// Removes every supplied revocation list.
    ///
    /// # Errors
    /// [`Error::Misuse`] as [`Engine::replace_trust_anchors_with`].
    pub fn clear_revocation_lists(&self) -> Result<()> {
        self.revocation_lists()?.clear();
        Ok(())
    }

    /// When the first revocation list expires; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Misuse`] as [`Engine::replace_trust_anchors_with`].
    pub fn next_revocation_list_due(&self) -> Result<Option<DateTime<Utc>>> {
        Ok(self.revocation_lists()?.next_due())
    }

    /// Replaces the extract of the European Banking Authority's register, in the form that [`RegisterExtract`] reads,
    /// and returns the number of institutions. From the next call on, a TPP is refused that is not in it, or that it
    /// does not allow the service in the bank's country (policy `country`). On an error the old one stays.
    ///
    /// # Errors
    /// [`Error::Config`] with the place; [`Error::Misuse`] for an engine that asks its host's own register, and as
    /// [`Engine::replace_trust_anchors_with`].
    pub fn replace_register(&self, extract: &[u8]) -> Result<usize> {
        let Register::Supplied(supplied) = &self.host_trust()?.register else {
            let text = "this engine asks the host's own register, so that none can be supplied";
            return Err(Error::Misuse(text.to_owned()));
        };
        let extract = RegisterExtract::from_json(extract, self.context.policy().country)?;
        let count = extract.len();
        *supplied.0.write() = Some(extract);
        Ok(count)
    }

    /// Removes the cached answer of the host's register about an organisation: the register is asked at its next call.
    /// For notices of withdrawal.
    ///
    /// # Errors
    /// [`Error::Misuse`] for an engine that does not ask its host's own register, and as
    /// [`Engine::replace_trust_anchors_with`].
    pub fn forget_registration(&self, organisation_id: &str) -> Result<()> {
        match &self.host_trust()?.register {
            // Asked on every call, there is nothing to forget.
            Register::Asked(_) => Ok(()),
            Register::Remembered(cached) => {
                cached.forget(organisation_id);
                Ok(())
            }
            Register::Supplied(_) => Err(Error::Misuse(
                "the register of this engine was supplied with replace_register: supply a new one instead"
                    .to_owned(),
            )),
        }
    }

    fn revocation_lists(&self) -> Result<&RevocationLists> {
        let text = "this engine asks the host's own revocation, so that no list can be supplied";
        self.host_trust()?.lists.as_deref().ok_or_else(|| Error::Misuse(text.to_owned()))
    }

    pub(super) fn host_trust(&self) -> Result<&HostTrust> {
        let text = "what this engine trusts is not its own to replace: it was not set up by a configuration";
        self.host_trust.as_ref().ok_or_else(|| Error::Misuse(text.to_owned()))
    }
}
