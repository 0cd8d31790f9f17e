//! Payers: what they do in turn, and the calls that they make of it.

use std::sync::atomic::Ordering;

use serde_json::{json, Value};
use xs2a::env::Clock as _;
use xs2a::store::Grant;
use xs2a::types::{ActingPsu, Context, PsuKey};
use xs2a::{Error, Request, Response, ScaOutcome};

use crate::kill::node::Node;
use crate::kill::plan::{reference, Deed};
use crate::kill::steps::say;
use crate::world::{accepted, changed, creation_headers, link, parameter, straks, text, STRAKS};

/// How often the bank's site tries again to complete an SCA while the bank is away.
const SITE_ATTEMPTS_MAX: u64 = 3;

/// A payment that a payer created.
pub(crate) struct Created {
    /// Identifies the payment.
    pub(crate) reference: String,
    /// What the engine answered.
    pub(crate) answer: Value,
}

impl Node {
    /// One thing that a payer does.
    pub(crate) fn act(&self, number: u64) {
        let deed = Deed::of(self.life, number);
        let references: Vec<_> = deed
            .troubles()
            .into_iter()
            .enumerate()
            .map(|(part, trouble)| reference(self.life, number, part, trouble))
            .collect();
        match deed {
            Deed::Pay(_) => self.order(&self.create(&references[0])),
            Deed::Abort => self.abort(&self.create(&references[0])),
            Deed::Sign(_) => self.sign(&references),
            Deed::AbortBasket => self.abort_basket(&references),
            Deed::DropBasket => self.drop_basket(&references),
            Deed::Delete => self.delete(&self.create(&references[0])),
            Deed::CancelOrdered(_) => self.cancel_ordered(&self.create(&references[0])),
            Deed::CancelTaken => self.cancel_taken(&references[0]),
            Deed::Keep => self.keep(&references[0]),
        }
    }

    /// A payment that is to be carried out at once.
    pub(crate) fn create(&self, reference: &str) -> Created {
        self.create_as(STRAKS, &straks(), reference)
    }

    pub(crate) fn create_as(&self, product: &str, order: &Value, reference: &str) -> Created {
        let order = changed(order.clone(), &[("/remittanceInformationUnstructured", json!(reference))]);
        let target = format!("{product}?allowLogicalDuplicate=true");
        let answer = accepted(&self.call("POST", &target, &creation_headers(), order.to_string().as_bytes()));
        say("created", &format!("{reference} {}", text(&answer, "/paymentId")));
        Created { reference: reference.to_owned(), answer }
    }

    fn abort(&self, payment: &Created) {
        assert!(!self.answer(&payment.answer, &ScaOutcome::Aborted));
        say("aborted", &payment.reference);
    }

    /// The PSU approves a payment.
    pub(crate) fn order(&self, payment: &Created) {
        assert!(self.approve(payment), "{}", payment.reference);
    }

    /// Returns false if the payment was cancelled before the approval.
    pub(crate) fn approve(&self, payment: &Created) -> bool {
        say("ordered", &payment.reference);
        let is_approved = self.answer(&payment.answer, &approved());
        if is_approved {
            say("acknowledged", &payment.reference);
        }
        is_approved
    }

    /// The PSU answers the link of an answer. Whether the engine says that they approved.
    pub(crate) fn answer(&self, answered: &Value, outcome: &ScaOutcome) -> bool {
        let id = link(answered).rsplit('/').next().unwrap();
        let attempt = || match self.engine.complete_sca(id, outcome) {
            Err(Error::Bank(_)) => None,
            ended => Some(ended.unwrap()),
        };
        let redirect = (0..SITE_ATTEMPTS_MAX).find_map(|_| attempt()).unwrap();
        if let Some(psu_id) = parameter(&redirect.url, "psu-id").filter(|_| redirect.approved) {
            say("known", &psu_id);
            assert_eq!(*self.psu_id.get_or_init(|| psu_id.clone()), psu_id);
        }
        redirect.approved
    }

    pub(crate) fn call(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let request_id = (u128::from(self.life) << 64) | u128::from(call);
        let signed = self.signer.sign(method, target, headers, body, self.clock.now(), request_id);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let response =
            self.engine.handle(&Request { method, target, headers: &headers, body, correlation_id: None });
        assert!(response.status() < 500, "{method} {target}: {:?}", response.reason());
        response
    }
}

/// The one PSU there is approves.
pub(crate) fn approved() -> ScaOutcome {
    let psu = ActingPsu { psu: PsuKey::new("kari"), context: Context::Private, corporate: None };
    ScaOutcome::Approved { psu, grant: Grant::Everything }
}
