//! What the log tells: faults of the host's side, and nothing of any PSU.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod fakes;
#[path = "engine/house.rs"]
mod house;
mod world;

use std::fmt::{Debug, Write as _};
use std::sync::Arc;

use house::{House, Mood};
use parking_lot::Mutex;
use serde_json::{json, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use world::baskets::{names, own, BASKETS};
use world::*;
use xs2a::env::logger::{LogLevel, Logger};
use xs2a::operation::OPERATIONS;
use xs2a::payment::machine::PaymentStatus;
use xs2a::sandbox::management::OPERATIONS as SANDBOX_OPERATIONS;
use xs2a::ScaAnswer;

/// Keeps whatever anybody says through `tracing`, at any level.
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

#[test]
fn nothing_of_a_psu_is_in_the_log_of_calls_that_succeed() {
    let world = World::with_policy(r#"{"audit":true,"sign_responses":true}"#);
    let mut secrets = Vec::new();
    let said = said_during(|| {
        let create = |number: u32| {
            let mut order = order();
            order["instructedAmount"]["amount"] = format!("{number}.00").into();
            accepted(&world.call("POST", STRAKS, &headers(), order.to_string().as_bytes()))
        };
        let paid = create(1);
        secrets.push(link(&paid).rsplit('/').next().unwrap().to_owned());
        let back = world.answer(&paid, &ScaAnswer::approve(PAYER));
        let psu_id = parameter(&back, "psu-id").unwrap();
        let reading = replaced(anonymous(), &[("PSU-ID", &psu_id)]);
        for part in ["self", "status"] {
            assert_eq!(world.get(text(&paid, &format!("/_links/{part}/href"))).status(), 200);
        }
        let given_up = create(2);
        assert_eq!(world.call("DELETE", own(&given_up), &anonymous(), b"").status(), 204);

        let consent = world.call("POST", "/v1/bank-offered-consents", &reading, b"");
        world.answer(&accepted(&consent), &ScaAnswer::approve(PAYER));
        let accounts = world.call("GET", "/v1/accounts?withBalance=true", &reading, b"");
        assert_eq!(accounts.status(), 200, "{}", body(&accounts));
        let account = text(&body(&accounts), "/accounts/0/resourceId").to_owned();
        for part in ["", "/balances", "/transactions?bookingStatus=all"] {
            let target = format!("/v1/accounts/{account}{part}");
            assert_eq!(world.call("GET", &target, &reading, b"").status(), 200, "{target}");
        }
        assert_eq!(world.call("GET", "/v1/user", &reading, b"").status(), 200);
        assert_eq!(world.call("GET", "/v1/agreements", &reading, b"").status(), 200);

        let creating = replaced(anonymous(), &[("PSU-ID", &psu_id), ("PSU-Context", "")]);
        let waiting = world.call("POST", STRAKS, &creating, order().to_string().as_bytes());
        let ids = [text(&accepted(&waiting), "/paymentId").to_owned()];
        let named = names(&[&ids[0]]).to_string();
        let basket = accepted(&world.call("POST", BASKETS, &creating, named.as_bytes()));
        let started = format!("{}/authorisations", own(&basket));
        let started = accepted(&world.call("POST", &started, &creating, b""));
        world.answer(&started, &ScaAnswer::approve(PAYER));
        world.sandbox.revoke_consent(PAYER, world.tpp.organisation_id()).unwrap();
        secrets.extend([psu_id, account, ids[0].clone()]);
    });
    assert_unmarked(&said, &secrets.iter().map(String::as_str).collect::<Vec<_>>());
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

#[test]
fn what_fails_on_the_hosts_side_is_logged_without_anything_of_the_psu() {
    let mut lines = 0;
    for mood in [Mood::Failing, Mood::Panicking] {
        for question in ["psu", "debtor_account", "kid_agreement", "fee", "submit_payment", "cancel_payment"]
        {
            let house = House::new();
            let said = said_during(|| {
                house.bank.feel(question, mood);
                let created = house.call("POST", STRAKS, &headers(), order().to_string().as_bytes());
                let created = match created.status() {
                    201 => body(&created),
                    _ => return,
                };
                let id = house::authorisation_id(&created).to_owned();
                let is_approved = house.engine.complete_sca(&id, &house::approved()).is_ok();
                assert_eq!(is_approved, !matches!(question, "psu" | "debtor_account"), "{question} {mood:?}");
                house.engine.run_due().unwrap();
            });
            lines += said.lines().count();
            assert_unmarked(&said, &["kari"]);
        }
    }
    let house = House::new();
    let said = said_during(|| {
        *house.store.mood.lock() = Mood::Failing;
        let created = house.call("POST", STRAKS, &headers(), order().to_string().as_bytes());
        assert_eq!(created.status(), 500);
    });
    assert_unmarked(&said, &["kari"]);
    // Two questions while a payment is created, two while an SCA is completed, and the order that is not delivered, in
    // either mood.
    assert!(said.contains("the disk is full") && lines == 10, "{lines} lines, and {said}");
}

// The logger of one engine.

#[derive(Default)]
struct Kept(Mutex<Vec<(LogLevel, String, String)>>);

impl Logger for Kept {
    fn log(&self, level: LogLevel, target: &str, message: &str) {
        self.0.lock().push((level, target.to_owned(), message.to_owned()));
    }
}

#[test]
fn what_fails_in_a_call_of_the_hosts_own_is_logged_once_and_its_misuse_is_not() {
    let kept = Arc::new(Kept::default());
    let house = House::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let created = accepted(&house.create());
    let (id, paid) = (house::authorisation_id(&created).to_owned(), text(&created, "/paymentId").to_owned());
    let complete = || house.engine.complete_sca(&id, &house::approved()).map(drop);
    let logged = || {
        let lines = std::mem::take(&mut *kept.0.lock());
        let only = lines.iter().all(|(level, target, _)| {
            (*level, target.as_str()) == (LogLevel::Error, "xs2a::engine::logging")
        });
        assert!(only, "{lines:?}");
        lines.into_iter().map(|(_, _, message)| message).collect::<Vec<_>>()
    };
    for (mood, told) in [
        (Mood::Failing, "a call failed call=complete_sca error=bank: the line is dead"),
        (Mood::Panicking, "a call panicked call=complete_sca"),
    ] {
        house.bank.feel("debtor_account", mood);
        complete().unwrap_err();
        assert_eq!(logged(), [told]);
    }
    house.bank.feel("", Mood::Well);
    complete().unwrap();
    *house.store.mood.lock() = Mood::Failing;
    house.engine.revoke_consent(house::TPP, &xs2a::types::PsuKey::new("kari")).unwrap_err();
    let report = |status| house.engine.report_payment_status(&paid, status, None);
    report(PaymentStatus::Acsc).unwrap_err();
    let disk = |call| format!("a call failed call={call} error=store: the disk is full");
    assert_eq!(logged(), [disk("revoke_consent"), disk("report_payment_status")]);
    *house.store.mood.lock() = Mood::Well;
    assert!(matches!(complete(), Err(xs2a::Error::Misuse(_))));
    assert!(matches!(report(PaymentStatus::Rcvd), Err(xs2a::Error::Misuse(_))));
    assert!(matches!(house.engine.retry_order(&paid), Err(xs2a::Error::Misuse(_))));
    assert_eq!(logged(), [""; 0]);
}

#[test]
fn an_engine_logs_to_its_own_logger_and_to_no_other() {
    let (loud, quiet) = (Arc::new(Kept::default()), Arc::new(Kept::default()));
    let with_logger =
        |logger: &Arc<Kept>| House::with(|builder| builder.logger(Arc::clone(logger) as Arc<_>));
    let (failing, well) = (with_logger(&loud), with_logger(&quiet));
    let elsewhere = said_during(|| {
        *failing.store.mood.lock() = Mood::Failing;
        assert_eq!(failing.create().status(), 500);
        assert_eq!(well.create().status(), 201);
    });
    assert_eq!(elsewhere, "", "the host's own subscriber is told nothing");
    assert!(quiet.0.lock().is_empty());
    let lines = loud.0.lock();
    let (level, target, message) = lines.last().unwrap();
    assert_eq!((*level, target.as_str()), (LogLevel::Error, "xs2a::pipeline::respond"));
    assert_eq!(message, "a request could not be processed error=store: the disk is full");
}

#[test]
fn without_a_logger_the_hosts_own_subscriber_is_told() {
    let house = House::new();
    *house.store.mood.lock() = Mood::Failing;
    let said = said_during(|| assert_eq!(house.create().status(), 500));
    assert!(said.contains("a request could not be processed"), "{said}");
}
