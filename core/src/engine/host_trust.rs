//! What an engine trusts, replaced by plain bytes while it runs: for hosts in other languages, whose engine was set up
//! by a configuration. Rust hosts keep what they gave to the builder, and replace it there.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::RwLock;

use super::Engine;
use crate::env::clock::Clock;
use crate::env::registry::{Applicant, TppRegistry};
use crate::env::revocation::Revocation;
use crate::error::{Error, Result};
use crate::tpp::bundle::parse_bundle;
use crate::tpp::trust::TrustAnchors;
use crate::trust::{AnswerAges, CachedRegistry, RegisterExtract, RevocationLists};

/// Revocation lists and a register that the host supplies.
pub(super) struct HostTrust {
    lists: Option<Arc<RevocationLists>>,
    register: Register,
}

/// Where an engine looks up TPPs.
enum Register {
    /// With the host, on every call.
    Asked(Arc<dyn TppRegistry>),
    /// With the host, whose answers count for a while.
    Remembered(Arc<CachedRegistry>),
    /// In the extract that the host supplied last.
    Supplied(Arc<SuppliedRegister>),
}

/// Everybody counts until an extract is supplied, and from then on whom it has.
#[derive(Default)]
struct SuppliedRegister(RwLock<Option<RegisterExtract>>);

impl TppRegistry for SuppliedRegister {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        self.0.read().as_ref().map_or(Ok(true), |extract| extract.is_registered(applicant))
    }
}

impl HostTrust {
    /// `revoked`, `asked`: the host's own revocation and register, where it has them. The answers of the register
    /// count for `ages`, or for one call.
    pub(super) fn new(
        revoked: Option<&Arc<dyn Revocation>>,
        asked: Option<Arc<dyn TppRegistry>>,
        ages: Option<AnswerAges>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self> {
        let register = match (asked, ages) {
            (Some(asked), None) => Register::Asked(asked),
            (Some(asked), Some(ages)) => {
                Register::Remembered(Arc::new(CachedRegistry::new(asked, Arc::clone(clock), ages)))
            }
            (None, None) => Register::Supplied(Arc::default()),
            (None, Some(_)) => {
                let text = "registry_ages: there is no registry to ask, so there is no answer to remember";
                return Err(Error::Config(text.to_owned()));
            }
        };
        let lists = revoked.is_none().then(Arc::default);
        Ok(Self { lists, register })
    }

    /// `None` where the host has its own.
    pub(super) fn revocation(&self) -> Option<Arc<dyn Revocation>> {
        self.lists.as_ref().map(|lists| Arc::clone(lists) as _)
    }

    pub(super) fn registry(&self) -> Arc<dyn TppRegistry> {
        match &self.register {
            Register::Asked(asked) => Arc::clone(asked),
            Register::Remembered(cached) => Arc::clone(cached) as _,
            Register::Supplied(supplied) => Arc::clone(supplied) as _,
        }
    }
}

impl Engine {
    /// As [`Engine::replace_trust_anchors`], with the certificates of PEM, or the one of DER; gives how many there
    /// are. On an error the old ones stay.
    ///
    /// # Errors
    /// [`Error::Config`] for what holds no certificate, or one that cannot be read; [`Error::Misuse`] for an engine
    /// that was not set up by a configuration, as that of a sandbox.
    pub fn replace_trust_anchors_with(&self, bundle: &[u8]) -> Result<usize> {
        self.host_trust()?;
        let anchors =
            TrustAnchors::from_bundle(bundle).map_err(|fault| Error::unusable("trust_anchors", &fault))?;
        let count = anchors.len();
        self.replace_trust_anchors(anchors);
        Ok(count)
    }

    /// Takes the revocation lists of PEM, or the one of DER, as [`RevocationLists::supply`] does, and gives how many
    /// there were. `authorities` are the certificates, PEM or DER, of those who may have issued them. On an error
    /// nothing is taken.
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

    /// Forgets every revocation list that was supplied.
    ///
    /// # Errors
    /// [`Error::Misuse`] as [`Engine::replace_trust_anchors_with`].
    pub fn clear_revocation_lists(&self) -> Result<()> {
        self.revocation_lists()?.clear();
        Ok(())
    }

    /// When the first revocation list ceases to count; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Misuse`] as [`Engine::replace_trust_anchors_with`].
    pub fn next_revocation_list_due(&self) -> Result<Option<DateTime<Utc>>> {
        Ok(self.revocation_lists()?.next_due())
    }

    /// Puts an extract of the European Banking Authority's register in place, in the form that [`RegisterExtract`]
    /// reads, and gives how many institutions count. From the next call on a TPP that it has not is refused. On an
    /// error the old one stays.
    ///
    /// # Errors
    /// [`Error::Config`] with the place; [`Error::Misuse`] for an engine that asks its host's own register, and as
    /// [`Engine::replace_trust_anchors_with`].
    pub fn replace_register(&self, extract: &[u8]) -> Result<usize> {
        let Register::Supplied(supplied) = &self.host_trust()?.register else {
            let text = "this engine asks the host's own register, so that none can be supplied";
            return Err(Error::Misuse(text.to_owned()));
        };
        let extract = RegisterExtract::from_json(extract)?;
        let count = extract.len();
        *supplied.0.write() = Some(extract);
        Ok(count)
    }

    /// Forgets what the host's register answered about an organisation: it is asked at the organisation's next call.
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
            Register::Supplied(_) => {
                Err(Error::Misuse("this engine asks no register that could answer anew".to_owned()))
            }
        }
    }

    fn revocation_lists(&self) -> Result<&RevocationLists> {
        let text = "this engine asks the host's own revocation, so that no list can be supplied";
        self.host_trust()?.lists.as_deref().ok_or_else(|| Error::Misuse(text.to_owned()))
    }

    fn host_trust(&self) -> Result<&HostTrust> {
        let text = "what this engine trusts is not its own to replace: it was not set up by a configuration";
        self.host_trust.as_ref().ok_or_else(|| Error::Misuse(text.to_owned()))
    }
}
