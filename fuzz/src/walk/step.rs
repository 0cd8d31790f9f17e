//! The steps of a walk: what a TPP, a PSU and time do.

use arbitrary::Arbitrary;
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::{Response, ScaAnswer};

use super::call::Call;
use super::change::Change;
use super::{Walk, ACCOUNTS, PERSONS};

/// One step. Numbers are taken modulo what there is.
#[derive(Debug, Arbitrary)]
pub enum Step {
    /// A payment is created.
    Create { product: u8, accounts: u8, hundredths: u32, before: Vec<Change>, after: Vec<Change> },
    /// A resource is called.
    Call { method: u8, resource: u8, path: u8, before: Vec<Change>, after: Vec<Change> },
    /// A consent is asked for.
    Consent { before: Vec<Change> },
    /// Payments are put into a signing basket.
    Basket { payments: u8, before: Vec<Change> },
    /// A PSU answers at one of the links that were returned.
    Answer { link: u8, person: bool, approve: bool },
    /// The last request is sent again.
    Again,
    /// Time passes.
    Wait { minutes: u16 },
    /// The next batch runs.
    Batch,
}

const PRODUCTS: [&str; 8] = [
    "/v1/payments/instant-norwegian-domestic-credit-transfers-straks",
    "/v1/payments/norwegian-domestic-credit-transfers",
    "/v1/payments/instant-norwegian-domestic-credit-transfers",
    "/v1/payments/norwegian-cross-border-credit-transfers",
    "/v1/payments/sepa-credit-transfers",
    "/v1/payments/cross-border-credit-transfers",
    "/v1/periodic-payments/norwegian-domestic-credit-transfers",
    "/v1/bulk-payments/norwegian-domestic-credit-transfers",
];

/// What follows the path of a resource.
const BELOW: [&str; 7] =
    ["", "/status", "/authorisations", "/cancellation-authorisations", "/balances", "/transactions", "/"];

const METHODS: [&str; 5] = ["GET", "DELETE", "POST", "PUT", "HEAD"];

const REDIRECT: &str = "https://tpp.example/callback?state=42";

fn owned(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// What a reading call sends beside its signature.
pub(super) fn reading_headers(psu_id: Option<&str>) -> Vec<(String, String)> {
    let fixed =
        [("TPP-Session-ID", "session-1"), ("TPP-Redirect-URI", REDIRECT), ("PSU-IP-Address", "192.0.2.1")];
    let mut headers = owned(&fixed);
    headers.extend(psu_id.map(|id| ("PSU-ID".to_owned(), id.to_owned())));
    headers
}

fn creation_headers() -> Vec<(String, String)> {
    owned(&[
        ("x-accept-fix", ""),
        ("TPP-Session-ID", "session-1"),
        ("TPP-Redirect-URI", REDIRECT),
        ("PSU-Context", "PRIVATE"),
        ("PSU-IP-Address", "192.0.2.1"),
        ("Content-Type", "application/json"),
    ])
}

/// A body that the product takes.
fn body(product: usize, accounts: u8, hundredths: u32) -> Value {
    let amount = format!("{}.{:02}", hundredths / 100 % 10_000, hundredths % 100);
    let debtor = ACCOUNTS[usize::from(accounts) % ACCOUNTS.len()];
    let creditor = ACCOUNTS[usize::from(accounts) / 3 % ACCOUNTS.len()];
    let abroad = (3..6).contains(&product);
    let mut body = json!({
        "instructedAmount": {"amount": amount, "currency": if abroad { "EUR" } else { "NOK" }},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": creditor, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
    });
    if abroad {
        body["creditorAccount"] = json!({"iban": "DE89370400440532013000", "currency": "EUR"});
        body["creditorAddress"]["country"] = "DE".into();
        body["creditorAgent"] = "DEUTDEFF".into();
    } else {
        body["remittanceInformationUnstructured"] = "Invoice 1001".into();
    }
    match product {
        6 => {
            body["startDate"] = "2026-10-01".into();
            body["frequency"] = "Monthly".into();
            body
        }
        7 => {
            let mut entry = body.clone();
            entry.as_object_mut().map(|members| members.remove("debtorAccount"));
            json!({"debtorAccount": body["debtorAccount"], "payments": [entry]})
        }
        _ => body,
    }
}

impl Walk {
    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Create { product, accounts, hundredths, before, after } => {
                let product = usize::from(*product) % PRODUCTS.len();
                let body = body(product, *accounts, *hundredths).to_string().into_bytes();
                let call = Call::new("POST", PRODUCTS[product], &creation_headers(), body);
                let response = self.call(call, before, after);
                self.created(&response);
            }
            Step::Call { method, resource, path, before, after } => {
                let Some(place) = usize::from(*resource).checked_rem(self.resources.len()) else { return };
                let target = format!("{}{}", self.resources[place], BELOW[usize::from(*path) % BELOW.len()]);
                let method = METHODS[usize::from(*method) % METHODS.len()];
                let headers = reading_headers(self.psu_id.as_deref());
                let response = self.call(Call::new(method, &target, &headers, Vec::new()), before, after);
                self.learn(&response);
            }
            Step::Consent { before } => {
                let call = Call::new("POST", "/v1/bank-offered-consents", &creation_headers(), Vec::new());
                let response = self.call(call, before, &[]);
                self.learn(&response);
            }
            Step::Basket { payments, before } => {
                let last = self.payments.iter().rev().take(usize::from(*payments) % 4 + 1);
                let ids: Vec<_> = last.map(|(id, _)| id.as_str()).collect();
                let body = json!({ "paymentIds": ids }).to_string().into_bytes();
                let response = self.call(
                    Call::new("POST", "/v1/signing-baskets", &creation_headers(), body),
                    before,
                    &[],
                );
                self.learn(&response);
            }
            Step::Answer { link, person, approve } => self.answer(*link, *person, *approve),
            Step::Again => {
                if let Some(call) = self.last.clone().filter(|call| call.target.starts_with("/v1/")) {
                    let response = self.judge(&call);
                    let status = response.status();
                    assert!(status >= 400, "{status} for a request that was sent again: {call:?}");
                }
            }
            Step::Wait { minutes } => {
                self.sandbox.advance(TimeDelta::minutes((*minutes).into())).expect("time passes");
            }
            Step::Batch => {
                self.sandbox.advance_to_next_event().expect("time passes");
            }
        }
    }

    /// Keeps what an answer has links to.
    fn learn(&mut self, response: &Response) {
        let Ok(body) = serde_json::from_slice::<Value>(response.body()) else { return };
        for (name, link) in body.get("_links").and_then(Value::as_object).into_iter().flatten() {
            let Some(href) = link.get("href").and_then(Value::as_str) else { continue };
            let known = if name == "scaRedirect" { &mut self.redirects } else { &mut self.resources };
            known.push(href.to_owned());
        }
    }

    fn created(&mut self, response: &Response) {
        self.learn(response);
        let Some(call) = self.last.as_ref().filter(|_| response.status() == 201) else { return };
        let sent = serde_json::from_slice(&call.body).expect("a body that was accepted");
        let answered: Value = serde_json::from_slice(response.body()).expect("JSON");
        // A changed target may create something else.
        if let Some(id) = answered["paymentId"].as_str() {
            self.payments.push((id.to_owned(), sent));
        }
    }

    fn answer(&mut self, link: u8, person: bool, approve: bool) {
        let Some(place) = usize::from(link).checked_rem(self.redirects.len()) else { return };
        let answer = ScaAnswer { approve, ..ScaAnswer::approve(PERSONS[usize::from(person)]) };
        let Ok(callback) = self.sandbox.authorise(&self.redirects[place], &answer) else { return };
        let query = callback.split_once('?').map_or("", |(_, query)| query);
        let found = query.split('&').find_map(|pair| pair.strip_prefix("psu-id="));
        if let Some(id) = found {
            self.psu_id = Some(id.to_owned());
        }
    }
}
