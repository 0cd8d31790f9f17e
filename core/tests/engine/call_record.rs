//! The record of a call beside its answer, and the ids that follow a call to bank, log and audit.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde_json::Value;
use xs2a::env::current_call;
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::types::{CallIds, CorrelationId};
use xs2a::{Engine, Request, Response};

use crate::setup::{Kept, Mood, Setup, TPP};
use crate::world::*;

const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const TICK: Duration = Duration::from_millis(30);

/// A payment that is created by a call with these ids.
fn create(setup: &Setup, trace: Option<&str>, correlation_id: Option<&str>) -> Response {
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let body = straks().to_string();
    let number = {
        let mut calls = setup.calls.lock();
        *calls += 1;
        *calls
    };
    let mut headers = creation_headers();
    headers.extend(trace.map(|trace| ("traceparent", trace)));
    let signed = setup.signer.sign("POST", &target, &headers, body.as_bytes(), setup.now(), number);
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let correlation_id = correlation_id.map(|text| CorrelationId::new(text).unwrap());
    let (target, body) = (target.as_str(), body.as_bytes());
    setup.engine.handle(&Request { method: "POST", target, headers: &headers, body, correlation_id })
}

/// The ids that the bank sees while it is asked for the fee of a payment.
fn seen_by_bank(trace: Option<&str>, correlation_id: Option<&str>) -> CallIds {
    let setup = Setup::new();
    let seen = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&seen);
    *setup.bank.while_asked.lock() = Some(Box::new(move || *kept.lock() = Some(current_call())));
    accepted(&create(&setup, trace, correlation_id));
    let seen = seen.lock().unwrap();
    assert!(current_call().is_empty());
    seen
}

fn audited(engine: &Engine) -> Vec<Value> {
    let lines = engine.audit(DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC);
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn an_answer_has_operation_tpp_name_and_roles_of_its_call() {
    let answer = create(&Setup::new(), None, None);
    assert_eq!((answer.status(), answer.operation(), answer.tpp()), (201, Some("createPayment"), Some(TPP)));
    assert_eq!(answer.tpp_name(), Some("Pay elsewhere"));
    assert_eq!(answer.roles(), ["PSP_PI", "PSP_AI"]);
}

#[test]
fn what_a_stage_did_not_find_is_absent_from_the_record() {
    let setup = Setup::new();
    let of = |method, target, headers: &[(&str, &[u8])]| {
        let request = Request { method, target, headers, body: b"", correlation_id: None };
        let answer = setup.engine.handle(&request);
        (answer.operation().map(str::to_owned), answer.tpp().map(str::to_owned), answer.roles().len())
    };
    assert_eq!(of("GET", "/v1/nowhere", &[]), (None, None, 0));
    assert_eq!(of("GET", "/v1/accounts", &[]), (Some("getAccounts".to_owned()), None, 0));
    // The signature is refused after the certificate was found valid.
    let mut signed =
        setup.signer.sign("GET", "/v1/accounts", &[("TPP-Redirect-URI", REDIRECT_URI)], b"", setup.now(), 1);
    for (name, value) in &mut signed {
        if name.eq_ignore_ascii_case("X-Request-ID") {
            *value = "00000000-0000-4000-8000-00000000ffff".to_owned();
        }
    }
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    assert_eq!(
        of("GET", "/v1/accounts", &headers),
        (Some("getAccounts".to_owned()), Some(TPP.to_owned()), 2)
    );
}

#[test]
fn a_call_that_panics_keeps_its_record() {
    let setup = Setup::new();
    setup.bank.feel("fee", Mood::Panicking);
    let answer = create(&setup, None, None);
    assert_eq!((answer.status(), answer.operation(), answer.tpp()), (500, Some("createPayment"), Some(TPP)));
}

#[test]
fn the_time_of_the_bank_is_measured_apart_from_the_stores() {
    let setup = Setup::new();
    let without = create(&setup, None, None).timing();
    assert!(without.store_micros > 0 && without.total_micros >= without.bank_micros + without.store_micros);
    *setup.bank.while_asked.lock() = Some(Box::new(|| sleep(TICK)));
    let with = create(&setup, None, None).timing();
    let tick = u64::try_from(TICK.as_micros()).unwrap();
    assert!(with.bank_micros >= tick, "{with:?}");
    assert!(with.total_micros >= with.bank_micros + with.store_micros, "{with:?}");
}

#[test]
fn the_time_of_the_store_is_measured_apart_from_the_banks() {
    let setup = Setup::new();
    *setup.store.before_commit.lock() = Some(Box::new(|_| sleep(TICK)));
    let timing = create(&setup, None, None).timing();
    assert!(timing.store_micros >= u64::try_from(TICK.as_micros()).unwrap(), "{timing:?}");
    assert!(timing.total_micros >= timing.bank_micros + timing.store_micros, "{timing:?}");
}

#[test]
fn the_bank_sees_the_ids_of_the_call_that_asks_it() {
    let both = seen_by_bank(Some(TRACE), Some("gateway-7"));
    assert_eq!(both.traceparent.unwrap().as_str(), TRACE);
    assert_eq!(both.correlation_id.unwrap().as_str(), "gateway-7");
    assert!(seen_by_bank(None, None).is_empty());
    // A malformed one is ignored and refuses nothing.
    assert!(seen_by_bank(Some(&TRACE.to_uppercase()), None).is_empty());
}

/// Keeps each question, and has no answer.
#[derive(Default)]
struct Questions(Mutex<Vec<Value>>);

impl BankCalls for Questions {
    fn call(&self, _method: BankMethod, request: &str, _answer: &mut AnswerWriter) -> xs2a::Result<()> {
        self.0.lock().push(serde_json::from_str(request).unwrap());
        Err(xs2a::Error::Bank("the line is dead".to_owned()))
    }
}

#[test]
fn a_question_in_json_has_the_ids_as_members() {
    for (trace, id) in [(Some(TRACE), Some("gateway-7")), (None, None)] {
        let questions = Arc::new(Questions::default());
        let setup = Setup::with(|builder| builder.bank(Arc::new(JsonBank::new(Arc::clone(&questions)))));
        assert_eq!(create(&setup, trace, id).status(), 500);
        let asked = questions.0.lock();
        assert!(!asked.is_empty());
        for question in asked.iter() {
            assert_eq!(question.get("traceparent").and_then(Value::as_str), trace, "{question}");
            assert_eq!(question.get("correlationId").and_then(Value::as_str), id, "{question}");
        }
    }
}

#[test]
fn each_log_line_of_a_call_has_its_ids() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    setup.bank.feel("fee", Mood::Failing);
    create(&setup, Some(TRACE), Some("gateway-7"));
    create(&setup, None, None);
    let lines: Vec<_> = kept.0.lock().iter().map(|(_, _, line)| line.clone()).collect();
    let [with, without] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(with.ends_with(&format!(" traceparent={TRACE:?} correlation_id=\"gateway-7\"")), "{with}");
    assert!(!without.contains("traceparent") && !without.contains("correlation_id"), "{without}");
}

#[test]
fn each_audit_line_of_a_call_has_its_ids() {
    let setup = Setup::new();
    create(&setup, Some(TRACE), Some("gateway-7"));
    create(&setup, None, None);
    let headers = [("traceparent", TRACE.as_bytes())];
    let unsigned =
        Request { method: "GET", target: "/v1/accounts", headers: &headers, body: b"", correlation_id: None };
    setup.engine.handle(&unsigned);
    let lines = audited(&setup.engine);
    let ids: Vec<_> = lines
        .iter()
        .map(|line| {
            let member = |name| line["details"].get(name).and_then(Value::as_str);
            (text(line, "/event"), member("traceparent"), member("correlationId"))
        })
        .collect();
    let (trace, id) = (Some(TRACE), Some("gateway-7"));
    let expected = [
        ("payment.created", trace, id),
        ("authorisation.started", trace, id),
        ("payment.created", None, None),
        ("authorisation.started", None, None),
        ("call.refused", trace, None),
    ];
    assert_eq!(ids, expected);
}
