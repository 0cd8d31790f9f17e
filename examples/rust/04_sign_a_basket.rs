//! Story 4: three payments in a signing basket, and one approval (SCA) that decides on each by itself.

use std::error::Error;

use serde_json::{json, Value};
use xs2a::{Request, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

const PAYMENTS: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
const BASKETS: &str = "/v1/signing-baskets";
const HEADERS: [(&str, &str); 6] = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
];
/// What each is to pay, and from which account: the last is not the customer's.
const ORDERS: [(&str, &str); 3] =
    [("100.00", "95360573002"), ("200.00", "95360573010"), ("300.00", "95360573037")];

fn main() -> Result<(), Box<dyn Error>> {
    println!("4. one approval for a basket");
    let now = "2026-09-01T10:00:00Z".parse()?;
    let sandbox = Sandbox::open(&SandboxOptions { now: Some(now), seed: 1, ..SandboxOptions::default() })?;
    let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"])?;
    let send = |method: &str, target: &str, sent: &str| send(&sandbox, &tpp, (method, target), &[], sent);

    // A basket names its customer, whom the TPP knows by the call-back of an earlier approval.
    let first = send("POST", PAYMENTS, &order("1.00", "95360573002").to_string())?;
    let approval = ScaAnswer::approve("13039319955");
    let callback = sandbox.authorise(text(&first, "/_links/scaRedirect/href"), &approval)?;
    let psu_id = parameter(&callback, "psu-id");

    let mut payments = Vec::new();
    for (amount, debtor) in ORDERS {
        payments.push(send("POST", PAYMENTS, &order(amount, debtor).to_string())?);
    }
    let ids: Vec<_> = payments.iter().map(|made| text(made, "/paymentId")).collect();
    let named = json!({ "paymentIds": ids }).to_string();
    let basket = self::send(&sandbox, &tpp, ("POST", BASKETS), &[("PSU-ID", psu_id)], &named)?;
    println!("basket: {}", text(&basket, "/transactionStatus"));

    // One link for all three: the customer sees them together, and approves once.
    let started = send("POST", text(&basket, "/_links/startAuthorisation/href"), "")?;
    let link = text(&started, "/_links/scaRedirect/href");
    println!("call-back: {}", sandbox.authorise(link, &approval)?);

    // The basket shows the worst case; each payment shows its own status.
    let status = send("GET", text(&basket, "/_links/status/href"), "")?;
    println!("basket: {}", text(&status, "/transactionStatus"));
    for ((amount, _), made) in ORDERS.iter().zip(&payments) {
        let status = send("GET", text(made, "/_links/status/href"), "")?;
        println!("{amount} NOK: {}", text(&status, "/transactionStatus"));
    }
    Ok(())
}

/// Signs as the TPP, sends to the bank.
fn send(
    sandbox: &Sandbox,
    tpp: &TestTpp,
    (method, target): (&str, &str),
    more: &[(&str, &str)],
    sent: &str,
) -> Result<Value, Box<dyn Error>> {
    let headers = HEADERS.iter().chain(more);
    let own: Vec<_> = headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let signed = tpp.sign(method, target, &own, sent.as_bytes())?;
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let answer = sandbox.handle(&Request {
        method,
        target,
        headers: &headers,
        body: sent.as_bytes(),
        correlation_id: None,
    });
    Ok(serde_json::from_slice(answer.body())?)
}

fn order(amount: &str, debtor: &str) -> Value {
    json!({
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": "91351631959", "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
        "remittanceInformationStructured": {"reference": "1234567897"},
    })
}

/// A parameter of the call-back that needs no decoding.
fn parameter<'u>(url: &'u str, name: &str) -> &'u str {
    let pairs = url.split(['?', '&']).filter_map(|pair| pair.split_once('='));
    pairs.filter(|(found, _)| *found == name).map(|(_, value)| value).next().unwrap_or_default()
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
