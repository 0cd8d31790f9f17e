//! Payers who change their mind.

use serde_json::{json, Value};
use xs2a::ScaOutcome;

use crate::kill::node::Node;
use crate::kill::payer::{approved, Created};
use crate::kill::steps::say;
use crate::world::baskets::own;
use crate::world::products::DOMESTIC;
use crate::world::{accepted, changed, creation_headers, straks};

/// Later than all of these processes.
const LATER_DAY: &str = "2026-10-01";

impl Node {
    /// Cancelled before the PSU answered. In a crowd they approve at the same moment, and one of the two counts.
    pub(crate) fn delete(&self, payment: &Created) {
        if self.payers == 1 {
            assert!(self.give_up(payment));
            return;
        }
        let (is_given_up, is_approved) = std::thread::scope(|scope| {
            let approval = scope.spawn(|| self.approve(payment));
            (self.give_up(payment), approval.join().unwrap())
        });
        assert_ne!(is_given_up, is_approved, "{}", payment.reference);
        if is_approved {
            say("kept", &payment.reference);
        }
    }

    /// Whether the call alone did it.
    fn give_up(&self, payment: &Created) -> bool {
        say("cancelling", &payment.reference);
        let response = self.call("DELETE", own(&payment.answer), &creation_headers(), b"");
        let is_given_up = response.status() == 204;
        if is_given_up {
            say("deleted", &payment.reference);
        } else {
            assert!([202, 405, 409].contains(&response.status()), "{:?}", response.reason());
        }
        is_given_up
    }

    /// Ordered, and cancelled before this payer delivers anything. Another one may.
    pub(crate) fn cancel_ordered(&self, payment: &Created) {
        self.order(payment);
        self.cancel(payment, &approved());
    }

    /// Cancelled when the bank has it for a later day.
    pub(crate) fn cancel_taken(&self, reference: &str) {
        let payment = self.order_for_later(reference);
        self.deliver();
        self.cancel(&payment, &approved());
    }

    /// The PSU thinks better of cancelling, and the day comes.
    pub(crate) fn keep(&self, reference: &str) {
        let payment = self.order_for_later(reference);
        self.deliver();
        self.cancel(&payment, &ScaOutcome::Aborted);
        self.settle();
    }

    fn order_for_later(&self, reference: &str) -> Created {
        let order = changed(straks(), &[("/requestedExecutionDate", json!(LATER_DAY))]);
        let payment = self.create_as(DOMESTIC, &order, reference);
        self.order(&payment);
        payment
    }

    /// Cancels an authorised payment, unless the PSU does not want it after all, or it is too late.
    fn cancel(&self, payment: &Created, outcome: &ScaOutcome) {
        if *outcome != ScaOutcome::Aborted {
            say("cancelling", &payment.reference);
        }
        let started = self.start_cancelling(&payment.answer);
        let is_cancelled = started.is_some_and(|started| self.answer(&started, outcome));
        say(if is_cancelled { "cancelled" } else { "kept" }, &payment.reference);
    }

    /// The authorisation of a cancellation; `None` where it is too late.
    fn start_cancelling(&self, created: &Value) -> Option<Value> {
        let target = format!("{}/cancellation-authorisations", own(created));
        let response = self.call("POST", &target, &creation_headers(), b"");
        match response.status() {
            409 => None,
            _ => Some(accepted(&response)),
        }
    }
}
