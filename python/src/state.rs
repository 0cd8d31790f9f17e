//! Single sections of the exported state of a sandbox.

use pyo3::prelude::*;
use xs2a::StateRows;

use crate::convert::json_value;
use crate::sandbox::Sandbox;
use crate::text::Text;

#[doc = help!("state_rows")]
#[pyfunction]
#[pyo3(signature = (sandbox, section, limit, member=None, value=None))]
pub(crate) fn state_rows<'py>(
    py: Python<'py>,
    sandbox: &Sandbox,
    section: Text,
    limit: u32,
    member: Option<Text>,
    value: Option<Text>,
) -> PyResult<Bound<'py, PyAny>> {
    let only = member.as_deref().zip(value.as_deref());
    let rows = StateRows { section: &section, only, limit };
    json_value(py, sandbox.access().call(py, |sandbox| sandbox.state_rows(&rows))?)
}
