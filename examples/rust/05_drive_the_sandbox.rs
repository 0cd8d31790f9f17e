//! Story 5: the sandbox as a test drives it: forks, snapshots and what differs between them, policies, faults, clock.

use std::error::Error;

use serde_json::{json, Value};
use xs2a::{FaultSpec, Request, Response, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

const TARGET: &str = "/v1/payments/norwegian-domestic-credit-transfers";
const CUSTOMER: &str = "13039319955";
const HEADERS: [(&str, &str); 6] = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("5. drive the sandbox");
    let now = "2026-09-01T10:00:00Z".parse()?;
    let sandbox = Sandbox::open(&SandboxOptions { now: Some(now), seed: 1, ..SandboxOptions::default() })?;
    let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"])?;
    let answer = send(&sandbox, &tpp, "POST", TARGET, order().to_string().as_bytes())?;
    let created: Value = serde_json::from_slice(answer.body())?;
    let link = text(&created, "/_links/scaRedirect/href");
    show("created", &sandbox, &tpp, &created)?;

    // A fork has the same past and a future of its own: there the customer approves, and the bank's batch runs.
    let fork = sandbox.fork()?;
    fork.authorise(link, &ScaAnswer::approve(CUSTOMER))?;
    let same_tpp = fork.tpp(tpp.organisation_id())?;
    show("approved in a fork", &fork, &same_tpp, &created)?;
    fork.advance_to_next_event()?;
    println!("the fork's clock: {}", fork.now().format("%Y-%m-%dT%H:%M:%SZ"));
    show("settled in the fork", &fork, &same_tpp, &created)?;
    show("here", &sandbox, &tpp, &created)?;

    // What an approval changes, in words; then back to before it.
    let before = sandbox.snapshot()?;
    sandbox.authorise(link, &ScaAnswer::approve(CUSTOMER))?;
    for line in xs2a::diff(&before, &sandbox.snapshot()?)? {
        println!("changed: {line}");
    }
    sandbox.restore(&before)?;
    show("restored", &sandbox, &tpp, &created)?;

    // A known issue of the field, switched on and off.
    sandbox.set_policy(r#"{"domestic_unreadable_before_approval": true}"#)?;
    show("unreadable before approval", &sandbox, &tpp, &created)?;
    sandbox.set_policy(r#"{"domestic_unreadable_before_approval": false}"#)?;
    show("readable again", &sandbox, &tpp, &created)?;

    // The bank has had enough, once.
    sandbox.add_fault(FaultSpec { times: Some(1), ..FaultSpec::refusal("ACCESS_EXCEEDED") })?;
    show("with a fault", &sandbox, &tpp, &created)?;
    show("after it", &sandbox, &tpp, &created)?;

    // The default data again; then everything as it was, from a text that could lie under version control.
    let exported = sandbox.export_json()?;
    sandbox.initialize()?;
    show("initialized", &sandbox, &tpp, &created)?;
    sandbox.import_json(&exported)?;
    show("imported", &sandbox, &tpp, &created)?;
    println!("accounts that do not add up: {}", sandbox.reconcile()?.len());
    Ok(())
}

fn order() -> Value {
    json!({
        "instructedAmount": {"amount": "250.00", "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    })
}

/// Asks for the payment's status, and prints what is answered.
fn show(what: &str, sandbox: &Sandbox, tpp: &TestTpp, created: &Value) -> Result<(), Box<dyn Error>> {
    let answer = send(sandbox, tpp, "GET", text(created, "/_links/status/href"), b"")?;
    let parsed: Value = serde_json::from_slice(answer.body())?;
    let status = parsed["transactionStatus"].as_str().unwrap_or("-");
    println!("{what}: {} {status}", answer.status());
    Ok(())
}

/// Signs as the TPP, sends to the bank.
fn send(
    sandbox: &Sandbox,
    tpp: &TestTpp,
    method: &str,
    target: &str,
    body: &[u8],
) -> Result<Response, xs2a::Error> {
    let own: Vec<_> = HEADERS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let signed = tpp.sign(method, target, &own, body)?;
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    Ok(sandbox.handle(&Request { method, target, headers: &headers, body, correlation_id: None }))
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
