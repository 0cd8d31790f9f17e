//! The way to a sandbox.

use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;

use crate::bank::guarded;
use crate::progress::refuse_calls;

/// The access to a sandbox for every object that belongs to it. A call in progress keeps the sandbox; no lock is held
/// during it, so that a callback, such as a fault's `when`, may call again, and close it. A call after closing is a
/// `MisuseError`.
pub(crate) struct SandboxAccess(RwLock<Option<Arc<xs2a::Sandbox>>>);

impl SandboxAccess {
    pub(crate) fn open(sandbox: xs2a::Sandbox) -> Arc<Self> {
        Arc::new(Self(RwLock::new(Some(Arc::new(sandbox)))))
    }

    /// One call, with the interpreter released: if the sandbox was closed during it, its last reference is dropped
    /// here, too.
    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&xs2a::Sandbox) -> xs2a::Result<T> + Send,
    ) -> PyResult<T> {
        guarded(py, || {
            refuse_calls()?;
            match self.sandbox() {
                Some(sandbox) => call(&sandbox),
                None => Err(xs2a::Error::Misuse("the sandbox is closed".to_owned())),
            }
        })
    }

    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        guarded(py, || {
            refuse_calls()?;
            let open = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
            // Calls of other threads that are under way keep the sandbox, and may leave evidence of reads after this.
            open.map_or(Ok(()), |sandbox| sandbox.engine().close())
        })
    }

    /// `None` where it is closed.
    fn sandbox(&self) -> Option<Arc<xs2a::Sandbox>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
