//! `xs2a.Signer`: a TPP's certificate and key, apart from any sandbox.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use xs2a::env::entropy::{Entropy, SystemEntropy};
use xs2a::tools;
use xs2a::tpp::sign::Unsigned;

use crate::convert::{present, Body, TextOrBytes};
use crate::error::guarded;
use crate::headers::Headers;
use crate::text::Text;
use crate::tools::certificate;

#[doc = help!("Signer")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Signer {
    signer: xs2a::tpp::signer::Signer,
    /// As they were given, to be pickled.
    certificate: Py<PyBytes>,
    private_key: Py<PyBytes>,
}

#[pymethods]
impl Signer {
    #[new]
    fn new(py: Python<'_>, certificate: TextOrBytes, private_key: TextOrBytes) -> PyResult<Self> {
        let signer = guarded(py, || xs2a::tpp::signer::Signer::new(&certificate, &private_key))?;
        let bytes = |text: &[u8]| PyBytes::new(py, text).unbind();
        Ok(Self { signer, certificate: bytes(&certificate), private_key: bytes(&private_key) })
    }

    #[doc = help!("Signer.certificate")]
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let der = self.signer.certificate().der();
        certificate(py, &guarded(py, || tools::parse_certificate(der))?)
    }

    #[doc = help!("Signer.sign")]
    #[pyo3(
        signature = (method, target, headers=None, body=None),
        text_signature = "($self, method, target, headers=(), body=b'')"
    )]
    fn sign(
        &self,
        py: Python<'_>,
        method: Text,
        target: Text,
        headers: Option<Headers>,
        body: Option<Body>,
    ) -> PyResult<Vec<(String, String)>> {
        let headers = headers.map_or_else(|| Ok(Vec::new()), |headers| headers.owned_text(py))?;
        let body = body.as_deref().unwrap_or_default();
        let now = present(py)?;
        guarded(py, || {
            let request_id = (&SystemEntropy as &dyn Entropy).uuid()?;
            let request = Unsigned { method: &method, target: &target, headers: &headers, body };
            self.signer.sign(request, now, request_id)
        })
    }

    /// Both as they were given: the pickle holds the private key.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Bound<'py, PyBytes>)) {
        let (py, signer) = (slf.py(), slf.get());
        let parts = (signer.certificate.bind(py).clone(), signer.private_key.bind(py).clone());
        (slf.get_type().into_any(), parts)
    }

    fn __repr__(&self) -> String {
        format!("<Signer {}>", self.signer.certificate().subject())
    }
}
