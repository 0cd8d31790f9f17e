//! The times of what a slow bank is asked: those of its answers.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use xs2a::bank::PaymentStatus;
use xs2a::env::{Clock, ManualClock};
use xs2a::store::{Store, Write};
use xs2a::Error;

use crate::house::{approved, authorisation_id, House};
use crate::outbox::delivery::{answer, failed, submitted};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::{accepted, creation_headers, parameter, replaced, straks, text, STRAKS};

const SECOND: TimeDelta = TimeDelta::seconds(1);

fn move_by(clock: &ManualClock, by: TimeDelta) {
    clock.set(clock.now() + by).unwrap();
}

impl House {
    /// When what happened, oldest first.
    fn history(&self, created: &Value) -> Vec<(DateTime<Utc>, PaymentStatus)> {
        let events = self.store.payments().events(&self.payment(created).id).unwrap();
        events.into_iter().map(|event| (event.at, event.to)).collect()
    }

    /// From now on each answer of the bank takes a second.
    fn slow_down(&self) {
        let clock = Arc::clone(&self.clock);
        *self.bank.while_asked.lock() = Some(Box::new(move || move_by(&clock, SECOND)));
    }
}

#[test]
fn what_the_bank_answers_to_an_order_is_of_the_time_of_its_answer() {
    let house = Arc::new(House::new());
    let created = house.ordered();
    let (there, payment, ordered) = (Arc::downgrade(&house), created.clone(), house.now());
    let mut asked = 0;
    house.bank.follow(move |_| {
        asked += 1;
        let house = there.upgrade().unwrap();
        if asked == 1 {
            house.wait(SECOND * 20);
            house.report(&payment, PaymentStatus::Acsp, None).unwrap();
        }
        house.wait(SECOND * 70);
        answer(PaymentStatus::Acsc)
    });
    assert_eq!(house.run(), submitted(1));
    let expected = [
        (ordered, PaymentStatus::Pdng),
        (ordered + SECOND * 20, PaymentStatus::Acsp),
        (ordered + SECOND * 160, PaymentStatus::Acsc),
    ];
    assert_eq!(house.history(&created), expected);
}

#[test]
fn what_is_reported_is_of_a_time_after_what_was_noted_while_it_came_in() {
    let house = House::new();
    let created = house.ordered();
    let (clock, mut payment) = (Arc::clone(&house.clock), house.payment(&created));
    payment.version += 1;
    *house.store.meanwhile.lock() = Some(Box::new(move |store| {
        move_by(&clock, SECOND);
        store.commit(&[Write::UpdatePayment(Box::new(payment))]).unwrap();
    }));
    house.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(house.history(&created).last(), Some(&(house.now(), PaymentStatus::Acsp)));
}

#[test]
fn a_bank_that_fails_after_a_long_time_is_left_alone_from_its_failure_on() {
    let house = House::new();
    house.ordered();
    let clock = Arc::clone(&house.clock);
    house.bank.follow(move |_| {
        move_by(&clock, SECOND * 9);
        Err(Error::Bank("timeout".to_owned()))
    });
    for seconds in [1, 2, 4, 8] {
        assert_eq!(house.run(), failed(1));
        let wait = house.next().unwrap() - house.now();
        assert!(wait <= SECOND * seconds && wait > SECOND * seconds * 3 / 4, "{wait} of {seconds}");
        house.wait(wait);
    }
}

#[test]
fn an_order_that_is_set_aside_is_so_from_the_banks_answer_on() {
    let house = House::new();
    house.ordered();
    house.slow_down();
    house.bank.follow(|_| answer(PaymentStatus::Part));
    let before = house.now();
    house.run();
    let since: Vec<_> = house.aside().into_iter().map(|order| order.since).collect();
    assert_eq!((since, house.now()), (vec![before + SECOND], before + SECOND));
}

#[test]
fn a_payment_that_is_approved_is_so_from_the_banks_last_answer_on() {
    let house = House::new();
    let created = accepted(&house.create());
    house.slow_down();
    let before = house.now();
    house.engine.complete_sca(authorisation_id(&created), &approved()).unwrap();
    assert!(house.now() > before);
    assert_eq!(house.history(&created), [(house.now(), PaymentStatus::Pdng)]);
    assert_eq!(house.payment(&created).authorised_at, Some(house.now()));
    assert_eq!(house.next(), Some(house.now()));
}

#[test]
fn the_payments_of_a_basket_are_approved_at_one_time_after_the_banks_last_answer() {
    let house = House::new();
    let session = [("TPP-Session-ID", "s"), ("PSU-Context", "")];
    let headers = replaced(creation_headers(), &session);
    let started = accepted(&house.call("POST", "/v1/bank-offered-consents", &headers, b""));
    let redirect = house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    let headers = replaced(headers, &[("PSU-ID", psu_id.as_str())]);
    let (target, order) = (format!("{STRAKS}?allowLogicalDuplicate=true"), straks().to_string());
    let create = |_| accepted(&house.call("POST", &target, &headers, order.as_bytes()));
    let created: Vec<_> = (0..3).map(create).collect();
    let ids: Vec<_> = created.iter().map(|created| text(created, "/paymentId")).collect();
    let named = names(&ids).to_string();
    let basket = accepted(&house.call("POST", BASKETS, &headers, named.as_bytes()));
    let path = format!("{}/authorisations", own(&basket));
    let started = accepted(&house.call("POST", &path, &headers, b""));
    house.slow_down();
    let before = house.now();
    house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    // It is asked about each of them.
    assert!(house.now() >= before + SECOND * 3);
    for created in &created {
        assert_eq!(house.history(created), [(house.now(), PaymentStatus::Pdng)]);
        assert_eq!(house.payment(created).authorised_at, Some(house.now()));
    }
}

#[test]
fn a_payment_that_the_bank_gives_up_slowly_is_cancelled_at_the_time_of_its_answer() {
    let house = House::new();
    let created = house.ordered();
    let path = format!("{}/cancellation-authorisations", own(&created));
    let started = accepted(&house.call("POST", &path, &creation_headers(), b""));
    house.slow_down();
    house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    assert_eq!(house.history(&created).last(), Some(&(house.now(), PaymentStatus::Canc)));
}
