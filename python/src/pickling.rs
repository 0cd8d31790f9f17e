//! What cannot be pickled says why, and what can be pickled instead.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The `TypeError` of an object that belongs to its process.
pub(crate) fn not_pickled<T>(what: &str, why: &str) -> PyResult<T> {
    Err(PyTypeError::new_err(format!("an xs2a.{what} cannot be pickled or copied: {why}")))
}

/// Why an object of a sandbox cannot.
pub(crate) const OF_A_SANDBOX: &str = "it belongs to a Sandbox of this process";
