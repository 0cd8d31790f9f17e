//! Payers who sign several payments at once.

use serde_json::Value;
use xs2a::ScaOutcome;

use crate::kill::node::Node;
use crate::kill::payer::{approved, Created};
use crate::kill::steps::say;
use crate::world::baskets::{names, own, BASKETS};
use crate::world::{accepted, creation_headers, replaced, text};

/// A basket whose authorisation is started.
struct Basket {
    payments: Vec<Created>,
    /// What the engine answered to its creation.
    answer: Value,
    /// What it answered to the start.
    started: Value,
}

impl Basket {
    /// The references of its payments.
    fn about(&self) -> String {
        about(&self.payments)
    }

    /// Identifies the basket: its first payment.
    fn first(&self) -> &Created {
        &self.payments[0]
    }
}

fn about(payments: &[Created]) -> String {
    let references: Vec<_> = payments.iter().map(|payment| payment.reference.as_str()).collect();
    references.join(" ")
}

impl Node {
    /// A basket that its PSU approves.
    pub(crate) fn sign(&self, references: &[String]) {
        let Some(basket) = self.fill(references) else { return };
        assert!(self.approve_basket(&basket), "{}", basket.about());
    }

    /// A basket that its PSU does not approve.
    pub(crate) fn abort_basket(&self, references: &[String]) {
        let Some(basket) = self.fill(references) else { return };
        assert!(!self.answer(&basket.started, &ScaOutcome::Aborted));
        say("unsigned", &basket.about());
    }

    /// Given up before the PSU answered: one of its payments goes its own way then. In a crowd the PSU approves the
    /// basket at the same moment, and one of the two counts.
    pub(crate) fn drop_basket(&self, references: &[String]) {
        let Some(basket) = self.fill(references) else { return };
        let is_dropped = if self.payers == 1 {
            assert!(self.give_basket_up(&basket));
            true
        } else {
            std::thread::scope(|scope| {
                let approval = scope.spawn(|| self.approve_basket(&basket));
                let is_dropped = self.give_basket_up(&basket);
                assert_ne!(is_dropped, approval.join().unwrap(), "{}", basket.about());
                is_dropped
            })
        };
        if is_dropped {
            self.order(basket.first());
        }
    }

    /// Returns false if the basket was deleted before the approval.
    fn approve_basket(&self, basket: &Basket) -> bool {
        say("signing", &basket.about());
        let is_signed = self.answer(&basket.started, &approved());
        if is_signed {
            say("signed", &basket.about());
        }
        is_signed
    }

    /// Whether the call did it.
    fn give_basket_up(&self, basket: &Basket) -> bool {
        say("dropping", &basket.first().reference);
        let response = self.call("DELETE", own(&basket.answer), &creation_headers(), b"");
        let is_dropped = response.status() == 204;
        if is_dropped {
            say("dropped", &basket.first().reference);
        } else {
            assert_eq!(response.status(), 409, "{:?}", response.reason());
        }
        is_dropped
    }

    /// Payments in a basket. A PSU whom the TPP does not know yet pays the first of them alone.
    fn fill(&self, references: &[String]) -> Option<Basket> {
        let Some(psu_id) = self.psu_id.get() else {
            self.order(&self.create(&references[0]));
            return None;
        };
        let payments: Vec<Created> = references.iter().map(|reference| self.create(reference)).collect();
        let ids: Vec<_> = payments.iter().map(|payment| text(&payment.answer, "/paymentId")).collect();
        let headers = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", psu_id)]);
        say("filling", &about(&payments));
        let answer = accepted(&self.call("POST", BASKETS, &headers, names(&ids).to_string().as_bytes()));
        say("filled", &format!("{} {}", payments[0].reference, text(&answer, "/basketId")));
        let target = format!("{}/authorisations", own(&answer));
        let started = accepted(&self.call("POST", &target, &creation_headers(), b""));
        Some(Basket { payments, answer, started })
    }
}
