//! One node: an engine, a TPP that calls it, a PSU that answers, and a journal of the results they received.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use crate::four_nodes::journal::Journal;
use crate::four_nodes::shared_bank::SharedBank;
use crate::four_nodes::NODES;
use crate::world::authority::{Authority, Signer};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::*;
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::bank::Bank as _;
use xs2a::env::{Clock as _, ManualClock};
use xs2a::policy::{Environment, Policy};
use xs2a::store::{Grant, Store};
use xs2a::trust::TrustAnchors;
use xs2a::{Engine, Request, Response, ScaOutcome};

pub(crate) const TPP: &str = "PSDNO-FSA-912345678";
const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");

/// A node. All have the same TPP, PSU and time.
pub(crate) struct Node {
    number: usize,
    engine: Engine,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bank: Arc<SharedBank>,
    clock: Arc<ManualClock>,
    signer: Signer,
    calls: AtomicU64,
    journal: Journal,
}

impl Node {
    pub(crate) fn open(number: usize, url: &str, folder: &Path) -> Self {
        let root = Authority::root("Rot CA", 1, LONG);
        let bank = Arc::new(SharedBank::open(folder));
        let store = xs2a::store::open(url).unwrap();
        let clock = Arc::new(ManualClock::new(at("2026-09-01T10:00:00Z")));
        let engine = Engine::builder()
            .bank(Arc::clone(&bank) as Arc<_>)
            .store(Arc::clone(&store))
            .clock(Arc::clone(&clock) as Arc<_>)
            .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
            .policy(Policy::new(Environment::Production))
            .build()
            .unwrap();
        let signer = root.issue(TPP, 2, LONG);
        let journal = Journal::of(folder, number);
        Self { number, engine, store, bank, clock, signer, calls: AtomicU64::new(0), journal }
    }

    /// Everything one node does in a round. What it does is its own; what it does it to, everybody's.
    pub(crate) fn work(&self, round: usize) {
        self.pay_what_all_want_to_pay(round);
        self.pay_something_of_its_own(round);
        self.read_without_the_psu();
        let left = self.leave_a_payment(round);
        match round % 3 {
            0 => self.put_into_a_basket(&left),
            1 => self.approve_what_others_left(),
            _ => self.cancel_what_others_left(),
        }
        self.engine.run_due().unwrap();
    }

    /// A consent, under whose PSU-ID all nodes call.
    pub(crate) fn open_accounts(&self) {
        let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "of the host")];
        let started = accepted(&self.call("POST", "/v1/bank-offered-consents", &headers, b""));
        let callback = self.approve(&started, "of the host").expect("no other node approved");
        self.journal.leave(&parameter(&callback, "psu-id").unwrap());
    }

    /// A lease after the nodes are gone, there is nothing that waits.
    pub(crate) fn deliver_what_is_left(&self) {
        self.clock.set(self.clock.now() + TimeDelta::hours(1)).unwrap();
        self.engine.run_due().unwrap();
        assert_eq!(self.engine.next_due().unwrap(), None);
    }

    /// The same payment by every node: one may make it.
    fn pay_what_all_want_to_pay(&self, round: usize) {
        let order = order(&format!("round {round}"));
        let session = format!("session {} {round}", self.number);
        let headers = replaced(creation_headers(), &[("TPP-Session-ID", &session)]);
        let response = self.call("POST", STRAKS, &headers, order.to_string().as_bytes());
        if response.status() == 201 {
            self.journal.note("won", &round.to_string());
            self.created_and_approved(&body(&response), &session);
        } else {
            assert_eq!(response.reason(), Some("PAY-04"), "{}", body(&response));
        }
    }

    fn pay_something_of_its_own(&self, round: usize) {
        let order = order(&format!("node {} round {round}", self.number));
        let created = accepted(&self.call("POST", STRAKS, &creation_headers(), order.to_string().as_bytes()));
        self.created_and_approved(&created, "session-1");
    }

    fn created_and_approved(&self, created: &Value, session: &str) {
        let id = text(created, "/paymentId");
        self.journal.note("created", id);
        assert!(self.approve(created, session).is_some(), "no other node has this link");
        self.journal.note("approved", id);
    }

    /// Calls that are counted, of each of two lists.
    fn read_without_the_psu(&self) {
        let psu_id = self.psu_id();
        let headers = [("x-accept-fix", ""), ("TPP-Redirect-URI", REDIRECT_URI), ("PSU-ID", &*psu_id)];
        for account in self.bank.account_data().accounts(&self.bank.payer()).unwrap().iter().take(2) {
            let account = account.id.as_str();
            let target = format!("/v1/accounts/{account}/transactions?bookingStatus=both");
            let response = self.call("GET", &target, &headers, b"");
            match response.status() {
                200 => self.journal.note("read", account),
                status => assert_eq!(status, 429, "{}", body(&response)),
            }
        }
    }

    /// A payment that waits for its SCA. Any node may complete it.
    fn leave_a_payment(&self, round: usize) -> Value {
        let order = order(&format!("left by {} in round {round}", self.number));
        let psu_id = self.psu_id();
        let headers = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
        let created = accepted(&self.call("POST", STRAKS, &headers, order.to_string().as_bytes()));
        self.journal.note("created", text(&created, "/paymentId"));
        self.journal.leave(&created.to_string());
        created
    }

    /// A basket of a payment of this node and one of another node, unless one of them is already in a basket.
    fn put_into_a_basket(&self, left: &Value) {
        let ids: Vec<_> = self.left_by_others().iter().map(|other| id_of(other).to_owned()).take(1).collect();
        let ids: Vec<_> = ids.iter().map(String::as_str).chain([id_of(left)]).collect();
        let psu_id = self.psu_id();
        let headers = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
        let response = self.call("POST", BASKETS, &headers, names(&ids).to_string().as_bytes());
        if response.status() != 201 {
            return;
        }
        let basket = body(&response);
        let started = self.start(&basket).expect("no other node has the basket");
        assert!(self.approve(&started, "session-1").is_some());
        ids.iter().for_each(|id| self.journal.note("approved", id));
    }

    /// Several may have a link to one payment; one of them counts.
    fn approve_what_others_left(&self) {
        for left in self.left_by_others() {
            let Some(started) = self.start(&left) else { continue };
            if self.approve(&started, "session-1").is_some() {
                self.journal.note("approved", id_of(&left));
            }
        }
    }

    fn cancel_what_others_left(&self) {
        for left in self.left_by_others() {
            if self.call("DELETE", own(&left), &creation_headers(), b"").status() == 204 {
                self.journal.note("cancelled", id_of(&left));
            }
        }
    }

    fn left_by_others(&self) -> Vec<Value> {
        let others = (0..NODES).filter(|other| *other != self.number);
        let left = others.filter_map(|other| self.journal.left_by(other));
        left.map(|left| serde_json::from_str(&left).unwrap()).collect()
    }

    fn start(&self, resource: &Value) -> Option<Value> {
        let target = format!("{}/authorisations", own(resource));
        let response = self.call("POST", &target, &creation_headers(), b"");
        (response.status() == 201).then(|| body(&response))
    }

    /// The PSU approves at the bank. Returns the call-back, unless an approval by another node came first.
    fn approve(&self, started: &Value, session: &str) -> Option<String> {
        let id = link(started).rsplit('/').next().unwrap();
        let approved = ScaOutcome::Approved { psu: self.bank.payer(), grant: Grant::Everything };
        let redirect = self.engine.complete_sca(id, &approved).unwrap();
        redirect.approved.then(|| {
            self.journal.note("session", session);
            redirect.url
        })
    }

    fn psu_id(&self) -> String {
        self.journal.left_by(NODES).expect("the host was first")
    }

    fn call(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let request_id = (self.number as u128) << 64 | u128::from(call);
        let signed = self.signer.sign(method, target, headers, body, self.clock.now(), request_id);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let response =
            self.engine.handle(&Request { method, target, headers: &headers, body, correlation_id: None });
        assert!(response.status() < 500, "{method} {target}: {:?}", response.reason());
        response
    }
}

fn order(reference: &str) -> Value {
    changed(straks(), &[("/remittanceInformationUnstructured", json!(reference))])
}

pub(crate) fn id_of(created: &Value) -> &str {
    text(created, "/paymentId")
}
