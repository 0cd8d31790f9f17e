//! Short ways to call the sandbox's routes, and to hold a table of faults against one of them.

use std::sync::Arc;

use serde_json::{json, Value};
use xs2a::internal::{Database, SandboxBank};
use xs2a::types::Rates;
use xs2a::Response;

use crate::world::answer::{assert_well_formed, messages};
use crate::world::draft::database;
use crate::world::{body, changed, refused, text, World};

pub(crate) const CUSTOMERS: &str = "/v1/sandbox/customers";
pub(crate) const AGREEMENTS: &str = "/v1/sandbox/agreements";
pub(crate) const ACCOUNTS: &str = "/v1/sandbox/accounts";
pub(crate) const CARD_ACCOUNTS: &str = "/v1/sandbox/card-accounts";

/// Customers of the default set.
pub(crate) const PERSON: &str = "13039319955";
pub(crate) const COMPANY: &str = "18129215603";
pub(crate) const COMPANY_ACCOUNT: &str = "95360573118";

impl World {
    pub(crate) fn send(&self, method: &str, target: &str, sent: &Value) -> Response {
        let bytes = match sent {
            Value::Null => String::new(),
            sent => sent.to_string(),
        };
        self.call(method, target, &[], bytes.as_bytes())
    }

    pub(crate) fn post(&self, target: &str, sent: &Value) -> Response {
        self.send("POST", target, sent)
    }

    /// The body of a 201.
    pub(crate) fn made(&self, target: &str, sent: &Value) -> Value {
        let response = self.post(target, sent);
        assert_eq!(response.status(), 201, "{}", body(&response));
        assert_well_formed(&response);
        self.assert_reconciled();
        body(&response)
    }

    /// The body of a 200.
    pub(crate) fn found(&self, target: &str) -> Value {
        let response = self.send("GET", target, &Value::Null);
        assert_eq!(response.status(), 200, "{target}: {}", body(&response));
        assert_well_formed(&response);
        body(&response)
    }

    /// The body of a 200 to a PUT.
    pub(crate) fn put(&self, target: &str, sent: &Value) -> Value {
        let response = self.send("PUT", target, sent);
        assert_eq!(response.status(), 200, "{}", body(&response));
        assert_well_formed(&response);
        self.assert_reconciled();
        body(&response)
    }

    /// Deletes once with 204 and an empty body, and finds nothing the second time.
    #[track_caller]
    pub(crate) fn delete_twice(&self, target: &str, reason: &str) {
        let first = self.send("DELETE", target, &Value::Null);
        assert_eq!((first.status(), first.body(), first.reason()), (204, &b""[..], None));
        assert_eq!(first.header("Content-Type"), None);
        self.assert_reconciled();
        let second = self.send("DELETE", target, &Value::Null);
        assert_eq!(unknown(&second), (404, reason.to_owned(), "RESOURCE_UNKNOWN".to_owned()));
    }

    /// The resource of that id is answered 404.
    #[track_caller]
    pub(crate) fn assert_unknown(&self, method: &str, target: &str, sent: &Value, reason: &str) {
        let response = self.send(method, target, sent);
        assert_eq!(unknown(&response), (404, reason.to_owned(), "RESOURCE_UNKNOWN".to_owned()), "{target}");
    }

    /// A customer, and its id.
    pub(crate) fn customer(&self, number: &str, kind: &str) -> String {
        let sent = json!({"customerNumber": number, "customerType": kind, "customerName": "Ny Kunde"});
        text(&self.made(CUSTOMERS, &sent), "/customerId").to_owned()
    }

    /// An account in NOK with that balance.
    pub(crate) fn account(&self, owner: &str, balance: i32) -> Value {
        self.made(
            ACCOUNTS,
            &json!({"customerNumber": owner, "currency": "NOK", "balances": [closing(balance)]}),
        )
    }

    /// The account with that number.
    pub(crate) fn account_of(&self, bban: &str) -> Value {
        let accounts = self.found(ACCOUNTS);
        let all = accounts["accounts"].as_array().unwrap().clone();
        all.into_iter().find(|account| account["bban"] == bban).unwrap()
    }

    /// A bank over the books as they are now.
    pub(crate) fn bank(&self) -> SandboxBank {
        let books = Database::from_image(&database(&self.sandbox)).unwrap();
        SandboxBank::new(Arc::new(books), Rates::default())
    }

    /// Holds each fault against a body that is accepted: pointer, value (null takes the member out), reason, and
    /// the path of the one message. Nothing is stored.
    #[track_caller]
    pub(crate) fn assert_faults(&self, method: &str, target: &str, good: &Value, faults: &[Fault]) {
        let accepted = self.clone().send(method, target, good);
        assert!(accepted.status() < 300, "{}", body(&accepted));
        let before = database(&self.sandbox);
        for (pointer, value, reason, path) in faults {
            let sent = match value {
                Value::Null => changed(good.clone(), &[(pointer, Value::Null)]),
                value => replaced(good, pointer, value),
            };
            let response = self.send(method, target, &sent);
            assert_well_formed(&response);
            let errors: Vec<_> =
                messages(&response).into_iter().filter(|message| message.category == "ERROR").collect();
            let (_, found, _, at) = refused(&response);
            assert_eq!(
                (found, at.as_str(), errors.len()),
                (*reason, *path, 1),
                "{pointer}: {value}: {errors:?}"
            );
        }
        assert!(without_request_ids(&database(&self.sandbox)) == without_request_ids(&before));
    }
}

/// What a database holds beside the request ids of the calls, as text: a refused call uses its id up.
fn without_request_ids(image: &[u8]) -> String {
    let database = Database::from_image(image).unwrap();
    let mut sections = database.sections().unwrap();
    sections.retain(|(name, _)| *name != "usedRequestIds");
    format!("{sections:?}")
}

/// Pointer, value, reason, path.
pub(crate) type Fault = (&'static str, Value, &'static str, &'static str);

fn replaced(good: &Value, pointer: &str, value: &Value) -> Value {
    let mut sent = good.clone();
    match sent.pointer_mut(pointer) {
        Some(place) => *place = value.clone(),
        None => sent = changed(sent, &[(pointer, value.clone())]),
    }
    sent
}

fn unknown(response: &Response) -> (u16, String, String) {
    let (status, reason, code, _) = refused(response);
    (status, reason.to_owned(), code)
}

/// The paths of all messages of category error.
pub(crate) fn paths(response: &Response) -> Vec<String> {
    let errors = messages(response).into_iter().filter(|message| message.category == "ERROR");
    errors.map(|message| message.path).collect()
}

pub(crate) fn balance(kind: &str, amount: i32, currency: &str) -> Value {
    json!({"balanceType": kind, "balanceAmount": {"amount": amount, "currency": currency}})
}

pub(crate) fn closing(amount: i32) -> Value {
    balance("closingBooked", amount, "NOK")
}

/// What both balances of an answer come to: closingBooked and expected.
pub(crate) fn balances(answered: &Value) -> (i64, i64) {
    let sum = |place: usize, kind: &str| {
        assert_eq!(answered[place]["balanceType"], kind);
        answered[place]["balanceAmount"]["amount"].as_i64().unwrap()
    };
    (sum(0, "closingBooked"), sum(1, "expected"))
}

/// A text of that many characters.
pub(crate) fn long(characters: usize) -> Value {
    Value::String("x".repeat(characters))
}
