//! The journal of a sandbox and what it has seen, as `xs2a/_journal.py` and `xs2a/_coverage.py` hand them out.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use xs2a::sandbox::{header_text, JournalEntry, RecordedCall, Step};
use xs2a::{Coverage, JournalExport, JournalForm};

use crate::convert::{datetime, last, number, value_class};
use crate::error::{guarded, misuse};
use crate::exit;
use crate::explain::explanation;
use crate::given::Flag;
use crate::sandbox::Sandbox;
use crate::text::Text;

#[doc = help!("journal_length")]
#[pyfunction]
pub(crate) fn journal_length(py: Python<'_>, sandbox: &Sandbox) -> PyResult<usize> {
    sandbox.access().call(py, |sandbox| Ok(sandbox.journal().len()))
}

#[doc = help!("journal_entries")]
#[pyfunction]
pub(crate) fn journal_entries<'py>(
    py: Python<'py>,
    sandbox: &Sandbox,
    start: usize,
    stop: usize,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let entries = sandbox.access().call(py, |sandbox| Ok(sandbox.journal()))?;
    let (call, note) = (value_class(py, "JournalCall")?, value_class(py, "JournalNote")?);
    let entries = entries.iter().take(stop).skip(start);
    let values = entries.map(|entry| match &entry.step {
        Step::Call(recorded) => call.call((), Some(&members(py, entry, &recorded.unpack())?)),
        _ => note.call1((entry.number, datetime(entry.at), entry.text(), happened(py, entry)?)),
    });
    exit::visit(py, || values.collect())
}

/// The newest calls with these attributes, newest first; absent ones are not looked at.
#[pyfunction]
#[pyo3(signature = (sandbox, limit, *, tpp=None, operation=None, status=None, reason=None))]
pub(crate) fn journal_newest_calls<'py>(
    py: Python<'py>,
    sandbox: &Sandbox,
    limit: usize,
    tpp: Option<Text>,
    operation: Option<Text>,
    status: Option<u16>,
    reason: Option<Text>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let entries = sandbox.access().call(py, |sandbox| Ok(sandbox.journal()))?;
    let class = value_class(py, "JournalCall")?;
    // Looked at before it is unpacked: of many calls few are wanted.
    let wanted = entries.iter().rev().filter_map(|entry| match &entry.step {
        Step::Call(call)
            if tpp.as_deref().is_none_or(|wanted| call.tpp() == Some(wanted))
                && operation.as_deref().is_none_or(|wanted| call.operation() == Some(wanted))
                && status.is_none_or(|wanted| call.status() == wanted)
                && reason.as_deref().is_none_or(|wanted| call.reason() == Some(wanted)) =>
        {
            Some((entry, call))
        }
        _ => None,
    });
    let values =
        wanted.take(limit).map(|(entry, call)| class.call((), Some(&members(py, entry, &call.unpack())?)));
    exit::visit(py, || values.collect())
}

fn members<'py>(py: Python<'py>, entry: &JournalEntry, call: &RecordedCall) -> PyResult<Bound<'py, PyDict>> {
    let headers = call.headers.iter().map(|(name, value)| (name, header_text(value)));
    let answered = call.answer_headers.iter().map(|(name, value)| (name, header_text(value)));
    let reasons = call.reasons.iter().map(|reason| reason.id());
    let members = PyDict::new(py);
    members.set_item("number", entry.number)?;
    members.set_item("at", datetime(entry.at))?;
    members.set_item("method", &call.method)?;
    members.set_item("target", &call.target)?;
    members.set_item("headers", PyTuple::new(py, headers.collect::<Vec<_>>())?)?;
    members.set_item("body", PyBytes::new(py, &call.body))?;
    members.set_item("status", call.status)?;
    members.set_item("answer_headers", PyTuple::new(py, answered.collect::<Vec<_>>())?)?;
    members.set_item("answer_body", PyBytes::new(py, &call.answer_body))?;
    members.set_item("reason", call.reason)?;
    members.set_item("reasons", PyTuple::new(py, reasons.collect::<Vec<_>>())?)?;
    members.set_item("operation", call.operation)?;
    members.set_item("tpp", &call.tpp)?;
    members.set_item("happened", happened(py, entry)?)?;
    Ok(members)
}

fn happened<'py>(py: Python<'py>, entry: &JournalEntry) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, entry.happened_text())
}

/// The number of the newest entry, also of one that was deleted; 0 before the first.
#[pyfunction]
pub(crate) fn journal_last_number(py: Python<'_>, sandbox: &Sandbox) -> PyResult<u64> {
    sandbox.access().call(py, |sandbox| Ok(sandbox.last_journal_number()))
}

/// The mistake behind the entry of that number.
#[pyfunction]
pub(crate) fn journal_explanation<'py>(
    py: Python<'py>,
    sandbox: &Sandbox,
    #[pyo3(from_py_with = number)] number: u64,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let found = sandbox.access().call(py, |sandbox| Ok(sandbox.explain_entry(number)))?;
    found.map(|found| explanation(py, &found)).transpose()
}

/// The journal as text.
#[pyfunction]
#[pyo3(signature = (sandbox, form, redact, last, origin, number=None))]
pub(crate) fn journal_export(
    py: Python<'_>,
    sandbox: &Sandbox,
    form: Text,
    redact: Flag,
    #[pyo3(from_py_with = last)] last: Option<usize>,
    origin: Option<Text>,
    #[pyo3(from_py_with = number)] number: Option<u64>,
) -> PyResult<String> {
    let form = JournalForm::parse(&form).ok_or_else(|| misuse(py, "no form of a journal"))?;
    let origin = origin.map(Text::into_string);
    let export = JournalExport { form, redact: redact.0, last, number, origin };
    sandbox.access().call(py, |sandbox| sandbox.export_journal(&export))
}

/// Forgets the entries.
#[pyfunction]
pub(crate) fn journal_clear(py: Python<'_>, sandbox: &Sandbox) -> PyResult<()> {
    sandbox.access().call(py, |sandbox| {
        sandbox.clear_journal();
        Ok(())
    })
}

/// What a sandbox, or its family, has seen: JSON.
#[pyfunction]
pub(crate) fn coverage_of(py: Python<'_>, sandbox: &Sandbox, family: Flag) -> PyResult<String> {
    sandbox.access().call(py, |sandbox| match family.0 {
        true => sandbox.family_coverage().to_json(),
        false => sandbox.coverage().to_json(),
    })
}

/// The sum of coverages, as JSON; of none: nothing was seen.
#[pyfunction]
pub(crate) fn coverage_sum(py: Python<'_>, coverages: Vec<Text>) -> PyResult<String> {
    guarded(py, || {
        let mut sum = Coverage::default();
        for coverage in &coverages {
            sum.merge(&Coverage::from_json(coverage)?);
        }
        sum.to_json()
    })
}

/// A coverage in words.
#[pyfunction]
pub(crate) fn coverage_text(py: Python<'_>, coverage: Text, untouched: Flag) -> PyResult<String> {
    guarded(py, || Ok(Coverage::from_json(&coverage)?.text(untouched.0)))
}

/// What of a kind was not seen.
#[pyfunction]
pub(crate) fn coverage_untouched(py: Python<'_>, coverage: Text, kind: Text) -> PyResult<Vec<String>> {
    let kind = xs2a::CoverageKind::parse(&kind).ok_or_else(|| misuse(py, "no kind of a coverage"))?;
    guarded(py, || Ok(Coverage::from_json(&coverage)?.untouched(kind)))
}
