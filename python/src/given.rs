//! Arguments of plain types. A value of another type is a `TypeError` that names both types as Python does; PyO3 puts
//! the name of the argument before it. Every conversion of this package that PyO3 itself would refuse passes here.

use std::path::PathBuf;

use chrono::TimeDelta;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};

/// Converts what is given. `expected` names the type, with its article.
pub(crate) fn typed<'py, T: FromPyObject<'py>>(given: &Bound<'py, PyAny>, expected: &str) -> PyResult<T> {
    given.extract().map_err(|error| or_not_a(error, expected, given))
}

/// The `TypeError` for a value of another type.
pub(crate) fn not_a(expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{expected} is expected, not {}", type_name(given)))
}

/// The items of an iterable. A str is refused, although Python iterates over its letters.
pub(crate) fn items<'py>(given: &Bound<'py, PyAny>, expected: &str) -> PyResult<Bound<'py, PyIterator>> {
    if given.is_instance_of::<PyString>() {
        return Err(not_a(expected, given));
    }
    given.try_iter().map_err(|error| or_not_a(error, expected, given))
}

/// The error of a conversion. A `TypeError` names the types; what Python code of the caller raised stays.
fn or_not_a(error: PyErr, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    match error.is_instance_of::<PyTypeError>(given.py()) {
        true => not_a(expected, given),
        false => error,
    }
}

/// How Python names the type of a value.
pub(crate) fn type_name(given: &Bound<'_, PyAny>) -> String {
    given.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string())
}

/// True or false.
pub(crate) struct Flag(pub(crate) bool);

impl FromPyObject<'_> for Flag {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        typed(given, "a bool").map(Self)
    }
}

/// A span of time.
pub(crate) struct Span(pub(crate) TimeDelta);

impl FromPyObject<'_> for Span {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        typed(given, "a timedelta").map(Self)
    }
}

/// The path of a file.
pub(crate) struct FilePath(pub(crate) PathBuf);

impl FromPyObject<'_> for FilePath {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        typed(given, "a str or a path of str").map(Self)
    }
}

/// A number with fraction digits.
pub(crate) struct Real(pub(crate) f64);

impl FromPyObject<'_> for Real {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        typed(given, "a number").map(Self)
    }
}
