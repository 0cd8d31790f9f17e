//! `xs2a.explain`: which mistake a client made.

use chrono::TimeDelta;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use xs2a::{ExplainOptions, Explanation, Request};

use crate::convert::{policy, value, Body, Instant, Pem, Texts};
use crate::error::{guarded, misuse};
use crate::headers::Headers;
use crate::text::Text;

/// A call before the one that is explained.
type Earlier = (Text, Text, Headers, Body);

/// Say which mistake of a client made a signature, Digest, keyId, certificate or Date fail.
#[pyfunction]
#[pyo3(
    signature = (
        method, target, headers, body=None, *,
        now=None, certificates=None, base_paths=None, earlier=None, policy=None, budget=None
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
    earlier: Option<Vec<Earlier>>,
    #[pyo3(from_py_with = policy)] policy: Option<String>,
    budget: Option<TimeDelta>,
) -> PyResult<Bound<'py, PyAny>> {
    let headers = headers.borrowed();
    let body = body.as_deref().unwrap_or_default();
    let request = Request { method: &method, target: &target, headers: &headers, body };
    let negative = |_| misuse(py, "the budget is negative");
    let budget = budget.map(|budget| budget.to_std().map_err(negative)).transpose()?;
    let earlier = earlier.unwrap_or_default();
    let earlier_headers: Vec<_> = earlier.iter().map(|(_, _, headers, _)| headers.borrowed()).collect();
    let found = guarded(py, || {
        let mut options = ExplainOptions { now: now.map(|now| now.0), ..ExplainOptions::default() };
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
            .map(|((method, target, _, body), headers)| Request { method, target, headers, body })
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

/// Every mistake that is known.
#[pyfunction]
pub(crate) fn mistakes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyTuple>>> {
    let rows = xs2a::mistakes().iter().flat_map(|group| group.rows);
    rows.map(|row| PyTuple::new(py, [row.id, row.sentence])).collect()
}
