//! A fault's `when`: a callable of Python that is asked about calls.

use std::cell::Cell;
use std::sync::Arc;

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use xs2a::env::interference::ObservedCall;
use xs2a::sandbox::faults::Predicate;
use xs2a::sandbox::journal::header_text;

use crate::bank::raise_later;
use crate::convert::value;
use crate::exit;

/// A callable as the core asks it. One that raises says no; what it raised is reported as Python reports what
/// nobody can catch (`sys.unraisablehook`, which pytest turns into a warning). What is beyond exceptions comes out of
/// the call.
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

/// How deep predicates may be asked about calls made by predicates. Each takes some 42 kB of the thread's stack.
const ASKED_WITHIN_MAX: usize = 8;

/// The predicates that a thread is within.
#[derive(Clone, Copy)]
struct Within {
    depth: usize,
    /// Then none is asked any more until the outermost has said something: each might make several calls.
    too_deep: bool,
}

thread_local! {
    static WITHIN: Cell<Within> = const { Cell::new(Within { depth: 0, too_deep: false }) };
}

/// A predicate that is asked.
struct Asking(());

impl Asking {
    /// `RecursionError` where it would be too deep: one that calls the sandbox may be asked about that call, too.
    fn begin() -> PyResult<Self> {
        let Within { depth, too_deep } = WITHIN.get();
        if too_deep || depth >= ASKED_WITHIN_MAX {
            WITHIN.set(Within { depth, too_deep: true });
            return Err(PyRecursionError::new_err("`when` is asked about a call that itself has made"));
        }
        WITHIN.set(Within { depth: depth + 1, too_deep });
        Ok(Self(()))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let Within { depth, too_deep } = WITHIN.get();
        let depth = depth.saturating_sub(1);
        WITHIN.set(Within { depth, too_deep: too_deep && depth > 0 });
    }
}
