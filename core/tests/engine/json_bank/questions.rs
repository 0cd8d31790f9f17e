//! Which operation asks which questions, as a page; and every question of that walk with its answer, for tests of
//! banks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{json, Value};
use xs2a::bank::Bank;
use xs2a::internal::OPERATIONS;
use xs2a::json_bank::BankMethod;
use xs2a::types::CorrelationId;
use xs2a::{Request, Response};

use crate::json_bank::mirror::sandbox_bank;
use crate::json_bank::twins::Twins;
use crate::support::printed_page::assert_current;
use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::{every_product, DOMESTIC};
use crate::world::{
    body, changed, creation_headers, link, parameter, replaced, straks, text, PAYER, PROXY, REDIRECT_URI,
    STRAKS,
};

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

type Headers<'h> = &'h [(&'h str, &'h str)];

/// An engine over a bank in JSON, and what it asked in each run of an act.
struct Walk {
    twins: Twins,
    asked: BTreeMap<String, Vec<BTreeSet<&'static str>>>,
    payments: u32,
}

impl Walk {
    fn new() -> Self {
        Self { twins: Twins::new(), asked: BTreeMap::new(), payments: 0 }
    }

    /// Notes what was asked since the last time.
    fn note(&mut self, act: String) {
        let asked = self.twins.mirror.asked.lock().drain(..).collect();
        self.asked.entry(act).or_default().push(asked);
    }

    #[track_caller]
    fn call(&mut self, method: &str, target: &str, headers: Headers<'_>, sent: &str) -> Response {
        let signed = self.twins.sign(method, target, headers, sent.as_bytes());
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let correlation_id = Some(CorrelationId::new("gateway-7").unwrap());
        let request = Request { method, target, headers: &headers, body: sent.as_bytes(), correlation_id };
        let response = self.twins.in_json.handle(&request);
        let reported = String::from_utf8_lossy(response.body()).into_owned();
        assert!((200..300).contains(&response.status()), "{method} {target}: {reported}");
        self.note(response.operation().unwrap().to_owned());
        response
    }

    /// A payment like no other.
    fn create(&mut self, target: &str, mut order: Value, headers: Headers<'_>) -> Value {
        self.payments += 1;
        if order.get("payments").is_none() {
            order["instructedAmount"]["amount"] = format!("{}.00", self.payments).into();
        }
        let headers = replaced(creation_headers(), headers);
        body(&self.call("POST", target, &headers, &order.to_string()))
    }

    /// The PSU approves, and what is due is delivered.
    fn approve(&mut self, started: &Value, number: &str, acting: Option<&str>) -> String {
        let id = link(started).rsplit('/').next().unwrap().to_owned();
        let shown: Value =
            serde_json::from_str(&self.twins.in_json.authorisation_json(&id).unwrap().unwrap()).unwrap();
        let person = self.twins.person(number);
        let mut psu = json!({ "person": person.as_str(), "context": "PRIVATE" });
        if let Some(corporate) = acting {
            psu["context"] = "CORPORATE".into();
            psu["corporate"] = corporate.into();
        }
        let outcome = json!({ "outcome": "approved", "psu": psu }).to_string();
        let redirect = self.twins.in_json.complete_sca_json(&id, &outcome).unwrap();
        assert!(redirect.approved);
        self.note(format!("`complete_sca` of kind `{}`", text(&shown, "/kind")));
        let report = self.twins.in_json.run_due().unwrap();
        let orders = report.submitted;
        if orders > 0 {
            self.note("`run_due`, for each order".to_owned());
        }
        redirect.url
    }

    fn pay(&mut self) -> String {
        let mut psu_id = String::new();
        for (target, order) in every_product() {
            let created = self.create(target, order, &[]);
            psu_id = parameter(&self.approve(&created, PAYER, None), "psu-id").unwrap();
            self.call("GET", own(&created), &[("TPP-Redirect-URI", REDIRECT_URI)], "");
        }
        let with_kid = changed(
            straks(),
            &[
                ("/creditorAccount/bban", "91351631959".into()),
                ("/remittanceInformationUnstructured", Value::Null),
                ("/remittanceInformationStructured", json!({ "reference": "2345676" })),
            ],
        );
        self.create(STRAKS, with_kid, &[("traceparent", TRACE)]);
        let named = self.create(STRAKS, straks(), &[("X-PSU-IDENTITY", PAYER)]);
        self.approve(&named, PAYER, None);
        let other = json!({ "identification": "95360573029", "schemeNameProprietary": "creditCardAccount" });
        let by_card = changed(straks(), &[("/debtorAccount", json!({ "other": other, "currency": "NOK" }))]);
        self.create(STRAKS, by_card, &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
        psu_id
    }

    fn read_and_cancel_payments(&mut self, psu_id: &str) {
        let explicit = [("PSU-Context", ""), ("PSU-ID", psu_id)];
        let known = replaced(creation_headers(), &explicit);
        let plain = [("TPP-Redirect-URI", REDIRECT_URI)];
        let waiting = self.create(DOMESTIC, straks(), &explicit);
        self.call("GET", &format!("{}/status", own(&waiting)), &plain, "");
        let started = self.call("POST", &format!("{}/authorisations", own(&waiting)), &known, "");
        self.approve(&body(&started), PAYER, None);
        self.call("DELETE", own(&waiting), &known, "");
        let cancelling =
            self.call("POST", &format!("{}/cancellation-authorisations", own(&waiting)), &known, "");
        self.approve(&body(&cancelling), PAYER, None);
        let given_up = self.create(STRAKS, straks(), &[]);
        self.call("DELETE", own(&given_up), &creation_headers(), "");
    }

    fn sign_baskets(&mut self, psu_id: &str) {
        let explicit = [("PSU-Context", ""), ("PSU-ID", psu_id)];
        let known = replaced(creation_headers(), &explicit);
        let plain = [("TPP-Redirect-URI", REDIRECT_URI)];
        for is_signed in [true, false] {
            let member = self.create(STRAKS, straks(), &explicit);
            let named = names(&[text(&member, "/paymentId")]).to_string();
            let basket = body(&self.call("POST", BASKETS, &known, &named));
            self.call("GET", own(&basket), &plain, "");
            self.call("GET", &format!("{}/status", own(&basket)), &plain, "");
            if is_signed {
                let started = self.call("POST", &format!("{}/authorisations", own(&basket)), &known, "");
                self.approve(&body(&started), PAYER, None);
            } else {
                self.call("DELETE", own(&basket), &known, "");
            }
        }
    }

    fn read_accounts(&mut self, psu_id: &str) {
        let start = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "reading")];
        for path in ["/v1/bank-offered-consents", "/v1/consents"] {
            let started = body(&self.call("POST", path, &start, ""));
            self.approve(&started, PAYER, None);
        }
        let user = self.call("GET", "/v1/user", &start, "");
        self.approve(&body(&user), PAYER, None);
        let present =
            [("x-accept-fix", ""), start[0], start[1], ("PSU-ID", psu_id), ("PSU-IP-Address", "192.0.2.1")];
        for headers in [&present[..], &present[..4]] {
            for (list, key) in [("/v1/accounts", "accounts"), ("/v1/card-accounts", "cardAccounts")] {
                let found = body(&self.call("GET", list, headers, ""));
                let account = text(&found, &format!("/{key}/0/resourceId")).to_owned();
                for part in [
                    "",
                    "/balances",
                    "/transactions?bookingStatus=both",
                    "/transactions?bookingStatus=booked",
                ] {
                    self.call("GET", &format!("{list}/{account}{part}"), headers, "");
                }
            }
            self.call("GET", "/v1/accounts?withBalance=true", headers, "");
            let found = body(&self.call("GET", "/v1/accounts", headers, ""));
            let account = text(&found, "/accounts/0/resourceId").to_owned();
            let history = format!("/v1/accounts/{account}/transactions");
            let period = "bookingStatus=booked&dateFrom=2026-09-01&dateTo=2026-09-01";
            let booked = body(&self.call("GET", &format!("{history}?{period}"), headers, ""));
            let line = text(&booked, "/transactions/booked/0/transactionId").to_owned();
            self.call("GET", &format!("{history}/{line}"), headers, "");
        }
    }

    fn act_for_a_company(&mut self) {
        let person = self.twins.person(PROXY);
        let agreements = sandbox_bank().customers().agreements(&person).unwrap();
        let corporate = agreements[0].corporate.as_str().to_owned();
        let start = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "company")];
        let started = body(&self.call("POST", "/v1/bank-offered-consents", &start, ""));
        let url = self.approve(&started, PROXY, Some(&corporate));
        let (psu, company) =
            (parameter(&url, "psu-id").unwrap(), parameter(&url, "psu-corporate-id").unwrap());
        let with = [
            ("TPP-Redirect-URI", REDIRECT_URI),
            ("TPP-Session-ID", "company"),
            ("PSU-ID", psu.as_str()),
            ("PSU-Corporate-ID", company.as_str()),
            ("PSU-IP-Address", "192.0.2.1"),
        ];
        self.call("GET", "/v1/accounts", &with, "");
        self.call("GET", "/v1/agreements", &with, "");
    }
}

fn walked() -> Walk {
    let mut walk = Walk::new();
    let psu_id = walk.pay();
    walk.read_and_cancel_payments(&psu_id);
    walk.sign_baskets(&psu_id);
    walk.read_accounts(&psu_id);
    walk.act_for_a_company();
    walk
}

fn listed<'n>(names: impl Iterator<Item = &'n &'static str>) -> String {
    let order = |name: &&str| BankMethod::ALL.iter().position(|method| method.name() == *name);
    let mut names: Vec<_> = names.copied().collect();
    names.sort_by_key(order);
    names.iter().map(|name| format!("[`{name}`](bank.md#{name})")).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_page_of_questions_is_what_a_walk_over_all_operations_records() {
    let walk = walked();
    let mut page = String::from(
        "<!-- Printed by core/tests/engine/json_bank/questions.rs from a recorded run; do not edit. -->\n\n\
         # Which operation asks which questions\n\n\
         What an engine asks [the bank behind it](bank.md), by the call that needs the answers: recorded over the\n\
         example bank, for calls that succeed. *Always* was asked in every recorded run, *also* in some: for a \
         payment\n\
         of a known PSU, with a KID, or in another currency; for a read without the PSU; for a page with pending\n\
         transactions. `requires_sca` is left out for a bank without that method. The questions of one call have a\n\
         time together, but for those of `run_due`: policy `call_bank_seconds_max`. An act that is not listed asks\n\
         nothing.\n\n\
         | call | always | also |\n|---|---|---|\n",
    );
    let operations = OPERATIONS.iter().map(|operation| operation.name.to_owned());
    let done: BTreeSet<_> = walk.asked.keys().cloned().collect();
    let missing: Vec<_> = operations.clone().filter(|name| !done.contains(name)).collect();
    assert!(missing.is_empty(), "the walk leaves out {missing:?}");
    let host_acts = done.iter().filter(|act| act.starts_with('`')).cloned();
    for act in operations.chain(host_acts) {
        let runs = &walk.asked[&act];
        let all: BTreeSet<_> = runs.iter().flatten().copied().collect();
        let (always, also): (Vec<_>, Vec<_>) =
            all.iter().partition(|name| runs.iter().all(|run| run.contains(**name)));
        if !all.is_empty() {
            writeln!(page, "| {act} | {} | {} |", listed(always.into_iter()), listed(also.into_iter()))
                .unwrap();
        }
    }
    let asked: BTreeSet<_> = walk.asked.values().flatten().flatten().copied().collect();
    let never: Vec<_> = BankMethod::ALL.iter().filter(|method| !asked.contains(method.name())).collect();
    assert!(never.is_empty(), "the walk never asks {never:?}");
    assert_current("docs/questions.md", "--test engine questions", &page);
}

#[test]
fn recorded_questions_and_answers_are_those_of_the_walk() {
    let walk = walked();
    let mut lines: Vec<String> = Vec::new();
    for (method, question, answer) in walk.twins.mirror.exchanges.lock().iter() {
        let line = json!({ "method": method, "question": question, "answer": answer }).to_string();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    assert_current(
        "docs/bank_exchanges.json",
        "--test engine questions",
        &format!("[\n{}\n]\n", lines.join(",\n")),
    );
}
