//! `sandbox.faults` and `sandbox.provoke`: what goes wrong on purpose.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use xs2a::{FaultKind, FaultSpec};

use crate::convert::{json_text, json_value, value, whole};
use crate::error::{guarded, misuse};
use crate::given::{not_a, Real, Span};
use crate::pickling::{not_pickled, OF_A_SANDBOX};
use crate::predicate::predicate;
use crate::sandbox_access::SandboxAccess;
use crate::text::Text;
use crate::tpp::WhichTpp;

#[doc = help!("Faults")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Faults(Arc<SandboxAccess>);

impl Faults {
    pub(crate) fn new(access: Arc<SandboxAccess>) -> Self {
        Self(access)
    }

    fn set(&self, py: Python<'_>, spec: FaultSpec) -> PyResult<Fault> {
        let fault = self.0.call(py, |sandbox| sandbox.add_fault(spec))?;
        Ok(Fault { access: Arc::clone(&self.0), fault })
    }
}

/// The calls that a fault is for, as Python names them: `None` for any call.
struct OfCalls<'py> {
    operation: Option<Text>,
    tpp: Option<WhichTpp<'py>>,
    product: Option<Text>,
    target: Option<Text>,
    when: Option<Py<PyAny>>,
}

impl OfCalls<'_> {
    /// A fault that is for these calls alone.
    fn of(self, fault: FaultSpec) -> FaultSpec {
        FaultSpec {
            operation: owned(self.operation),
            tpp: organisation_id(self.tpp),
            product: owned(self.product),
            target: owned(self.target),
            when: self.when.map(predicate),
            ..fault
        }
    }
}

#[pymethods]
impl Faults {
    #[doc = help!("Faults.add")]
    #[pyo3(signature = (
        code, *, status=None, operation=None, tpp=None, product=None, target=None, when=None, nth=None,
        times=None, probability=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn add(
        &self,
        py: Python<'_>,
        code: Text,
        #[pyo3(from_py_with = status_of)] status: Option<u16>,
        operation: Option<Text>,
        tpp: Option<WhichTpp<'_>>,
        product: Option<Text>,
        target: Option<Text>,
        #[pyo3(from_py_with = callable)] when: Option<Py<PyAny>>,
        #[pyo3(from_py_with = count)] nth: Option<u64>,
        #[pyo3(from_py_with = count)] times: Option<u64>,
        probability: Option<Real>,
    ) -> PyResult<Fault> {
        let (calls, probability) =
            (OfCalls { operation, tpp, product, target, when }, number_of(probability));
        self.set(py, FaultSpec { status, nth, times, probability, ..calls.of(FaultSpec::refusal(&code)) })
    }

    #[doc = help!("Faults.bank_down")]
    #[pyo3(signature = (
        *, operation=None, tpp=None, product=None, target=None, when=None, nth=None, times=None,
        probability=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn bank_down(
        &self,
        py: Python<'_>,
        operation: Option<Text>,
        tpp: Option<WhichTpp<'_>>,
        product: Option<Text>,
        target: Option<Text>,
        #[pyo3(from_py_with = callable)] when: Option<Py<PyAny>>,
        #[pyo3(from_py_with = count)] nth: Option<u64>,
        #[pyo3(from_py_with = count)] times: Option<u64>,
        probability: Option<Real>,
    ) -> PyResult<Fault> {
        let (calls, probability) =
            (OfCalls { operation, tpp, product, target, when }, number_of(probability));
        self.set(py, FaultSpec { nth, times, probability, ..calls.of(FaultSpec::of(FaultKind::BankDown)) })
    }

    #[doc = help!("Faults.no_rate")]
    #[pyo3(signature = (
        *, operation=None, tpp=None, product=None, target=None, when=None, nth=None, times=None,
        probability=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn no_rate(
        &self,
        py: Python<'_>,
        operation: Option<Text>,
        tpp: Option<WhichTpp<'_>>,
        product: Option<Text>,
        target: Option<Text>,
        #[pyo3(from_py_with = callable)] when: Option<Py<PyAny>>,
        #[pyo3(from_py_with = count)] nth: Option<u64>,
        #[pyo3(from_py_with = count)] times: Option<u64>,
        probability: Option<Real>,
    ) -> PyResult<Fault> {
        let (calls, probability) =
            (OfCalls { operation, tpp, product, target, when }, number_of(probability));
        self.set(py, FaultSpec { nth, times, probability, ..calls.of(FaultSpec::of(FaultKind::NoRate)) })
    }

    #[doc = help!("Faults.slow")]
    #[pyo3(signature = (
        by, *, operation=None, tpp=None, product=None, target=None, when=None, nth=None, times=None,
        probability=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn slow(
        &self,
        py: Python<'_>,
        by: Span,
        operation: Option<Text>,
        tpp: Option<WhichTpp<'_>>,
        product: Option<Text>,
        target: Option<Text>,
        #[pyo3(from_py_with = callable)] when: Option<Py<PyAny>>,
        #[pyo3(from_py_with = count)] nth: Option<u64>,
        #[pyo3(from_py_with = count)] times: Option<u64>,
        probability: Option<Real>,
    ) -> PyResult<Fault> {
        let (calls, probability) =
            (OfCalls { operation, tpp, product, target, when }, number_of(probability));
        let kind = FaultSpec { seconds: Some(by.0.as_seconds_f64()), ..FaultSpec::of(FaultKind::Slow) };
        self.set(py, FaultSpec { nth, times, probability, ..calls.of(kind) })
    }

    #[doc = help!("Faults.sca")]
    #[pyo3(signature = (
        outcome, code=None, *, status=None, tpp=None, nth=None, times=None, probability=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn sca(
        &self,
        py: Python<'_>,
        outcome: Text,
        code: Option<Text>,
        #[pyo3(from_py_with = status_of)] status: Option<u16>,
        tpp: Option<WhichTpp<'_>>,
        #[pyo3(from_py_with = count)] nth: Option<u64>,
        #[pyo3(from_py_with = count)] times: Option<u64>,
        probability: Option<Real>,
    ) -> PyResult<Fault> {
        let (outcome, code) = (Some(outcome.into_string()), owned(code));
        let (tpp, probability) = (organisation_id(tpp), number_of(probability));
        let of_scas = FaultSpec { outcome, code, status, tpp, ..FaultSpec::of(FaultKind::Sca) };
        self.set(py, FaultSpec { nth, times, probability, ..of_scas })
    }

    #[doc = help!("Faults.submit_payment")]
    #[pyo3(signature = (*, product=None, nth=None, times=None, probability=None))]
    fn submit_payment(
        &self,
        py: Python<'_>,
        product: Option<Text>,
        #[pyo3(from_py_with = count)] nth: Option<u64>,
        #[pyo3(from_py_with = count)] times: Option<u64>,
        probability: Option<Real>,
    ) -> PyResult<Fault> {
        let (kind, probability) = (FaultSpec::of(FaultKind::SubmitPayment), number_of(probability));
        self.set(py, FaultSpec { product: owned(product), nth, times, probability, ..kind })
    }

    #[doc = help!("Faults.add_spec")]
    fn add_spec(&self, py: Python<'_>, #[pyo3(from_py_with = spec_text)] spec: String) -> PyResult<Fault> {
        let spec = guarded(py, || FaultSpec::from_json(&spec))?;
        self.set(py, spec)
    }

    #[doc = help!("Faults.clear")]
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.0.call(py, |sandbox| {
            sandbox.clear_faults();
            Ok(())
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled("Faults", OF_A_SANDBOX)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.call(py, |sandbox| Ok(sandbox.faults().len()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let faults = self.0.call(py, |sandbox| Ok(sandbox.faults()))?;
        let faults = faults.into_iter().map(|fault| Fault { access: Arc::clone(&self.0), fault });
        faults.collect::<Vec<_>>().into_pyobject(py)?.call_method0("__iter__")
    }
}

#[doc = help!("Fault")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Fault {
    access: Arc<SandboxAccess>,
    fault: Arc<xs2a::Fault>,
}

#[pymethods]
impl Fault {
    #[doc = help!("Fault.id")]
    #[getter]
    fn id(&self) -> u64 {
        self.fault.id()
    }

    #[doc = help!("Fault.spec")]
    #[getter]
    fn spec<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, guarded(py, || self.fault.spec().to_json())?)
    }

    #[doc = help!("Fault.seen")]
    #[getter]
    fn seen(&self) -> u64 {
        self.fault.seen()
    }

    #[doc = help!("Fault.hits")]
    #[getter]
    fn hits(&self) -> u64 {
        self.fault.hits()
    }

    #[doc = help!("Fault.remove")]
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        self.access.call(py, |sandbox| {
            sandbox.remove_fault(self.fault.id());
            Ok(())
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled("Fault", OF_A_SANDBOX)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.remove(py)
    }

    fn __repr__(&self) -> String {
        format!("<Fault {} {:?} hits={}>", self.fault.id(), self.fault.spec(), self.fault.hits())
    }
}

/// A request that is answered with a code, as the value that Python declares for it.
pub(crate) fn provoke<'py>(
    py: Python<'py>,
    access: &SandboxAccess,
    code: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let provoked = access.call(py, |sandbox| sandbox.provoke(code))?;
    let reason = provoked.reason();
    let members = (
        provoked.method(),
        provoked.target(),
        PyTuple::new(py, provoked.headers())?,
        PyBytes::new(py, provoked.body().as_bytes()),
        reason.code().as_str(),
        reason.status(),
        reason.id(),
    );
    value(py, "ProvokedRequest", members)
}

fn owned(text: Option<Text>) -> Option<String> {
    text.map(Text::into_string)
}

fn number_of(probability: Option<Real>) -> Option<f64> {
    probability.map(|probability| probability.0)
}

fn organisation_id(tpp: Option<WhichTpp<'_>>) -> Option<String> {
    tpp.map(|tpp| tpp.organisation_id())
}

/// A count from 1 on, or None. `MisuseError` for one that is no count.
fn count(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    whole(given, |py| misuse(py, "a count is 1 or more"))
}

/// An HTTP status, or None.
fn status_of(given: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
    let Some(number) = count(given)? else { return Ok(None) };
    u16::try_from(number).map(Some).map_err(|_| misuse(given.py(), "a status has three digits"))
}

/// A fault as it is written down, as the text of a JSON object.
fn spec_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if !given.is_instance_of::<PyDict>() {
        return Err(not_a("a dict", given));
    }
    json_text(given)?.extract()
}

/// A callable, or None.
fn callable(given: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    match given {
        none if none.is_none() => Ok(None),
        given if given.is_callable() => Ok(Some(given.clone().unbind())),
        given => Err(not_a("a callable", given)),
    }
}
