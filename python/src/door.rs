//! The way to a sandbox.

use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;

use crate::error::guarded;

/// The way to a sandbox for everything that belongs to it. Closing waits for the calls under way; a call
/// after it is a `MisuseError`.
pub(crate) struct Door(RwLock<Option<xs2a::Sandbox>>);

impl Door {
    pub(crate) fn open(sandbox: xs2a::Sandbox) -> Arc<Self> {
        Arc::new(Self(RwLock::new(Some(sandbox))))
    }

    /// One call, with the interpreter released.
    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&xs2a::Sandbox) -> xs2a::Result<T> + Send,
    ) -> PyResult<T> {
        guarded(py, || match &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            Some(sandbox) => call(sandbox),
            None => Err(xs2a::Error::Misuse("the sandbox is closed".to_owned())),
        })
    }

    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        guarded(py, || {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
            Ok(())
        })
    }
}
