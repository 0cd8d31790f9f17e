//! The states of the walk, the events between them, and the engine that makes one of the other.

use std::sync::Arc;

use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::env::{ManualClock, SeededEntropy};
use xs2a::internal::{load_default_data, next_run, Database, SandboxBank, SqliteStore};
use xs2a::policy::{Environment, Policy};
use xs2a::store::{Grant, Store};
use xs2a::trust::TrustAnchors;
use xs2a::types::{ActingPsu, Context, PaymentId, Rates};
use xs2a::{Engine, Request, Response, ScaOutcome};

use crate::world::authority::{Authority, Signer};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::BULK;
use crate::world::{
    accepted, at, body, creation_headers, link, parameter, plain_headers, straks, text, PAYER, STRAKS,
};

const TPP: &str = "PSDNO-FSA-912345678";
const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
/// How many links of one kind a walk keeps open side by side.
const LINKS_MAX: usize = 2;

/// What can happen. Numbers are those of payments and of open links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Create,
    Start(usize),
    Delete(usize),
    StartCancelling(usize),
    Report(usize, PaymentStatus),
    Deliver,
    Batch,
    CreateBasket,
    StartBasket,
    DeleteBasket,
    Answer(usize, Psu),
}

/// What the PSU does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Psu {
    Approves,
    Aborts,
    Fails,
    IsAnother,
}

/// What an open link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Purpose {
    Payment(usize),
    Cancellation(usize),
    Basket,
}

/// A payment as the store has it, and what the walk itself remembers of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Payment {
    pub(crate) status: PaymentStatus,
    pub(crate) authorised: bool,
    pub(crate) in_basket: bool,
    pub(crate) in_outbox: bool,
    /// Whether an SCA that was for it came to its end with approval.
    pub(crate) sca_completed: bool,
    /// Whether the bank has its order.
    delivered: bool,
}

/// The position of a walk.
#[derive(Clone)]
pub(crate) struct State {
    database: Option<Arc<Database>>,
    pub(crate) payments: Vec<Payment>,
    hrefs: Vec<String>,
    basket: Option<String>,
    basket_status: Option<String>,
    links: Vec<(Purpose, String)>,
    /// What happened so far.
    pub(crate) path: Vec<Event>,
}

/// Two states are equal if their keys are.
pub(crate) type Key = (Vec<Payment>, Option<String>, Vec<String>);

impl State {
    pub(crate) fn empty() -> Self {
        Self {
            database: None,
            payments: Vec::new(),
            hrefs: Vec::new(),
            basket: None,
            basket_status: None,
            links: Vec::new(),
            path: Vec::new(),
        }
    }

    pub(crate) fn key(&self) -> Key {
        let mut links: Vec<_> = self.links.iter().map(|(purpose, _)| format!("{purpose:?}")).collect();
        links.sort_unstable();
        (self.payments.clone(), self.basket_status.clone(), links)
    }

    pub(crate) fn statuses(&self) -> impl Iterator<Item = PaymentStatus> + '_ {
        self.payments.iter().map(|payment| payment.status)
    }

    /// Everything that can be tried here. What is refused is tried too.
    pub(crate) fn events(&self, payments_max: usize, reports: &[PaymentStatus]) -> Vec<Event> {
        let mut events = vec![Event::Deliver, Event::Batch];
        if self.payments.len() < payments_max {
            events.push(Event::Create);
        }
        for index in 0..self.payments.len() {
            events.push(Event::Delete(index));
            events.extend(reports.iter().map(|status| Event::Report(index, *status)));
            events.extend(self.has_capacity(Purpose::Payment(index)).then_some(Event::Start(index)));
            let cancelling = self.has_capacity(Purpose::Cancellation(index));
            events.extend(cancelling.then_some(Event::StartCancelling(index)));
        }
        match &self.basket {
            Some(_) => {
                events.push(Event::DeleteBasket);
                events.extend(self.has_capacity(Purpose::Basket).then_some(Event::StartBasket));
            }
            None if !self.payments.is_empty() => events.push(Event::CreateBasket),
            None => {}
        }
        for index in 0..self.links.len() {
            // A link like another that comes before it is answered there.
            if self.links[..index].iter().all(|(purpose, _)| *purpose != self.links[index].0) {
                let psus = [Psu::Approves, Psu::Aborts, Psu::Fails, Psu::IsAnother];
                events.extend(psus.map(|psu| Event::Answer(index, psu)));
            }
        }
        events
    }

    fn has_capacity(&self, purpose: Purpose) -> bool {
        self.links.iter().filter(|(open, _)| *open == purpose).count() < LINKS_MAX
    }
}

/// What makes engines: each on a database of its own.
pub(crate) struct Setup {
    empty: Database,
    root_pem: String,
    signer: Signer,
    calls: std::cell::Cell<u128>,
    /// Where the first payment of a walk is created, and what is ordered there; all others are instant ones.
    first: (&'static str, Value),
    /// The PSU-ID of the payer, who made one small payment before every walk.
    psu_id: String,
}

/// An engine for one step.
struct Step<'h> {
    setup: &'h Setup,
    engine: Engine,
    bank: SandboxBank,
    store: SqliteStore,
    state: State,
}

impl Setup {
    pub(crate) fn new(target: &'static str, order: Value) -> Self {
        let empty = Database::open_memory_for_sandbox().unwrap();
        load_default_data(&empty).unwrap();
        let root = Authority::root("Rot CA", 1, LONG);
        let signer = root.issue(TPP, 2, LONG);
        let calls = std::cell::Cell::new(0);
        let first = (target, order);
        let bare = Self { empty, root_pem: root.pem, signer, calls, first, psu_id: String::new() };
        let first = bare.step(&State { path: vec![Event::Create; 99], ..State::empty() });
        let mut order = straks();
        order["debtorAccount"]["bban"] = json!("95360573010");
        let created = accepted(&first.call("POST", STRAKS, &order.to_string()));
        let person = first.bank.person(PAYER).unwrap().unwrap();
        let psu = ActingPsu { psu: person, context: Context::Private, corporate: None };
        let approved = ScaOutcome::Approved { psu, grant: Grant::Everything };
        let redirect = first.engine.complete_sca(&authorisation_id(&created), &approved).unwrap();
        first.engine.run_due().unwrap();
        let empty = first.state.database.as_ref().unwrap().fork().unwrap();
        Self { empty, psu_id: parameter(&redirect.url, "psu-id").unwrap(), ..bare }
    }

    /// The state after an event; the one before stays as it is.
    pub(crate) fn after(&self, before: &State, event: Event) -> State {
        let mut step = self.step(before);
        step.state.path.push(event);
        step.perform(event);
        step.look();
        step.state
    }

    fn step(&self, before: &State) -> Step<'_> {
        let database = before.database.as_ref().map_or(&self.empty, |database| database.as_ref());
        let database = Arc::new(database.fork().unwrap());
        let bank = SandboxBank::new(Arc::clone(&database), Rates::default());
        let store = SqliteStore::new(Arc::clone(&database));
        let engine = Engine::builder()
            .bank(Arc::new(bank.clone()))
            .store(Arc::new(store.clone()))
            .clock(Arc::new(ManualClock::new(at("2026-09-01T10:00:00Z"))))
            .entropy(Arc::new(SeededEntropy::new(1, before.path.len() as u64, 0)))
            .trust_anchors(TrustAnchors::from_bundle(self.root_pem.as_bytes()).unwrap())
            .policy(Policy::new(Environment::Sandbox))
            .build()
            .unwrap();
        let state = State { database: Some(database), ..before.clone() };
        Step { setup: self, engine, bank, store, state }
    }
}

impl Step<'_> {
    fn call(&self, method: &str, target: &str, sent: &str) -> Response {
        let number = self.setup.calls.get() + 1;
        self.setup.calls.set(number);
        let mut headers = if method == "GET" { plain_headers() } else { creation_headers() };
        if target == BASKETS {
            headers.push(("PSU-ID", &self.setup.psu_id));
        }
        let now = at("2026-09-01T10:00:00Z");
        let signed = self.setup.signer.sign(method, target, &headers, sent.as_bytes(), now, number);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        self.engine.handle(&Request {
            method,
            target,
            headers: &headers,
            body: sent.as_bytes(),
            correlation_id: None,
        })
    }

    fn perform(&mut self, event: Event) {
        match event {
            Event::Create => self.create(),
            Event::Start(index) => self.start(Purpose::Payment(index), "authorisations"),
            Event::StartCancelling(index) => {
                self.start(Purpose::Cancellation(index), "cancellation-authorisations");
            }
            Event::StartBasket => self.start(Purpose::Basket, "authorisations"),
            Event::Delete(index) => {
                let response = self.call("DELETE", &self.state.hrefs[index], "");
                assert!([202, 204, 405, 409].contains(&response.status()), "{event:?}");
            }
            Event::Report(index, status) => self.report(&self.id(index), status, None),
            Event::Deliver => drop(self.engine.run_due().unwrap()),
            Event::Batch => self.batch(),
            Event::CreateBasket => self.create_basket(),
            Event::DeleteBasket => {
                let basket = self.state.basket.clone().unwrap();
                let response = self.call("DELETE", &basket, "");
                assert!([204, 409].contains(&response.status()), "{event:?}");
                if response.status() == 204 {
                    self.state.basket = None;
                }
            }
            Event::Answer(index, psu) => self.answer(index, psu),
        }
    }

    /// The first payment waits for the batch, the second is settled at once.
    fn create(&mut self) {
        let number = self.state.payments.len();
        let mut order = straks();
        order["instructedAmount"]["amount"] = json!(format!("{}.00", number + 1));
        let (target, order) = if number == 0 { &self.setup.first } else { &(STRAKS, order) };
        let created = accepted(&self.call("POST", target, &order.to_string()));
        self.state.hrefs.push(own(&created).to_owned());
        self.state.links.push((Purpose::Payment(number), authorisation_id(&created)));
        self.state.payments.push(Payment {
            status: PaymentStatus::Rcvd,
            authorised: false,
            in_basket: false,
            in_outbox: false,
            sca_completed: false,
            delivered: false,
        });
    }

    fn start(&mut self, purpose: Purpose, below: &str) {
        let href = match purpose {
            Purpose::Payment(index) | Purpose::Cancellation(index) => self.state.hrefs[index].clone(),
            Purpose::Basket => self.state.basket.clone().unwrap(),
        };
        let response = self.call("POST", &format!("{href}/{below}"), "");
        if response.status() == 409 {
            return;
        }
        self.state.links.push((purpose, authorisation_id(&accepted(&response))));
    }

    fn create_basket(&mut self) {
        let ids: Vec<_> = (0..self.state.hrefs.len()).map(|index| self.id(index).to_string()).collect();
        let ids: Vec<_> = ids.iter().map(String::as_str).collect();
        let response = self.call("POST", BASKETS, &names(&ids).to_string());
        // A bulk is refused with 400, what is not received any more with 409.
        if self.setup.first.0 == BULK && self.state.payments.len() == 1 {
            assert_eq!(response.status(), 400);
        } else if response.status() != 409 {
            self.state.basket = Some(own(&accepted(&response)).to_owned());
        }
    }

    fn report(&self, id: &PaymentId, status: PaymentStatus, funds_available: Option<bool>) {
        match self.engine.report_payment_status(id.as_str(), status, funds_available) {
            // A change that the table does not have is refused.
            Ok(()) => {}
            Err(error) if error.is_of_caller() => {}
            other => panic!("{other:?}"),
        }
    }

    fn batch(&self) {
        let run = next_run(at("2026-09-01T10:00:00Z"));
        for (id, statuses) in self.bank.run(run).unwrap() {
            for reported in statuses {
                self.report(&id, reported.status, reported.funds_available);
            }
            self.bank.mark_reported(&id).unwrap();
        }
    }

    fn answer(&mut self, index: usize, psu: Psu) {
        let (purpose, id) = self.state.links.remove(index);
        let customer = if psu == Psu::IsAnother { "12085592767" } else { PAYER };
        let person = self.bank.person(customer).unwrap().unwrap();
        let acting = ActingPsu { psu: person, context: Context::Private, corporate: None };
        let outcome = match psu {
            Psu::Approves | Psu::IsAnother => ScaOutcome::Approved { psu: acting, grant: Grant::Everything },
            Psu::Aborts => ScaOutcome::Aborted,
            Psu::Fails => ScaOutcome::Failed,
        };
        let approved = self.engine.complete_sca(&id, &outcome).unwrap().approved;
        assert!(!approved || psu == Psu::Approves, "{purpose:?} approved by {psu:?}");
        for (number, payment) in self.state.payments.iter_mut().enumerate() {
            let is_for_it = purpose == Purpose::Payment(number)
                || (purpose == Purpose::Basket && payment.in_basket && payment.status == PaymentStatus::Rcvd);
            payment.sca_completed |= approved && is_for_it;
        }
    }

    /// What the store has now.
    fn look(&mut self) {
        let waiting = self.store.outbox().due_orders(at("2030-01-01T00:00:00Z"), 9).unwrap().orders;
        for index in 0..self.state.payments.len() {
            let id = self.id(index);
            let stored = self.store.payments().payment(&id).unwrap().unwrap();
            let payment = &mut self.state.payments[index];
            let was_in_outbox = payment.in_outbox;
            payment.status = stored.status;
            payment.authorised = stored.authorised_at.is_some();
            payment.in_basket = stored.basket.is_some();
            payment.in_outbox = waiting.iter().any(|order| order.payment_id == id);
            let delivers = self.state.path.last() == Some(&Event::Deliver);
            payment.delivered |= delivers && was_in_outbox;
        }
        self.state.basket_status = self.state.basket.clone().map(|href| {
            let answered: Value = body(&self.call("GET", &format!("{href}/status"), ""));
            let is_open = answered["_links"].get("startAuthorisation").is_some();
            format!("{} {is_open}", text(&answered, "/transactionStatus"))
        });
    }

    fn id(&self, index: usize) -> PaymentId {
        PaymentId::parse(self.state.hrefs[index].rsplit('/').next().unwrap()).unwrap()
    }
}

fn authorisation_id(answered: &Value) -> String {
    link(answered).rsplit('/').next().unwrap().to_owned()
}
