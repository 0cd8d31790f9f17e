//! Story 3: a TPP gets a customer's consent and reads accounts, balances and transactions.

use std::error::Error;

use serde_json::{json, Value};
use xs2a::{Request, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

const PAYMENTS: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
const REDIRECT: (&str, &str) = ("TPP-Redirect-URI", "https://tpp.example/callback?state=42");
const SESSION: (&str, &str) = ("TPP-Session-ID", "session-1");
const PRESENT: (&str, &str) = ("PSU-IP-Address", "192.0.2.1");

fn main() -> Result<(), Box<dyn Error>> {
    println!("3. reading transactions");
    let now = "2026-09-01T10:00:00Z".parse()?;
    let sandbox = Sandbox::open(&SandboxOptions { now: Some(now), seed: 1, ..SandboxOptions::default() })?;
    let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"])?;
    let bank = Bank { sandbox: &sandbox, tpp: &tpp };

    // A payment, so that there is something to read. Its SCA gives the TPP the PSU-ID of the customer.
    let headers = [("x-accept-fix", ""), SESSION, REDIRECT, ("PSU-Context", "PRIVATE"), PRESENT];
    let (_, created) = bank.send("POST", PAYMENTS, &headers, payment().to_string().as_bytes())?;
    let callback = bank.approve(&created)?;
    let psu_id = callback.split("psu-id=").nth(1).and_then(|rest| rest.split('&').next());
    let psu_id = psu_id.ok_or("the call-back names no PSU-ID")?;

    // It opens no accounts: that takes a consent, and the refusal carries the link to it.
    let headers = [("PSU-ID", psu_id), SESSION, REDIRECT, PRESENT];
    let (status, refused) = bank.send("GET", "/v1/accounts?withBalance=true", &headers, b"")?;
    println!("before consent: {status} {}", text(&refused, "/tppMessages/0/code"));
    println!("call-back: {}", bank.approve(&refused)?);

    let (_, accounts) = bank.send("GET", "/v1/accounts?withBalance=true", &headers, b"")?;
    let account = &accounts["accounts"][0];
    let balance = |member| text(account, &format!("/balances/0/balanceAmount/{member}"));
    println!("account: {} {} {}", text(account, "/bban"), balance("amount"), balance("currency"));

    let (_, listed) = bank.send("GET", text(account, "/_links/transactions/href"), &headers, b"")?;
    let booked = |pointer| text(&listed, pointer);
    println!(
        "booked: {} {} {}",
        booked("/transactions/booked/0/bookingDate"),
        booked("/transactions/booked/0/transactionAmount/amount"),
        booked("/transactions/booked/0/remittanceInformationUnstructured"),
    );

    let transaction = booked("/transactions/booked/0/transactionId");
    let target = format!("/v1/accounts/{}/transactions/{transaction}", text(account, "/resourceId"));
    let headers = [("x-accept-fix", ""), ("PSU-ID", psu_id), SESSION, REDIRECT, PRESENT];
    let (_, details) = bank.send("GET", &target, &headers, b"")?;
    let detail = |pointer| text(&details, pointer);
    println!(
        "details: to {} {}",
        detail("/transactionsDetails/creditorAccount/bban"),
        detail("/transactionsDetails/bankTransactionCode"),
    );
    Ok(())
}

fn payment() -> Value {
    json!({
        "instructedAmount": {"amount": "250.00", "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    })
}

/// The bank as the TPP reaches it.
struct Bank<'b> {
    sandbox: &'b Sandbox,
    tpp: &'b TestTpp,
}

impl Bank<'_> {
    /// Signs as the TPP, sends to the bank; the status and the body.
    fn send(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<(u16, Value), Box<dyn Error>> {
        let own: Vec<_> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let signed = self.tpp.sign(method, target, &own, body)?;
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let answer =
            self.sandbox.handle(&Request { method, target, headers: &headers, body, correlation_id: None });
        Ok((answer.status(), serde_json::from_slice(answer.body())?))
    }

    /// What the customer does at the bank's site; the URL they are sent back to.
    fn approve(&self, answer: &Value) -> Result<String, xs2a::Error> {
        self.sandbox.authorise(text(answer, "/_links/scaRedirect/href"), &ScaAnswer::approve("13039319955"))
    }
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
