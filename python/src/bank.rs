//! What Python implements for an engine: the bank, the register of TPPs, the clock.
//!
//! The core calls from within a call of Python, with the interpreter released; each question holds it for as long as
//! Python needs to answer.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyBytes, PyDict};
use xs2a::env::{self, Applicant, Clock, IssuedCertificate, Revocation, RevocationStatus, TppRegistry};
use xs2a::internal::BANK_ERROR_CHARS_MAX;
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod};
use xs2a::types::CallIds;
use xs2a::{Error, Result};

use crate::asking::Asking;
use crate::convert::Instant;
use crate::error::{self, misconfigured};
use crate::given::not_a;
use crate::{exit, greenlets};

thread_local! {
    /// What Python raised within the present call of this thread and must come out of it.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// As [`error::guarded`]; what a callback raised that is more than its own trouble comes out of the call.
/// `MisuseError` where another greenlet of the thread is within a callback.
pub(crate) fn guarded<T: Send>(py: Python<'_>, call: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    greenlets::check(py)?;
    // A bank may call the engine again: what its caller has to raise waits until that call is over.
    let before = RAISED.take();
    let done = error::guarded(py, call);
    match RAISED.replace(before) {
        Some(raised) => Err(raised),
        None => done,
    }
}

/// Whether the present call of this thread ends by raising something.
pub(crate) fn has_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

/// What is beyond exceptions is raised when the call is over; an exception comes back.
pub(crate) fn raise_later(py: Python<'_>, raised: PyErr) -> Option<PyErr> {
    if raised.is_instance_of::<PyException>(py) {
        return Some(raised);
    }
    RAISED.replace(Some(raised));
    None
}

/// What is raised when the call is over, also if it returns an answer.
pub(crate) fn raise_at_the_end(raised: PyErr) {
    RAISED.replace(Some(raised));
}

/// Exceptions are the bank's own trouble: `xs2a._bank` has logged them. What is beyond them (`KeyboardInterrupt`,
/// `SystemExit`) is raised when the call is over.
pub(crate) fn troubled(py: Python<'_>, raised: PyErr, what: &str) -> Error {
    let explanation = explanation(py, &raised);
    raise_later(py, raised);
    match explanation {
        Some(text) => Error::Bank(format!("{what}: {text}")),
        None => Error::Bank(format!("{what}: Python raised; see the log `xs2a.bank`")),
    }
}

/// The text of a `BankError`, which is made for the log. That of another exception may name a customer.
fn explanation(py: Python<'_>, raised: &PyErr) -> Option<String> {
    let class = py.import("xs2a._errors").ok()?.getattr("BankError").ok()?;
    if !raised.matches(py, class).ok()? {
        return None;
    }
    let text = raised.value(py).str().and_then(|text| text.extract::<PyBackedStr>());
    let text = text.map_err(|raised| raise_later(py, raised)).ok()?;
    let kept: String = text.chars().take(BANK_ERROR_CHARS_MAX).collect();
    Some(kept).filter(|text| !text.is_empty())
}

#[doc = help!("current_call")]
#[pyfunction]
pub(crate) fn current_call(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let CallIds { traceparent, correlation_id, .. } = env::current_call();
    let ids = PyDict::new(py);
    if let Some(traceparent) = traceparent {
        ids.set_item("traceparent", traceparent.as_str())?;
    }
    if let Some(id) = correlation_id {
        ids.set_item("correlation_id", id.as_str())?;
    }
    Ok(ids)
}

/// Begins a question whose failure is logged: what is too deep is the host's trouble as if it had raised it itself.
pub(crate) fn begin(py: Python<'_>, who: &str) -> PyResult<Asking> {
    Asking::begin().or_else(|raised| {
        py.import("xs2a._bank")?.call_method1("log_trouble", (who, raised.value(py)))?;
        Err(raised)
    })
}

/// No answer is possible any more.
pub(crate) fn ending(what: &str) -> Error {
    Error::Bank(format!("{what}: the interpreter is ending"))
}

/// An object of the host that is asked. The threads that ask and the engine's object in Python share one reference to
/// it, so that the garbage collector, which counts references, sees all of them.
pub(crate) type Asked = Arc<Py<PyAny>>;

/// An object with the methods of `xs2a.Bank`.
pub(crate) struct PyBank {
    bank: Asked,
    ask: Py<PyAny>,
    /// What that raises for an answer that cannot be written as JSON.
    unusable: Py<PyAny>,
    /// The members of each question that the bank has a method for.
    members: Py<PyDict>,
}

impl PyBank {
    /// `ConfigError` for an object that lacks a method.
    pub(crate) fn new(bank: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = bank.py();
        let members = PyDict::new(py);
        for method in BankMethod::ALL {
            let has = bank.getattr_opt(method.name())?.is_some_and(|found| found.is_callable());
            if has {
                let names: Vec<_> = method.question().into_iter().map(|member| member.name).collect();
                members.set_item(method.name(), names)?;
            } else if *method != BankMethod::RequiresSca {
                return Err(misconfigured(py, format!("the bank has no method `{method}`")));
            }
        }
        let asking = py.import("xs2a._bank")?;
        Ok(Self {
            bank: Arc::new(bank.clone().unbind()),
            ask: asking.getattr("ask")?.unbind(),
            unusable: asking.getattr("UnusableAnswer")?.unbind(),
            members: members.unbind(),
        })
    }

    pub(crate) fn asked(&self) -> Asked {
        Arc::clone(&self.bank)
    }

    /// The answer as JSON; `None` where the bank had no such method when the engine was made.
    fn ask_object(&self, py: Python<'_>, method: BankMethod, request: &str) -> PyResult<Option<PyBackedStr>> {
        let Some(members) = self.members.bind(py).get_item(method.name())? else { return Ok(None) };
        let _asking = begin(py, &format!("the bank's `{method}`"))?;
        let text = self.ask.call1(py, (&*self.bank, method.name(), members, request))?;
        text.extract(py).map(Some)
    }

    /// An invalid answer is the order's fault. An exception is not: it means that the bank is unavailable.
    fn failed(&self, py: Python<'_>, raised: PyErr, method: BankMethod) -> Error {
        match raised.matches(py, self.unusable.bind(py)) {
            Ok(true) => Error::BankAnswer(format!("{method}: the answer: {}", raised.value(py))),
            _ => troubled(py, raised, method.name()),
        }
    }
}

impl BankCalls for PyBank {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> Result<()> {
        let answered = exit::attached(|py| {
            match self.ask_object(py, method, request) {
                Ok(Some(text)) => answer.write(text.as_bytes()),
                // The one method that a bank need not have.
                Ok(None) => answer.write(b"null"),
                Err(raised) => Err(self.failed(py, raised, method)),
            }
        });
        answered.unwrap_or_else(|| Err(ending(method.name())))
    }
}

/// A callable that knows which TPPs are registered.
pub(crate) struct PyRegistry(Asked);

impl PyRegistry {
    /// `TypeError` for what cannot be called.
    pub(crate) fn new(registry: &Bound<'_, PyAny>) -> PyResult<Self> {
        callable(registry, "registry").map(Self)
    }

    pub(crate) fn asked(&self) -> Asked {
        Arc::clone(&self.0)
    }

    fn ask_object(&self, py: Python<'_>, organisation_id: &str) -> PyResult<bool> {
        let _asking = begin(py, "the register")?;
        let ask = py.import("xs2a._bank")?.getattr("is_registered")?;
        let answer = ask.call1((&*self.0, organisation_id))?;
        match answer.cast::<PyBool>() {
            Ok(answer) => Ok(answer.is_true()),
            Err(_) => Err(not_a("an answer of True or False", &answer)),
        }
    }
}

impl TppRegistry for PyRegistry {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        let answered = exit::attached(|py| {
            self.ask_object(py, applicant.organisation_id).map_err(|raised| troubled(py, raised, "registry"))
        });
        answered.unwrap_or_else(|| Err(ending("registry")))
    }
}

/// A callable that knows which certificates are revoked.
pub(crate) struct PyRevocation(Asked);

impl PyRevocation {
    /// `TypeError` for what cannot be called.
    pub(crate) fn new(revocation: &Bound<'_, PyAny>) -> PyResult<Self> {
        callable(revocation, "revocation").map(Self)
    }

    pub(crate) fn asked(&self) -> Asked {
        Arc::clone(&self.0)
    }

    fn ask_object(&self, py: Python<'_>, asked: &IssuedCertificate<'_>) -> PyResult<RevocationStatus> {
        let _asking = begin(py, "the revocation")?;
        let ask = py.import("xs2a._bank")?.getattr("revocation_status")?;
        let issuer = asked.issuer.map(|issuer| PyBytes::new(py, issuer));
        let answer = ask.call1((&*self.0, PyBytes::new(py, asked.der), issuer))?;
        match &*answer.extract::<PyBackedStr>()? {
            "good" => Ok(RevocationStatus::Good),
            "revoked" => Ok(RevocationStatus::Revoked),
            "stale" => Ok(RevocationStatus::Stale),
            _ => Ok(RevocationStatus::Unlisted),
        }
    }
}

impl Revocation for PyRevocation {
    fn status(&self, certificate: &IssuedCertificate<'_>) -> Result<RevocationStatus> {
        let answered = exit::attached(|py| {
            self.ask_object(py, certificate).map_err(|raised| troubled(py, raised, "revocation"))
        });
        answered.unwrap_or_else(|| Err(ending("revocation")))
    }
}

/// A callable that knows the time.
pub(crate) struct PyClock(Asked);

impl PyClock {
    /// `TypeError` for what cannot be called.
    pub(crate) fn new(clock: &Bound<'_, PyAny>) -> PyResult<Self> {
        callable(clock, "clock").map(Self)
    }

    pub(crate) fn asked(&self) -> Asked {
        Arc::clone(&self.0)
    }
}

impl Clock for PyClock {
    /// There is no answer without a time: what a clock raises comes out of the call, which is given up.
    fn now(&self) -> DateTime<Utc> {
        let ask_object = exit::attached(|py| {
            let _asking = Asking::begin()?;
            self.0.call0(py)?.extract::<Instant>(py)
        });
        match ask_object.unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter is ending"))) {
            Ok(now) => now.0,
            Err(raised) => {
                RAISED.replace(Some(raised));
                resume_unwind(Box::new("the clock raised"))
            }
        }
    }
}

pub(crate) fn callable(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Asked> {
    match given.is_callable() {
        true => Ok(Arc::new(given.clone().unbind())),
        false => Err(not_a(&format!("a callable as `{name}`"), given)),
    }
}
