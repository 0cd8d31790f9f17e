//! What the log contains: faults of the host's side, and no data of a PSU.

mod hosts_own;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};
use std::sync::Arc;

use crate::setup::{self, Kept, Mood, Setup};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::DOMESTIC;
use crate::world::*;
use parking_lot::Mutex;
use serde_json::{json, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::env::LogLevel;
use xs2a::internal::{route, Route, OPERATIONS, SANDBOX_OPERATIONS};
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::{Error, Response, ScaAnswer};

/// Keeps every event of `tracing`, at any level.
#[derive(Clone, Default)]
struct Everything(Arc<Mutex<String>>);

struct Said<'s>(&'s mut String);

impl Visit for Said<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Everything {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Said(&mut self.0.lock()));
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, values: &Record<'_>) {
        values.record(&mut Said(&mut self.0.lock()));
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut all = self.0.lock();
        event.record(&mut Said(&mut all));
        all.push('\n');
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

/// What is said while something is done.
fn said_during(deed: impl FnOnce()) -> String {
    let everything = Everything::default();
    tracing::subscriber::with_default(everything.clone(), deed);
    let said = everything.0.lock().clone();
    said
}

const SESSION: &str = "marked-session-5d1f";
const REDIRECT: &str = "https://tpp.example/back?state=marked-state";
const REMITTANCE: &str = "marked remittance";

/// What a call carries of its PSU. Each value is a mark.
const OF_PSU: [(&str, &str); 11] = [
    ("TPP-Session-ID", SESSION),
    ("TPP-Redirect-URI", REDIRECT),
    ("PSU-IP-Address", "203.0.113.77"),
    ("PSU-IP-Port", "47113"),
    ("PSU-User-Agent", "MarkedAgent/1"),
    ("PSU-Accept", "text/marked"),
    ("PSU-Accept-Language", "x-marked"),
    ("PSU-Device-ID", "6d61726b-0000-4000-8000-000000000001"),
    ("PSU-Geo-Location", "GEO:12.345678,9.876543"),
    ("TPP-Brand-Logging-Information", "Marked Brand"),
    ("X-PSU-IDENTITY", PAYER),
];

/// Names, accounts and texts of an order, and who pays it.
const OF_ORDER: [&str; 7] =
    ["Marked Creditor", "Marked Street", "Marked Town", REMITTANCE, PAYEE_ACCOUNT, PAYER_ACCOUNT, PAYER];

fn order() -> Value {
    let mut order = straks();
    order["creditorName"] = "Marked Creditor".into();
    order["creditorAddress"] = json!({"street": "Marked Street", "townName": "Marked Town", "country": "NO"});
    order["remittanceInformationUnstructured"] = REMITTANCE.into();
    order
}

fn headers() -> Vec<(&'static str, &'static str)> {
    replaced(creation_headers(), &OF_PSU)
}

fn anonymous() -> Vec<(&'static str, &'static str)> {
    replaced(headers(), &[("X-PSU-IDENTITY", "")])
}

#[track_caller]
fn assert_unmarked(said: &str, more: &[&str]) {
    let of_psu = OF_PSU.iter().map(|(_, mark)| *mark);
    for mark in of_psu.chain(OF_ORDER).chain(more.iter().copied()) {
        assert!(!mark.is_empty() && !said.contains(mark), "`{mark}` is in the log:\n{said}");
    }
    assert!(!said.to_lowercase().contains("marked"), "{said}");
}

/// A TPP whose calls all carry marks, and all succeed.
struct Marked {
    world: World,
    /// The operations that succeeded.
    done: Mutex<BTreeSet<&'static str>>,
}

impl Marked {
    /// A call with other headers in the place of the marked ones; an empty value leaves one out.
    #[track_caller]
    fn call(&self, method: &str, target: &str, with: &[(&str, &str)], body: &[u8]) -> Response {
        let response = self.world.call(method, target, &replaced(headers(), with), body);
        let reported = String::from_utf8_lossy(response.body());
        assert!((200..300).contains(&response.status()), "{method} {target}: {reported}");
        let path = target.split('?').next().unwrap();
        let segments: Vec<_> = path.split('/').skip(1).map(Cow::Borrowed).collect();
        let Route::Found(operation, _) = route(method, &segments, &[]) else { panic!("{method} {path}") };
        self.done.lock().insert(operation.name);
        response
    }

    /// A payment like no other of that number.
    fn create(&self, target: &str, with: &[(&str, &str)], number: u32) -> Value {
        let mut order = order();
        order["instructedAmount"]["amount"] = format!("{number}.00").into();
        body(&self.call("POST", target, with, order.to_string().as_bytes()))
    }

    /// A call that starts an SCA, which the PSU approves.
    fn approve(&self, method: &str, target: &str, with: &[(&str, &str)]) {
        let started = body(&self.call(method, target, with, b""));
        self.world.answer(&started, &ScaAnswer::approve(PAYER));
    }
}

#[test]
fn nothing_of_a_psu_is_in_the_log_of_calls_that_succeed() {
    let world = World::with_policy(r#"{"audit":true,"sign_responses":true}"#);
    let marked = Marked { world, done: Mutex::default() };
    let mut secrets = Vec::new();
    let said = said_during(|| {
        let paid = marked.create(STRAKS, &[], 1);
        secrets.push(link(&paid).rsplit('/').next().unwrap().to_owned());
        let back = marked.world.answer(&paid, &ScaAnswer::approve(PAYER));
        let psu_id = parameter(&back, "psu-id").unwrap();
        let known = [("X-PSU-IDENTITY", ""), ("PSU-ID", psu_id.as_str())];
        // Where an SCA is started for it, the PSU is named in one way alone.
        let explicit = [known[0], known[1], ("PSU-Context", "")];
        let get = |target: &str| body(&marked.call("GET", target, &known, b""));

        get(own(&paid));
        get(&format!("{}/status", own(&paid)));
        marked.call("DELETE", own(&marked.create(STRAKS, &[], 2)), &known[..1], b"");
        let waiting = marked.create(DOMESTIC, &explicit, 3);
        marked.approve("POST", &format!("{}/authorisations", own(&waiting)), &explicit);
        marked.call("DELETE", own(&waiting), &explicit, b"");
        marked.approve("POST", &format!("{}/cancellation-authorisations", own(&waiting)), &explicit);
        assert_eq!(marked.world.transaction_status(&waiting), "CANC");

        let basket_of = |number: u32| {
            let named = marked.create(STRAKS, &explicit, number);
            let named = names(&[text(&named, "/paymentId")]).to_string();
            body(&marked.call("POST", BASKETS, &explicit, named.as_bytes()))
        };
        let basket = basket_of(4);
        get(own(&basket));
        get(&format!("{}/status", own(&basket)));
        marked.approve("POST", &format!("{}/authorisations", own(&basket)), &explicit);
        marked.call("DELETE", own(&basket_of(5)), &explicit, b"");

        for path in ["/v1/bank-offered-consents", "/v1/consents"] {
            marked.approve("POST", path, &known);
        }
        marked.approve("GET", "/v1/user", &known);
        get("/v1/agreements");
        let ids = [
            ("/v1/accounts", "/accounts/0/resourceId", PAYER_ACCOUNT),
            ("/v1/card-accounts", "/cardAccounts/0/resourceId", PAYER_CARD_MASKED),
        ]
        .map(|(list, pointer, number)| {
            let listed = get(list);
            assert!(listed.to_string().contains(number), "{listed}");
            let id = text(&listed, pointer).to_owned();
            for part in ["", "/balances", "/transactions?bookingStatus=all"] {
                get(&format!("{list}/{id}{part}"));
            }
            id
        });
        let history = format!("/v1/accounts/{}/transactions", ids[0]);
        let listed = get(&format!("{history}?bookingStatus=booked"));
        let transaction = text(&listed, "/transactions/booked/0/transactionId");
        let detail = get(&format!("{history}/{transaction}"));
        assert!(detail.to_string().contains(REMITTANCE), "{detail}");
        secrets.extend([transaction.to_owned(), PAYER_CARD_MASKED.to_owned()]);
        secrets.extend(ids);

        marked.world.sandbox.revoke_consent(PAYER, marked.world.tpp.organisation_id()).unwrap();
        for answered in [&paid, &waiting] {
            secrets.push(text(answered, "/paymentId").to_owned());
        }
        secrets.extend([psu_id, text(&basket, "/basketId").to_owned()]);
    });
    assert_unmarked(&said, &secrets.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(marked.done.into_inner(), OPERATIONS.iter().map(|operation| operation.name).collect());
}

#[test]
fn nothing_of_a_psu_is_in_the_log_of_calls_that_are_refused_on_any_route() {
    let world = World::with_policy(r#"{"audit":true}"#);
    let bodies = [order().to_string(), format!("[\"{REMITTANCE}\","), format!("{{\"{REMITTANCE}\":1}}")];
    let said = said_during(|| {
        for operation in OPERATIONS.iter().chain(SANDBOX_OPERATIONS) {
            let mut target = operation.path.to_owned();
            while let (Some(from), Some(to)) = (target.find('{'), target.find('}')) {
                let choice = target[from + 1..to].split_once('|').map_or("marked-id", |(first, _)| first);
                target = format!("{}{}{}", &target[..from], choice, &target[to + 1..]);
            }
            for body in &bodies {
                for headers in [headers(), anonymous(), Vec::new()] {
                    let response = world.call(operation.method, &target, &headers, body.as_bytes());
                    assert_ne!(response.status(), 500, "{} {target}", operation.method);
                    let unsigned = owned(&headers);
                    send(&world.sandbox, operation.method, &target, &unsigned, body.as_bytes());
                }
            }
        }
    });
    assert_unmarked(&said, &[]);
}

/// Where a fault of the bank's is reported: in the log alone, or also to the host that made the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReportedTo {
    Log,
    Host,
}

const FAULTS: [(&str, ReportedTo); 6] = [
    ("psu", ReportedTo::Host),
    ("debtor_account", ReportedTo::Host),
    ("kid_agreement", ReportedTo::Log),
    ("fee", ReportedTo::Log),
    ("submit_payment", ReportedTo::Log),
    ("cancel_payment", ReportedTo::Host),
];

/// The error that the host receives for its own call.
fn reported_to_host<T>(called: xs2a::Result<T>) -> Option<String> {
    called.err().map(|error| format!("{error} {error:?}"))
}

/// A payment of a marked PSU from its creation to its cancellation, as far as it comes; returns the host's errors.
fn walk(setup: &Setup) -> String {
    let mut order = order();
    order["requestedExecutionDate"] = "2026-09-10".into();
    let created = setup.call("POST", DOMESTIC, &headers(), order.to_string().as_bytes());
    if created.status() != 201 {
        return String::new();
    }
    let created = body(&created);
    let complete = |answered: &Value| {
        let id = setup::authorisation_id(answered).to_owned();
        reported_to_host(setup.engine.complete_sca(&id, &setup::approved()))
    };
    let reported = complete(&created).into_iter().chain(reported_to_host(setup.engine.run_due()));
    let mut reported: Vec<_> = reported.collect();
    if setup.bank.taken() == 1 {
        let target = format!("{}/cancellation-authorisations", own(&created));
        let started = accepted(&setup.call("POST", &target, &headers(), b""));
        reported.extend(complete(&started));
    }
    reported.join("\n")
}

/// An engine whose bank takes orders that it carries out later.
fn slow_setup() -> Setup {
    let setup = Setup::new();
    *setup.bank.answer.lock() = OrderStatus::of(PaymentStatus::Pdng);
    setup
}

#[test]
fn what_fails_on_the_hosts_side_is_logged_without_anything_of_the_psu() {
    for mood in [Mood::Failing, Mood::Panicking] {
        for (question, reported) in FAULTS {
            let setup = slow_setup();
            setup.bank.feel(question, mood);
            let mut host = String::new();
            let said = said_during(|| host = walk(&setup));
            assert_unmarked(&said, &["kari"]);
            assert_unmarked(&host, &["kari"]);
            let expected = (1, usize::from(reported == ReportedTo::Host));
            let found = (said.lines().count(), host.lines().count());
            assert_eq!(found, expected, "{question}, {mood:?}: {said} {host}");
            assert_eq!(question == "cancel_payment", setup.bank.taken() == 1, "{question}");
            assert!(setup.bank.given_up.lock().is_empty(), "{question}");
        }
    }
    let setup = slow_setup();
    assert_eq!(said_during(|| assert_eq!(walk(&setup), "")), "", "a bank that is well");
    assert_eq!(setup.bank.given_up.lock().len(), 1);
    let setup = Setup::new();
    let said = said_during(|| {
        *setup.store.mood.lock() = Mood::Failing;
        let created = setup.call("POST", STRAKS, &headers(), order().to_string().as_bytes());
        assert_eq!(created.status(), 500);
    });
    assert_unmarked(&said, &["kari"]);
    assert!(said.contains("the disk is full") && said.lines().count() == 1, "{said}");
}

/// A bank that answers what is no answer, and all of it of the PSU.
struct Nonsense(fn(&str) -> Value);

impl BankCalls for Nonsense {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> xs2a::Result<()> {
        let reported = if method == BankMethod::KidAgreement { Value::Null } else { (self.0)(request) };
        answer.write(reported.to_string().as_bytes())
    }
}

#[test]
fn a_banks_answer_that_cannot_be_used_is_logged_without_what_it_answers() {
    let answers: [fn(&str) -> Value; 5] = [
        |_| REMITTANCE.into(),
        |_| json!({"fee": REMITTANCE}),
        |_| json!({"fee": {"amount": REMITTANCE, "currency": "NOK"}}),
        |_| json!({"fee": {"amount": "1.00", "currency": REMITTANCE}}),
        |request| json!({"fee": serde_json::from_str::<Value>(request).unwrap()}),
    ];
    for answer in answers {
        let setup = Setup::with(|builder| builder.bank(Arc::new(JsonBank::new(Nonsense(answer)))));
        let said = said_during(|| {
            let created = setup.call("POST", STRAKS, &headers(), order().to_string().as_bytes());
            assert_eq!(created.status(), 500, "{}", body(&created));
        });
        assert!(said.contains("bank's answer: fee: ") && said.lines().count() == 1, "{said}");
        assert_unmarked(&said, &["kari"]);
    }
    let setup = Setup::new();
    setup.bank.follow(|_| Err(Error::BankAnswer("a status of its own".to_owned())));
    let said = said_during(|| assert_eq!(walk(&setup), ""));
    assert!(said.contains("bank's answer: a status of its own"), "{said}");
    assert_unmarked(&said, &["kari"]);
}

// The logger of one engine.

#[test]
fn a_failed_call_of_the_host_is_logged_once_and_misuse_is_not() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let created = accepted(&setup.create());
    let (id, paid) = (setup::authorisation_id(&created).to_owned(), text(&created, "/paymentId").to_owned());
    let complete = || setup.engine.complete_sca(&id, &setup::approved()).map(drop);
    let logged = || {
        let lines = std::mem::take(&mut *kept.0.lock());
        let only = lines.iter().all(|(level, target, _)| {
            (*level, target.as_str()) == (LogLevel::Error, "xs2a::engine::logging")
        });
        assert!(only, "{lines:?}");
        lines.into_iter().map(|(_, _, message)| message).collect::<Vec<_>>()
    };
    let about = format!("call=\"complete_sca\" tpp={:?} purpose=\"payment\" payment_id={paid:?}", setup::TPP);
    for (mood, reported) in [
        (Mood::Failing, format!("a call failed {about} error=\"bank: the line is dead\"")),
        (Mood::Panicking, format!("a call panicked {about}")),
    ] {
        setup.bank.feel("debtor_account", mood);
        complete().unwrap_err();
        assert_eq!(logged(), [reported]);
    }
    setup.bank.feel("", Mood::Well);
    complete().unwrap();
    *setup.store.mood.lock() = Mood::Failing;
    setup.engine.revoke_consent(setup::TPP, &xs2a::types::PsuKey::new("kari")).unwrap_err();
    let report = |status| setup.engine.report_payment_status(&paid, status, None);
    report(PaymentStatus::Acsc).unwrap_err();
    let disk = |call| format!("a call failed call={call:?} error=\"store: the disk is full\"");
    assert_eq!(logged(), [disk("revoke_consent"), disk("report_payment_status")]);
    *setup.store.mood.lock() = Mood::Well;
    assert!(complete().unwrap_err().is_of_caller());
    assert!(matches!(report(PaymentStatus::Rcvd), Err(Error::Conflict(_))));
    assert!(matches!(setup.engine.retry_order(&paid), Err(Error::NotFound(_))));
    assert_eq!(logged(), [""; 0]);
}

#[test]
fn a_failed_sca_is_logged_with_tpp_and_purpose_without_link_and_psu() {
    let setup = Setup::new();
    let psu = [("PSU-Context", ""), ("X-PSU-IDENTITY", "")];
    let start = |path: &str| accepted(&setup.call("POST", path, &replaced(headers(), &psu), b""));
    let consent = start("/v1/bank-offered-consents");
    let redirect = setup.engine.complete_sca(setup::authorisation_id(&consent), &setup::approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    let known = replaced(headers(), &[psu[0], psu[1], ("PSU-ID", psu_id.as_str())]);
    let post = |path: &str, body: &str| accepted(&setup.call("POST", path, &known, body.as_bytes()));
    let paid = post(STRAKS, &order().to_string());
    let named = names(&[text(&paid, "/paymentId")]).to_string();
    let basket = post(BASKETS, &named);
    let signed = post(&format!("{}/authorisations", own(&basket)), "");
    let ordered = setup.ordered();
    let cancelled = post(&format!("{}/cancellation-authorisations", own(&ordered)), "");
    for (started, question, reported) in [
        (&signed, "debtor_account", format!("purpose=basket basket_id={}", text(&basket, "/basketId"))),
        (
            &cancelled,
            "cancel_payment",
            format!("purpose=cancellation payment_id={}", text(&ordered, "/paymentId")),
        ),
    ] {
        setup.bank.feel(question, Mood::Failing);
        let id = setup::authorisation_id(started);
        let said = said_during(|| drop(setup.engine.complete_sca(id, &setup::approved()).unwrap_err()));
        let about =
            format!("call=\"complete_sca\" tpp={:?} {reported} error=bank: the line is dead", setup::TPP);
        assert!(said.contains(&about) && said.lines().count() == 1, "{said}");
        assert_unmarked(&said, &["kari", id, &psu_id]);
    }
}

#[test]
fn an_engine_logs_to_its_own_logger_and_to_no_other() {
    let (loud, quiet) = (Arc::new(Kept::default()), Arc::new(Kept::default()));
    let with_logger =
        |logger: &Arc<Kept>| Setup::with(|builder| builder.logger(Arc::clone(logger) as Arc<_>));
    let (failing, well) = (with_logger(&loud), with_logger(&quiet));
    let elsewhere = said_during(|| {
        *failing.store.mood.lock() = Mood::Failing;
        assert_eq!(failing.create().status(), 500);
        assert_eq!(well.create().status(), 201);
    });
    assert_eq!(elsewhere, "", "the host's own subscriber gets no line");
    assert!(quiet.0.lock().is_empty());
    let lines = loud.0.lock();
    let (level, target, message) = lines.last().unwrap();
    assert_eq!((*level, target.as_str()), (LogLevel::Error, "xs2a::pipeline::stages::respond"));
    assert!(message.ends_with(" error=\"store: the disk is full\""), "{message}");
}

#[test]
fn a_failed_request_is_logged_with_id_operation_tpp_and_payment() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let created = accepted(&setup.create());
    let (path, id) = (text(&created, "/_links/self/href"), text(&created, "/paymentId"));
    *setup.store.mood.lock() = Mood::Failing;
    let requests = [
        (setup.create(), "createPayment", String::new()),
        (
            setup.call("DELETE", path, &creation_headers(), b""),
            "cancelPayment",
            format!(" payment_id={id:?}"),
        ),
    ];
    let lines = kept.0.lock();
    assert_eq!(lines.len(), requests.len());
    for ((answer, operation, payment), (_, _, line)) in requests.iter().zip(lines.iter()) {
        let id = answer.header("X-Request-ID").unwrap();
        let named = format!("request_id={id:?} operation={operation:?} tpp={:?}{payment}", setup::TPP);
        assert_eq!(
            *line,
            format!("a request could not be processed {named} error=\"store: the disk is full\"")
        );
    }
}
