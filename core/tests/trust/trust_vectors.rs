//! Engines that were set up by a configuration, called and changed as pyca/cryptography's certificates and lists ask
//! (`tests/vectors/make_trust_vectors.py`); C and Python run the same steps.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Deserialize;
use serde_json::Value;
use xs2a::env::{Applicant, Clock, NoRevocationList, TppRegistry};
use xs2a::internal::{from_micros, load_default_data, Database, SandboxBank};
use xs2a::tools::trusted_list_anchors;
use xs2a::types::Rates;
use xs2a::{Engine, EngineBuilder, EngineConfig, Error, Request, Sandbox, SandboxOptions};

#[derive(Deserialize)]
struct Case {
    id: String,
    config: Value,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Step {
    Now {
        micros: i64,
    },
    Call {
        headers: Vec<(String, String)>,
        status: u16,
        reason: String,
    },
    ManyAnchors {
        pem: String,
    },
    ManySent {
        pem: String,
        headers: Vec<(String, String)>,
        status: u16,
        reason: String,
    },
    Lists {
        hex: Option<String>,
        pem: Option<String>,
        authorities: String,
        #[serde(flatten)]
        outcome: Outcome,
    },
    Clear,
    Due {
        time: String,
    },
    Anchors {
        bundle: String,
        #[serde(flatten)]
        outcome: Outcome,
    },
    Register {
        extract: String,
        #[serde(flatten)]
        outcome: Outcome,
    },
    TrustedList {
        list: String,
        #[serde(rename = "type")]
        kind: String,
        at: String,
        bundle: Option<String>,
        fails: Option<String>,
    },
}

#[derive(Deserialize)]
struct Outcome {
    count: Option<usize>,
    fails: Option<String>,
}

impl Outcome {
    fn check(&self, found: Result<usize, Error>, place: &str) {
        match (found, self.count, &self.fails) {
            (Ok(found), Some(count), None) => assert_eq!(found, count, "{place}"),
            (Err(Error::Config(message)), None, Some(part)) => {
                assert!(message.contains(part), "{place}: {message}")
            }
            (found, ..) => panic!("{place}: {found:?}"),
        }
    }
}

#[derive(Default)]
struct ClockOfSteps(AtomicI64);

impl Clock for ClockOfSteps {
    fn now(&self) -> DateTime<Utc> {
        from_micros(self.0.load(Ordering::Relaxed))
    }
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../../tests/vectors/trust.json")).unwrap()
}

fn builder(config: &Value, clock: &Arc<ClockOfSteps>) -> EngineBuilder {
    let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
    load_default_data(&database).unwrap();
    let bank = SandboxBank::new(database, Rates::default());
    let builder = EngineConfig::from_json(&config.to_string()).unwrap().builder();
    builder.bank(Arc::new(bank)).clock(Arc::clone(clock) as Arc<_>)
}

fn run(case: &Case) {
    let clock = Arc::new(ClockOfSteps::default());
    let engine = builder(&case.config, &clock).build().unwrap();
    for (number, step) in case.steps.iter().enumerate() {
        let place = format!("{}, step {number}", case.id);
        match step {
            Step::Now { micros } => clock.0.store(*micros, Ordering::Relaxed),
            Step::Call { headers, status, reason } => {
                assert_eq!(call(&engine, headers), (*status, reason.as_str()), "{place}");
            }
            Step::ManyAnchors { pem } => {
                let count = engine.replace_trust_anchors_with(ten_thousand(pem).as_bytes()).unwrap();
                assert_eq!(count, 10_000, "{place}");
            }
            Step::ManySent { pem, headers, status, reason } => {
                let mut headers = headers.clone();
                let sent = headers.iter_mut().find(|(name, _)| name == "TPP-Signature-Certificate").unwrap();
                sent.1 += &ten_thousand(pem).replace('\n', "");
                assert_eq!(call(&engine, &headers), (*status, reason.as_str()), "{place}");
            }
            Step::Lists { hex, pem, authorities, outcome } => {
                let list = match hex {
                    Some(hex) => bytes(hex),
                    None => pem.as_ref().unwrap().clone().into_bytes(),
                };
                outcome.check(engine.supply_revocation_lists(&list, authorities.as_bytes()), &place);
            }
            Step::Clear => engine.clear_revocation_lists().unwrap(),
            Step::Due { time } => {
                let due = engine.next_revocation_list_due().unwrap();
                let due = due.map(|due| due.to_rfc3339_opts(SecondsFormat::AutoSi, true));
                assert_eq!(due.unwrap_or_default(), *time, "{place}");
            }
            Step::Anchors { bundle, outcome } => {
                outcome.check(engine.replace_trust_anchors_with(bundle.as_bytes()), &place);
            }
            Step::Register { extract, outcome } => {
                outcome.check(engine.replace_register(extract.as_bytes()), &place);
            }
            Step::TrustedList { list, kind, at, bundle, fails } => {
                match (trusted_list_anchors(list.as_bytes(), kind, at.parse().unwrap()), bundle, fails) {
                    (Ok(found), Some(bundle), None) => assert_eq!(&found, bundle, "{place}"),
                    (Err(Error::Config(message)), None, Some(part)) => {
                        assert!(message.contains(part), "{place}: {message}")
                    }
                    (found, ..) => panic!("{place}: {found:?}"),
                }
            }
        }
    }
}

fn call(engine: &Engine, headers: &[(String, String)]) -> (u16, &'static str) {
    let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let target = "/v1/bank-offered-consents";
    let answer = engine.handle(&Request {
        method: "POST",
        target,
        headers: &headers,
        body: b"",
        correlation_id: None,
    });
    (answer.status(), answer.reason().unwrap_or_default())
}

fn ten_thousand(pem: &str) -> String {
    (0..10_000).map(|number| format!("{}{number:04}{}", &pem[..434], &pem[438..])).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

#[test]
fn supplied_trust_counts_from_the_next_call_on() {
    let started = Instant::now();
    cases().iter().for_each(run);
    // Ten thousand authorities of one name are in it: nothing is compared with all others.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

/// Gives the answers that are set, and counts.
#[derive(Default)]
struct Register {
    is_closed: std::sync::atomic::AtomicBool,
    asked: AtomicI64,
}

impl TppRegistry for Register {
    fn is_registered(&self, applicant: &Applicant<'_>) -> xs2a::Result<bool> {
        assert_eq!(applicant.organisation_id, "PSDNO-FSA-912345678");
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(!self.is_closed.load(Ordering::Relaxed))
    }
}

/// The first case's sound call, again and again.
fn sound() -> (Value, i64, Vec<(String, String)>) {
    let mut case = cases().remove(0);
    case.config["policy"]["replay_protection"] = Value::Bool(false);
    match (case.steps.remove(1), case.steps.remove(0)) {
        (Step::Call { headers, .. }, Step::Now { micros }) => (case.config, micros, headers),
        _ => panic!("the first case has no call"),
    }
}

#[test]
fn an_answer_of_the_register_counts_until_its_age_or_its_removal() {
    let (mut config, micros, headers) = sound();
    for (ages, asked_again) in [(None, true), (Some((30, 5)), false)] {
        if let Some((registered, unknown)) = ages {
            config["registry_ages"] =
                serde_json::json!({"registered_seconds": registered, "unknown_seconds": unknown});
        }
        let (clock, register) = (Arc::new(ClockOfSteps::default()), Arc::new(Register::default()));
        let engine = builder(&config, &clock).registry(Arc::clone(&register) as Arc<_>).build().unwrap();
        let call_after = |seconds: i64| {
            clock.0.store(micros + seconds * 1_000_000, Ordering::Relaxed);
            call(&engine, &headers).1
        };
        let close = |closed: bool| register.is_closed.store(closed, Ordering::Relaxed);
        let at_once = if asked_again { "TPP-01" } else { "" };
        assert_eq!(call_after(0), "");
        close(true);
        assert_eq!(call_after(29), at_once);
        assert_eq!(call_after(30), "TPP-01", "thirty seconds old");
        close(false);
        assert_eq!(call_after(34), if asked_again { "" } else { "TPP-01" });
        assert_eq!(call_after(35), "", "five seconds old");
        close(true);
        engine.forget_registration("PSDNO-FSA-1").unwrap();
        assert_eq!(call_after(35), at_once);
        engine.forget_registration("PSDNO-FSA-912345678").unwrap();
        assert_eq!(call_after(35), "TPP-01", "forgotten");
        assert_eq!(register.asked.load(Ordering::Relaxed), if asked_again { 7 } else { 4 });
        assert!(matches!(engine.replace_register(b"[[],[]]"), Err(Error::Misuse(_))));
    }
}

#[test]
fn ages_need_a_register_and_lists_exclude_own_revocation() {
    let (mut config, ..) = sound();
    let clock = Arc::new(ClockOfSteps::default());
    let engine = builder(&config, &clock).revocation(Arc::new(NoRevocationList)).build().unwrap();
    for refused in [
        engine.supply_revocation_lists(b"", b"").map(drop),
        engine.clear_revocation_lists(),
        engine.next_revocation_list_due().map(drop),
        engine.forget_registration("PSDNO-FSA-1"),
    ] {
        assert!(matches!(refused, Err(Error::Misuse(_))), "{refused:?}");
    }
    config["registry_ages"] = serde_json::json!({"registered_seconds": 1, "unknown_seconds": 1});
    match builder(&config, &clock).build().map(drop) {
        Err(Error::Config(message)) => assert!(message.starts_with("registry_ages: "), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sandbox_gets_its_trust_by_its_own_method() {
    let sandbox = Sandbox::open(&SandboxOptions::default()).unwrap();
    let engine = sandbox.engine();
    for refused in [
        engine.replace_trust_anchors_with(b"").map(drop),
        engine.supply_revocation_lists(b"", b"").map(drop),
        engine.clear_revocation_lists(),
        engine.next_revocation_list_due().map(drop),
        engine.replace_register(b"[[],[]]").map(drop),
        engine.forget_registration("PSDNO-FSA-1"),
    ] {
        assert!(matches!(refused, Err(Error::Misuse(_))), "{refused:?}");
    }
}

/// The bundle of two of a step of that case.
fn bundle_of_two<T>(case: &str, of: impl Fn(Step) -> Option<T>) -> (Value, T) {
    let case = cases().into_iter().find(|found| found.id == case).unwrap();
    (case.config, case.steps.into_iter().find_map(of).unwrap())
}

#[test]
fn a_bundle_that_ends_within_its_last_part_is_refused_as_a_whole() {
    let (config, (lists, authorities)) = bundle_of_two("revoked", |step| match step {
        Step::Lists { pem: Some(pem), authorities, .. } => Some((pem, authorities)),
        _ => None,
    });
    let (_, anchors) = bundle_of_two("anchors", |step| match step {
        Step::Anchors { bundle, outcome: Outcome { count: Some(2), .. } } => Some(bundle),
        _ => None,
    });
    let engine = builder(&config, &Arc::default()).build().unwrap();
    let is_refused = |found: Result<usize, Error>| matches!(found, Err(Error::Config(_)));
    let ends = |bundle: &str| {
        let second = bundle.rfind("-----BEGIN ").unwrap();
        let closing = bundle.rfind("-----END ").unwrap();
        [second + 12, second + 30, closing - 1, closing + 8]
    };
    for end in ends(&lists) {
        assert!(is_refused(engine.supply_revocation_lists(&lists.as_bytes()[..end], authorities.as_bytes())));
        assert_eq!(engine.next_revocation_list_due().unwrap(), None);
    }
    for end in ends(&anchors) {
        assert!(is_refused(engine.replace_trust_anchors_with(&anchors.as_bytes()[..end])));
        let cut_off = &anchors.as_bytes()[..end];
        assert!(is_refused(engine.supply_revocation_lists(lists.as_bytes(), cut_off)), "authorities");
    }
    assert_eq!(engine.replace_trust_anchors_with(anchors.as_bytes()).unwrap(), 2);
    assert_eq!(engine.supply_revocation_lists(lists.as_bytes(), authorities.as_bytes()).unwrap(), 2);
}

#[test]
fn a_type_of_certificates_that_there_is_not_is_refused() {
    let found = trusted_list_anchors(b"", "eseal", DateTime::UNIX_EPOCH);
    assert!(matches!(found, Err(Error::Misuse(message)) if message.contains("`eseal`")));
}
