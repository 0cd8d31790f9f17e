//! Story 1: a TPP signs a request, and the bank's side verifies it.

use std::error::Error;

use xs2a::{tools, Request, Sandbox, SandboxOptions};

const TARGET: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
const BODY: &[u8] = br#"{"instructedAmount":{"amount":"250.00","currency":"NOK"}}"#;

type Headers = Vec<(String, String)>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("1. sign and verify");
    let now = "2026-09-01T10:00:00Z".parse()?;
    let sandbox = Sandbox::open(&SandboxOptions { now: Some(now), seed: 1, ..SandboxOptions::default() })?;
    let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"])?;
    let redirect = ("TPP-Redirect-URI".to_owned(), "https://tpp.example/callback?state=42".to_owned());
    let headers = tpp.sign("POST", TARGET, &[redirect], BODY)?;

    // What was signed: the headers that Signature lists, in its order.
    let signature = headers.iter().find(|(name, _)| name == "Signature").map(|(_, value)| value.as_str());
    let list = signature.and_then(|value| value.split("headers=\"").nth(1)?.split('"').next());
    let names: Vec<&str> = list.unwrap_or_default().split(' ').collect();
    println!("signing string:");
    println!("{}", tools::signing_string("POST", TARGET, &fields(&headers), &names)?);

    let verify = |headers: &Headers, body: &[u8]| {
        let headers = fields(headers);
        tools::verify_signature(
            &Request { method: "POST", target: TARGET, headers: &headers, body, correlation_id: None },
            now,
            None,
        )
    };
    println!("verified: {}", verify(&headers, BODY)?.ok);

    // One bit of X-Request-ID: its last hex digit, plus or minus one.
    let changed = headers.iter().map(|(name, value)| match name.as_str() {
        "X-Request-ID" => (name.clone(), with_one_bit_changed(value)),
        _ => (name.clone(), value.clone()),
    });
    println!("one bit changed: {}", verify(&changed.collect(), BODY)?.reason.unwrap_or("none"));
    println!("body changed: {}", verify(&headers, &[BODY, b" "].concat())?.reason.unwrap_or("none"));
    Ok(())
}

fn fields(headers: &Headers) -> Vec<(&str, &[u8])> {
    headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect()
}

fn with_one_bit_changed(id: &str) -> String {
    let mut changed = id.to_owned();
    let digit = changed.pop().and_then(|last| last.to_digit(16)).unwrap_or_default();
    changed.extend(char::from_digit(digit ^ 1, 16));
    changed
}
