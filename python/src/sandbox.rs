//! `xs2a.Sandbox`.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use xs2a::machine::Machine;
use xs2a::payment::machine::PaymentStatus;
use xs2a::{Context, PopulationPlan, Request, SandboxOptions, ScaAnswer};

use crate::clock::Clock;
use crate::convert::{self, json_value, Body, Image, Instant, Pem, Texts};
use crate::door::Door;
use crate::engine::Engine;
use crate::error::{guarded, misuse};
use crate::faults::{self, Faults};
use crate::headers::Headers;
use crate::journal::coverage_of;
use crate::response::Response;
use crate::text::Text;
use crate::tpp::{Tpp, WhichTpp};

/// A whole bank in memory or in one file, with a clock you move, a test PKI and made-up customers.
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Sandbox(Arc<Door>);

impl Sandbox {
    /// The way in, for the modules of other topics.
    pub(crate) fn door(&self) -> &Door {
        &self.0
    }
}

#[pymethods]
impl Sandbox {
    #[new]
    #[pyo3(
        signature = (database=None, *, now=None, seed=0, base_path=Text::default(), policy=None),
        text_signature = "(database=None, *, now=None, seed=0, base_path='', policy=None)"
    )]
    fn new(
        py: Python<'_>,
        database: Option<PathBuf>,
        now: Option<Instant>,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        base_path: Text,
        #[pyo3(from_py_with = convert::policy)] policy: Option<String>,
    ) -> PyResult<Self> {
        let options = SandboxOptions {
            database,
            now: now.map(|now| now.0),
            seed,
            base_path: base_path.into_string(),
            policy,
        };
        guarded(py, || xs2a::Sandbox::open(&options)).map(|sandbox| Self(Door::open(sandbox)))
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
        let (answer, refused) = self.0.call(py, |sandbox| {
            let at = sandbox.now();
            let answer = sandbox.handle(&request);
            let refused = sandbox.refused_call(&request, &answer, at);
            Ok((answer, refused))
        })?;
        Ok(Response::of_sandbox(py, answer, refused))
    }

    /// Register a TPP with a certificate of the test PKI.
    #[pyo3(
        signature = (name, roles=None),
        text_signature = "($self, name, roles=('AISP', 'PISP'))"
    )]
    fn register_tpp(&self, py: Python<'_>, name: Text, roles: Option<Texts>) -> PyResult<Tpp> {
        let roles = roles.as_ref().map_or_else(|| vec!["AISP", "PISP"], Texts::borrowed);
        let tpp = self.0.call(py, |sandbox| sandbox.register_tpp(&name, &roles))?;
        Ok(Tpp { door: Arc::clone(&self.0), tpp })
    }

    /// A TPP that was registered before.
    fn tpp(&self, py: Python<'_>, organisation_id: Text) -> PyResult<Tpp> {
        let tpp = self.0.call(py, |sandbox| sandbox.tpp(&organisation_id))?;
        Ok(Tpp { door: Arc::clone(&self.0), tpp })
    }

    /// Trust one more certificate authority, or several.
    fn trust(&self, py: Python<'_>, pem: Pem) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.trust(&pem))
    }

    /// Do what the PSU does at the SCA site. Returns the URL the PSU is sent back to.
    #[pyo3(
        signature = (
            sca_redirect, customer_number=Text::from("13039319955"), context=Text::from("PRIVATE"), agreement=None,
            accounts=None, approve=true
        ),
        text_signature = "($self, sca_redirect, customer_number='13039319955', context='PRIVATE', agreement=None, \
                          accounts=None, approve=True)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn authorise(
        &self,
        py: Python<'_>,
        sca_redirect: Text,
        customer_number: Text,
        context: Text,
        agreement: Option<Text>,
        accounts: Option<Texts>,
        approve: bool,
    ) -> PyResult<String> {
        let accounts = accounts.map(|accounts| accounts.borrowed().into_iter().map(str::to_owned).collect());
        let context = context_of(py, &context)?;
        let agreement = agreement.map(Text::into_string);
        let customer_number = customer_number.into_string();
        let answer = ScaAnswer { customer_number, context, agreement, accounts, approve };
        self.0.call(py, |sandbox| sandbox.authorise(&sca_redirect, &answer))
    }

    /// Take back, as a customer, what was opened to a TPP.
    fn revoke_consent(&self, py: Python<'_>, customer_number: Text, tpp: WhichTpp<'_>) -> PyResult<()> {
        let organisation_id = tpp.organisation_id();
        self.0.call(py, |sandbox| sandbox.revoke_consent(&customer_number, &organisation_id))
    }

    /// Report the status of a payment from another channel of the bank.
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
        self.0.call(py, |sandbox| sandbox.report_payment_status(&payment_id, status, funds_available))
    }

    /// The clock of this sandbox.
    #[getter]
    fn clock(&self) -> Clock {
        Clock(Arc::clone(&self.0))
    }

    /// The engine of this sandbox.
    #[getter]
    fn engine(&self) -> Engine {
        Engine::new(Arc::clone(&self.0))
    }

    /// What goes wrong on purpose.
    #[getter]
    fn faults(&self) -> Faults {
        Faults::new(Arc::clone(&self.0))
    }

    /// A request that is answered with a code of the contract, if it is the next.
    fn provoke<'py>(&self, py: Python<'py>, code: Text) -> PyResult<Bound<'py, PyAny>> {
        faults::provoke(py, &self.0, &code)
    }

    /// The whole state as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.call(py, |sandbox| sandbox.snapshot()).map(|image| PyBytes::new(py, &image))
    }

    /// Go back to a snapshot, the clock included.
    fn restore(&self, py: Python<'_>, image: Image) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.restore(&image))
    }

    /// The whole state as the text of a JSON object.
    fn export_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.call(py, |sandbox| sandbox.export_json())
    }

    /// Import the state of an exported text, which may have been changed by hand.
    fn import_json(&self, py: Python<'_>, text: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.import_json(&text))
    }

    /// An independent copy in memory.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        self.0.call(py, |sandbox| sandbox.fork()).map(|copy| Self(Door::open(copy)))
    }

    /// Wipe everything and load the default data set.
    fn initialize(&self, py: Python<'_>) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.initialize())
    }

    /// Enable, block or delete a card account. Deleted is final.
    fn set_card_status(&self, py: Python<'_>, card_account_id: Text, status: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_card_status(&card_account_id, &status))
    }

    /// What the bank's risk analysis says of a private customer.
    fn set_sca_demand(&self, py: Python<'_>, customer_number: Text, demand: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_sca_demand(&customer_number, &demand))
    }

    /// Create customers with a history.
    #[pyo3(signature = (*, persons=100, companies=4, months=12))]
    fn populate<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::part_of_population)] persons: u64,
        #[pyo3(from_py_with = convert::part_of_population)] companies: u64,
        #[pyo3(from_py_with = convert::part_of_population)] months: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plan = PopulationPlan { persons, companies, months };
        json_value(py, self.0.call(py, |sandbox| sandbox.populate(plan))?)
    }

    /// The default data set.
    fn default_data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.0.call(py, |sandbox| sandbox.default_data())?)
    }

    /// What the bank's books say of one account.
    fn ledger<'py>(&self, py: Python<'py>, account: Text) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.0.call(py, |sandbox| sandbox.ledger(&account))?)
    }

    /// Accounts whose balance is not what was booked on them.
    fn reconcile<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.0.call(py, |sandbox| sandbox.reconcile_json())?)
    }

    /// The present policies.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.0.call(py, |sandbox| sandbox.policy())?)
    }

    /// Put other values in place of some policies, from the next call on.
    fn set_policy(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::changes)] policy: String,
    ) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_policy(&policy))
    }

    /// The root certificate of the test PKI, PEM.
    #[getter]
    fn root_pem(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.0.call(py, |sandbox| Ok(sandbox.root_pem()))
    }

    /// The path before `/v1` in request targets.
    #[getter]
    fn base_path(&self, py: Python<'_>) -> PyResult<String> {
        self.0.call(py, |sandbox| Ok(sandbox.engine().policy().base_path.clone()))
    }

    /// Scheme and host that links to the bank's site begin with.
    #[getter]
    fn sca_origin(&self, py: Python<'_>) -> PyResult<String> {
        self.0.call(py, |sandbox| Ok(sandbox.sca_origin()))
    }

    #[setter]
    fn set_sca_origin(&self, py: Python<'_>, origin: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_sca_origin(&origin))
    }

    /// The largest request body that is taken, in bytes.
    #[getter]
    fn body_bytes_max(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.call(py, |sandbox| Ok(sandbox.engine().policy().body_bytes_max))
    }

    /// What was done with this sandbox.
    #[getter]
    fn journal<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._journal")?.getattr("Journal")?.call1((slf,))
    }

    /// What this sandbox has seen of all there is.
    #[pyo3(signature = (*, family=false), text_signature = "($self, *, family=False)")]
    fn coverage<'py>(slf: &Bound<'py, Self>, family: bool) -> PyResult<Bound<'py, PyAny>> {
        let json = coverage_of(slf.py(), slf.get(), family)?;
        slf.py().import("xs2a._coverage")?.getattr("Coverage")?.call_method1("from_json", (json,))
    }

    /// This sandbox as a WSGI application.
    #[getter]
    fn wsgi<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._wsgi")?.getattr("Application")?.call1((slf,))
    }

    /// Serve this sandbox over HTTP while the context lasts.
    #[pyo3(
        signature = (
            port=0, host=Text::from("127.0.0.1"), certificate=None, key=None, *, real_time=false, control=false,
            control_port=0, control_host=Text::from("127.0.0.1"), control_token=None
        ),
        text_signature = "($self, port=0, host='127.0.0.1', certificate=None, key=None, *, real_time=False, \
                          control=False, control_port=0, control_host='127.0.0.1', control_token=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn serve<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = convert::port)] port: u16,
        host: Text,
        certificate: Option<PathBuf>,
        key: Option<PathBuf>,
        real_time: bool,
        control: bool,
        #[pyo3(from_py_with = convert::port)] control_port: u16,
        control_host: Text,
        control_token: Option<Text>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let serving = slf.py().import("xs2a._serve")?.getattr("Serving")?;
        let control = control.then(|| (control_port, &*control_host, control_token.as_deref()));
        serving.call1((slf, port, &*host, certificate, key, real_time, control))
    }

    /// Close the database as soon as the calls under way have ended. Closing twice is fine.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.close(py)
    }

    fn __enter__(slf: Py<Self>, py: Python<'_>) -> PyResult<Py<Self>> {
        slf.get().0.call(py, |_| Ok(())).map(|()| slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.0.close(py)
    }
}

fn context_of(py: Python<'_>, text: &str) -> PyResult<Context> {
    Context::parse(text).map_err(|_| misuse(py, format!("a context is PRIVATE or CORPORATE, not `{text}`")))
}
