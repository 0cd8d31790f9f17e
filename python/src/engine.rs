//! `xs2a.Engine`: over a bank of the host's own, or the one behind a sandbox.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use xs2a::internal::rfc3339;
use xs2a::json_bank::JsonBank;
use xs2a::store::BlockedSubject;
use xs2a::types::PsuKey;
use xs2a::{logged, EngineConfig, Request};

use crate::audit::AuditLines;
use crate::bank::{self, PyBank, PyClock, PyRevocation};
use crate::convert::{
    self, datetime, json_text, json_value, policy as policy_text, value, value_class, Body, Day, Instant,
    Pem, TextOrBytes, Texts,
};
use crate::engine_host::{Host, Open};
use crate::error::{guarded, misuse};
use crate::exit;
use crate::given::Flag;
use crate::headers::Headers;
use crate::log::PyLogger;
use crate::payment_status::read_status;
use crate::pickling::not_pickled;
use crate::response::Response;
use crate::seal::{PySigner, Seal, SealKey};
use crate::settings::Settings;
use crate::text::Text;
use crate::tpp::WhichTpp;
use crate::trust::GivenRegistry;

#[doc = help!("Engine")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Engine(pub(crate) Host);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (
            bank, *, database, trust_anchors, registry=None, clock=None, policy=None, response_key=None,
            order_lease_seconds=None, bank_id=None, revocation=None
        ),
        text_signature = "(bank, *, database, trust_anchors, registry=None, clock=None, policy=None, \
                          response_key=None, order_lease_seconds=None, bank_id=None, revocation=None)"
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
        response_key: Option<Seal>,
        #[pyo3(from_py_with = convert::order_lease_seconds)] order_lease_seconds: Option<i64>,
        bank_id: Option<Text>,
        revocation: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let ages = registry.as_ref().and_then(|registry| registry.ages);
        let settings = Settings { database, trust_anchors, bank_id, policy, ages, order_lease_seconds };
        let config = settings.to_json(py)?;
        let registry = registry.map(|registry| registry.registry);
        let clock = clock.map(|clock| PyClock::new(&clock)).transpose()?;
        let revocation = revocation.map(|revocation| PyRevocation::new(&revocation)).transpose()?;
        let bank = PyBank::new(bank)?;
        let mut asked = vec![bank.asked()];
        asked.extend(registry.as_ref().map(|registry| registry.asked()));
        asked.extend(clock.as_ref().map(PyClock::asked));
        asked.extend(revocation.as_ref().map(PyRevocation::asked));
        let signer = response_key.as_ref().and_then(Seal::asked);
        let bank = Arc::new(JsonBank::new(bank));
        let logger = Arc::new(PyLogger::new(py)?);
        let engine = bank::guarded(py, || {
            let mut builder =
                EngineConfig::from_json(&config)?.builder().bank(bank).logger(Arc::clone(&logger) as _);
            if let Some(seal) = response_key {
                builder = builder.response_key(logged(logger, || seal.into_key())?);
            }
            if let Some(registry) = registry {
                builder = builder.registry(Arc::new(registry));
            }
            if let Some(revocation) = revocation {
                builder = builder.revocation(Arc::new(revocation));
            }
            if let Some(clock) = clock {
                builder = builder.clock(Arc::new(clock));
            }
            builder.build()
        })?;
        Ok(Self(Host::Own(RwLock::new(Some(Open { engine: Arc::new(engine), asked, signer })))))
    }

    #[doc = help!("Engine.handle")]
    #[pyo3(
        signature = (method, target, headers, body=None, *, correlation_id=None),
        text_signature = "($self, method, target, headers, body=b'', *, correlation_id=None)"
    )]
    fn handle(
        &self,
        py: Python<'_>,
        method: Text,
        target: Text,
        headers: Headers,
        body: Option<Body>,
        correlation_id: Option<Text>,
    ) -> PyResult<Response> {
        let headers = headers.borrowed();
        let correlation_id = convert::correlation_id(py, correlation_id)?;
        let request = Request {
            method: &method,
            target: &target,
            headers: &headers,
            body: body.as_deref().unwrap_or_default(),
            correlation_id,
        };
        self.call(py, |engine| Ok(engine.handle(&request))).map(|answer| Response::new(py, answer))
    }

    #[doc = help!("Engine.handle_http")]
    fn handle_http(&self, py: Python<'_>, message: Body) -> PyResult<Py<PyBytes>> {
        let answer = self.call(py, |engine| Ok(engine.handle_http(&message).to_bytes()))?;
        Ok(PyBytes::new(py, &answer).unbind())
    }

    #[doc = help!("Engine.authorisation")]
    fn authorisation<'py>(
        &self,
        py: Python<'py>,
        authorisation_id: Text,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let shown = self.call(py, |engine| engine.authorisation_json(&authorisation_id))?;
        shown.map(|text| json_value(py, text)).transpose()
    }

    #[doc = help!("Engine.complete_sca")]
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
        let values = PyDict::new(py);
        values.set_item("outcome", &*outcome)?;
        if let Some(person) = person {
            let psu = PyDict::new(py);
            psu.set_item("person", &*person)?;
            psu.set_item("context", &*context)?;
            psu.set_item("corporate", corporate.as_deref())?;
            values.set_item("psu", psu)?;
        }
        values.set_item("accounts", accounts.as_ref().map(Texts::borrowed))?;
        values.set_item("cardAccounts", card_accounts.as_ref().map(Texts::borrowed))?;
        let values: String = json_text(&values)?.extract()?;
        let redirect = self.call(py, |engine| engine.complete_sca_json(&authorisation_id, &values))?;
        Ok(redirect.url)
    }

    #[doc = help!("Engine.revoke_consent")]
    fn revoke_consent(&self, py: Python<'_>, person: Text, tpp: WhichTpp<'_>) -> PyResult<bool> {
        let (person, organisation_id) = (PsuKey::new(&*person), tpp.organisation_id());
        self.call(py, |engine| engine.revoke_consent(&organisation_id, &person))
    }

    #[doc = help!("Engine.consents")]
    #[pyo3(
        signature = (*, psu=None, tpp=None, after=None, limit=None),
        text_signature = "($self, *, psu=None, tpp=None, after=None, limit=200)"
    )]
    fn consents<'py>(
        &self,
        py: Python<'py>,
        psu: Option<Text>,
        tpp: Option<WhichTpp<'_>>,
        after: Option<Text>,
        #[pyo3(from_py_with = convert::page_limit)] limit: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = PyDict::new(py);
        query.set_item("psu", psu.as_deref())?;
        query.set_item("tpp", tpp.map(|tpp| tpp.organisation_id()))?;
        query.set_item("after", after.as_deref())?;
        query.set_item("limit", limit)?;
        let query: String = json_text(&query)?.extract()?;
        json_value(py, self.call(py, |engine| engine.consents_json(&query))?)
    }

    #[doc = help!("Engine.payments")]
    #[pyo3(
        signature = (
            *, psu=None, tpp=None, status=None, created_from=None, created_to=None, after=None, limit=None
        ),
        text_signature = "($self, *, psu=None, tpp=None, status=None, created_from=None, created_to=None, \
                          after=None, limit=200)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn payments<'py>(
        &self,
        py: Python<'py>,
        psu: Option<Text>,
        tpp: Option<WhichTpp<'_>>,
        status: Option<Text>,
        created_from: Option<Instant>,
        created_to: Option<Instant>,
        after: Option<Text>,
        #[pyo3(from_py_with = convert::page_limit)] limit: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = PyDict::new(py);
        query.set_item("psu", psu.as_deref())?;
        query.set_item("tpp", tpp.map(|tpp| tpp.organisation_id()))?;
        query.set_item("status", status.as_deref())?;
        query.set_item("createdFrom", created_from.map(|time| rfc3339(time.0)))?;
        query.set_item("createdTo", created_to.map(|time| rfc3339(time.0)))?;
        query.set_item("after", after.as_deref())?;
        query.set_item("limit", limit)?;
        let query: String = json_text(&query)?.extract()?;
        json_value(py, self.call(py, |engine| engine.payments_json(&query))?)
    }

    #[doc = help!("Engine.payment")]
    fn payment<'py>(&self, py: Python<'py>, payment_id: Text) -> PyResult<Option<Bound<'py, PyAny>>> {
        let shown = self.call(py, |engine| engine.payment_json(&payment_id))?;
        shown.map(|text| json_value(py, text)).transpose()
    }

    #[doc = help!("Engine.block")]
    #[pyo3(
        signature = (*, tpp=None, certificate=None, until=None, why=Text::from("")),
        text_signature = "($self, *, tpp=None, certificate=None, until=None, why='')"
    )]
    fn block(
        &self,
        py: Python<'_>,
        tpp: Option<WhichTpp<'_>>,
        certificate: Option<Text>,
        until: Option<Instant>,
        why: Text,
    ) -> PyResult<()> {
        let tpp = tpp.map(|tpp| tpp.organisation_id());
        let until = until.map(|until| until.0);
        self.call(py, |engine| {
            let subject = BlockedSubject::named(tpp.as_deref(), certificate.as_deref())?;
            engine.block(subject, until, &why)
        })
    }

    #[doc = help!("Engine.unblock")]
    #[pyo3(
        signature = (*, tpp=None, certificate=None),
        text_signature = "($self, *, tpp=None, certificate=None)"
    )]
    fn unblock(
        &self,
        py: Python<'_>,
        tpp: Option<WhichTpp<'_>>,
        certificate: Option<Text>,
    ) -> PyResult<bool> {
        let tpp = tpp.map(|tpp| tpp.organisation_id());
        self.call(py, |engine| engine.unblock(BlockedSubject::named(tpp.as_deref(), certificate.as_deref())?))
    }

    #[doc = help!("Engine.blocked")]
    fn blocked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.call(py, xs2a::Engine::blocked_json)?)
    }

    #[doc = help!("Engine.report_payment_status")]
    #[pyo3(
        signature = (payment_id, status, funds_available=None, *, on_hold=Flag(false)),
        text_signature = "($self, payment_id, status, funds_available=None, *, on_hold=False)"
    )]
    fn report_payment_status(
        &self,
        py: Python<'_>,
        payment_id: Text,
        status: Text,
        funds_available: Option<Flag>,
        on_hold: Flag,
    ) -> PyResult<()> {
        let funds_available = funds_available.map(|available| available.0);
        let on_hold = on_hold.0;
        let status = read_status(py, &status, funds_available, on_hold)?;
        match &self.0 {
            Host::Sandbox(access) if on_hold => access.call(py, |sandbox| sandbox.hold(&payment_id, None)),
            Host::Own(..) if on_hold => {
                self.call(py, |engine| engine.report_payment_on_hold(&payment_id, None))
            }
            // The simulated bank must know too, or it would execute a payment that only the engine has closed.
            Host::Sandbox(access) => {
                access.call(py, |sandbox| sandbox.report_payment_status(&payment_id, status, funds_available))
            }
            Host::Own(..) => {
                self.call(py, |engine| engine.report_payment_status(&payment_id, status, funds_available))
            }
        }
    }

    #[doc = help!("Engine.run_due")]
    fn run_due<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.call(py, |engine| engine.run_due_while(|| self.goes_on()))?;
        value(py, "RunReport", (report.submitted, report.withdrawn, report.failed, report.dead_letters))
    }

    #[doc = help!("Engine.next_due")]
    fn next_due(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.call(py, xs2a::Engine::next_due).map(|due| due.map(datetime))
    }

    #[doc = help!("Engine.dead_letters")]
    fn dead_letters<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = value_class(py, "DeadLetter")?;
        let orders = self.call(py, xs2a::Engine::dead_letters)?;
        let values = orders.iter().map(|order| {
            class.call1((order.payment_id.as_str(), order.attempts, &order.why, datetime(order.since)))
        });
        exit::visit(py, || values.collect())
    }

    #[doc = help!("Engine.health")]
    fn health<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let health = self.call(py, |engine| engine.health().to_json())?;
        json_value(py, health)
    }

    #[doc = help!("Engine.metrics")]
    fn metrics(&self, py: Python<'_>) -> PyResult<String> {
        self.call(py, xs2a::Engine::metrics)
    }

    #[doc = help!("Engine.erase_psu")]
    fn erase_psu<'py>(&self, py: Python<'py>, psu: Text) -> PyResult<Bound<'py, PyAny>> {
        let psu = PsuKey::new(&*psu);
        json_value(py, self.call(py, |engine| engine.erase_psu_json(&psu))?)
    }

    #[doc = help!("Engine.statistics")]
    #[pyo3(
        signature = (first_day, last_day, *, tpp=None),
        text_signature = "($self, first_day, last_day, *, tpp=None)"
    )]
    fn statistics<'py>(
        &self,
        py: Python<'py>,
        first_day: Day,
        last_day: Day,
        tpp: Option<WhichTpp<'_>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tpp = tpp.map(|tpp| tpp.organisation_id());
        let read = |engine: &xs2a::Engine| engine.statistics_json(&first_day.0, &last_day.0, tpp.as_deref());
        json_value(py, self.call(py, read)?)
    }

    #[doc = help!("Engine.statistics_csv")]
    #[pyo3(
        signature = (first_day, last_day, *, tpp=None),
        text_signature = "($self, first_day, last_day, *, tpp=None)"
    )]
    fn statistics_csv(
        &self,
        py: Python<'_>,
        first_day: Day,
        last_day: Day,
        tpp: Option<WhichTpp<'_>>,
    ) -> PyResult<String> {
        let tpp = tpp.map(|tpp| tpp.organisation_id());
        self.call(py, |engine| engine.statistics_csv(&first_day.0, &last_day.0, tpp.as_deref()))
    }

    #[doc = help!("Engine.retry_order")]
    fn retry_order(&self, py: Python<'_>, payment_id: Text) -> PyResult<()> {
        self.call(py, |engine| engine.retry_order(&payment_id))
    }

    #[doc = help!("Engine.audit")]
    fn audit(slf: Py<Self>, start: Instant, end: Instant) -> AuditLines {
        AuditLines::new(slf, &start, &end)
    }

    #[doc = help!("Engine.replace_trust_anchors")]
    fn replace_trust_anchors(&self, py: Python<'_>, trust_anchors: Pem) -> PyResult<usize> {
        self.call(py, |engine| engine.replace_trust_anchors_with(trust_anchors.as_bytes()))
    }

    #[doc = help!("Engine.supply_crl")]
    fn supply_crl(&self, py: Python<'_>, lists: TextOrBytes, authorities: Pem) -> PyResult<usize> {
        self.call(py, |engine| engine.supply_revocation_lists(&lists, authorities.as_bytes()))
    }

    #[doc = help!("Engine.clear_crls")]
    fn clear_crls(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, xs2a::Engine::clear_revocation_lists)
    }

    #[doc = help!("Engine.next_crl_due")]
    fn next_crl_due(&self, py: Python<'_>) -> PyResult<Option<DateTime<Utc>>> {
        self.call(py, xs2a::Engine::next_revocation_list_due).map(|due| due.map(datetime))
    }

    #[doc = help!("Engine.replace_response_key")]
    #[pyo3(signature = (*, certificate, private_key=None, sign=None))]
    fn replace_response_key(
        &self,
        py: Python<'_>,
        certificate: Pem,
        private_key: Option<Pem>,
        sign: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let key = match (private_key, sign) {
            (Some(key), None) => SealKey::Pem(key),
            (None, Some(sign)) => SealKey::Callable(PySigner::new(&sign)?),
            _ => return Err(misuse(py, "replace_response_key: give either private_key or sign")),
        };
        let Host::Own(own) = &self.0 else {
            return Err(misuse(py, "the engine of a sandbox signs by the bank of the test PKI"));
        };
        let seal = Seal { certificate, key };
        let signer = seal.asked();
        self.call(py, |engine| engine.replace_response_key_by(|| seal.into_key()))?;
        let before = match own.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(open) => std::mem::replace(&mut open.signer, signer),
            None => None,
        };
        // What is freed may run Python, so the lock is let go before.
        drop(before);
        Ok(())
    }

    #[doc = help!("Engine.replace_register")]
    fn replace_register(&self, py: Python<'_>, extract: TextOrBytes) -> PyResult<usize> {
        self.call(py, |engine| engine.replace_register(&extract))
    }

    #[doc = help!("Engine.forget_registration")]
    fn forget_registration(&self, py: Python<'_>, organisation_id: Text) -> PyResult<()> {
        self.call(py, |engine| engine.forget_registration(&organisation_id))
    }

    /// A bank that keeps its engine would keep both for ever. A call that is under way holds the engine too, but its
    /// caller holds this object, which is then none of what the collector frees.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Host::Own(own) = &self.0 else { return Ok(()) };
        // The garbage collector must not wait. An object that is not visited counts as referenced.
        let Ok(open) = own.try_read() else { return Ok(()) };
        let asked = open.iter().flat_map(|open| open.asked.iter().chain(&open.signer));
        asked.into_iter().try_for_each(|asked| visit.call(&**asked))
    }

    fn __clear__(&self) {
        if let Host::Own(own) = &self.0 {
            // What is freed may run Python, so the lock is let go before.
            let open = own.write().unwrap_or_else(PoisonError::into_inner).take();
            drop(open);
        }
    }

    #[doc = help!("Engine.close")]
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.0 {
            Host::Sandbox(_) => Err(misuse(py, "the engine of a sandbox is closed by the sandbox")),
            Host::Own(own) => {
                let open = own.write().unwrap_or_else(PoisonError::into_inner).take();
                // Calls of other threads that are under way keep the engine, and may leave evidence of reads after
                // this.
                guarded(py, || open.map_or(Ok(()), |open| open.engine.close()))
            }
        }
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled("Engine", "it holds a database of this process; open an Engine in the other one")
    }

    fn __enter__(slf: Py<Self>, py: Python<'_>) -> PyResult<Py<Self>> {
        slf.get().call(py, |_| Ok(())).map(|()| slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }
}
