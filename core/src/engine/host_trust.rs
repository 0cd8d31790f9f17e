//! What an engine trusts, replaced by plain bytes while it runs: for hosts in other languages, whose engine was set up
//! by a configuration. Rust hosts keep what they gave to the builder, and replace it there.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::env::clock::Clock;
use crate::env::registry::{Applicant, Registration, TppRegistry};
use crate::env::response_signer::ResponseSigner;
use crate::env::revocation::Revocation;
use crate::error::{Error, Result};
use crate::trust::{AnswerAges, CachedRegistry, RegisterExtract, RevocationLists};

/// Revocation lists and a register that the host supplies, and what signs for certificates that it supplies.
pub(super) struct HostTrust {
    pub(super) signer: Option<Arc<dyn ResponseSigner>>,
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

/// Every TPP counts until an extract is supplied, and from then on those that it has.
#[derive(Default)]
pub(super) struct SuppliedRegister(pub(super) RwLock<Option<RegisterExtract>>);

impl TppRegistry for SuppliedRegister {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        Ok(self.registration(applicant)?.is_some())
    }

    fn registration(&self, applicant: &Applicant<'_>) -> Result<Option<Registration>> {
        match &*self.0.read() {
            Some(extract) => extract.registration(applicant),
            None => Ok(Some(Registration::UNRESTRICTED)),
        }
    }
}

impl HostTrust {
    /// `signer` signs for certificates without a private key. `revoked`, `asked`: the host's own revocation and
    /// register, where it has them. The answers of the register count for `ages`, or for one call.
    pub(super) fn new(
        signer: Option<Arc<dyn ResponseSigner>>,
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
        Ok(Self { signer, lists, register })
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
