//! The bank's questions, and the order on its way to the bank.

use serde_json::Value;
use xs2a::bank::{Cancellation, OrderStatus, PaymentStatus};
use xs2a::store::Store;
use xs2a::{Error, Redirect, Result, ScaOutcome};

use crate::house::{approved, authorisation_id, House, Mood};
use crate::world::baskets::own;
use crate::world::{accepted, creation_headers, parameter};

impl House {
    pub(crate) fn cancelling(&self, created: &Value) -> Value {
        let target = format!("{}/cancellation-authorisations", own(created));
        accepted(&self.call("POST", &target, &creation_headers(), b""))
    }

    pub(crate) fn cancel(&self, created: &Value) -> Redirect {
        self.try_to_cancel(created).unwrap()
    }

    pub(crate) fn try_to_cancel(&self, created: &Value) -> Result<Redirect> {
        let started = self.cancelling(created);
        self.engine.complete_sca(authorisation_id(&started), &approved())
    }

    /// An order that the bank has, and has not carried out.
    pub(crate) fn taken(&self) -> Value {
        let created = self.ordered();
        *self.bank.answer.lock() = OrderStatus::of(PaymentStatus::Pdng);
        assert_eq!(self.engine.run_due().unwrap().submitted, 1);
        created
    }

    pub(crate) fn causes(&self, created: &Value) -> Vec<String> {
        let events = self.store.payments().events(&self.payment(created).id).unwrap();
        events.into_iter().map(|event| event.cause).collect()
    }
}

#[test]
fn an_order_that_is_still_in_the_outbox_leaves_it_and_never_reaches_the_bank() {
    let house = House::new();
    let created = house.ordered();
    assert!(house.engine.next_due().unwrap().is_some());
    assert!(house.cancel(&created).approved);
    let payment = house.payment(&created);
    assert_eq!(payment.status, PaymentStatus::Canc);
    assert_eq!(house.engine.next_due().unwrap(), None);
    assert_eq!(house.engine.run_due().unwrap().submitted, 0);
    assert_eq!(house.bank.taken(), 0);
    assert_eq!(*house.bank.given_up.lock(), [payment.id]);
    assert_eq!(house.causes(&created), ["sca completed", "cancellation: sca completed"]);
}

#[test]
fn an_order_that_the_bank_has_is_cancelled_there() {
    let house = House::new();
    let created = house.ordered();
    *house.bank.answer.lock() = OrderStatus::of(PaymentStatus::Actc);
    house.engine.run_due().unwrap();
    assert!(house.cancel(&created).approved);
    assert_eq!(house.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(house.bank.given_up.lock().len(), 1);
}

#[test]
fn the_bank_is_not_asked_before_the_psu_approved() {
    let house = House::new();
    let created = house.ordered();
    for outcome in [ScaOutcome::Aborted, ScaOutcome::Failed, ScaOutcome::PsuUnknown] {
        let started = house.cancelling(&created);
        assert!(!house.engine.complete_sca(authorisation_id(&started), &outcome).unwrap().approved);
    }
    assert!(house.bank.given_up.lock().is_empty());
    assert_eq!(house.payment(&created).status, PaymentStatus::Pdng);
    assert!(house.engine.next_due().unwrap().is_some());
}

#[test]
fn where_the_bank_is_too_late_the_sca_fails_and_the_payment_stands_where_the_bank_says() {
    for (stands, noted) in [
        (PaymentStatus::Acsc, PaymentStatus::Acsc),
        (PaymentStatus::Rjct, PaymentStatus::Rjct),
        (PaymentStatus::Acsp, PaymentStatus::Acsp),
        (PaymentStatus::Pdng, PaymentStatus::Pdng),
        // What the machine has no row for is no news.
        (PaymentStatus::Rcvd, PaymentStatus::Pdng),
    ] {
        let house = House::new();
        let created = house.taken();
        *house.bank.cancellation.lock() =
            Cancellation::TooLate(OrderStatus { status: stands, funds_available: Some(true) });
        let redirect = house.cancel(&created);
        assert!(!redirect.approved);
        assert_eq!(house.engine.next_due().unwrap(), None, "{stands}");
        assert_eq!(parameter(&redirect.url, "code").as_deref(), Some("CONFLICT"), "{}", redirect.url);
        assert_eq!(parameter(&redirect.url, "status").as_deref(), Some("409"));
        assert_eq!(house.payment(&created).status, noted, "{stands}");
    }
}

#[test]
fn a_bank_that_fails_to_cancel_leaves_the_link_open_and_the_payment_as_it_was() {
    let house = House::new();
    let created = house.ordered();
    let started = house.cancelling(&created);
    house.bank.feel("cancel_payment", Mood::Failing);
    let failed = house.engine.complete_sca(authorisation_id(&started), &approved());
    assert!(matches!(failed, Err(Error::Bank(_))), "{failed:?}");
    assert_eq!(house.payment(&created).status, PaymentStatus::Pdng);
    house.bank.feel("", Mood::Well);
    assert!(house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(house.payment(&created).status, PaymentStatus::Canc);
}

#[test]
fn an_order_that_the_bank_does_not_have_stays_in_the_outbox_where_it_is_too_late_to_cancel() {
    let house = House::new();
    let created = house.ordered();
    *house.bank.cancellation.lock() = Cancellation::TooLate(OrderStatus::of(PaymentStatus::Acsp));
    let due = house.engine.next_due().unwrap();
    assert!(!house.cancel(&created).approved);
    assert_eq!((house.engine.next_due().unwrap(), due), (due, Some(house.now())));
}

#[test]
fn a_report_that_ends_a_payment_takes_its_order_out_of_the_outbox_at_once() {
    for (status, stays) in [
        (PaymentStatus::Canc, false),
        (PaymentStatus::Rjct, false),
        (PaymentStatus::Acsc, false),
        (PaymentStatus::Actc, true),
    ] {
        let house = House::new();
        let created = house.ordered();
        house.report(&created, status, None).unwrap();
        assert_eq!(house.engine.next_due().unwrap().is_some(), stays, "{status}");
        house.engine.run_due().unwrap();
        assert_eq!(house.bank.taken(), usize::from(stays), "{status}");
    }
}

#[test]
fn of_a_cancellation_and_a_delivery_at_the_same_time_the_banks_word_counts() {
    // The bank gave the payment up; an order that was on its way comes later and is answered so.
    let house = House::new();
    let created = house.ordered();
    *house.bank.answer.lock() = OrderStatus::of(PaymentStatus::Canc);
    let started = house.cancelling(&created);
    house.engine.run_due().unwrap();
    assert_eq!(house.payment(&created).status, PaymentStatus::Canc);
    assert!(house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(house.causes(&created), ["sca completed", "bank: submitted"]);
}
