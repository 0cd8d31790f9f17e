//! Two engines with one seed and one clock: one uses the sandbox's bank, one the same bank through JSON. For every call
//! their answers are equal to the byte.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::bank::Bank;
use xs2a::env::{Clock, ManualClock, SeededEntropy};
use xs2a::internal::{Database, SqliteStore};
use xs2a::json_bank::{BankMethod, JsonBank};
use xs2a::policy::{Environment, Policy};
use xs2a::store::Grant;
use xs2a::trust::TrustAnchors;
use xs2a::types::{ActingPsu, Context, CorporateKey, IdentityNumber, PsuKey};
use xs2a::{Engine, Request, Response, ScaOutcome};

use crate::json_bank::mirror::{sandbox_bank, Mirror};
use crate::world::authority::{Authority, Signer};
use crate::world::products::DOMESTIC;
use crate::world::{
    at, body, changed, creation_headers, cross_border, link, parameter, replaced, straks, text, CROSS_BORDER,
    PAYER, PROXY, REDIRECT_URI, STRAKS,
};

const VALID: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");

/// The two engines, and a TPP that calls both.
pub(crate) struct Twins {
    direct: Engine,
    pub(crate) in_json: Engine,
    pub(crate) mirror: Arc<Mirror>,
    clock: Arc<ManualClock>,
    signer: Signer,
    calls: u128,
}

impl Twins {
    pub(crate) fn new() -> Self {
        let root = Authority::root("Rot CA", 1, VALID);
        let clock = Arc::new(ManualClock::new(at("2026-09-01T10:00:00Z")));
        let engine = |bank: Arc<dyn Bank>| {
            Engine::builder()
                .bank(bank)
                .store(Arc::new(SqliteStore::new(Arc::new(Database::open_memory().unwrap()))))
                .clock(Arc::clone(&clock) as Arc<_>)
                .entropy(Arc::new(SeededEntropy::new(1, 1, 0)))
                .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
                .policy(
                    Policy::from_json(Environment::Production, r#"{"account_check_digit":"warn"}"#).unwrap(),
                )
                .build()
                .unwrap()
        };
        let mirror = Arc::new(Mirror::new());
        Self {
            direct: engine(Arc::new(sandbox_bank())),
            in_json: engine(Arc::new(JsonBank::new(Arc::clone(&mirror)))),
            mirror,
            signer: root.issue("PSDNO-FSA-912345678", 2, VALID),
            clock,
            calls: 0,
        }
    }

    fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Calls both.
    #[track_caller]
    pub(crate) fn call(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        sent: &[u8],
    ) -> Response {
        let signed = self.sign(method, target, headers, sent);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let request = Request { method, target, headers: &headers, body: sent, correlation_id: None };
        let (direct, in_json) = (self.direct.handle(&request), self.in_json.handle(&request));
        let readable = |response: &Response| String::from_utf8_lossy(response.body()).into_owned();
        assert_eq!(readable(&direct), readable(&in_json), "{method} {target}");
        assert_eq!(direct, in_json, "{method} {target}");
        in_json
    }

    pub(crate) fn sign(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        sent: &[u8],
    ) -> Vec<(String, String)> {
        self.calls += 1;
        self.signer.sign(method, target, headers, sent, self.now(), self.calls)
    }

    /// Reads from the engine whose bank is asked in JSON, while that bank fails at a question.
    #[track_caller]
    fn get_in_vain(&mut self, question: &'static str, target: &str, headers: &[(&str, &str)]) {
        *self.mirror.fails_at.lock() = question;
        let signed = self.sign("GET", target, headers, b"");
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let response = self.in_json.handle(&Request {
            method: "GET",
            target,
            headers: &headers,
            body: b"",
            correlation_id: None,
        });
        assert_eq!(response.status(), 500, "{}", body(&response));
        *self.mirror.fails_at.lock() = "";
    }

    fn create(&mut self, target: &str, order: &Value, headers: &[(&str, &str)]) -> Value {
        let headers = replaced(creation_headers(), headers);
        let response = self.call("POST", target, &headers, order.to_string().as_bytes());
        assert_eq!(response.status(), 201, "{}", body(&response));
        body(&response)
    }

    fn get(&mut self, target: &str, headers: &[(&str, &str)]) -> Value {
        let all = replaced(vec![("x-accept-fix", ""), ("TPP-Redirect-URI", REDIRECT_URI)], headers);
        let response = self.call("GET", target, &all, b"");
        assert_eq!(response.status(), 200, "{target}: {}", body(&response));
        body(&response)
    }

    pub(crate) fn person(&self, number: &str) -> PsuKey {
        let identity = IdentityNumber::parse(number).unwrap();
        sandbox_bank().customers().psu(&identity).unwrap().unwrap()
    }

    /// The PSU approves at both, and everything that is due is delivered. The call-back.
    fn approve(&mut self, answered: &Value, psu: &ActingPsu) -> String {
        let id = link(answered).rsplit('/').next().unwrap();
        let shown: Value =
            serde_json::from_str(&self.in_json.authorisation_json(id).unwrap().unwrap()).unwrap();
        assert_eq!(shown, self.shown_directly(id), "{shown}");
        let outcome = ScaOutcome::Approved { psu: psu.clone(), grant: Grant::Everything };
        let direct = self.direct.complete_sca(id, &outcome).unwrap();
        let mut acting = json!({ "person": psu.psu.as_str(), "context": psu.context.as_str() });
        if let Some(corporate) = &psu.corporate {
            acting["corporate"] = corporate.as_str().into();
        }
        let outcome = json!({ "outcome": "approved", "psu": acting }).to_string();
        assert_eq!(self.in_json.complete_sca_json(id, &outcome).unwrap(), direct);
        assert_eq!(self.in_json.next_due().unwrap(), self.direct.next_due().unwrap());
        assert_eq!(self.in_json.run_due().unwrap(), self.direct.run_due().unwrap());
        assert_eq!(parameter(&direct.url, "code"), None, "{}", direct.url);
        direct.url
    }

    fn shown_directly(&self, id: &str) -> Value {
        serde_json::from_str(&self.direct.authorisation_json(id).unwrap().unwrap()).unwrap()
    }

    fn payer(&self) -> ActingPsu {
        ActingPsu { psu: self.person(PAYER), context: Context::Private, corporate: None }
    }
}

#[test]
fn the_same_bank_in_json_gives_the_same_bytes() {
    let mut twins = Twins::new();
    let payer = twins.payer();
    let history = payments(&mut twins, &payer);
    twins.clock.set(twins.now() + TimeDelta::minutes(1)).unwrap();
    accounts(&mut twins, &payer, &history);
    agreements(&mut twins);
    let asked: BTreeSet<_> = twins.mirror.asked.lock().iter().copied().collect();
    let missing: Vec<_> = BankMethod::ALL.iter().filter(|method| !asked.contains(method.name())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Pays, is refused, and cancels. The PSU-ID.
fn payments(twins: &mut Twins, payer: &ActingPsu) -> String {
    let paid = twins.create(STRAKS, &straks(), &[]);
    let callback = twins.approve(&paid, payer);
    let psu_id = parameter(&callback, "psu-id").unwrap();
    let status = twins.get(text(&paid, "/_links/status/href"), &[]);
    assert_eq!(text(&status, "/transactionStatus"), "ACSC");
    let abroad = twins.create(CROSS_BORDER, &cross_border(), &[]);
    twins.approve(&abroad, payer);
    twins.get(text(&abroad, "/_links/self/href"), &[]);
    let with_kid = changed(
        straks(),
        &[
            ("/creditorAccount/bban", "91351631959".into()),
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructured", json!({ "reference": "2345676" })),
        ],
    );
    twins.create(STRAKS, &with_kid, &[]);
    let named = replaced(creation_headers(), &[("X-PSU-IDENTITY", PAYER)]);
    let bulky = changed(straks(), &[("/instructedAmount/amount", "3.00".into())]);
    let identified = twins.call("POST", DOMESTIC, &named, bulky.to_string().as_bytes());
    assert_eq!(identified.status(), 201, "{}", body(&identified));
    twins.approve(&body(&identified), payer);
    // What is not theirs is refused the same way.
    let not_theirs = changed(straks(), &[("/debtorAccount/bban", "95360573045".into())]);
    let known = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
    let refused = twins.call("POST", STRAKS, &known, not_theirs.to_string().as_bytes());
    assert!(refused.status() >= 400, "{}", body(&refused));
    // A card account has two names.
    for (number, status) in [("95360573029", 201), ("123456******0001", 409)] {
        let other = json!({ "identification": number, "schemeNameProprietary": "creditCardAccount" });
        let by_card = changed(straks(), &[("/debtorAccount", json!({ "other": other, "currency": "NOK" }))]);
        let response = twins.call("POST", STRAKS, &known, by_card.to_string().as_bytes());
        assert_eq!(response.status(), status, "{}", body(&response));
    }
    let own = text(&abroad, "/_links/self/href").to_owned();
    let started = twins.call("POST", &format!("{own}/cancellation-authorisations"), &creation_headers(), b"");
    assert_eq!(started.status(), 201, "{}", body(&started));
    twins.approve(&body(&started), payer);
    let status = twins.get(text(&abroad, "/_links/status/href"), &[]);
    assert_eq!(text(&status, "/transactionStatus"), "CANC");
    psu_id
}

/// Opens accounts and reads everything.
fn accounts(twins: &mut Twins, payer: &ActingPsu, psu_id: &str) {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "reading")];
    let started = twins.call("POST", "/v1/bank-offered-consents", &headers, b"");
    twins.approve(&body(&started), payer);
    let with = [("TPP-Session-ID", "reading"), ("PSU-ID", psu_id), ("PSU-IP-Address", "192.0.2.1")];
    let list = twins.get("/v1/accounts?withBalance=true", &with);
    for account in list["accounts"].as_array().unwrap() {
        let own = text(account, "/_links/self/href").to_owned();
        for path in [own.clone(), format!("{own}/balances")] {
            twins.get(&path, &with);
        }
        for query in ["both", "booked&limit=1", "booked&dateFrom=2026-09-01&dateTo=2026-09-01", "pending"] {
            let page = twins.get(&format!("{own}/transactions?bookingStatus={query}"), &with);
            let Some(id) = page.pointer("/transactions/booked/0/transactionId") else { continue };
            twins.get(&format!("{own}/transactions/{}", id.as_str().unwrap()), &with);
        }
        let unknown = twins.call("GET", &format!("{own}/transactions/unknown"), &with, b"");
        assert!(unknown.status() >= 400);
    }
    let cards = twins.get("/v1/card-accounts", &with);
    let card = text(&cards, "/cardAccounts/0/_links/self/href").to_owned();
    for path in [card.clone(), format!("{card}/balances"), format!("{card}/transactions?bookingStatus=both")]
    {
        twins.get(&path, &with);
    }
    let elsewhere = replaced(with.to_vec(), &[("TPP-Redirect-URI", REDIRECT_URI)]);
    for path in ["/v1/accounts/unknown", "/v1/card-accounts/unknown"] {
        assert!(twins.call("GET", path, &elsewhere, b"").status() >= 400);
    }
}

/// The count of the one whose bank failed is held against the other's, whose bank did not.
#[test]
fn a_call_without_the_psu_that_the_bank_fails_at_is_not_counted() {
    let mut twins = Twins::new();
    let payer = twins.payer();
    let paid = twins.create(STRAKS, &straks(), &[]);
    let psu_id = parameter(&twins.approve(&paid, &payer), "psu-id").unwrap();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "reading")];
    let started = twins.call("POST", "/v1/bank-offered-consents", &headers, b"");
    twins.approve(&body(&started), &payer);
    let known = [("TPP-Session-ID", "reading"), ("PSU-ID", psu_id.as_str()), ("PSU-IP-Address", "192.0.2.1")];
    let own = |list: &Value, pointer| text(list, &format!("{pointer}/0/_links/self/href")).to_owned();
    let card = own(&twins.get("/v1/card-accounts", &known), "/cardAccounts");
    let account = own(&twins.get("/v1/accounts", &known), "/accounts");
    let history = format!("{account}/transactions?bookingStatus");
    let booked = twins.get(&format!("{history}=booked"), &known);
    let detail = format!("{account}/transactions/{}", text(&booked, "/transactions/booked/0/transactionId"));
    let alone = [("x-accept-fix", ""), ("TPP-Redirect-URI", REDIRECT_URI), known[0], known[1]];
    for (questions, target) in [
        (&["booked", "pending", "account"][..], format!("{history}=both")),
        (&["transaction", "account"], detail),
        (&["card_booked", "card_pending", "card_account"], format!("{card}/transactions?bookingStatus=both")),
    ] {
        let fails = |twins: &mut Twins| {
            for question in questions {
                (0..2).for_each(|_| twins.get_in_vain(question, &target, &alone));
            }
        };
        fails(&mut twins);
        (0..3).for_each(|_| drop(twins.get(&target, &alone[2..])));
        fails(&mut twins);
        twins.get(&target, &alone[2..]);
        let exceeded = twins.call("GET", &target, &alone, b"");
        assert_eq!(text(&body(&exceeded), "/tppMessages/0/code"), "ACCESS_EXCEEDED", "{target}");
    }
}

/// A person who acts for two companies.
fn agreements(twins: &mut Twins) {
    let person = twins.person(PROXY);
    let corporate = sandbox_bank().customers().agreements(&person).unwrap()[0].corporate.clone();
    let corporate = CorporateKey::new(corporate.as_str());
    let acting = ActingPsu { psu: person, context: Context::Corporate, corporate: Some(corporate) };
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "company")];
    let started = twins.call("POST", "/v1/bank-offered-consents", &headers, b"");
    let callback = twins.approve(&body(&started), &acting);
    let (psu_id, corporate_id) =
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap());
    let with = [
        ("TPP-Session-ID", "company"),
        ("PSU-ID", psu_id.as_str()),
        ("PSU-Corporate-ID", corporate_id.as_str()),
        ("PSU-IP-Address", "192.0.2.1"),
    ];
    twins.get("/v1/accounts", &with);
    twins.get("/v1/agreements", &with);
}
