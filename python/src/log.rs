//! The log of an engine over a bank of the host's own, and of a trusted list that is read, to Python's `logging`.

use pyo3::prelude::*;
use xs2a::env::{LogLevel, Logger};

use crate::bank::raise_later;
use crate::exit;

/// Hands each line to `xs2a._log`.
pub(crate) struct PyLogger(Py<PyAny>);

impl PyLogger {
    pub(crate) fn new(py: Python<'_>) -> PyResult<Self> {
        py.import("xs2a._log")?.getattr("log").map(|log| Self(log.unbind()))
    }
}

impl Logger for PyLogger {
    /// Python decides what it shows, and may do so later.
    fn level(&self) -> LogLevel {
        LogLevel::Trace
    }

    /// What a handler raises is shown as Python shows what it cannot raise: the call goes on.
    fn log(&self, level: LogLevel, target: &str, message: &str) {
        // When the interpreter ends, so has `logging`.
        let _ = exit::attached(|py| {
            let logged = self.0.call1(py, (level.as_str(), target, message));
            if let Some(raised) = logged.err().and_then(|raised| raise_later(py, raised)) {
                raised.write_unraisable(py, None);
            }
        });
    }
}
