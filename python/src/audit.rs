//! The audit of an engine, line by line.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use xs2a::AuditCursor;

use crate::convert::{json_value, Instant};
use crate::engine::Engine;

/// The lines of a time, each as a dict.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct AuditLines {
    engine: Py<Engine>,
    cursor: Mutex<AuditCursor>,
}

impl AuditLines {
    pub(crate) fn new(engine: Py<Engine>, start: &Instant, end: &Instant) -> Self {
        Self { engine, cursor: Mutex::new(AuditCursor::new(start.0..end.0)) }
    }
}

#[pymethods]
impl AuditLines {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Of a bank that keeps them the collector sees the way to its engine.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.engine)
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let engine = self.engine.get();
        // Taken with the interpreter released: the thread that holds it may need the interpreter to release it.
        let line = engine
            .call(py, |engine| self.cursor.lock().unwrap_or_else(PoisonError::into_inner).next(engine))?;
        line.map(|line| json_value(py, line)).transpose()
    }
}
