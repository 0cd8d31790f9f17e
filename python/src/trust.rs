//! What an engine trusts, from Python.

use std::sync::Arc;

use pyo3::prelude::*;
use xs2a::engine::logged;
use xs2a::tools;
use xs2a::trust::AnswerAges;

use crate::bank::{guarded, PyRegistry};
use crate::convert::{Instant, TextOrBytes};
use crate::log::PyLogger;
use crate::text::Text;

/// What `registry=` of an engine may be.
pub(crate) struct GivenRegistry {
    pub(crate) registry: PyRegistry,
    /// For how long its answers count; `None`: for one call.
    pub(crate) ages: Option<AnswerAges>,
}

impl FromPyObject<'_> for GivenRegistry {
    /// `xs2a._registry` distinguishes the forms.
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let taken = given.py().import("xs2a._registry")?.getattr("taken")?.call1((given,))?;
        let (ask, ages): (Bound<'_, PyAny>, Option<(u32, u32)>) = taken.extract()?;
        let ages = ages
            .map(|(registered_seconds, unknown_seconds)| AnswerAges { registered_seconds, unknown_seconds });
        Ok(Self { registry: PyRegistry::new(&ask)?, ages })
    }
}

#[doc = help!("trusted_list_anchors")]
#[pyfunction]
#[pyo3(signature = (verified_xml, certificate_type, *, at))]
pub(crate) fn trusted_list_anchors(
    py: Python<'_>,
    verified_xml: TextOrBytes,
    certificate_type: Text,
    at: Instant,
) -> PyResult<String> {
    let logger = Arc::new(PyLogger::new(py)?);
    guarded(py, || logged(logger, || tools::trusted_list_anchors(&verified_xml, &certificate_type, at.0)))
}
