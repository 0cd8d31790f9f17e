//! A cancellation whose answer from the bank is lost.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use xs2a::bank::{Cancellation, OrderStatus};
use xs2a::payment::machine::PaymentStatus;
use xs2a::Error;

use crate::setup::{approved, authorisation_id, node, Mood, Setup};

impl Setup {
    fn next_due(&self) -> Option<DateTime<Utc>> {
        self.engine.next_due().unwrap()
    }

    /// A payment that the bank has and gave up, which could not be noted.
    fn lost(&self) -> Value {
        let created = self.taken();
        *self.store.mood.lock() = Mood::Locked;
        let failed = self.try_to_cancel(&created);
        assert!(matches!(failed, Err(Error::Store(_))), "{failed:?}");
        *self.store.mood.lock() = Mood::Well;
        created
    }

    /// A payment that the bank has and failed to cancel.
    fn not_cancelled(&self) -> Value {
        let created = self.taken();
        self.bank.feel("cancel_payment", Mood::Failing);
        self.try_to_cancel(&created).unwrap_err();
        self.bank.feel("", Mood::Well);
        created
    }

    /// A run that asks about one order, which the bank answers with that.
    fn run_that_is_answered(&self, answered: PaymentStatus) {
        *self.bank.answer.lock() = OrderStatus::of(answered);
        assert_eq!(self.engine.run_due().unwrap().submitted, 1);
    }
}

#[test]
fn a_cancellation_whose_answer_is_lost_is_made_up_for() {
    let setup = Setup::new();
    let created = setup.lost();
    assert_eq!(setup.bank.given_up.lock().len(), 1);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);
    // No PSU returns to the link, but one could for as long as an order is reserved for this node.
    let due = setup.now() + TimeDelta::seconds(60);
    assert_eq!(setup.next_due(), Some(due));
    setup.wait(TimeDelta::seconds(60));
    setup.run_that_is_answered(PaymentStatus::Canc);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(setup.next_due(), None);
    assert_eq!(setup.causes(&created), ["sca completed", "bank: submitted"]);
}

#[test]
fn an_answer_that_is_older_than_a_lost_cancellation_is_not_the_last() {
    let setup = Setup::new();
    let created = setup.ordered();
    let (started, store, other) = (setup.cancelling(&created), Arc::clone(&setup.store), node(&setup, 60));
    setup.bank.follow(move |_| {
        // Another node cancels while the bank already has the order.
        *store.mood.lock() = Mood::Locked;
        other.complete_sca(authorisation_id(&started), &approved()).unwrap_err();
        *store.mood.lock() = Mood::Well;
        Ok(OrderStatus::of(PaymentStatus::Pdng))
    });
    assert_eq!(setup.engine.run_due().unwrap().submitted, 1);
    assert_eq!(setup.bank.given_up.lock().len(), 1);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);
    setup.bank.follow(|_| Ok(OrderStatus::of(PaymentStatus::Canc)));
    setup.wait(setup.next_due().unwrap() - setup.now());
    assert_eq!(setup.engine.run_due().unwrap().submitted, 1);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(setup.next_due(), None);
}

#[test]
fn a_lost_cancellation_that_is_approved_again_leaves_no_order() {
    let setup = Setup::new();
    let created = setup.lost();
    assert!(setup.cancel(&created).approved);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(setup.next_due(), None);
}

#[test]
fn after_a_failed_cancellation_the_bank_is_asked_until_a_final_status() {
    for ends in [PaymentStatus::Acsc, PaymentStatus::Canc] {
        let setup = Setup::new();
        let created = setup.not_cancelled();
        // Never before a claim is over, and at last every hour.
        for seconds in [60, 60, 60, 60, 60, 60, 60, 64, 128, 256, 512, 1024, 2048, 3600, 3600] {
            let (wait, longest) = (setup.next_due().unwrap() - setup.now(), TimeDelta::seconds(seconds));
            assert!(wait <= longest && wait > longest * 3 / 4, "{wait} of {longest}");
            setup.wait(wait);
            setup.run_that_is_answered(PaymentStatus::Actc);
            assert_eq!(setup.payment(&created).status, PaymentStatus::Actc);
        }
        setup.wait(TimeDelta::hours(1));
        setup.run_that_is_answered(ends);
        assert_eq!((setup.payment(&created).status, setup.next_due()), (ends, None));
    }
}

#[test]
fn after_a_failed_cancellation_a_late_payment_is_not_asked_about() {
    for is_reported in [false, true] {
        let setup = Setup::new();
        let created = setup.not_cancelled();
        if is_reported {
            setup.report(&created, PaymentStatus::Acsp, None).unwrap();
        }
        setup.wait(TimeDelta::seconds(60));
        setup.run_that_is_answered(PaymentStatus::Acsp);
        assert_eq!((setup.payment(&created).status, setup.next_due()), (PaymentStatus::Acsp, None));
    }
}

#[test]
fn after_too_late_to_cancel_the_bank_is_asked_once_more() {
    let setup = Setup::new();
    let created = setup.not_cancelled();
    *setup.bank.cancellation.lock() = Cancellation::TooLate(OrderStatus::of(PaymentStatus::Actc));
    assert!(!setup.cancel(&created).approved);
    setup.wait(TimeDelta::seconds(60));
    setup.run_that_is_answered(PaymentStatus::Actc);
    assert_eq!((setup.payment(&created).status, setup.next_due()), (PaymentStatus::Actc, None));
}

#[test]
fn the_bank_is_not_asked_to_give_up_what_could_not_be_made_up_for() {
    let setup = Setup::new();
    let created = setup.taken();
    let started = setup.cancelling(&created);
    *setup.store.mood.lock() = Mood::Failing;
    let failed = setup.engine.complete_sca(authorisation_id(&started), &approved());
    assert!(matches!(failed, Err(Error::Store(_))), "{failed:?}");
    assert!(setup.bank.given_up.lock().is_empty());
}
