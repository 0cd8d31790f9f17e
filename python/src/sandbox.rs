//! `xs2a.Sandbox`.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use xs2a::{Context, GeneratorVersion, PopulationPlan, Request, SandboxOptions, ScaAnswer};

use crate::clock::Clock;
use crate::convert::{self, json_value, Body, Image, Instant, Pem, Texts};
use crate::engine::Engine;
use crate::error::{guarded, misuse};
use crate::faults::{self, Faults};
use crate::given::{FilePath, Flag};
use crate::headers::Headers;
use crate::journal::coverage_of;
use crate::payment_status::read_status;
use crate::pickling::not_pickled;
use crate::progress::Progress;
use crate::response::Response;
use crate::sandbox_access::SandboxAccess;
use crate::table::Table;
use crate::text::Text;
use crate::tpp::{Tpp, WhichTpp};

#[doc = help!("Sandbox")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Sandbox(Arc<SandboxAccess>);

impl Sandbox {
    /// The way in, for the modules of other topics.
    pub(crate) fn access(&self) -> &SandboxAccess {
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
        database: Option<FilePath>,
        now: Option<Instant>,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        base_path: Text,
        #[pyo3(from_py_with = convert::policy)] policy: Option<String>,
    ) -> PyResult<Self> {
        let options = SandboxOptions {
            database: database.map(|path| path.0),
            now: now.map(|now| now.0),
            present: Some(convert::present(py)?),
            seed,
            base_path: base_path.into_string(),
            policy,
        };
        guarded(py, || xs2a::Sandbox::open(&options)).map(|sandbox| Self(SandboxAccess::open(sandbox)))
    }

    #[doc = help!("Sandbox.handle")]
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
        let (answer, refused) = self.0.call(py, |sandbox| {
            let at = sandbox.now();
            let answer = sandbox.handle(&request);
            let refused = sandbox.refused_call(&request, &answer, at);
            Ok((answer, refused))
        })?;
        Ok(Response::of_sandbox(py, answer, refused))
    }

    #[doc = help!("Sandbox.handle_http")]
    fn handle_http(&self, py: Python<'_>, message: Body) -> PyResult<Py<PyBytes>> {
        let answer = self.0.call(py, |sandbox| Ok(sandbox.handle_http(&message).to_bytes()))?;
        Ok(PyBytes::new(py, &answer).unbind())
    }

    #[doc = help!("Sandbox.register_tpp")]
    #[pyo3(
        signature = (name, roles=None),
        text_signature = "($self, name, roles=('AISP', 'PISP'))"
    )]
    fn register_tpp(&self, py: Python<'_>, name: Text, roles: Option<Texts>) -> PyResult<Tpp> {
        let roles = roles.as_ref().map_or_else(|| vec!["AISP", "PISP"], Texts::borrowed);
        let tpp = self.0.call(py, |sandbox| sandbox.register_tpp(&name, &roles))?;
        Ok(Tpp { access: Arc::clone(&self.0), tpp })
    }

    #[doc = help!("Sandbox.tpp")]
    fn tpp(&self, py: Python<'_>, organisation_id: Text) -> PyResult<Tpp> {
        let tpp = self.0.call(py, |sandbox| sandbox.tpp(&organisation_id))?;
        Ok(Tpp { access: Arc::clone(&self.0), tpp })
    }

    #[doc = help!("Sandbox.trust")]
    fn trust(&self, py: Python<'_>, pem: Pem) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.trust(&pem))
    }

    #[doc = help!("Sandbox.authorise")]
    #[pyo3(
        signature = (
            sca_redirect, customer_number=Text::from("13039319955"), context=Text::from("PRIVATE"), agreement=None,
            accounts=None, approve=Flag(true)
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
        approve: Flag,
    ) -> PyResult<String> {
        let accounts = accounts.map(|accounts| accounts.borrowed().into_iter().map(str::to_owned).collect());
        let context = context_of(py, &context)?;
        let agreement = agreement.map(Text::into_string);
        let customer_number = customer_number.into_string();
        let answer = ScaAnswer { customer_number, context, agreement, accounts, approve: approve.0 };
        self.0.call(py, |sandbox| sandbox.authorise(&sca_redirect, &answer))
    }

    #[doc = help!("Sandbox.revoke_consent")]
    fn revoke_consent(&self, py: Python<'_>, customer_number: Text, tpp: WhichTpp<'_>) -> PyResult<()> {
        let organisation_id = tpp.organisation_id();
        self.0.call(py, |sandbox| sandbox.revoke_consent(&customer_number, &organisation_id))
    }

    #[doc = help!("Sandbox.report_payment_status")]
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
        self.0.call(py, |sandbox| match on_hold {
            true => sandbox.hold(&payment_id, None),
            false => sandbox.report_payment_status(&payment_id, status, funds_available),
        })
    }

    #[doc = help!("Sandbox.hold")]
    #[pyo3(signature = (payment_id, why=None))]
    fn hold(&self, py: Python<'_>, payment_id: Text, why: Option<Text>) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.hold(&payment_id, why.as_deref()))
    }

    #[doc = help!("Sandbox.release")]
    fn release(&self, py: Python<'_>, payment_id: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.release(&payment_id))
    }

    #[doc = help!("Sandbox.clock")]
    #[getter]
    fn clock(&self) -> Clock {
        Clock(Arc::clone(&self.0))
    }

    #[doc = help!("Sandbox.engine")]
    #[getter]
    fn engine(&self) -> Engine {
        Engine::new(Arc::clone(&self.0))
    }

    #[doc = help!("Sandbox.faults")]
    #[getter]
    fn faults(&self) -> Faults {
        Faults::new(Arc::clone(&self.0))
    }

    #[doc = help!("Sandbox.provoke")]
    fn provoke<'py>(&self, py: Python<'py>, code: Text) -> PyResult<Bound<'py, PyAny>> {
        faults::provoke(py, &self.0, &code)
    }

    #[doc = help!("Sandbox.snapshot")]
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.call(py, |sandbox| sandbox.snapshot()).map(|image| PyBytes::new(py, &image))
    }

    #[doc = help!("Sandbox.restore")]
    fn restore(&self, py: Python<'_>, image: Image) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.restore(&image))
    }

    #[doc = help!("Sandbox.export_json")]
    fn export_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.call(py, |sandbox| sandbox.export_json())
    }

    #[doc = help!("Sandbox.import_json")]
    fn import_json(&self, py: Python<'_>, text: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.import_json(&text))
    }

    #[doc = help!("Sandbox.fork")]
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        self.0.call(py, |sandbox| sandbox.fork()).map(|copy| Self(SandboxAccess::open(copy)))
    }

    #[doc = help!("Sandbox.initialize")]
    fn initialize(&self, py: Python<'_>) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.initialize())
    }

    #[doc = help!("Sandbox.set_card_status")]
    fn set_card_status(&self, py: Python<'_>, card_account_id: Text, status: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_card_status(&card_account_id, &status))
    }

    #[doc = help!("Sandbox.set_sca_demand")]
    fn set_sca_demand(&self, py: Python<'_>, customer_number: Text, demand: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_sca_demand(&customer_number, &demand))
    }

    #[doc = help!("Sandbox.populate")]
    #[pyo3(
        signature = (
            *, persons=100, companies=4, months=12, generator=Text::from("2026.1"), lives_on=Flag(false), cases=0,
            events=Flag(false), progress=None
        ),
        text_signature = "($self, *, persons=100, companies=4, months=12, generator='2026.1', lives_on=False, \
                          cases=0, events=False, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn populate<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::part_of_population)] persons: u64,
        #[pyo3(from_py_with = convert::part_of_population)] companies: u64,
        #[pyo3(from_py_with = convert::part_of_population)] months: u64,
        generator: Text,
        lives_on: Flag,
        #[pyo3(from_py_with = convert::cases)] cases: Option<u64>,
        events: Flag,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let progress = Progress::new(progress.as_ref())?;
        let report = self.0.call(py, |sandbox| {
            let generator = GeneratorVersion::parse(&generator)?;
            let cases = cases.unwrap_or_default();
            let (lives_on, events) = (lives_on.0, events.0);
            let plan = PopulationPlan { persons, companies, months, cases, generator, lives_on, events };
            sandbox.populate_watched(plan, &mut |done, of| match &progress {
                Some(progress) => progress.report([done, of]),
                None => Ok(()),
            })
        })?;
        json_value(py, report)
    }

    #[doc = help!("Sandbox.default_data")]
    fn default_data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.0.call(py, |sandbox| sandbox.default_data())?)
    }

    #[doc = help!("Sandbox.tables")]
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.0.call(py, |sandbox| Ok(sandbox.tables()))
    }

    #[doc = help!("Sandbox.table")]
    #[pyo3(signature = (name, *, columns=None))]
    fn table(&self, py: Python<'_>, name: Text, columns: Option<Texts>) -> PyResult<Table> {
        let columns = columns.as_ref().map(Texts::borrowed);
        self.0.call(py, |sandbox| sandbox.table(&name, columns.as_deref())).map(Table)
    }

    #[doc = help!("Sandbox.ledger")]
    fn ledger<'py>(&self, py: Python<'py>, account: Text) -> PyResult<Bound<'py, PyAny>> {
        let ledger = json_value(py, self.0.call(py, |sandbox| sandbox.ledger(&account))?)?;
        py.import("xs2a._ledger")?.getattr("Ledger")?.call1((ledger,))
    }

    #[doc = help!("Sandbox.reconcile")]
    fn reconcile<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_value(py, self.0.call(py, |sandbox| sandbox.reconcile_json())?)
    }

    #[doc = help!("Sandbox.policy")]
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let policy = json_value(py, self.0.call(py, |sandbox| sandbox.policy())?)?;
        py.import("xs2a._policy")?.getattr("read_only")?.call1((policy,))
    }

    #[doc = help!("Sandbox.set_policy")]
    fn set_policy(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::changes)] policy: String,
    ) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_policy(&policy))
    }

    #[doc = help!("Sandbox.root_pem")]
    #[getter]
    fn root_pem(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.0.call(py, |sandbox| Ok(sandbox.root_pem()))
    }

    #[doc = help!("Sandbox.base_path")]
    #[getter]
    fn base_path(&self, py: Python<'_>) -> PyResult<String> {
        self.0.call(py, |sandbox| Ok(sandbox.engine().policy().base_path.clone()))
    }

    #[doc = help!("Sandbox.sca_origin")]
    #[getter]
    fn sca_origin(&self, py: Python<'_>) -> PyResult<String> {
        self.0.call(py, |sandbox| Ok(sandbox.sca_origin()))
    }

    #[setter]
    fn set_sca_origin(&self, py: Python<'_>, origin: Text) -> PyResult<()> {
        self.0.call(py, |sandbox| sandbox.set_sca_origin(&origin))
    }

    #[doc = help!("Sandbox.body_bytes_max")]
    #[getter]
    fn body_bytes_max(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.call(py, |sandbox| Ok(sandbox.engine().policy().body_bytes_max))
    }

    #[doc = help!("Sandbox.journal")]
    #[getter]
    fn journal<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._journal")?.getattr("Journal")?.call1((slf,))
    }

    #[doc = help!("Sandbox.calls")]
    #[pyo3(
        signature = (operation=None, **conditions),
        text_signature = "($self, operation=None, *, method=None, target=None, tpp=None, status=None, reason=None)"
    )]
    fn calls<'py>(
        slf: &Bound<'py, Self>,
        operation: Option<Bound<'py, PyAny>>,
        conditions: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._calls")?.getattr("calls_of")?.call((slf, operation), conditions)
    }

    #[doc = help!("Sandbox.coverage")]
    #[pyo3(signature = (*, family=Flag(false)), text_signature = "($self, *, family=False)")]
    fn coverage<'py>(slf: &Bound<'py, Self>, family: Flag) -> PyResult<Bound<'py, PyAny>> {
        let json = coverage_of(slf.py(), slf.get(), family)?;
        slf.py().import("xs2a._coverage")?.getattr("Coverage")?.call_method1("from_json", (json,))
    }

    #[doc = help!("Sandbox.wsgi")]
    #[getter]
    fn wsgi<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._wsgi")?.getattr("Application")?.call1((slf,))
    }

    #[doc = help!("Sandbox.serve")]
    #[pyo3(
        signature = (
            port=0, host=Text::from("127.0.0.1"), certificate=None, key=None, *, real_time=Flag(false),
            control=Flag(false), control_port=0, control_host=Text::from("127.0.0.1"), control_token=None
        ),
        text_signature = "($self, port=0, host='127.0.0.1', certificate=None, key=None, *, real_time=False, \
                          control=False, control_port=0, control_host='127.0.0.1', control_token=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn serve<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = convert::port)] port: u16,
        host: Text,
        certificate: Option<FilePath>,
        key: Option<FilePath>,
        real_time: Flag,
        control: Flag,
        #[pyo3(from_py_with = convert::port)] control_port: u16,
        control_host: Text,
        control_token: Option<Text>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let serving = slf.py().import("xs2a._serve")?.getattr("Serving")?;
        let [certificate, key] = [certificate, key].map(|path| path.map(|path| path.0));
        let control = control.0.then(|| (control_port, &*control_host, control_token.as_deref()));
        serving.call1((slf, port, &*host, certificate, key, real_time.0, control))
    }

    #[doc = help!("Sandbox.close")]
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.close(py)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("xs2a._html")?.call_method1("of_sandbox", (slf,))
    }

    fn __reduce__(&self) -> PyResult<()> {
        let why = "it holds a database of this process; pickle its snapshot(), to restore() it elsewhere, or fork() it";
        not_pickled("Sandbox", why)
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
