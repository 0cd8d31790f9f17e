//! `xs2a.Engine`: over a bank of the host's own, or the one behind a sandbox.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use xs2a::engine::EngineConfig;
use xs2a::foreign_bank::JsonBank;
use xs2a::machine::Machine;
use xs2a::payment::machine::PaymentStatus;
use xs2a::trust::AnswerAges;
use xs2a::types::PsuKey;
use xs2a::Request;

use crate::audit::AuditLines;
use crate::bank::{self, Asked, PyBank, PyClock};
use crate::convert::{
    self, datetime, json_text, json_value, policy as policy_text, value, value_class, Body, Instant, KeyPair,
    Pem, TextOrBytes, Texts,
};
use crate::door::Door;
use crate::error::{guarded, misuse};
use crate::exit;
use crate::headers::Headers;
use crate::log::PyLogger;
use crate::response::Response;
use crate::text::Text;
use crate::tpp::WhichTpp;
use crate::trust::GivenRegistry;

/// An access-to-account engine.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Engine(Host);

enum Host {
    /// The one of a sandbox, which closes it.
    Sandbox(Arc<Door>),
    /// Over a bank of the host's own. A call in progress keeps the engine; no lock is held during it, so that a bank
    /// may call back, and close it.
    Own(RwLock<Option<Open>>),
}

/// An engine that is not closed.
struct Open {
    engine: Arc<xs2a::Engine>,
    /// The objects that it asks. While there is no call, the engine of this object is the only other owner.
    asked: Vec<Asked>,
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
                let open = own.read().unwrap_or_else(PoisonError::into_inner);
                let engine = open.as_ref().map(|open| Arc::clone(&open.engine));
                drop(open);
                let engine = engine.ok_or_else(|| misuse(py, "the engine is closed"))?;
                bank::guarded(py, || call(&engine))
            }
        }
    }

    /// Returns true if a call of several steps goes on to the next: the engine is not closed, and there is no exception
    /// to raise.
    fn goes_on(&self) -> bool {
        match &self.0 {
            Host::Sandbox(_) => true,
            Host::Own(own) => {
                !bank::has_raised() && own.read().unwrap_or_else(PoisonError::into_inner).is_some()
            }
        }
    }
}

/// What an engine of the host's own is given beside its bank: the configuration, as Python spells it.
struct Settings {
    database: Text,
    trust_anchors: Pem,
    policy: Option<String>,
    response_key: Option<KeyPair>,
    ages: Option<AnswerAges>,
    order_lease_seconds: Option<i64>,
}

impl Settings {
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let settings = PyDict::new(py);
        settings.set_item("database", &*self.database)?;
        settings.set_item("trust_anchors", &*self.trust_anchors)?;
        if let Some(policy) = &self.policy {
            settings.set_item("policy", json_value(py, policy)?)?;
        }
        if let Some(KeyPair { certificate, private_key }) = &self.response_key {
            let pair = PyDict::new(py);
            pair.set_item("certificate", &**certificate)?;
            pair.set_item("private_key", &**private_key)?;
            settings.set_item("response_key", pair)?;
        }
        if let Some(ages) = self.ages {
            let told = PyDict::new(py);
            told.set_item("registered_seconds", ages.registered_seconds)?;
            told.set_item("unknown_seconds", ages.unknown_seconds)?;
            settings.set_item("registry_ages", told)?;
        }
        if let Some(seconds) = self.order_lease_seconds {
            settings.set_item("order_lease_seconds", seconds)?;
        }
        json_text(&settings)?.extract()
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (
            bank, *, database, trust_anchors, registry=None, clock=None, policy=None, response_key=None,
            order_lease_seconds=None
        ),
        text_signature = "(bank, *, database, trust_anchors, registry=None, clock=None, policy=None, \
                          response_key=None, order_lease_seconds=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn over_bank(
        py: Python<'_>,
        bank: &Bound<'_, PyAny>,
        database: Text,
        trust_anchors: Pem,
        registry: Option<GivenRegistry>,
        clock: Option<Bound<'_, PyAny>>,
        #[pyo3(from_py_with = policy_text)] policy: Option<String>,
        response_key: Option<KeyPair>,
        #[pyo3(from_py_with = convert::order_lease_seconds)] order_lease_seconds: Option<i64>,
    ) -> PyResult<Self> {
        let ages = registry.as_ref().and_then(|registry| registry.ages);
        let settings = Settings { database, trust_anchors, policy, response_key, ages, order_lease_seconds };
        let config = settings.to_json(py)?;
        let bank = PyBank::new(bank)?;
        let registry = registry.map(|registry| registry.registry);
        let clock = clock.map(|clock| PyClock::new(&clock)).transpose()?;
        let mut asked = vec![bank.asked()];
        asked.extend(registry.as_ref().map(|registry| registry.asked()));
        asked.extend(clock.as_ref().map(PyClock::asked));
        let bank = Arc::new(JsonBank::new(bank));
        let logger = Arc::new(PyLogger::new(py)?);
        let engine = bank::guarded(py, || {
            let mut builder = EngineConfig::from_json(&config)?.builder().bank(bank).logger(logger);
            if let Some(registry) = registry {
                builder = builder.registry(Arc::new(registry));
            }
            if let Some(clock) = clock {
                builder = builder.clock(Arc::new(clock));
            }
            builder.build()
        })?;
        Ok(Self(Host::Own(RwLock::new(Some(Open { engine: Arc::new(engine), asked })))))
    }

    /// Answer one request. An answer of 400 or 500 is a normal result, never an exception.
    #[pyo3(
        signature = (method, target, headers, body=None),
        text_signature = "($self, method, target, headers, body=b'')"
    )]
    fn handle(
        &self,
        py: Python<'_>,
        method: Text,
        target: Text,
        headers: Headers,
        body: Option<Body>,
    ) -> PyResult<Response> {
        let headers = headers.borrowed();
        let request = Request {
            method: &method,
            target: &target,
            headers: &headers,
            body: body.as_deref().unwrap_or_default(),
        };
        self.call(py, |engine| Ok(engine.handle(&request))).map(|answer| Response::new(py, answer))
    }

    /// Answer one HTTP/1.1 request as bytes, with bytes.
    fn handle_http(&self, py: Python<'_>, message: Body) -> PyResult<Py<PyBytes>> {
        let answer = self.call(py, |engine| Ok(engine.handle_http(&message).to_bytes()))?;
        Ok(PyBytes::new(py, &answer).unbind())
    }

    /// What the bank's SCA site must show; None: unknown, used or dead.
    fn authorisation<'py>(
        &self,
        py: Python<'py>,
        authorisation_id: Text,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let shown = self.call(py, |engine| engine.authorisation_json(&authorisation_id))?;
        shown.map(|text| json_value(py, text)).transpose()
    }

    /// End an authorisation with the PSU's answer. Returns the URL the PSU is sent back to.
    #[pyo3(
        signature = (
            authorisation_id, outcome, *, person=None, context=Text::from("PRIVATE"), corporate=None,
            accounts=None, card_accounts=None
        ),
        text_signature = "($self, authorisation_id, outcome, *, person=None, context='PRIVATE', corporate=None, \
                          accounts=None, card_accounts=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn complete_sca(
        &self,
        py: Python<'_>,
        authorisation_id: Text,
        outcome: Text,
        person: Option<Text>,
        context: Text,
        corporate: Option<Text>,
        accounts: Option<Texts>,
        card_accounts: Option<Texts>,
    ) -> PyResult<String> {
        let told = PyDict::new(py);
        told.set_item("outcome", &*outcome)?;
        if let Some(person) = person {
            let psu = PyDict::new(py);
            psu.set_item("person", &*person)?;
            psu.set_item("context", &*context)?;
            psu.set_item("corporate", corporate.as_deref())?;
            told.set_item("psu", psu)?;
        }
        told.set_item("accounts", accounts.as_ref().map(Texts::borrowed))?;
        told.set_item("cardAccounts", card_accounts.as_ref().map(Texts::borrowed))?;
        let told: String = json_text(&told)?.extract()?;
        let redirect = self.call(py, |engine| engine.complete_sca_json(&authorisation_id, &told))?;
        Ok(redirect.url)
    }

    /// Take back what a person opened to a TPP.
    fn revoke_consent(&self, py: Python<'_>, person: Text, tpp: WhichTpp<'_>) -> PyResult<()> {
        let (person, organisation_id) = (PsuKey::new(&*person), tpp.organisation_id());
        self.call(py, |engine| engine.revoke_consent(&organisation_id, &person))
    }

    /// Report the status of a payment at the bank.
    #[pyo3(signature = (payment_id, status, funds_available=None))]
    fn report_payment_status(
        &self,
        py: Python<'_>,
        payment_id: Text,
        status: Text,
        funds_available: Option<bool>,
    ) -> PyResult<()> {
        let status = PaymentStatus::parse(&status)
            .ok_or_else(|| misuse(py, format!("`{}` is no status of a payment", &*status)))?;
        match &self.0 {
            // The simulated bank must know too, or it would execute a payment that only the engine has closed.
            Host::Sandbox(door) => {
                door.call(py, |sandbox| sandbox.report_payment_status(&payment_id, status, funds_available))
            }
            Host::Own(..) => {
                self.call(py, |engine| engine.report_payment_status(&payment_id, status, funds_available))
            }
        }
    }

    /// Hand what is due to the bank.
    fn run_due<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.call(py, |engine| engine.run_due_while(|| self.goes_on()))?;
        value(py, "RunReport", (report.submitted, report.withdrawn, report.failed, report.set_aside))
    }

    /// When something is due next; None: nothing is waiting.
    fn next_due(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.call(py, xs2a::Engine::next_due).map(|due| due.map(datetime))
    }

    /// The dead letters: orders that are not delivered again until they are retried or resolved.
    fn set_aside<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = value_class(py, "SetAsideOrder")?;
        let orders = self.call(py, xs2a::Engine::set_aside)?;
        let told = orders.iter().map(|order| {
            class.call1((order.payment_id.as_str(), order.attempts, &order.why, datetime(order.since)))
        });
        exit::visit(py, || told.collect())
    }

    /// Let an order that is set aside be delivered again.
    fn retry_order(&self, py: Python<'_>, payment_id: Text) -> PyResult<()> {
        self.call(py, |engine| engine.retry_order(&payment_id))
    }

    /// The audit from a time until before another, oldest first.
    fn audit(slf: Py<Self>, start: Instant, end: Instant) -> AuditLines {
        AuditLines::new(slf, &start, &end)
    }

    /// Put other trust anchors in the place of those there are.
    fn replace_trust_anchors(&self, py: Python<'_>, trust_anchors: Pem) -> PyResult<usize> {
        self.call(py, |engine| engine.replace_trust_anchors_with(trust_anchors.as_bytes()))
    }

    /// Take certificate revocation lists.
    fn supply_crl(&self, py: Python<'_>, lists: TextOrBytes, authorities: Pem) -> PyResult<usize> {
        self.call(py, |engine| engine.supply_revocation_lists(&lists, authorities.as_bytes()))
    }

    /// Forget every revocation list.
    fn clear_crls(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, xs2a::Engine::clear_revocation_lists)
    }

    /// When the first revocation list ceases to count; None: there is none.
    fn next_crl_due(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.call(py, xs2a::Engine::next_revocation_list_due).map(|due| due.map(datetime))
    }

    /// Put an extract of the register of TPPs in place.
    fn replace_register(&self, py: Python<'_>, extract: TextOrBytes) -> PyResult<usize> {
        self.call(py, |engine| engine.replace_register(&extract))
    }

    /// Forget what the register answered about a TPP.
    fn forget_registration(&self, py: Python<'_>, organisation_id: Text) -> PyResult<()> {
        self.call(py, |engine| engine.forget_registration(&organisation_id))
    }

    /// A bank that keeps its engine would keep both for ever. A call that is under way holds the engine too, but its
    /// caller holds this object, which is then none of what the collector frees.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Host::Own(own) = &self.0 else { return Ok(()) };
        // The garbage collector must not wait. An object that is not visited counts as referenced.
        let Ok(open) = own.try_read() else { return Ok(()) };
        open.iter().flat_map(|open| &open.asked).try_for_each(|asked| visit.call(&**asked))
    }

    fn __clear__(&self) {
        if let Host::Own(own) = &self.0 {
            // What is freed may run Python, so the lock is let go before.
            let open = own.write().unwrap_or_else(PoisonError::into_inner).take();
            drop(open);
        }
    }

    /// Close the database as soon as the calls under way have ended. Closing twice is fine.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.0 {
            Host::Sandbox(_) => Err(misuse(py, "the engine of a sandbox is closed by the sandbox")),
            Host::Own(own) => {
                let open = own.write().unwrap_or_else(PoisonError::into_inner).take();
                guarded(py, || {
                    drop(open);
                    Ok(())
                })
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
