//! `xs2a.Response`: the answer to one request; and the check of a bank's signature on one.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use xs2a::{tools, RefusedCall, ResponseHeaders};

use crate::convert::{json_value, value, Body, Instant, Pem};
use crate::error::guarded;
use crate::exit;
use crate::explain::explanation;
use crate::headers::Headers;
use crate::text::Text;
use crate::tools::certificate;

/// The complete answer to one request.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Response {
    /// The HTTP status.
    #[pyo3(get)]
    status: u16,
    headers: ResponseHeaders,
    /// The body as sent: compressed where Content-Encoding says so.
    #[pyo3(get)]
    body: Py<PyBytes>,
    /// The stable id of the first refusal, such as "SIG-07". Not sent to the TPP.
    #[pyo3(get)]
    reason: Option<&'static str>,
    /// Of a sandbox: what explains a refusal by authentication.
    refused: Option<RefusedCall>,
}

impl Response {
    pub(crate) fn new(py: Python<'_>, answer: xs2a::Response) -> Self {
        let (status, headers, body, reason) = answer.into_parts();
        Self { status, headers, body: PyBytes::new(py, &body).unbind(), reason, refused: None }
    }

    pub(crate) fn of_sandbox(py: Python<'_>, answer: xs2a::Response, refused: Option<RefusedCall>) -> Self {
        Self { refused, ..Self::new(py, answer) }
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_ref())
    }
}

#[pymethods]
impl Response {
    /// Name and value of each header, in the order they are to be sent.
    #[getter]
    fn headers(&self) -> Vec<(&str, &str)> {
        self.headers.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect()
    }

    /// Which mistake made authentication refuse the request, of a sandbox.
    #[getter]
    fn explanation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(refused) = &self.refused else { return Ok(None) };
        let found = guarded(py, || Ok(refused.explain()))?;
        explanation(py, &found).map(Some)
    }

    /// The value of the first header of that name, in any case.
    fn header(&self, name: Text) -> Option<&str> {
        self.value(&name)
    }

    /// The body as Python objects, decompressed first where need be.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.value("Content-Encoding").is_some_and(|encoding| encoding.eq_ignore_ascii_case("gzip")) {
            true => {
                let gzip = py.import("gzip")?;
                json_value(py, exit::visit(py, || gzip.call_method1("decompress", (&self.body,)))?)
            }
            false => json_value(py, &self.body),
        }
    }

    fn __repr__(&self) -> String {
        match self.reason {
            Some(reason) => format!("<Response {} {reason}>", self.status),
            None => format!("<Response {}>", self.status),
        }
    }
}

/// Check Digest, Date, certificate and signature of an answer.
#[pyfunction]
#[pyo3(signature = (headers, body, *, now=None, trust_anchors=None))]
pub(crate) fn verify_response(
    py: Python<'_>,
    headers: Headers,
    body: Body,
    now: Option<Instant>,
    trust_anchors: Option<Pem>,
) -> PyResult<Bound<'_, PyAny>> {
    let (headers, now) = (headers.borrowed(), now.map(|now| now.0));
    let found = guarded(py, || tools::verify_response(&headers, &body, now, trust_anchors.as_deref()))?;
    let certificate = found.certificate.as_ref().map(|info| certificate(py, info)).transpose()?;
    value(py, "Verification", (found.ok, found.reason, found.text, certificate))
}
