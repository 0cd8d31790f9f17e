//! Header fields that Python hands in.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::convert::bytes_like;
use crate::error::misuse;
use crate::exit;
use crate::given::{items, not_a};
use crate::text::or_misuse;

/// One header value: text is sent as UTF-8, bytes as they are.
pub(crate) enum HeaderValue {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl HeaderValue {
    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl FromPyObject<'_> for HeaderValue {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            return encodable(given).map(Self::Text);
        }
        match bytes_like(given) {
            Ok(bytes) => Ok(Self::Bytes(bytes)),
            Err(_) => Err(not_a("a header value of str or bytes", given)),
        }
    }
}

/// What headers are given as.
const FIELDS: &str = "a mapping or (name, value) pairs";

/// Header fields in order, from a mapping or from pairs.
pub(crate) struct Headers(Vec<(PyBackedStr, HeaderValue)>);

impl Headers {
    /// The fields as a request borrows them.
    pub(crate) fn borrowed(&self) -> Vec<(&str, &[u8])> {
        self.0.iter().map(|(name, value)| (&**name, value.as_bytes())).collect()
    }

    /// The fields as owned text, as signing takes them. `MisuseError` for a value that is not UTF-8.
    pub(crate) fn owned_text(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let text = |name: &str, value: &HeaderValue| match std::str::from_utf8(value.as_bytes()) {
            Ok(value) => Ok((name.to_owned(), value.to_owned())),
            Err(_) => {
                Err(misuse(py, format!("the value of `{name}` is not UTF-8, so it cannot be signed here")))
            }
        };
        self.0.iter().map(|(name, value)| text(name, value)).collect()
    }
}

impl FromPyObject<'_> for Headers {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
            return Err(not_a(FIELDS, given));
        }
        exit::visit(given.py(), || {
            let pairs = if is_mapping(given)? { given.call_method0("items")? } else { given.clone() };
            items(&pairs, FIELDS)?.map(|pair| header(&pair?)).collect::<PyResult<_>>().map(Self)
        })
    }
}

/// Asked of Python for what is none of its own types alone: it may raise, as by Ctrl-C, and that comes out. PyO3's
/// own check would write it away, and the headers with it.
fn is_mapping(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    if given.is_exact_instance_of::<PyList>() || given.is_exact_instance_of::<PyTuple>() {
        return Ok(false);
    }
    if given.is_instance_of::<PyDict>() {
        return Ok(true);
    }
    given.is_instance(&given.py().import("collections.abc")?.getattr("Mapping")?)
}

fn header(pair: &Bound<'_, PyAny>) -> PyResult<(PyBackedStr, HeaderValue)> {
    let [name, value] = parts(pair)?;
    if !name.is_instance_of::<PyString>() {
        return Err(not_a("a header name of str", &name));
    }
    Ok((encodable(&name)?, value.extract()?))
}

fn parts<'py>(pair: &Bound<'py, PyAny>) -> PyResult<[Bound<'py, PyAny>; 2]> {
    // What nearly all of them are is taken apart without an iterator.
    if let Ok(pair) = pair.cast_exact::<PyTuple>() {
        return match pair.len() {
            2 => Ok([pair.get_item(0)?, pair.get_item(1)?]),
            length => Err(not_a_pair(length)),
        };
    }
    let parts = items(pair, "a header as (name, value)")?.collect::<PyResult<Vec<_>>>()?;
    parts.try_into().map_err(|parts: Vec<_>| not_a_pair(parts.len()))
}

fn not_a_pair(length: usize) -> PyErr {
    PyTypeError::new_err(format!("a header is (name, value), not {length} items"))
}

/// Text that UTF-8 can carry; lone surrogates (bytes decoded with `surrogateescape`) are the caller's mistake.
fn encodable(given: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    given.extract().map_err(|error| or_misuse(given.py(), error, ": pass the value of a header as bytes"))
}
