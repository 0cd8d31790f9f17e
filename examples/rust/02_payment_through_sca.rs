//! Story 2: a payment from its creation, through the customer's approval (SCA), to the bank's books.

use std::error::Error;

use serde_json::{json, Value};
use xs2a::{Request, Response, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

const TARGET: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
const HEADERS: [(&str, &str); 6] = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
];
const STATUS_HEADERS: [(&str, &str); 1] = [("TPP-Redirect-URI", "https://tpp.example/callback?state=42")];

fn main() -> Result<(), Box<dyn Error>> {
    println!("2. a payment through SCA");
    let now = "2026-09-01T10:00:00Z".parse()?;
    let sandbox = Sandbox::open(&SandboxOptions { now: Some(now), seed: 1, ..SandboxOptions::default() })?;
    let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"])?;
    let data: Value = serde_json::from_str(&sandbox.default_data()?)?;
    let debtor = first_account(&data, "13039319955");
    let creditor = first_account(&data, "12085592767");

    let payment = json!({
        "instructedAmount": {"amount": "250.00", "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": creditor, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    });
    let answer = send(&sandbox, &tpp, "POST", TARGET, &HEADERS, payment.to_string().as_bytes())?;
    let created: Value = serde_json::from_slice(answer.body())?;
    println!("created: {} {}", answer.status(), text(&created, "/transactionStatus"));

    // The customer follows the link, approves at the bank, and is sent back to the TPP.
    let link = text(&created, "/_links/scaRedirect/href");
    println!("call-back: {}", sandbox.authorise(link, &ScaAnswer::approve("13039319955"))?);

    let target = format!("{TARGET}/{}/status", text(&created, "/paymentId"));
    let answer = send(&sandbox, &tpp, "GET", &target, &STATUS_HEADERS, b"")?;
    println!("status: {}", text(&serde_json::from_slice(answer.body())?, "/transactionStatus"));

    for (whose, account) in [("debtor", debtor), ("creditor", creditor)] {
        let ledger: Value = serde_json::from_str(&sandbox.ledger(account)?)?;
        let shown = |pointer| text(&ledger, pointer);
        println!(
            "{whose}: {} {}, balance {} {}",
            shown("/bookings/0/amount"),
            shown("/bookings/0/currency"),
            shown("/balance/amount"),
            shown("/balance/currency"),
        );
    }
    Ok(())
}

/// Signs as the TPP, sends to the bank.
fn send(
    sandbox: &Sandbox,
    tpp: &TestTpp,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Response, xs2a::Error> {
    let own: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let signed = tpp.sign(method, target, &own, body)?;
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    Ok(sandbox.handle(&Request { method, target, headers: &headers, body, correlation_id: None }))
}

/// The bban of the first account of one of the sandbox's customers.
fn first_account<'d>(data: &'d Value, customer_number: &str) -> &'d str {
    let customers = data["customers"].as_array().into_iter().flatten();
    let mut found = customers.filter(|customer| customer["customerNumber"] == customer_number);
    found.next().map_or("", |customer| text(customer, "/accounts/0/bban"))
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
