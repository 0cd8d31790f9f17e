//! `xs2a.Tpp`: a TPP of a sandbox's test PKI.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use xs2a::TestTpp;

use crate::convert::Body;
use crate::given::not_a;
use crate::headers::Headers;
use crate::pickling::not_pickled;
use crate::sandbox_access::SandboxAccess;
use crate::text::Text;

/// A TPP, or the authorisation number of one.
pub(crate) enum WhichTpp<'py> {
    Tpp(PyRef<'py, Tpp>),
    OrganisationId(Text),
}

impl<'py> FromPyObject<'py> for WhichTpp<'py> {
    fn extract_bound(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyString>() {
            return given.extract().map(Self::OrganisationId);
        }
        match given.cast::<Tpp>() {
            Ok(tpp) => Ok(Self::Tpp(tpp.borrow())),
            Err(_) => Err(not_a("a Tpp, or the organisation_id of one as str,", given)),
        }
    }
}

impl WhichTpp<'_> {
    pub(crate) fn organisation_id(&self) -> String {
        match self {
            Self::Tpp(tpp) => tpp.tpp.organisation_id().to_owned(),
            Self::OrganisationId(organisation_id) => organisation_id.clone().into_string(),
        }
    }
}

#[doc = help!("Tpp")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Tpp {
    pub(crate) access: Arc<SandboxAccess>,
    pub(crate) tpp: TestTpp,
}

#[pymethods]
impl Tpp {
    #[doc = help!("Tpp.name")]
    #[getter]
    fn name(&self) -> &str {
        self.tpp.name()
    }

    #[doc = help!("Tpp.organisation_id")]
    #[getter]
    fn organisation_id(&self) -> &str {
        self.tpp.organisation_id()
    }

    #[doc = help!("Tpp.roles")]
    #[getter]
    fn roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.tpp.roles())
    }

    #[doc = help!("Tpp.certificate_pem")]
    #[getter]
    fn certificate_pem(&self) -> &str {
        self.tpp.certificate_pem()
    }

    #[doc = help!("Tpp.private_key_pem")]
    #[getter]
    fn private_key_pem(&self) -> &str {
        self.tpp.private_key_pem()
    }

    #[doc = help!("Tpp.sign")]
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
        self.access.call(py, |_| self.tpp.sign(&method, &target, &headers, body))
    }

    fn __reduce__(&self) -> PyResult<()> {
        let why = "it signs by the clock of its Sandbox; pickle a Signer of its certificate_pem and private_key_pem";
        not_pickled("Tpp", why)
    }

    fn __repr__(&self) -> String {
        format!("<Tpp {:?} {}>", self.tpp.name(), self.tpp.organisation_id())
    }
}
