//! The bank's questions, and the order on its way to the bank.

use serde_json::Value;
use xs2a::bank::{Cancellation, OrderStatus};
use xs2a::engine::ScaOutcome;
use xs2a::payment::machine::PaymentStatus;
use xs2a::sca::callback::Redirect;
use xs2a::store::Store;
use xs2a::{Error, Result};

use crate::setup::{approved, authorisation_id, Mood, Setup};
use crate::world::baskets::own;
use crate::world::{accepted, creation_headers, parameter};

impl Setup {
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
fn a_cancelled_order_leaves_the_outbox_and_never_reaches_the_bank() {
    let setup = Setup::new();
    let created = setup.ordered();
    assert!(setup.engine.next_due().unwrap().is_some());
    assert!(setup.cancel(&created).approved);
    let payment = setup.payment(&created);
    assert_eq!(payment.status, PaymentStatus::Canc);
    assert_eq!(setup.engine.next_due().unwrap(), None);
    assert_eq!(setup.engine.run_due().unwrap().submitted, 0);
    assert_eq!(setup.bank.taken(), 0);
    assert_eq!(*setup.bank.given_up.lock(), [payment.id]);
    assert_eq!(setup.causes(&created), ["sca completed", "cancellation: sca completed"]);
}

#[test]
fn an_order_that_the_bank_has_is_cancelled_there() {
    let setup = Setup::new();
    let created = setup.ordered();
    *setup.bank.answer.lock() = OrderStatus::of(PaymentStatus::Actc);
    setup.engine.run_due().unwrap();
    assert!(setup.cancel(&created).approved);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(setup.bank.given_up.lock().len(), 1);
}

#[test]
fn the_bank_is_not_asked_before_the_psu_approved() {
    let setup = Setup::new();
    let created = setup.ordered();
    for outcome in [ScaOutcome::Aborted, ScaOutcome::Failed, ScaOutcome::PsuUnknown] {
        let started = setup.cancelling(&created);
        assert!(!setup.engine.complete_sca(authorisation_id(&started), &outcome).unwrap().approved);
    }
    assert!(setup.bank.given_up.lock().is_empty());
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);
    assert!(setup.engine.next_due().unwrap().is_some());
}

#[test]
fn if_the_bank_is_too_late_the_sca_fails_and_its_status_counts() {
    for (at_bank, noted) in [
        (PaymentStatus::Acsc, PaymentStatus::Acsc),
        (PaymentStatus::Rjct, PaymentStatus::Rjct),
        (PaymentStatus::Acsp, PaymentStatus::Acsp),
        (PaymentStatus::Pdng, PaymentStatus::Pdng),
        // What the machine has no row for is no news.
        (PaymentStatus::Rcvd, PaymentStatus::Pdng),
    ] {
        let setup = Setup::new();
        let created = setup.taken();
        *setup.bank.cancellation.lock() =
            Cancellation::TooLate(OrderStatus { status: at_bank, funds_available: Some(true) });
        let redirect = setup.cancel(&created);
        assert!(!redirect.approved);
        assert_eq!(setup.engine.next_due().unwrap(), None, "{at_bank}");
        assert_eq!(parameter(&redirect.url, "code").as_deref(), Some("CONFLICT"), "{}", redirect.url);
        assert_eq!(parameter(&redirect.url, "status").as_deref(), Some("409"));
        assert_eq!(setup.payment(&created).status, noted, "{at_bank}");
    }
}

#[test]
fn a_failed_cancellation_keeps_the_link_and_the_payment_unchanged() {
    let setup = Setup::new();
    let created = setup.ordered();
    let started = setup.cancelling(&created);
    setup.bank.feel("cancel_payment", Mood::Failing);
    let failed = setup.engine.complete_sca(authorisation_id(&started), &approved());
    assert!(matches!(failed, Err(Error::Bank(_))), "{failed:?}");
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);
    setup.bank.feel("", Mood::Well);
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Canc);
}

#[test]
fn a_late_cancellation_keeps_an_undelivered_order_in_the_outbox() {
    let setup = Setup::new();
    let created = setup.ordered();
    *setup.bank.cancellation.lock() = Cancellation::TooLate(OrderStatus::of(PaymentStatus::Acsp));
    let due = setup.engine.next_due().unwrap();
    assert!(!setup.cancel(&created).approved);
    assert_eq!((setup.engine.next_due().unwrap(), due), (due, Some(setup.now())));
}

#[test]
fn a_report_that_ends_a_payment_takes_its_order_out_of_the_outbox_at_once() {
    for (status, stays) in [
        (PaymentStatus::Canc, false),
        (PaymentStatus::Rjct, false),
        (PaymentStatus::Acsc, false),
        (PaymentStatus::Actc, true),
    ] {
        let setup = Setup::new();
        let created = setup.ordered();
        setup.report(&created, status, None).unwrap();
        assert_eq!(setup.engine.next_due().unwrap().is_some(), stays, "{status}");
        setup.engine.run_due().unwrap();
        assert_eq!(setup.bank.taken(), usize::from(stays), "{status}");
    }
}

#[test]
fn the_banks_answer_decides_between_cancellation_and_delivery() {
    // The bank gave the payment up; an order that was on its way comes later and is answered so.
    let setup = Setup::new();
    let created = setup.ordered();
    *setup.bank.answer.lock() = OrderStatus::of(PaymentStatus::Canc);
    let started = setup.cancelling(&created);
    setup.engine.run_due().unwrap();
    assert_eq!(setup.payment(&created).status, PaymentStatus::Canc);
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(setup.causes(&created), ["sca completed", "bank: submitted"]);
}
