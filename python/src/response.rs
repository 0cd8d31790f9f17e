//! `xs2a.Response`: the answer to one request; and the check of a bank's signature on one.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use xs2a::{tools, RefusedCall, ResponseHeaders};

use crate::convert::{json_value, present, value, Body, Instant, Pem};
use crate::error::guarded;
use crate::exit;
use crate::explain::explanation;
use crate::headers::Headers;
use crate::text::Text;
use crate::tools::certificate;

#[doc = help!("Response")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Response {
    #[doc = help!("Response.status")]
    #[pyo3(get)]
    status: u16,
    headers: ResponseHeaders,
    #[doc = help!("Response.body")]
    #[pyo3(get)]
    body: Py<PyBytes>,
    reason: Option<Cow<'static, str>>,
    call: CallRecord,
    explained: Explained,
}

/// What is recorded of the call: operation, TPP, its name, its roles, and total, bank and store in microseconds.
type CallRecord = (Option<String>, Option<String>, Option<String>, Vec<String>, [u64; 3]);

fn call_record(answer: &xs2a::Response) -> CallRecord {
    let timing = answer.timing();
    (
        answer.operation().map(str::to_owned),
        answer.tpp().map(str::to_owned),
        answer.tpp_name().map(str::to_owned),
        answer.roles().iter().map(|role| (*role).to_owned()).collect(),
        [timing.total_micros, timing.bank_micros, timing.store_micros],
    )
}

/// Which mistake made authentication refuse a request.
enum Explained {
    /// It did not refuse, or the answer is not of a sandbox.
    Nothing,
    /// The call, explained on request.
    Call(Box<RefusedCall>),
    /// The explanation, of an answer that was pickled.
    Found(Py<PyAny>),
}

impl Response {
    pub(crate) fn new(py: Python<'_>, answer: xs2a::Response) -> Self {
        let call = call_record(&answer);
        let (status, headers, body, reason) = answer.into_parts();
        let body = PyBytes::new(py, &body).unbind();
        Self { status, headers, body, reason: reason.map(Cow::Borrowed), call, explained: Explained::Nothing }
    }

    pub(crate) fn of_sandbox(py: Python<'_>, answer: xs2a::Response, refused: Option<RefusedCall>) -> Self {
        Self {
            explained: refused.map_or(Explained::Nothing, |call| Explained::Call(Box::new(call))),
            ..Self::new(py, answer)
        }
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_ref())
    }
}

#[pymethods]
impl Response {
    #[doc = help!("Response.headers")]
    #[getter]
    fn headers(&self) -> Vec<(&str, &str)> {
        self.headers.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect()
    }

    #[doc = help!("Response.explanation")]
    #[getter]
    fn explanation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.explained {
            Explained::Nothing => Ok(None),
            Explained::Call(refused) => {
                let found = guarded(py, || Ok(refused.explain()))?;
                explanation(py, &found).map(Some)
            }
            Explained::Found(found) => Ok(Some(found.bind(py).clone())),
        }
    }

    #[doc = help!("Response.header")]
    fn header(&self, name: Text) -> Option<&str> {
        self.value(&name)
    }

    #[doc = help!("Response.json")]
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.value("Content-Encoding").is_some_and(|encoding| encoding.eq_ignore_ascii_case("gzip")) {
            true => {
                let gzip = py.import("gzip")?;
                json_value(py, exit::visit(py, || gzip.call_method1("decompress", (&self.body,)))?)
            }
            false => json_value(py, &self.body),
        }
    }

    #[doc = help!("Response.reason")]
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    #[doc = help!("Response.operation")]
    #[getter]
    fn operation(&self) -> Option<&str> {
        self.call.0.as_deref()
    }

    #[doc = help!("Response.tpp")]
    #[getter]
    fn tpp(&self) -> Option<&str> {
        self.call.1.as_deref()
    }

    #[doc = help!("Response.tpp_name")]
    #[getter]
    fn tpp_name(&self) -> Option<&str> {
        self.call.2.as_deref()
    }

    #[doc = help!("Response.roles")]
    #[getter]
    fn roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.call.3)
    }

    #[doc = help!("Response.timing")]
    #[getter]
    fn timing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let timing = PyDict::new(py);
        for (name, micros) in ["total", "bank", "store"].into_iter().zip(self.call.4) {
            timing.set_item(name, micros)?;
        }
        Ok(timing)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._html")?.call_method1("of_response", (slf,))
    }

    /// What [`restored_response`] takes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, answer) = (slf.py(), slf.get());
        let restore = py.import("xs2a._native")?.getattr("restored_response")?;
        let explanation = answer.explanation(py)?;
        let members = (
            answer.status,
            answer.headers(),
            &answer.body,
            answer.reason(),
            explanation,
            answer.call.clone(),
        );
        Ok((restore, members.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        match &self.reason {
            Some(reason) => format!("<Response {} {reason}>", self.status),
            None => format!("<Response {}>", self.status),
        }
    }
}

#[doc = help!("verify_response")]
#[pyfunction]
#[pyo3(signature = (headers, body, *, now=None, trust_anchors=None))]
pub(crate) fn verify_response(
    py: Python<'_>,
    headers: Headers,
    body: Body,
    now: Option<Instant>,
    trust_anchors: Option<Pem>,
) -> PyResult<Bound<'_, PyAny>> {
    let headers = headers.borrowed();
    let now = now.map_or_else(|| present(py), |now| Ok(now.0)).map(Some)?;
    let found = guarded(py, || tools::verify_response(&headers, &body, now, trust_anchors.as_deref()))?;
    let certificate = found.certificate.as_ref().map(|info| certificate(py, info)).transpose()?;
    value(py, "Verification", (found.ok, found.reason, found.text, certificate))
}

/// A response that was pickled.
#[pyfunction]
pub(crate) fn restored_response(
    status: u16,
    headers: Vec<(Text, Text)>,
    body: Py<PyBytes>,
    reason: Option<Text>,
    explanation: Option<Py<PyAny>>,
    call: CallRecord,
) -> Response {
    let owned = |text: Text| Cow::Owned(text.into_string());
    Response {
        status,
        headers: headers.into_iter().map(|(name, value)| (owned(name), owned(value))).collect(),
        body,
        reason: reason.map(owned),
        call,
        explained: explanation.map_or(Explained::Nothing, Explained::Found),
    }
}
