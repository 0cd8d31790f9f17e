//! A production engine shows no mistake to a TPP, and searches for none while it answers.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::TimeDelta;
use xs2a::explain::{explain, ExplainOptions};
use xs2a::internal::format_http_date;
use xs2a::policy::{Environment, Policy};
use xs2a::{Engine, Error, Request, Response};

use crate::setup::Setup;
use crate::world::answer::messages;
use crate::world::{at, plain_headers};

type Fields = Vec<(String, String)>;
type Spoil = fn(&mut Fields);

fn set(headers: &mut Fields, name: &str, value: String) {
    headers.iter_mut().find(|(found, _)| found == name).unwrap().1 = value;
}

/// The answer of the engine, and the mistake that a host finds in the same request.
fn answered(setup: &Setup, spoil: Spoil) -> (Response, Option<&'static str>) {
    let (target, sent) = ("/v1/accounts", plain_headers());
    let mut headers = setup.signer.sign("GET", target, &sent, b"", setup.now(), 1);
    spoil(&mut headers);
    let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let request = Request { method: "GET", target, headers: &headers, body: b"", correlation_id: None };
    let options = ExplainOptions { now: Some(setup.now()), ..ExplainOptions::default() };
    (setup.engine.handle(&request), explain(&request, &options).mistake)
}

#[test]
fn a_refusal_in_production_does_not_name_the_mistake() {
    let setup = Setup::new();
    let cases: [(&str, &str, Spoil); 3] = [
        ("DAT-02", "date-local-time-as-gmt", |headers| {
            let ahead = at("2026-09-01T10:00:00Z") + TimeDelta::hours(2);
            set(headers, "Date", format_http_date(ahead));
        }),
        ("DIG-03", "digest-newline", |headers| {
            let digest = xs2a::tools::digest(b"\n", "SHA-256").unwrap();
            set(headers, "Digest", digest);
        }),
        ("SIG-13", "signature-base64-twice", |headers| {
            let signature = headers.iter().find(|(name, _)| name == "Signature").unwrap().1.clone();
            let (before, base64) = signature.split_once("signature=\"").unwrap();
            let again = STANDARD.encode(base64.trim_end_matches('"'));
            set(headers, "Signature", format!("{before}signature=\"{again}\""));
        }),
    ];
    for (reason, mistake, spoil) in cases {
        let (answer, found) = answered(&setup, spoil);
        assert_eq!((answer.reason(), found), (Some(reason), Some(mistake)));
        let [message] = messages(&answer).try_into().unwrap();
        assert_eq!(message.category, "ERROR");
        let body = String::from_utf8_lossy(answer.body());
        assert!(!body.contains(mistake), "{body}");
    }
}

#[test]
fn an_engine_is_not_built_with_the_keys_of_a_sandbox_alone() {
    type Set = fn(&mut Policy);
    let keys: [(&str, Set); 2] = [
        ("explain_to_tpp", |policy| policy.explain_to_tpp = Some(true)),
        ("scenario_header", |policy| policy.scenario_header = Some(true)),
    ];
    for environment in [Environment::Production, Environment::Sandbox] {
        for (key, set) in keys {
            let mut policy = Policy::new(environment);
            set(&mut policy);
            let built = Engine::builder().policy(policy).build();
            assert!(matches!(built, Err(Error::Config(text)) if text.contains(key)));
        }
    }
}
