//! The explanations that Rust, C and Python must give byte for byte: requests of the corpus of mistakes, with the JSON
//! of each. `UPDATE=1` writes the file again.

use std::path::PathBuf;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::DateTime;
use serde_json::Value;
use xs2a::{explain, ExplainOptions, Request};

/// One for each proof, and for each option.
const CASES: [&str; 13] = [
    "newline-at-end-of-a-file",
    "brand-in-latin-1",
    "digest-in-latin-1",
    "digest-base64-of-hex",
    "key-of-another-environment",
    "key-of-the-website-certificate",
    "serial-in-decimal",
    "local-time-as-gmt-in-kolkata",
    "prefix-added-by-a-gateway",
    "request-id-of-the-last-call-signed",
    "issuer-in-the-order-of-net",
    "go-issuer-rearranged",
    "right-as-documented",
];

fn vectors(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name)
}

fn read(name: &str) -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(vectors(name)).unwrap()).unwrap()
}

/// A request as the vectors write it, owned.
struct Written<'v> {
    method: &'v str,
    target: &'v str,
    headers: Vec<(&'v str, &'v [u8])>,
    body: Vec<u8>,
}

impl<'v> Written<'v> {
    fn of(value: &'v Value) -> Self {
        let text = |value: &'v Value| value.as_str().unwrap();
        let headers = value["headers"].as_array().unwrap().iter();
        Self {
            method: text(&value["method"]),
            target: text(&value["target"]),
            headers: headers.map(|pair| (text(&pair[0]), text(&pair[1]).as_bytes())).collect(),
            body: STANDARD.decode(text(&value["body"])).unwrap(),
        }
    }

    fn request(&self) -> Request<'_> {
        Request {
            method: self.method,
            target: self.target,
            headers: &self.headers,
            body: &self.body,
            correlation_id: None,
        }
    }
}

fn explained(case: &Value) -> String {
    let texts = |member: &str| {
        let list = case[member].as_array().unwrap();
        list.iter().map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let earlier: Vec<_> = case["earlier"].as_array().unwrap().iter().map(Written::of).collect();
    let now = DateTime::parse_from_rfc3339(case["now"].as_str().unwrap()).unwrap().to_utc();
    let mut options = ExplainOptions {
        now: Some(now),
        base_paths: texts("base_paths"),
        earlier: earlier.iter().map(Written::request).collect(),
        // What is found must not depend on how busy the machine is.
        budget: std::time::Duration::from_secs(60),
        ..ExplainOptions::default()
    };
    let certificates = texts("certificates").join("\n");
    if !certificates.is_empty() {
        options.add_certificates(&certificates).unwrap();
    }
    if case["policy"].is_object() {
        options.set_policy(&case["policy"].to_string()).unwrap();
    }
    explain(&Written::of(case).request(), &options).to_json().unwrap()
}

/// The arguments of a request of the corpus, and the explanation.
fn recorded(case: &Value) -> Value {
    let arguments = [
        "id",
        "now",
        "certificates",
        "base_paths",
        "policy",
        "method",
        "target",
        "headers",
        "body",
        "earlier",
    ];
    let members = arguments.map(|member| (member.to_owned(), case[member].clone()));
    let mut object: serde_json::Map<_, _> = members.into_iter().collect();
    object.insert("explanation".to_owned(), explained(case).into());
    Value::Object(object)
}

#[test]
fn the_json_of_an_explanation_is_as_recorded() {
    let corpus = read("mistakes/requests.json");
    let case = |id: &&str| corpus.iter().find(|case| case["id"] == **id).unwrap();
    let cases: Vec<&Value> = CASES.iter().map(case).collect();
    let now: Vec<Value> = cases.iter().map(|case| recorded(case)).collect();
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&now).unwrap() + "\n";
        std::fs::write(vectors("explanations.json"), text).unwrap();
    }
    let file = read("explanations.json");
    assert_eq!(now.len(), file.len());
    for (now, recorded) in now.iter().zip(&file) {
        assert_eq!(now, recorded, "UPDATE=1 records it again");
    }
    // The corpus names the mistakes; the record must not be of another one.
    for (case, recorded) in cases.iter().zip(&file) {
        let found: Value = serde_json::from_str(recorded["explanation"].as_str().unwrap()).unwrap();
        assert_eq!((&found["mistake"], &found["ok"]), (&case["mistake"], &case["ok"]), "{}", case["id"]);
    }
}
