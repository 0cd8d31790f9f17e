//! The bank's signature on its answers.

use pyo3::prelude::*;
use xs2a::tools;

use crate::convert::{value_class, Body, Headers, Instant, Pem};
use crate::error::guarded;
use crate::tools::certificate;

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
    value_class(py, "Verification")?.call1((found.ok, found.reason, found.text, certificate))
}
