//! A cancellation whose answer from the bank is lost.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use xs2a::bank::{Cancellation, OrderStatus, PaymentStatus};
use xs2a::Error;

use crate::house::{approved, authorisation_id, node, House, Mood};

impl House {
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
    fn run_that_is_answered(&self, stands: PaymentStatus) {
        *self.bank.answer.lock() = OrderStatus::of(stands);
        assert_eq!(self.engine.run_due().unwrap().submitted, 1);
    }
}

#[test]
fn a_cancellation_whose_answer_is_lost_is_made_up_for() {
    let house = House::new();
    let created = house.lost();
    assert_eq!(house.bank.given_up.lock().len(), 1);
    assert_eq!(house.payment(&created).status, PaymentStatus::Pdng);
    // No PSU returns to the link, but one could for as long as an order is reserved for this node.
    let due = house.now() + TimeDelta::seconds(60);
    assert_eq!(house.next_due(), Some(due));
    house.wait(TimeDelta::seconds(60));
    house.run_that_is_answered(PaymentStatus::Canc);
    assert_eq!(house.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(house.next_due(), None);
    assert_eq!(house.causes(&created), ["sca completed", "bank: submitted"]);
}

#[test]
fn an_answer_that_is_older_than_a_lost_cancellation_is_not_the_last() {
    let house = House::new();
    let created = house.ordered();
    let (started, store, other) = (house.cancelling(&created), Arc::clone(&house.store), node(&house, 60));
    house.bank.follow(move |_| {
        // Another node cancels while the bank already has the order.
        *store.mood.lock() = Mood::Locked;
        other.complete_sca(authorisation_id(&started), &approved()).unwrap_err();
        *store.mood.lock() = Mood::Well;
        Ok(OrderStatus::of(PaymentStatus::Pdng))
    });
    assert_eq!(house.engine.run_due().unwrap().submitted, 1);
    assert_eq!(house.bank.given_up.lock().len(), 1);
    assert_eq!(house.payment(&created).status, PaymentStatus::Pdng);
    house.bank.follow(|_| Ok(OrderStatus::of(PaymentStatus::Canc)));
    house.wait(house.next_due().unwrap() - house.now());
    assert_eq!(house.engine.run_due().unwrap().submitted, 1);
    assert_eq!(house.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(house.next_due(), None);
}

#[test]
fn a_cancellation_that_was_lost_and_is_approved_again_leaves_nothing_to_be_done() {
    let house = House::new();
    let created = house.lost();
    assert!(house.cancel(&created).approved);
    assert_eq!(house.payment(&created).status, PaymentStatus::Canc);
    assert_eq!(house.next_due(), None);
}

#[test]
fn a_bank_that_failed_to_cancel_is_asked_where_the_payment_stands_until_it_ended() {
    for ends in [PaymentStatus::Acsc, PaymentStatus::Canc] {
        let house = House::new();
        let created = house.not_cancelled();
        // Never before a claim is over, and at last every hour.
        for seconds in [60, 60, 60, 60, 60, 60, 60, 64, 128, 256, 512, 1024, 2048, 3600, 3600] {
            let (wait, longest) = (house.next_due().unwrap() - house.now(), TimeDelta::seconds(seconds));
            assert!(wait <= longest && wait > longest * 3 / 4, "{wait} of {longest}");
            house.wait(wait);
            house.run_that_is_answered(PaymentStatus::Actc);
            assert_eq!(house.payment(&created).status, PaymentStatus::Actc);
        }
        house.wait(TimeDelta::hours(1));
        house.run_that_is_answered(ends);
        assert_eq!((house.payment(&created).status, house.next_due()), (ends, None));
    }
}

#[test]
fn a_bank_that_failed_to_cancel_is_left_alone_once_the_payment_can_be_cancelled_no_more() {
    for is_reported in [false, true] {
        let house = House::new();
        let created = house.not_cancelled();
        if is_reported {
            house.report(&created, PaymentStatus::Acsp, None).unwrap();
        }
        house.wait(TimeDelta::seconds(60));
        house.run_that_is_answered(PaymentStatus::Acsp);
        assert_eq!((house.payment(&created).status, house.next_due()), (PaymentStatus::Acsp, None));
    }
}

#[test]
fn a_bank_that_says_in_the_end_that_it_is_too_late_to_cancel_is_asked_once_more_and_then_left_alone() {
    let house = House::new();
    let created = house.not_cancelled();
    *house.bank.cancellation.lock() = Cancellation::TooLate(OrderStatus::of(PaymentStatus::Actc));
    assert!(!house.cancel(&created).approved);
    house.wait(TimeDelta::seconds(60));
    house.run_that_is_answered(PaymentStatus::Actc);
    assert_eq!((house.payment(&created).status, house.next_due()), (PaymentStatus::Actc, None));
}

#[test]
fn the_bank_is_not_asked_to_give_up_what_could_not_be_made_up_for() {
    let house = House::new();
    let created = house.taken();
    let started = house.cancelling(&created);
    *house.store.mood.lock() = Mood::Failing;
    let failed = house.engine.complete_sca(authorisation_id(&started), &approved());
    assert!(matches!(failed, Err(Error::Store(_))), "{failed:?}");
    assert!(house.bank.given_up.lock().is_empty());
}
