//! What is done with snapshots without a sandbox.

use pyo3::prelude::*;

use crate::convert::Image;
use crate::error::guarded;

#[doc = help!("diff")]
#[pyfunction]
pub(crate) fn diff(py: Python<'_>, before: Image, after: Image) -> PyResult<Vec<String>> {
    guarded(py, || xs2a::diff(&before, &after))
}
