//! `xs2a.explain`: which mistake a client made.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use xs2a::{ExplainOptions, Explanation, Request};

use crate::convert::{policy, present, value, Body, Instant, Pem, Texts};
use crate::error::{guarded, misuse};
use crate::given::{items, not_a, Span};
use crate::headers::Headers;
use crate::text::Text;

/// What a call is given as.
const CALL: &str = "a call as (method, target, headers, body)";

/// A call before the one that is explained.
pub(crate) struct Earlier {
    method: Text,
    target: Text,
    headers: Headers,
    body: Body,
}

impl FromPyObject<'_> for Earlier {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let [method, target, headers, body] = parts(given)?;
        Ok(Self {
            method: method.extract()?,
            target: target.extract()?,
            headers: headers.extract()?,
            body: body.extract()?,
        })
    }
}

fn parts<'py>(given: &Bound<'py, PyAny>) -> PyResult<[Bound<'py, PyAny>; 4]> {
    let parts = items(given, CALL)?.collect::<PyResult<Vec<_>>>()?;
    parts.try_into().map_err(|_| not_a(CALL, given))
}

/// The calls before the one that is explained, oldest first.
fn earlier_calls(given: &Bound<'_, PyAny>) -> PyResult<Vec<Earlier>> {
    if given.is_none() {
        return Ok(Vec::new());
    }
    items(given, "a list or tuple of calls")?.map(|call| call?.extract()).collect()
}

#[doc = help!("explain")]
#[pyfunction]
#[pyo3(
    signature = (
        method, target, headers, body=None, *,
        now=None, certificates=None, base_paths=None, earlier=Vec::new(), policy=None, budget=None
    ),
    text_signature = "(method, target, headers, body=b'', *, now=None, certificates=(), base_paths=(), earlier=(), \
                      policy=None, budget=None)"
)]
#[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    method: Text,
    target: Text,
    headers: Headers,
    body: Option<Body>,
    now: Option<Instant>,
    certificates: Option<Pem>,
    base_paths: Option<Texts>,
    #[pyo3(from_py_with = earlier_calls)] earlier: Vec<Earlier>,
    #[pyo3(from_py_with = policy)] policy: Option<String>,
    budget: Option<Span>,
) -> PyResult<Bound<'py, PyAny>> {
    let headers = headers.borrowed();
    let body = body.as_deref().unwrap_or_default();
    let request = Request { method: &method, target: &target, headers: &headers, body, correlation_id: None };
    let negative = |_| misuse(py, "the budget is negative");
    let budget = budget.map(|budget| budget.0.to_std().map_err(negative)).transpose()?;
    let earlier_headers: Vec<_> = earlier.iter().map(|call| call.headers.borrowed()).collect();
    let now = now.map_or_else(|| present(py), |now| Ok(now.0))?;
    let found = guarded(py, || {
        let mut options = ExplainOptions { now: Some(now), ..ExplainOptions::default() };
        if let Some(budget) = budget {
            options.budget = budget;
        }
        if let Some(pem) = certificates.as_deref().filter(|pem| !pem.is_empty()) {
            options.add_certificates(pem)?;
        }
        if let Some(policy) = &policy {
            options.set_policy(policy)?;
        }
        options.base_paths = base_paths.iter().flat_map(Texts::borrowed).map(str::to_owned).collect();
        options.earlier = earlier
            .iter()
            .zip(&earlier_headers)
            .map(|(Earlier { method, target, body, .. }, headers)| Request {
                method,
                target,
                headers,
                body,
                correlation_id: None,
            })
            .collect();
        Ok(xs2a::explain(&request, &options))
    })?;
    explanation(py, &found)
}

/// An `xs2a.Explanation`.
pub(crate) fn explanation<'py>(py: Python<'py>, found: &Explanation) -> PyResult<Bound<'py, PyAny>> {
    let proof = found.proof.map(xs2a::explain::Proof::as_str);
    let Explanation { ok, reason, mistake, text, expected, signed, hypotheses, .. } = found;
    value(py, "Explanation", (*ok, *reason, *mistake, text, proof, expected, signed, *hypotheses))
}

#[doc = help!("mistakes")]
#[pyfunction]
pub(crate) fn mistakes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyTuple>>> {
    let rows = xs2a::mistakes().iter().flat_map(|group| group.rows);
    rows.map(|row| PyTuple::new(py, [row.id, row.sentence])).collect()
}
