//! The sandbox's own routes: what is created, changed and deleted there, and what a TPP then sees of it.

use serde_json::{json, Value};
use xs2a::internal::SANDBOX_OPERATIONS as OPERATIONS;

use crate::orders::{pointers, replaced_at, replacements};
use crate::recorder::{Answer, Recorder};
use crate::sandbox_examples::EXAMPLES;
use crate::world::draft::Draft;

const UNUSED_ID: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
const LISTS: [&str; 4] = ["customers", "accounts", "card-accounts", "agreements"];

/// The ids that paths are made of.
struct Ids {
    account: String,
    card: String,
    agreement: String,
}

impl Ids {
    fn of(recorder: &mut Recorder) -> Self {
        let mut first = |list: &str, place: usize| {
            let answer = get(recorder, &format!("/v1/sandbox/{list}"));
            let items =
                answer.json().as_array().or_else(|| answer.json().as_object()?.values().next()?.as_array());
            let item = items.and_then(|items| items.get(place)).cloned().unwrap_or_default();
            id_in(&item)
        };
        Self {
            account: first("accounts", 0),
            card: first("card-accounts", 0),
            agreement: first("agreements", 0),
        }
    }

    /// Only an agreement that was made by hand takes engagements.
    fn note_agreement(&mut self, name: &str, answer: &Answer) {
        if name == "createMockAgreement" && answer.status == 201 {
            self.agreement = id_in(answer.json());
        }
    }

    fn path(&self, path: &str) -> String {
        path.replace("{mockAccountId}", &self.account)
            .replace("{mockCardAccountId}", &self.card)
            .replace("{mockAgreementId}", &self.agreement)
    }
}

/// The id of a resource: its member `id`, or else the first member that is an id.
fn id_in(item: &Value) -> String {
    if let Some(id) = item["id"].as_str() {
        return id.to_owned();
    }
    let members = item.as_object().into_iter().flatten();
    let mut ids = members.filter_map(|(_, value)| value.as_str()).filter(|text| text.starts_with("enc!!"));
    ids.next().unwrap_or(UNUSED_ID).to_owned()
}

fn get(recorder: &mut Recorder, target: &str) -> Answer {
    recorder.send("read", Draft::new("GET", target))
}

fn send(recorder: &mut Recorder, label: &str, method: &str, target: &str, body: &Value) -> Answer {
    let draft = Draft::new(method, target).with("Content-Type", "application/json");
    recorder.send(label, Draft { body: body.to_string().into_bytes(), ..draft })
}

fn route_of(name: &str) -> (&'static str, &'static str) {
    let operation = OPERATIONS.iter().find(|operation| operation.name == name).unwrap();
    (operation.method, operation.path)
}

/// Each body as it is documented, and then with each member changed.
pub(crate) fn every_body(mut recorder: Recorder) -> Vec<String> {
    let mut ids = Ids::of(&mut recorder);
    let mut made = Vec::new();
    for (name, text) in EXAMPLES {
        let (method, path) = route_of(name);
        let target = ids.path(path);
        let body: Value = serde_json::from_str(text).unwrap();
        for label in ["as documented", "again"] {
            let answer = send(&mut recorder, &format!("{name} {label}"), method, &target, &body);
            made.push((target.clone(), id_in(answer.json())));
            ids.note_agreement(name, &answer);
        }
        for pointer in pointers(&body) {
            for value in replacements(&pointer, body.pointer(&pointer).unwrap()) {
                let label = format!("{name} {pointer}");
                send(&mut recorder, &label, method, &target, &replaced_at(&body, &pointer, &value));
            }
        }
        for raw in [json!(null), json!([]), json!({}), json!([{}]), json!(7)] {
            send(&mut recorder, name, method, &target, &raw);
        }
    }
    for list in LISTS {
        get(&mut recorder, &format!("/v1/sandbox/{list}"));
    }
    for (target, id) in made {
        get(&mut recorder, &format!("{target}/{id}"));
    }
    recorder.into_blocks()
}

/// Lists with queries, items, deletions twice, and the data set loaded again.
pub(crate) fn lists_and_deletions(mut recorder: Recorder) -> Vec<String> {
    let mut ids = Ids::of(&mut recorder);
    read_everything(&mut recorder, &ids);
    let mut engagement = UNUSED_ID.to_owned();
    for (name, text) in EXAMPLES {
        let (method, path) = route_of(name);
        let body = serde_json::from_str(text).unwrap();
        let answer = send(&mut recorder, name, method, &ids.path(path), &body);
        ids.note_agreement(name, &answer);
        if name == "createMockEngagement" {
            engagement = id_in(answer.json());
        }
    }
    read_everything(&mut recorder, &ids);
    for target in [
        ids.path(&format!("/v1/sandbox/agreements/{{mockAgreementId}}/engagements/{engagement}")),
        ids.path("/v1/sandbox/accounts/{mockAccountId}/transactions"),
        ids.path("/v1/sandbox/card-accounts/{mockCardAccountId}"),
        ids.path("/v1/sandbox/accounts/{mockAccountId}"),
        ids.path("/v1/sandbox/agreements/{mockAgreementId}"),
        format!("/v1/sandbox/customers/{UNUSED_ID}"),
        ids.path(&format!("/v1/sandbox/agreements/{{mockAgreementId}}/engagements/{UNUSED_ID}")),
    ] {
        for label in ["delete", "delete again"] {
            recorder.send(label, Draft::new("DELETE", &target));
        }
    }
    delete_customers(&mut recorder);
    read_everything(&mut recorder, &ids);
    let initialize = Draft::new("POST", "/v1/sandbox/initialize");
    recorder.send("initialize", initialize);
    read_everything(&mut recorder, &ids);
    let ended = recorder.sandbox.set_card_status(&ids.card, "blocked");
    recorder.note_ended("card blocked", &ended);
    read_everything(&mut recorder, &ids);
    recorder.into_blocks()
}

fn delete_customers(recorder: &mut Recorder) {
    let answer = get(recorder, "/v1/sandbox/customers");
    let items = answer.json().as_array().or_else(|| answer.json().as_object()?.values().next()?.as_array());
    for item in items.cloned().unwrap_or_default().iter().take(3) {
        let target = format!("/v1/sandbox/customers/{}", id_in(item));
        get(recorder, &target);
        recorder.send("delete a customer", Draft::new("DELETE", &target));
        get(recorder, &target);
    }
}

fn read_everything(recorder: &mut Recorder, ids: &Ids) {
    for target in [
        "/v1/sandbox/customers",
        "/v1/sandbox/customers?includeAccounts=true",
        "/v1/sandbox/customers?includeAgreements=true&includeAccounts=false",
        "/v1/sandbox/customers?includeAccounts=yes",
        "/v1/sandbox/accounts",
        "/v1/sandbox/accounts/{mockAccountId}",
        "/v1/sandbox/accounts/{mockAccountId}/transactions",
        "/v1/sandbox/accounts/{mockAccountId}/transactions?fromDate=2026-08-01&toDate=2026-08-31",
        "/v1/sandbox/accounts/{mockAccountId}/transactions?offset=1&limit=1",
        "/v1/sandbox/accounts/{mockAccountId}/transactions?fromDate=2026-08-31&toDate=2026-08-01",
        "/v1/sandbox/accounts/{mockAccountId}/transactions?offset=-1&limit=x",
        "/v1/sandbox/card-accounts",
        "/v1/sandbox/card-accounts/{mockCardAccountId}",
        "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions?bookingStatus=both",
        "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions?bookingStatus=booked&limit=1",
        "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions",
        "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions?bookingStatus=all",
        "/v1/sandbox/agreements",
        "/v1/sandbox/agreements/{mockAgreementId}",
    ] {
        get(recorder, &ids.path(target));
    }
    let list = get(recorder, &ids.path("/v1/sandbox/accounts/{mockAccountId}/transactions"));
    let booked = list.text.match_indices("enc!!").map(|(at, _)| &list.text[at..at + 29]);
    let some: Vec<String> = booked.map(str::to_owned).collect();
    let some = some.last().map_or(UNUSED_ID, String::as_str);
    get(recorder, &ids.path(&format!("/v1/sandbox/accounts/{{mockAccountId}}/transactions/{some}")));
}
