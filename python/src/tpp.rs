//! `xs2a.Tpp`: a TPP of a sandbox's test PKI.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use xs2a::TestTpp;

use crate::convert::{Body, Headers};
use crate::door::Door;

/// A TPP, or the authorisation number of one.
#[derive(FromPyObject)]
pub(crate) enum WhichTpp<'py> {
    #[pyo3(annotation = "Tpp")]
    Tpp(PyRef<'py, Tpp>),
    #[pyo3(annotation = "str")]
    OrganisationId(String),
}

impl WhichTpp<'_> {
    pub(crate) fn organisation_id(&self) -> String {
        match self {
            Self::Tpp(tpp) => tpp.tpp.organisation_id().to_owned(),
            Self::OrganisationId(organisation_id) => organisation_id.clone(),
        }
    }
}

/// A TPP of the test PKI, with its certificate and key.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Tpp {
    pub(crate) door: Arc<Door>,
    pub(crate) tpp: TestTpp,
}

#[pymethods]
impl Tpp {
    /// The name it was registered with.
    #[getter]
    fn name(&self) -> &str {
        self.tpp.name()
    }

    /// The authorisation number of its certificate.
    #[getter]
    fn organisation_id(&self) -> &str {
        self.tpp.organisation_id()
    }

    /// Its roles, as given.
    #[getter]
    fn roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.tpp.roles())
    }

    /// Its certificate as PEM.
    #[getter]
    fn certificate_pem(&self) -> &str {
        self.tpp.certificate_pem()
    }

    /// Its private key as PEM. It guards nothing but a sandbox.
    #[getter]
    fn private_key_pem(&self) -> &str {
        self.tpp.private_key_pem()
    }

    /// The given headers, plus those a signed request needs.
    #[pyo3(
        signature = (method, target, headers=None, body=None),
        text_signature = "($self, method, target, headers=(), body=b'')"
    )]
    fn sign(
        &self,
        py: Python<'_>,
        method: &str,
        target: &str,
        headers: Option<Headers>,
        body: Option<Body>,
    ) -> PyResult<Vec<(String, String)>> {
        let headers = headers.map_or_else(|| Ok(Vec::new()), |headers| headers.owned_text(py))?;
        let body = body.as_deref().unwrap_or_default();
        self.door.call(py, |_| self.tpp.sign(method, target, &headers, body))
    }

    fn __repr__(&self) -> String {
        format!("<Tpp {:?} {}>", self.tpp.name(), self.tpp.organisation_id())
    }
}
