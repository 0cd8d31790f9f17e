//! The operator's plane of errors as Python exceptions, and the guard that every call into the core passes.
//! The classes themselves are Python (`xs2a/_errors.py`): two of them have two bases.

use std::panic::{catch_unwind, AssertUnwindSafe};

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::exit;

/// Runs a call into the core with the interpreter released, so that other Python threads go on. An error becomes its
/// exception; a panic becomes `InternalError` and stays on this side.
pub(crate) fn guarded<T: Send>(py: Python<'_>, call: impl FnOnce() -> xs2a::Result<T> + Send) -> PyResult<T> {
    let mut visit = None;
    let done = py.detach(|| {
        // Unwind safety: a caller gets nothing of a call that panicked, and the core shares no state without a lock.
        let done = catch_unwind(AssertUnwindSafe(call));
        visit = Some(exit::back());
        done
    });
    drop(visit);
    match done {
        Ok(answer) => answer.map_err(|error| raised(py, error)),
        Err(_) => Err(exception(py, "InternalError", "the engine panicked; please report it".to_owned())),
    }
}

/// A call that the host should not have made, as the exception `MisuseError`.
pub(crate) fn misuse(py: Python<'_>, text: impl Into<String>) -> PyErr {
    raised(py, xs2a::Error::Misuse(text.into()))
}

/// A configuration that cannot be used, as the exception `ConfigError`.
pub(crate) fn misconfigured(py: Python<'_>, text: impl Into<String>) -> PyErr {
    raised(py, xs2a::Error::Config(text.into()))
}

pub(crate) fn raised(py: Python<'_>, error: xs2a::Error) -> PyErr {
    let class = match error {
        xs2a::Error::Config(_) => "ConfigError",
        xs2a::Error::Store(_) | xs2a::Error::Record(_) => "StoreError",
        xs2a::Error::OutcomeUnknown(_) => "OutcomeUnknownError",
        xs2a::Error::Bank(_) | xs2a::Error::BankAnswer(_) => "BankError",
        xs2a::Error::Misuse(_) => "MisuseError",
        xs2a::Error::NotFound(_) => "NotFoundError",
        xs2a::Error::Expired(_) => "ExpiredError",
        xs2a::Error::Conflict(_) => "ConflictError",
        xs2a::Error::NotOffered(_) => "NotOfferedError",
        xs2a::Error::Internal(_) => "InternalError",
        _ => "Error",
    };
    exception(py, class, error.text().into_owned())
}

fn exception(py: Python<'_>, class: &str, text: String) -> PyErr {
    let class = py.import("xs2a._errors").and_then(|module| module.getattr(class));
    match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
        Ok(class) => PyErr::from_type(class, text),
        Err(failure) => failure,
    }
}
