//! `xs2a.Engine`: over a bank of the host's own, or the one behind a sandbox.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use xs2a::engine::EngineConfig;
use xs2a::foreign_bank::JsonBank;
use xs2a::machine::Machine;
use xs2a::payment::machine::PaymentStatus;
use xs2a::types::PsuKey;
use xs2a::Request;

use crate::audit::AuditLines;
use crate::bank::{self, PyBank, PyClock, PyRegistry};
use crate::convert::{
    datetime, json_text, json_value, policy as policy_text, value_class, Body, Headers, Instant, Pem, Texts,
};
use crate::door::Door;
use crate::error::misuse;
use crate::log::PyLogger;
use crate::response::Response;
use crate::tpp::WhichTpp;

/// An access-to-account engine.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Engine(Host);

enum Host {
    /// The one of a sandbox, which closes it.
    Sandbox(Arc<Door>),
    /// Over a bank of the host's own. A call that is under way keeps the engine; nothing is locked meanwhile, so
    /// that a bank may call back, and close it.
    Own(RwLock<Option<Arc<xs2a::Engine>>>),
}

impl Engine {
    pub(crate) fn new(door: Arc<Door>) -> Self {
        Self(Host::Sandbox(door))
    }

    pub(crate) fn call<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&xs2a::Engine) -> xs2a::Result<T> + Send,
    ) -> PyResult<T> {
        match &self.0 {
            Host::Sandbox(door) => door.call(py, |sandbox| call(sandbox.engine())),
            Host::Own(own) => {
                let engine = own.read().unwrap_or_else(PoisonError::into_inner).clone();
                let engine = engine.ok_or_else(|| misuse(py, "the engine is closed"))?;
                bank::guarded(py, || call(&engine))
            }
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (
            bank, *, database, trust_anchors, registry=None, clock=None, policy=None, response_key=None
        ),
        text_signature = "(bank, *, database, trust_anchors, registry=None, clock=None, policy=None, \
                          response_key=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn over_bank(
        py: Python<'_>,
        bank: &Bound<'_, PyAny>,
        database: &str,
        trust_anchors: Pem,
        registry: Option<Bound<'_, PyAny>>,
        clock: Option<Bound<'_, PyAny>>,
        #[pyo3(from_py_with = policy_text)] policy: Option<String>,
        response_key: Option<(Pem, Pem)>,
    ) -> PyResult<Self> {
        let settings = PyDict::new(py);
        settings.set_item("database", database)?;
        settings.set_item("trust_anchors", &*trust_anchors)?;
        if let Some(policy) = policy {
            settings.set_item("policy", json_value(py, policy)?)?;
        }
        if let Some((certificate, private_key)) = response_key {
            let pair = PyDict::new(py);
            pair.set_item("certificate", &*certificate)?;
            pair.set_item("private_key", &*private_key)?;
            settings.set_item("response_key", pair)?;
        }
        let config: String = json_text(&settings)?.extract()?;
        let bank = Arc::new(JsonBank::new(PyBank::new(bank)?));
        let registry = registry.map(|registry| PyRegistry::new(&registry)).transpose()?;
        let clock = clock.map(|clock| PyClock::new(&clock)).transpose()?;
        let logger = Arc::new(PyLogger::new(py)?);
        let engine = bank::guarded(py, || {
            let mut builder = EngineConfig::from_json(&config)?.builder()?.bank(bank).logger(logger);
            if let Some(registry) = registry {
                builder = builder.registry(Arc::new(registry));
            }
            if let Some(clock) = clock {
                builder = builder.clock(Arc::new(clock));
            }
            builder.build()
        })?;
        Ok(Self(Host::Own(RwLock::new(Some(Arc::new(engine))))))
    }

    /// Answer one request. An answer of 400 or 500 is a normal result, never an exception.
    #[pyo3(
        signature = (method, target, headers, body=None),
        text_signature = "($self, method, target, headers, body=b'')"
    )]
    fn handle(
        &self,
        py: Python<'_>,
        method: &str,
        target: &str,
        headers: Headers,
        body: Option<Body>,
    ) -> PyResult<Response> {
        let headers = headers.borrowed();
        let request =
            Request { method, target, headers: &headers, body: body.as_deref().unwrap_or_default() };
        self.call(py, |engine| Ok(engine.handle(&request))).map(|answer| Response::new(py, &answer))
    }

    /// What the bank's SCA site must show; None: unknown, used or dead.
    fn authorisation<'py>(
        &self,
        py: Python<'py>,
        authorisation_id: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let shown = self.call(py, |engine| engine.authorisation_json(authorisation_id))?;
        shown.map(|text| json_value(py, text)).transpose()
    }

    /// End an authorisation with the PSU's answer. Returns the URL the PSU is sent back to.
    #[pyo3(
        signature = (
            authorisation_id, outcome, *, person=None, context="PRIVATE", corporate=None, accounts=None,
            card_accounts=None
        )
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn complete_sca(
        &self,
        py: Python<'_>,
        authorisation_id: &str,
        outcome: &str,
        person: Option<&str>,
        context: &str,
        corporate: Option<&str>,
        accounts: Option<Texts>,
        card_accounts: Option<Texts>,
    ) -> PyResult<String> {
        let told = PyDict::new(py);
        told.set_item("outcome", outcome)?;
        if let Some(person) = person {
            let psu = PyDict::new(py);
            psu.set_item("person", person)?;
            psu.set_item("context", context)?;
            psu.set_item("corporate", corporate)?;
            told.set_item("psu", psu)?;
        }
        told.set_item("accounts", accounts.as_ref().map(Texts::borrowed))?;
        told.set_item("cardAccounts", card_accounts.as_ref().map(Texts::borrowed))?;
        let told: String = json_text(&told)?.extract()?;
        let redirect = self.call(py, |engine| engine.complete_sca_json(authorisation_id, &told))?;
        Ok(redirect.url)
    }

    /// Take back what a person opened to a TPP.
    fn revoke_consent(&self, py: Python<'_>, person: &str, tpp: WhichTpp<'_>) -> PyResult<()> {
        let (person, organisation_id) = (PsuKey::new(person), tpp.organisation_id());
        self.call(py, |engine| engine.revoke_consent(&organisation_id, &person))
    }

    /// Tell where a payment stands at the bank.
    #[pyo3(signature = (payment_id, status, funds_available=None))]
    fn report_payment_status(
        &self,
        py: Python<'_>,
        payment_id: &str,
        status: &str,
        funds_available: Option<bool>,
    ) -> PyResult<()> {
        let status = PaymentStatus::parse(status)
            .ok_or_else(|| misuse(py, format!("`{status}` is no status of a payment")))?;
        self.call(py, |engine| engine.report_payment_status(payment_id, status, funds_available))
    }

    /// Hand what is due to the bank.
    fn run_due<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.call(py, xs2a::Engine::run_due)?;
        value_class(py, "RunReport")?.call1((
            report.submitted,
            report.withdrawn,
            report.failed,
            report.set_aside,
        ))
    }

    /// When something is due next; None: nothing is waiting.
    fn next_due(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.call(py, xs2a::Engine::next_due).map(|due| due.map(datetime))
    }

    /// The orders that are not delivered any more until somebody looks at them.
    fn set_aside<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = value_class(py, "SetAsideOrder")?;
        let orders = self.call(py, xs2a::Engine::set_aside)?;
        let told = orders.iter().map(|order| {
            class.call1((order.payment_id.as_str(), order.attempts, &order.why, datetime(order.since)))
        });
        told.collect()
    }

    /// Let an order that is set aside be delivered again.
    fn retry_order(&self, py: Python<'_>, payment_id: &str) -> PyResult<()> {
        self.call(py, |engine| engine.retry_order(payment_id))
    }

    /// The audit from a time until before another, oldest first.
    fn audit(slf: Py<Self>, start: Instant, end: Instant) -> AuditLines {
        AuditLines::new(slf, &start, &end)
    }

    /// Close the database as soon as the calls under way have ended. Closing twice is fine.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.0 {
            Host::Sandbox(_) => Err(misuse(py, "the engine of a sandbox is closed by the sandbox")),
            Host::Own(own) => {
                let engine = own.write().unwrap_or_else(PoisonError::into_inner).take();
                py.detach(|| drop(engine));
                Ok(())
            }
        }
    }

    fn __enter__(slf: Py<Self>, py: Python<'_>) -> PyResult<Py<Self>> {
        slf.get().call(py, |_| Ok(())).map(|()| slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }
}
