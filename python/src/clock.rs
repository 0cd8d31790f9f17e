//! `xs2a.Clock`: the time of a sandbox.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use pyo3::prelude::*;

use crate::convert::{datetime, Instant};
use crate::given::Span;
use crate::pickling::{not_pickled, OF_A_SANDBOX};
use crate::sandbox_access::SandboxAccess;

#[doc = help!("Clock")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Clock(pub(crate) Arc<SandboxAccess>);

#[pymethods]
impl Clock {
    #[doc = help!("Clock.now")]
    fn now(&self, py: Python<'_>) -> PyResult<DateTime<Utc>> {
        self.0.call(py, |sandbox| Ok(sandbox.now())).map(datetime)
    }

    #[doc = help!("Clock.set")]
    fn set(&self, py: Python<'_>, t: Instant) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_now(t.0))
    }

    #[doc = help!("Clock.advance")]
    fn advance(&self, py: Python<'_>, by: Span) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.advance(by.0))
    }

    #[doc = help!("Clock.next_event")]
    fn next_event(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.0.call(py, |sandbox| sandbox.next_event()).map(|event| event.map(datetime))
    }

    #[doc = help!("Clock.advance_to_next_event")]
    fn advance_to_next_event(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.0.call(py, |sandbox| sandbox.advance_to_next_event()).map(|event| event.map(datetime))
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled("Clock", OF_A_SANDBOX)
    }
}
