//! What an engine trusts, replaced by plain bytes while it runs: for hosts in other languages, whose engine was set up
//! by a configuration. Rust hosts keep what they gave to the builder, and replace it there.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::env::clock::Clock;
use crate::env::registry::{Applicant, TppRegistry};
use crate::env::revocation::Revocation;
use crate::error::{Error, Result};
use crate::trust::{AnswerAges, CachedRegistry, RegisterExtract, RevocationLists};

/// Revocation lists and a register that the host supplies.
pub(super) struct HostTrust {
    pub(super) lists: Option<Arc<RevocationLists>>,
    pub(super) register: Register,
}

/// Where an engine looks up TPPs.
pub(super) enum Register {
    /// With the host, on every call.
    Asked(Arc<dyn TppRegistry>),
    /// With the host, whose answers count for a while.
    Remembered(Arc<CachedRegistry>),
    /// In the extract that the host supplied last.
    Supplied(Arc<SuppliedRegister>),
}

/// Everybody counts until an extract is supplied, and from then on whom it has.
#[derive(Default)]
pub(super) struct SuppliedRegister(pub(super) RwLock<Option<RegisterExtract>>);

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
