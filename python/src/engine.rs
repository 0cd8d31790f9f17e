//! The engine behind a sandbox, for the host's scheduler.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use pyo3::prelude::*;

use crate::convert::{datetime, value_class};
use crate::sandbox::Door;

/// The engine of a sandbox: `sandbox.engine`.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Engine(Arc<Door>);

impl Engine {
    pub(crate) fn new(door: Arc<Door>) -> Self {
        Self(door)
    }
}

#[pymethods]
impl Engine {
    /// Hand what is due to the bank.
    fn run_due<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.0.call(py, |sandbox| sandbox.engine().run_due())?;
        value_class(py, "RunReport")?.call1((report.submitted, report.failed))
    }

    /// When something is due next; None: nothing is waiting.
    fn next_due(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.0.call(py, |sandbox| sandbox.engine().next_due()).map(|due| due.map(datetime))
    }
}
