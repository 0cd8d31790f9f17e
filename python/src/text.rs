//! Text that Python hands in.

use std::ops::Deref;

use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;

use crate::error::misuse;
use crate::given::typed;

/// A text that UTF-8 can carry. A str of Python may hold lone surrogates, as from bytes decoded with `surrogateescape`:
/// that is a `MisuseError` for every argument.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl FromPyObject<'_> for Text {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        typed(given, "a str").map(Self).map_err(|error| or_misuse(given.py(), error, ""))
    }
}

/// The error of an extraction; `MisuseError` where it is for a lone surrogate, with what else helps.
pub(crate) fn or_misuse(py: Python<'_>, error: PyErr, hint: &str) -> PyErr {
    match error.is_instance_of::<PyUnicodeEncodeError>(py) {
        true => misuse(py, format!("a text holds a lone surrogate, which UTF-8 cannot carry{hint}")),
        false => error,
    }
}
