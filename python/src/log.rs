//! The log of an engine over a bank of the host's own, and of a trusted list that is read, to Python's `logging`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use xs2a::env::{LogLevel, LogRecord, LogValue, Logger};

use crate::bank::raise_later;
use crate::exit;

/// Hands each record to `xs2a._log`.
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
    fn log(&self, record: &LogRecord) {
        // When the interpreter ends, so has `logging`.
        let _ = exit::attached(|py| {
            let logged = fields(py, record).and_then(|fields| {
                let line = record.to_string();
                self.0.call1(py, (record.level().as_str(), record.target(), line, record.message(), fields))
            });
            if let Some(raised) = logged.err().and_then(|raised| raise_later(py, raised)) {
                raised.write_unraisable(py, None);
            }
        });
    }
}

fn fields<'py>(py: Python<'py>, record: &LogRecord) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, value) in record.fields() {
        match value {
            LogValue::Integer(number) => fields.set_item(name, number)?,
            LogValue::Boolean(value) => fields.set_item(name, value)?,
            LogValue::Text(text) => fields.set_item(name, text)?,
            // An engine of this version logs no other.
            other => fields.set_item(name, other.to_string())?,
        }
    }
    Ok(fields)
}
