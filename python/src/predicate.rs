//! A fault's `when`: a callable of Python that is asked about calls.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use xs2a::sandbox::{header_text, ObservedCall, Predicate};

use crate::asking::Asking;
use crate::bank::raise_later;
use crate::convert::value;
use crate::exit;

/// A callable as the core asks it. One that raises counts as false; the exception is reported as Python reports
/// uncaught ones (`sys.unraisablehook`, which pytest turns into a warning). A `BaseException` that is no `Exception` is
/// raised by the call.
pub(crate) fn predicate(callable: Py<PyAny>) -> Predicate {
    Arc::new(move |call| {
        let said = exit::attached(|py| match Asking::begin().and_then(|_asking| ask(py, &callable, call)) {
            Ok(is_for) => is_for,
            Err(raised) => {
                if let Some(error) = raise_later(py, raised) {
                    error.write_unraisable(py, Some(callable.bind(py)));
                }
                false
            }
        });
        said.unwrap_or(false)
    })
}

fn ask(py: Python<'_>, callable: &Py<PyAny>, call: &ObservedCall<'_>) -> PyResult<bool> {
    let headers = call.request.headers.iter();
    let headers: Vec<_> = headers.map(|(name, value)| ((*name).to_owned(), header_text(value))).collect();
    let members = (
        call.operation.name,
        call.tpp,
        call.product,
        call.request.method,
        call.request.target,
        PyTuple::new(py, headers)?,
        PyBytes::new(py, call.request.body),
    );
    let seen = value(py, "Call", members)?;
    callable.call1(py, (seen,))?.is_truthy(py)
}
