//! `xs2a.Clock`: the time of a sandbox.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use pyo3::prelude::*;

use crate::convert::{datetime, Instant};
use crate::door::Door;

/// The clock of a sandbox: it changes only when it is moved, and never goes back.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Clock(pub(crate) Arc<Door>);

#[pymethods]
impl Clock {
    /// The time it shows.
    fn now(&self, py: Python<'_>) -> PyResult<DateTime<Utc>> {
        self.0.call(py, |sandbox| Ok(sandbox.now())).map(datetime)
    }

    /// Move it to a time; what the bank does up to then is done, each at its own time.
    fn set(&self, py: Python<'_>, t: Instant) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_now(t.0))
    }

    /// Move it on; what the bank does up to then is done, each at its own time.
    fn advance(&self, py: Python<'_>, by: TimeDelta) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.advance(by))
    }

    /// The next time at which the bank does something; the clock stays.
    fn next_event(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.0.call(py, |sandbox| sandbox.next_event()).map(|event| event.map(datetime))
    }

    /// Move it to the next time at which the bank does something, and do it.
    fn advance_to_next_event(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.0.call(py, |sandbox| sandbox.advance_to_next_event()).map(|event| event.map(datetime))
    }
}
