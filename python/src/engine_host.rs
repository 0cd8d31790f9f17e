//! What an `xs2a.Engine` is over, and how a call reaches it.

use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;

use crate::bank::{self, Asked};
use crate::engine::Engine;
use crate::error::misuse;
use crate::sandbox_access::SandboxAccess;

/// Whose engine it is.
pub(crate) enum Host {
    /// The one of a sandbox, which closes it.
    Sandbox(Arc<SandboxAccess>),
    /// Over a bank of the host's own. A call in progress keeps the engine; no lock is held during it, so that a bank
    /// may call back, and close it.
    Own(RwLock<Option<Open>>),
}

/// An engine that is not closed.
pub(crate) struct Open {
    pub(crate) engine: Arc<xs2a::Engine>,
    /// The objects that it asks. While there is no call, the engine of this object is the only other owner.
    pub(crate) asked: Vec<Asked>,
    /// The callable that signs its answers.
    pub(crate) signer: Option<Asked>,
}

impl Engine {
    pub(crate) fn new(access: Arc<SandboxAccess>) -> Self {
        Self(Host::Sandbox(access))
    }

    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&xs2a::Engine) -> xs2a::Result<T> + Send,
    ) -> PyResult<T> {
        match &self.0 {
            Host::Sandbox(access) => access.call(py, |sandbox| call(sandbox.engine())),
            Host::Own(own) => {
                let open = own.read().unwrap_or_else(PoisonError::into_inner);
                let engine = open.as_ref().map(|open| Arc::clone(&open.engine));
                drop(open);
                let engine = engine.ok_or_else(|| misuse(py, "the engine is closed"))?;
                bank::guarded(py, || call(&engine))
            }
        }
    }

    /// Returns true if a call of several steps goes on to the next: the engine is not closed, and there is no exception
    /// to raise.
    pub(crate) fn goes_on(&self) -> bool {
        match &self.0 {
            Host::Sandbox(_) => true,
            Host::Own(own) => {
                !bank::has_raised() && own.read().unwrap_or_else(PoisonError::into_inner).is_some()
            }
        }
    }
}
