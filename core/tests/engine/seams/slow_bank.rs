//! A bank that is slow: the late answer to a question is not used, that of a deed counts. Both are logged.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::env::{Clock, LogLevel};
use xs2a::internal::from_micros;
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::policy::{Environment, Policy};
use xs2a::{Error, Response};

use crate::setup::{approved, assert_system_error, authorisation_id, Kept, Mood, Setup, TPP};
use crate::world::{
    accepted, at, creation_headers, cross_border, parameter, replaced, straks, text, CROSS_BORDER, PAYER,
    STRAKS,
};

const ID: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
const BOUND: TimeDelta = TimeDelta::seconds(10);
const OVER: TimeDelta = TimeDelta::microseconds(10_000_001);

/// A clock that can be put back.
struct Watch(AtomicI64);

impl Watch {
    fn move_by(&self, by: TimeDelta) {
        self.0.fetch_add(by.num_microseconds().unwrap(), Ordering::Relaxed);
    }
}

impl Clock for Watch {
    fn now(&self) -> DateTime<Utc> {
        from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// A bank in JSON with one of everything, that takes its time for one of its answers.
#[derive(Default)]
struct Slow {
    watch: OnceLock<Arc<Watch>>,
    slow: Mutex<Option<(BankMethod, TimeDelta)>>,
}

impl BankCalls for Slow {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> xs2a::Result<()> {
        match *self.slow.lock() {
            Some((slow, by)) if slow == method => self.watch.get().unwrap().move_by(by),
            _ => {}
        }
        let asked: Value = serde_json::from_str(request).unwrap();
        let mut sent = answer_to(method);
        for repeated in method.repeated().iter().filter(|_| !sent.is_null()).copied().collect::<Vec<_>>() {
            sent[repeated] = asked[repeated].clone();
        }
        answer.write(sent.to_string().as_bytes())
    }
}

/// What it answers, beside what it repeats of the question.
fn answer_to(method: BankMethod) -> Value {
    let sum = json!({ "amount": "1.00", "currency": "NOK" });
    let account = json!({ "accountId": ID, "currency": "NOK" });
    let card = json!({ "cardAccountId": ID, "maskedPan": "1234****", "currency": "NOK" });
    match method {
        BankMethod::Psu => json!({ "person": "kari" }),
        BankMethod::DebtorAccount => json!({ "currency": "NOK" }),
        BankMethod::KidAgreement | BankMethod::RequiresSca => Value::Null,
        BankMethod::Fee => json!({ "fee": sum }),
        BankMethod::Rate => json!({ "rate": "11.5" }),
        BankMethod::SubmitPayment => json!({ "transactionStatus": "PDNG" }),
        BankMethod::CancelPayment => json!({ "cancelled": true }),
        BankMethod::Agreements => json!({ "agreements": [] }),
        BankMethod::Accounts => json!({ "accounts": [account] }),
        BankMethod::Account => account,
        BankMethod::Balances | BankMethod::CardBalances => json!({ "balances": [] }),
        BankMethod::Booked | BankMethod::CardBooked => json!({ "transactions": [], "total": 0 }),
        BankMethod::Pending | BankMethod::CardPending => json!({ "transactions": [] }),
        BankMethod::Transaction => json!({ "transactionAmount": sum }),
        BankMethod::CardAccounts => json!({ "cardAccounts": [card] }),
        BankMethod::CardAccount => card,
    }
}

/// An engine over the slow bank, whose PSU has opened everything to the TPP.
struct Waiting {
    setup: Setup,
    bank: Arc<Slow>,
    watch: Arc<Watch>,
    kept: Arc<Kept>,
    psu_id: String,
}

impl Waiting {
    fn new() -> Self {
        Self::under("{}")
    }

    fn under(policy: &str) -> Self {
        let (bank, kept) = (Arc::new(Slow::default()), Arc::new(Kept::default()));
        let watch = Arc::new(Watch(AtomicI64::new(at("2026-09-01T10:00:00Z").timestamp_micros())));
        assert!(bank.watch.set(Arc::clone(&watch)).is_ok());
        let policy = Policy::from_json(Environment::Production, policy).unwrap();
        let setup = Setup::with(|builder| {
            let builder = builder.bank(Arc::new(JsonBank::new(Arc::clone(&bank)))).policy(policy);
            builder.clock(Arc::clone(&watch) as Arc<_>).logger(Arc::clone(&kept) as Arc<_>)
        });
        let mut waiting = Self { setup, bank, watch, kept, psu_id: String::new() };
        let started = accepted(&waiting.call("POST", "/v1/bank-offered-consents", None));
        let redirect = waiting.setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
        waiting.psu_id = parameter(&redirect.url, "psu-id").unwrap();
        waiting
    }

    fn call(&self, method: &str, target: &str, body: Option<&Value>) -> Response {
        let psu = [("TPP-Session-ID", "s"), ("PSU-Context", ""), ("PSU-ID", self.psu_id.as_str())];
        let mut headers = replaced(creation_headers(), &psu);
        if body.is_none() {
            headers.retain(|(name, _)| *name != "Content-Type");
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        self.setup.call(method, target, &headers, body.as_bytes())
    }

    /// A call for whose answer the bank is asked that question.
    fn ask(&self, question: BankMethod) -> Response {
        let get = |path: &str| self.call("GET", &format!("/v1/{path}"), None);
        let of_account = |rest: &str| get(&format!("accounts/{ID}{rest}"));
        let of_card = |rest: &str| get(&format!("card-accounts/{ID}{rest}"));
        let pay = |target: &str, order: Value| {
            self.call("POST", &format!("{target}?allowLogicalDuplicate=true"), Some(&order))
        };
        match question {
            BankMethod::DebtorAccount
            | BankMethod::KidAgreement
            | BankMethod::Fee
            | BankMethod::RequiresSca => pay(STRAKS, straks()),
            BankMethod::Rate => pay(CROSS_BORDER, cross_border()),
            BankMethod::Agreements => get("agreements"),
            BankMethod::Accounts => get("accounts"),
            BankMethod::Account => of_account(""),
            BankMethod::Balances => of_account("/balances"),
            BankMethod::Booked => of_account("/transactions?bookingStatus=booked"),
            BankMethod::Pending => of_account("/transactions?bookingStatus=pending"),
            BankMethod::Transaction => of_account(&format!("/transactions/{ID}")),
            BankMethod::CardAccounts => get("card-accounts"),
            BankMethod::CardAccount => of_card(""),
            BankMethod::CardBalances => of_card("/balances"),
            BankMethod::CardBooked => of_card("/transactions?bookingStatus=booked"),
            BankMethod::CardPending => of_card("/transactions?bookingStatus=pending"),
            BankMethod::Psu | BankMethod::SubmitPayment | BankMethod::CancelPayment => {
                panic!("{question}: no call of a TPP asks it")
            }
        }
    }

    /// Does something while an answer takes that long, or less than nothing; then it is the time it was.
    fn while_slow<T>(&self, method: BankMethod, by: TimeDelta, act: impl FnOnce() -> T) -> T {
        *self.bank.slow.lock() = Some((method, by));
        let before = self.watch.now();
        let done = act();
        *self.bank.slow.lock() = None;
        assert_ne!(self.watch.now(), before, "{method} was not asked");
        self.watch.move_by(before - self.watch.now());
        done
    }

    /// What was logged since the last time.
    fn logged(&self) -> Vec<(LogLevel, String)> {
        let lines = std::mem::take(&mut *self.kept.0.lock());
        lines.into_iter().map(|(level, _, message)| (level, message)).collect()
    }

    /// An order for the bank, approved by its PSU.
    fn ordered(&self) -> Value {
        let headers = replaced(creation_headers(), &[("X-PSU-IDENTITY", PAYER)]);
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let created = accepted(&self.setup.call("POST", &target, &headers, straks().to_string().as_bytes()));
        assert!(self.setup.engine.complete_sca(authorisation_id(&created), &approved()).unwrap().approved);
        created
    }
}

fn too_late(method: BankMethod) -> String {
    format!("bank: {method}: the answer took 10.000001 seconds and is not used: bank_seconds_max is 10")
}

/// `about`: the payment, where it is about one, and a space.
fn slow_deed(method: &str, about: &str) -> (LogLevel, String) {
    let took =
        format!("method={method:?} {about}seconds=\"10.000001\" policy=\"bank_seconds_max\" seconds_max=10");
    (LogLevel::Warn, format!("the bank was slow; its answer counts {took}"))
}

fn of_payment(created: &Value) -> String {
    format!("payment_id={:?} ", text(created, "/paymentId"))
}

#[test]
fn orders_and_cancellations_are_deeds_and_all_else_are_questions() {
    let deeds: Vec<_> = BankMethod::ALL.iter().filter(|method| method.is_deed()).collect();
    assert_eq!(deeds, [&BankMethod::SubmitPayment, &BankMethod::CancelPayment]);
}

#[test]
fn an_answer_after_ten_seconds_is_used_and_a_microsecond_later_not() {
    let waiting = Waiting::new();
    let of_tpps = |method: &&BankMethod| !method.is_deed() && **method != BankMethod::Psu;
    for method in BankMethod::ALL.iter().filter(of_tpps).copied() {
        let in_time = waiting.while_slow(method, BOUND, || waiting.ask(method));
        assert!(matches!(in_time.status(), 200 | 201), "{method}: {:?}", in_time.reason());
        assert_eq!(waiting.logged(), [], "{method}");
        let committed = *waiting.setup.store.committed.lock();
        let late = waiting.while_slow(method, OVER, || waiting.ask(method));
        assert_system_error(&late, "SYS-02");
        let (lines, sent) = (waiting.logged(), format!(" error={:?}", too_late(method)));
        assert!(
            lines.len() == 1 && lines[0].0 == LogLevel::Error && lines[0].1.ends_with(&sent),
            "{lines:?}"
        );
        assert_eq!(*waiting.setup.store.committed.lock(), committed, "{method}");
    }
}

#[test]
fn a_bank_that_is_slow_while_an_sca_is_completed_leaves_the_link_open() {
    let waiting = Waiting::new();
    let headers = replaced(creation_headers(), &[("X-PSU-IDENTITY", PAYER)]);
    let created = waiting.setup.call("POST", STRAKS, &headers, straks().to_string().as_bytes());
    let created = accepted(&created);
    let complete = || waiting.setup.engine.complete_sca(authorisation_id(&created), &approved());
    for method in [BankMethod::Psu, BankMethod::DebtorAccount] {
        let committed = *waiting.setup.store.committed.lock();
        match waiting.while_slow(method, OVER, complete) {
            Err(error @ Error::Bank(_)) => assert_eq!(error.to_string(), too_late(method)),
            other => panic!("{other:?}"),
        }
        let about = format!("tpp={TPP:?} purpose=\"payment\" payment_id={:?}", text(&created, "/paymentId"));
        let sent = format!("a call failed call=\"complete_sca\" {about} error={:?}", too_late(method));
        assert_eq!(waiting.logged(), [(LogLevel::Error, sent)]);
        assert_eq!(*waiting.setup.store.committed.lock(), committed, "{method}");
    }
    assert!(waiting.while_slow(BankMethod::Psu, BOUND, complete).unwrap().approved);
    assert_eq!(waiting.logged(), []);
}

#[test]
fn an_order_that_the_bank_takes_slowly_is_taken_and_that_is_logged() {
    let waiting = Waiting::new();
    for (by, is_logged) in [(BOUND, false), (OVER, true)] {
        let created = waiting.ordered();
        let logged = is_logged.then(|| slow_deed("submit_payment", &of_payment(&created)));
        let run = || waiting.setup.engine.run_due().unwrap();
        assert_eq!(waiting.while_slow(BankMethod::SubmitPayment, by, run).submitted, 1);
        assert_eq!(waiting.logged(), Vec::from_iter(logged));
        assert_eq!(waiting.setup.payment(&created).status, PaymentStatus::Pdng);
        assert_eq!(waiting.setup.engine.next_due().unwrap(), None);
    }
}

#[test]
fn a_slow_cancellation_counts_and_is_logged() {
    let waiting = Waiting::new();
    for (by, is_logged) in [(BOUND, false), (OVER, true)] {
        let created = waiting.ordered();
        let logged = is_logged.then(|| slow_deed("cancel_payment", &of_payment(&created)));
        let path = format!("{STRAKS}/{}/cancellation-authorisations", text(&created, "/paymentId"));
        let started = accepted(&waiting.call("POST", &path, None));
        let complete = || waiting.setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
        assert!(waiting.while_slow(BankMethod::CancelPayment, by, complete).approved);
        assert_eq!(waiting.logged(), Vec::from_iter(logged));
        assert_eq!(waiting.setup.payment(&created).status, PaymentStatus::Canc);
    }
}

/// An engine whose bank takes that long for each question, and how many it was asked.
fn slow_each(policy: &str, each: TimeDelta) -> (Setup, Arc<AtomicI64>) {
    let policy = Policy::from_json(Environment::Production, policy).unwrap();
    let setup = Setup::with(|builder| builder.policy(policy));
    let (clock, asked) = (Arc::clone(&setup.clock), Arc::new(AtomicI64::new(0)));
    let counted = Arc::clone(&asked);
    *setup.bank.while_asked.lock() = Some(Box::new(move || {
        counted.fetch_add(1, Ordering::SeqCst);
        clock.set(clock.now() + each).unwrap();
    }));
    (setup, asked)
}

#[test]
fn all_questions_of_a_call_have_a_time_together() {
    let each = TimeDelta::seconds(10);
    let (setup, asked) = slow_each(r#"{"call_bank_seconds_max":0}"#, each);
    accepted(&setup.create());
    let questions = asked.load(Ordering::SeqCst);
    assert!(questions > 1, "{questions}");
    for (seconds, status) in [(10 * questions, 201), (10 * questions - 1, 500)] {
        let (setup, asked) = slow_each(&format!(r#"{{"call_bank_seconds_max":{seconds}}}"#), each);
        let answer = setup.create();
        assert_eq!((answer.status(), asked.load(Ordering::SeqCst)), (status, questions), "{seconds}");
        // Each call has its own time.
        assert_eq!(setup.create().status(), status, "{seconds}");
    }
}

#[test]
fn the_questions_of_a_completed_sca_have_a_time_together() {
    let each = TimeDelta::seconds(10);
    let complete = |policy: &str| {
        let (setup, asked) = slow_each(policy, TimeDelta::zero());
        let headers = replaced(creation_headers(), &[("X-PSU-IDENTITY", PAYER)]);
        let created = accepted(&setup.call("POST", STRAKS, &headers, straks().to_string().as_bytes()));
        asked.store(0, Ordering::SeqCst);
        let (clock, counted) = (Arc::clone(&setup.clock), Arc::clone(&asked));
        *setup.bank.while_asked.lock() = Some(Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
            clock.set(clock.now() + each).unwrap();
        }));
        let completed = setup.engine.complete_sca(authorisation_id(&created), &approved());
        (completed.map(|redirect| redirect.approved), asked.load(Ordering::SeqCst))
    };
    let (approved, questions) = complete(r#"{"call_bank_seconds_max":0}"#);
    assert!(approved.unwrap() && questions > 1, "{questions}");
    for (seconds, is_in_time) in [(10 * questions, true), (10 * questions - 1, false)] {
        let (approved, asked) = complete(&format!(r#"{{"call_bank_seconds_max":{seconds}}}"#));
        assert_eq!((approved.is_ok(), asked), (is_in_time, questions), "{seconds}");
        if let Err(error) = approved {
            let taken = 10 * questions;
            let sent = format!(
                "the answers of this call took {taken} seconds and the last is not used: call_bank_seconds_max is \
                 {seconds}"
            );
            assert!(error.to_string().ends_with(&sent), "{error}");
        }
    }
}

#[test]
fn a_banks_own_operation_is_a_question_if_it_reads_else_a_deed() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let clock = Arc::clone(&setup.clock);
    *setup.bank.while_asked.lock() = Some(Box::new(move || clock.set(clock.now() + OVER).unwrap()));
    assert_system_error(&setup.call("GET", "/v1/own/7", &[], b""), "SYS-02");
    assert_eq!(*setup.store.committed.lock(), 0);
    let (level, _, sent) = kept.0.lock().pop().unwrap();
    assert!(
        level == LogLevel::Error && sent.contains("perform: the answer took 10.000001 seconds"),
        "{sent}"
    );
    assert_eq!(setup.call("POST", "/v1/own/7", &[], b"").status(), 202);
    let (level, _, sent) = kept.0.lock().pop().unwrap();
    assert_eq!((level, sent), slow_deed("perform", ""));
    assert!(kept.0.lock().is_empty());
}

#[test]
fn a_bank_that_fails_late_fails_for_its_own_reason() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let clock = Arc::clone(&setup.clock);
    *setup.bank.while_asked.lock() = Some(Box::new(move || clock.set(clock.now() + OVER).unwrap()));
    setup.bank.feel("kid_agreement", Mood::Failing);
    assert_system_error(&setup.create(), "SYS-02");
    let lines: Vec<_> = kept.0.lock().iter().map(|(_, _, message)| message.clone()).collect();
    assert!(lines.len() == 1 && lines[0].ends_with(" error=\"bank: the line is dead\""), "{lines:?}");
}

#[test]
fn a_clock_that_is_put_back_while_the_bank_answers_shows_no_time() {
    let waiting = Waiting::new();
    let hour = TimeDelta::hours(1);
    assert_eq!(waiting.while_slow(BankMethod::Fee, -hour, || waiting.ask(BankMethod::Fee)).status(), 201);
    assert_eq!(waiting.logged(), []);
}

#[test]
fn the_policy_limits_the_banks_time_and_zero_is_no_limit() {
    for (policy, by, status) in [
        (r#"{"bank_seconds_max":1}"#, TimeDelta::seconds(1), 201),
        (r#"{"bank_seconds_max":1}"#, TimeDelta::microseconds(1_000_001), 500),
        (r#"{"bank_seconds_max":4294967295,"call_bank_seconds_max":0}"#, TimeDelta::hours(1), 201),
        (r#"{"bank_seconds_max":0,"call_bank_seconds_max":4294967295}"#, TimeDelta::hours(1), 201),
        (r#"{"bank_seconds_max":0}"#, TimeDelta::hours(1), 201),
        (r#"{"bank_seconds_max":0,"call_bank_seconds_max":30}"#, TimeDelta::seconds(30), 201),
        (r#"{"bank_seconds_max":0,"call_bank_seconds_max":30}"#, TimeDelta::microseconds(30_000_001), 500),
        (r#"{"bank_seconds_max":60}"#, TimeDelta::seconds(60), 201),
        (r#"{"bank_seconds_max":60}"#, TimeDelta::microseconds(60_000_001), 500),
        (r#"{"bank_seconds_max":60,"call_bank_seconds_max":30}"#, TimeDelta::microseconds(30_000_001), 500),
    ] {
        let waiting = Waiting::under(policy);
        let answered = waiting.while_slow(BankMethod::Fee, by, || waiting.ask(BankMethod::Fee));
        assert_eq!(answered.status(), status, "{policy}");
    }
}
