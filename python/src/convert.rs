//! What Python hands in, as the core takes it. Each type here is one kind of argument; its conversion runs
//! with the interpreter held, so that the call itself can run without.

use std::borrow::Cow;
use std::ops::Deref;

use chrono::{DateTime, Utc};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDate, PyDateTime, PyDict, PyFrozenSet, PyMemoryView, PySet, PyString, PyType};

use xs2a::types::CorrelationId;

use crate::error::{misconfigured, misuse, raised};
use crate::exit;
use crate::given::{items, not_a, type_name, typed};
use crate::text::Text;

/// A message body: bytes, bytearray or memoryview. Text is refused: which bytes were signed is the caller's
/// knowledge, and a guessed encoding would break the digest.
#[derive(Debug)]
pub(crate) struct Body(PyBackedBytes);

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl FromPyObject<'_> for Body {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("a body is bytes, not str: encode it, as it was signed"));
        }
        Ok(Self(bytes_like(given)?))
    }
}

/// A snapshot: bytes, bytearray or memoryview.
pub(crate) struct Image(PyBackedBytes);

impl Deref for Image {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl FromPyObject<'_> for Image {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            let text = "a snapshot is bytes, not str: an exported text goes to import_json";
            return Err(PyTypeError::new_err(text));
        }
        bytes_like(given).map(Self)
    }
}

pub(crate) fn bytes_like(given: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    if given.is_instance_of::<PyMemoryView>() {
        return given.call_method0("tobytes")?.extract();
    }
    typed(given, "a bytes-like object")
}

/// The body of a payment: bytes-like, or text of JSON, or a dict to be written as JSON.
pub(crate) struct JsonBody(Body);

impl Deref for JsonBody {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl FromPyObject<'_> for JsonBody {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyDict>() {
            return Self::extract_bound(&json_text(given).map_err(|error| not_json(given.py(), error))?);
        }
        if given.is_instance_of::<PyString>() {
            let text: Text = given.extract()?;
            return Ok(Self(Body(PyBytes::new(given.py(), text.as_bytes()).into())));
        }
        given.extract().map(Self)
    }
}

/// Of what JSON has no form for, a number is the caller's mistake; a `TypeError` stays one.
fn not_json(py: Python<'_>, error: PyErr) -> PyErr {
    match error.is_instance_of::<PyValueError>(py) {
        true => misuse(py, format!("the body is not JSON: {}", error.value(py))),
        false => error,
    }
}

/// Several texts. A single str is refused, although Python could take it letter by letter.
pub(crate) struct Texts(Vec<Text>);

impl Texts {
    /// The texts as the core borrows them.
    pub(crate) fn borrowed(&self) -> Vec<&str> {
        self.0.iter().map(|text| &**text).collect()
    }
}

impl FromPyObject<'_> for Texts {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut texts = items(given, "a list or tuple of str")?
            .map(|text| text?.extract())
            .collect::<PyResult<Vec<Text>>>()?;
        // The order of a set is another one in each process.
        if given.is_instance_of::<PySet>() || given.is_instance_of::<PyFrozenSet>() {
            texts.sort_unstable();
        }
        Ok(Self(texts))
    }
}

/// PEM text, as str or as the bytes that other packages write; or several of them.
pub(crate) struct Pem(String);

impl Deref for Pem {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl FromPyObject<'_> for Pem {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(text) = one_pem(given)? {
            return Ok(Self(text));
        }
        // Not several of several: a list may hold itself.
        let parts = items(given, "a PEM text as str or bytes, or several,")?;
        let parts = parts.map(|part| {
            let part = part?;
            one_pem(&part)?.ok_or_else(|| {
                PyTypeError::new_err(format!("one of several PEM is str or bytes, not {}", type_name(&part)))
            })
        });
        parts.collect::<PyResult<Vec<_>>>().map(|parts| Self(parts.join("\n")))
    }
}

/// `None` for what is neither text nor binary.
fn one_pem(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if given.is_instance_of::<PyString>() {
        return given.extract().map(|text: Text| Some(text.into_string()));
    }
    let Ok(bytes) = bytes_like(given) else { return Ok(None) };
    // A comment outside of the blocks may be in any encoding.
    match String::from_utf8_lossy(&bytes) {
        Cow::Owned(text) if !text.contains("-----BEGIN ") => Err(misuse(given.py(), "not PEM but binary")),
        text => Ok(Some(text.into_owned())),
    }
}

/// What may be text or binary, such as a certificate: PEM as str, DER (or PEM) as bytes.
pub(crate) struct TextOrBytes(Vec<u8>);

impl Deref for TextOrBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl FromPyObject<'_> for TextOrBytes {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given.is_instance_of::<PyString>() {
            true => given.extract().map(|pem: Text| Self(pem.into_string().into_bytes())),
            false => bytes_like(given).map(|der| Self(der.to_vec())),
        }
    }
}

/// A point in time: an aware datetime, or ISO 8601 text with an offset. A naive datetime is refused: whose
/// midnight it means is exactly what a bank must not guess.
pub(crate) struct Instant(pub(crate) DateTime<Utc>);

impl FromPyObject<'_> for Instant {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            return instant_of_text(given.py(), &given.extract::<Text>()?);
        }
        match given.cast::<PyDateTime>() {
            Ok(moment) => instant_of_datetime(moment),
            Err(_) => Err(not_a("an aware datetime or ISO 8601 text", given)),
        }
    }
}

/// A day of the calendar: a date, or text as `YYYY-MM-DD`, which the core reads. A datetime is refused: which day it is
/// in depends on the place.
pub(crate) struct Day(pub(crate) String);

impl FromPyObject<'_> for Day {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            return given.extract().map(|day: Text| Self(day.into_string()));
        }
        match given.is_instance_of::<PyDate>() && !given.is_instance_of::<PyDateTime>() {
            true => given.call_method0("isoformat")?.extract().map(Self),
            false => Err(not_a("a date or text as YYYY-MM-DD", given)),
        }
    }
}

fn instant_of_text(py: Python<'_>, text: &str) -> PyResult<Instant> {
    xs2a::tools::parse_time(text).map(Instant).map_err(|error| raised(py, error))
}

fn instant_of_datetime(moment: &Bound<'_, PyDateTime>) -> PyResult<Instant> {
    let py = moment.py();
    if moment.call_method0("utcoffset")?.is_none() {
        return Err(misuse(py, "a naive datetime does not say which point in time it is: give it a tzinfo"));
    }
    let utc = py.import("datetime")?.getattr("timezone")?.getattr("utc")?;
    match moment.call_method1("astimezone", (utc,)) {
        Ok(moment) => moment.extract().map(Instant),
        // A ValueError is a tzinfo's that does not know of the limits either.
        Err(error)
            if error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyValueError>(py) =>
        {
            Err(misuse(py, "the time in UTC lies outside the years 1 to 9999"))
        }
        Err(error) => Err(error),
    }
}

/// The present as Python shows it: a library that freezes the time changes what it is.
pub(crate) fn present(py: Python<'_>) -> PyResult<DateTime<Utc>> {
    let present = exit::visit(py, || py.import("xs2a._real_time")?.call_method0("_present"))?;
    present.extract::<Instant>().map(|instant| instant.0)
}

/// A time for Python: an aware datetime in UTC. A leap second, which datetime does not know, is the last
/// microsecond before it.
pub(crate) fn datetime(moment: DateTime<Utc>) -> DateTime<Utc> {
    let nanos = moment.timestamp_subsec_nanos().min(999_999_999);
    DateTime::from_timestamp(moment.timestamp(), nanos).unwrap_or(moment)
}

/// An RFC 3339 text of the core as a datetime for Python.
pub(crate) fn datetime_of_text(py: Python<'_>, text: &str) -> PyResult<DateTime<Utc>> {
    instant_of_text(py, text).map(|moment| datetime(moment.0))
}

/// A whole number, or None where that is one of its values. A number out of range is refused with the given text.
pub(crate) fn whole<'py, T: FromPyObject<'py>>(
    given: &Bound<'py, PyAny>,
    refusal: impl FnOnce(Python<'py>) -> PyErr,
) -> PyResult<T> {
    typed(given, "a whole number").map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(given.py()) {
            true => refusal(given.py()),
            false => error,
        }
    })
}

/// The seed of a sandbox: 0 to 2^64 - 1.
pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, |py| misuse(py, "a seed is 0 to 2^64 - 1"))
}

/// How many persons, companies or months: the core checks its limits, except for a number out of its type's range.
pub(crate) fn part_of_population(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, |py| misuse(py, "persons, companies and months are whole numbers, 0 or more"))
}

/// Of how many of a thousand persons there is a case, or None.
pub(crate) fn cases(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    whole(given, |py| misuse(py, "`cases` is a whole number, 0 or more"))
}

/// How many persons are wanted.
pub(crate) fn persons_wanted(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole(given, |py| misuse(py, "`count` is a whole number, 1 or more"))
}

/// The number of a part, or of all parts; the core checks that the first is below the second.
pub(crate) fn partition(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(given, |py| misuse(py, "partition and of are whole numbers, 0 or more"))
}

/// How many of the newest entries, or None.
pub(crate) fn last(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    whole(given, |py| misuse(py, "`last` is a number of entries, 0 or more"))
}

/// The number of an entry of the journal, or None.
pub(crate) fn number<'py, T: FromPyObject<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    whole(given, |py| misuse(py, "`number` is the number of an entry, 0 or more"))
}

/// How many rows a page has, or None. The core checks its limits, except for a number out of its type's range.
pub(crate) fn page_limit(given: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    whole(given, |py| misuse(py, "the limit of a page is not from 1 to 1000"))
}

/// For how many seconds an engine reserves an order, or None. The core checks its limits, except for a number out of
/// its type's range.
pub(crate) fn order_lease_seconds(given: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    let text = "order_lease_seconds: a whole number from 0 to 4294967295 is expected";
    whole(given, |py| misconfigured(py, text))
}

/// A gateway's own id of a call. `MisuseError` for another text than 1 to 64 visible ASCII characters.
pub(crate) fn correlation_id(py: Python<'_>, given: Option<Text>) -> PyResult<Option<CorrelationId>> {
    given.map(|text| CorrelationId::new(&text).map_err(|error| raised(py, error))).transpose()
}

/// A port to listen at.
pub(crate) fn port(given: &Bound<'_, PyAny>) -> PyResult<u16> {
    whole(given, |py| misconfigured(py, "a port is 0 to 65535"))
}

/// A policy as JSON text. `TypeError` where it is not a dict, `ConfigError` where it holds what JSON does not.
pub(crate) fn policy(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if given.is_none() {
        return Ok(None);
    }
    changes(given).map(Some)
}

/// Policies to put over others, as the text of a JSON object.
pub(crate) fn changes(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if !given.is_instance_of::<PyDict>() {
        return Err(not_a("a dict of policies", given));
    }
    match json_text(given).and_then(|text| text.extract()) {
        Err(error) if error.is_instance_of::<PyException>(given.py()) => {
            Err(misconfigured(given.py(), format!("the policy is not JSON: {}", error.value(given.py()))))
        }
        done => done,
    }
}

/// An object as JSON text.
pub(crate) fn json_text<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(given.py());
    options.set_item("ensure_ascii", false)?;
    options.set_item("allow_nan", false)?;
    let json = given.py().import("json")?;
    exit::visit(given.py(), || json.call_method("dumps", (given,), Some(&options)))
}

/// JSON text or bytes of the core as Python objects.
pub(crate) fn json_value<'py>(py: Python<'py>, text: impl IntoPyObject<'py>) -> PyResult<Bound<'py, PyAny>> {
    let json = py.import("json")?;
    exit::visit(py, || json.call_method1("loads", (text,)))
}

/// A class of `xs2a/_values.py`, where the plain values are declared.
pub(crate) fn value_class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    Ok(py.import("xs2a._values")?.getattr(name)?.cast_into()?)
}

/// One of them.
pub(crate) fn value<'py>(
    py: Python<'py>,
    class: &str,
    members: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = value_class(py, class)?;
    exit::visit(py, || class.call1(members))
}
