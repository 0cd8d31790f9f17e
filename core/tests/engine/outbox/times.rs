//! The times of what a slow bank is asked: those of its answers.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use xs2a::env::clock::{Clock, ManualClock};
use xs2a::payment::machine::PaymentStatus;
use xs2a::store::{Store, Write};
use xs2a::Error;

use crate::outbox::delivery::{answer, failed, submitted};
use crate::setup::{approved, authorisation_id, Setup};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::{accepted, creation_headers, parameter, replaced, straks, text, STRAKS};

const SECOND: TimeDelta = TimeDelta::seconds(1);

fn move_by(clock: &ManualClock, by: TimeDelta) {
    clock.set(clock.now() + by).unwrap();
}

impl Setup {
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
    let setup = Arc::new(Setup::new());
    let created = setup.ordered();
    let (there, payment, ordered) = (Arc::downgrade(&setup), created.clone(), setup.now());
    let mut asked = 0;
    setup.bank.follow(move |_| {
        asked += 1;
        let setup = there.upgrade().unwrap();
        if asked == 1 {
            setup.wait(SECOND * 20);
            setup.report(&payment, PaymentStatus::Acsp, None).unwrap();
        }
        setup.wait(SECOND * 70);
        answer(PaymentStatus::Acsc)
    });
    assert_eq!(setup.run(), submitted(1));
    let expected = [
        (ordered, PaymentStatus::Pdng),
        (ordered + SECOND * 20, PaymentStatus::Acsp),
        (ordered + SECOND * 160, PaymentStatus::Acsc),
    ];
    assert_eq!(setup.history(&created), expected);
}

#[test]
fn what_is_reported_is_of_a_time_after_what_was_noted_while_it_came_in() {
    let setup = Setup::new();
    let created = setup.ordered();
    let (clock, mut payment) = (Arc::clone(&setup.clock), setup.payment(&created));
    payment.version += 1;
    *setup.store.before_commit.lock() = Some(Box::new(move |store| {
        move_by(&clock, SECOND);
        store.commit(&[Write::UpdatePayment(Box::new(payment))]).unwrap();
    }));
    setup.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(setup.history(&created).last(), Some(&(setup.now(), PaymentStatus::Acsp)));
}

#[test]
fn a_bank_that_fails_after_a_long_time_is_left_alone_from_its_failure_on() {
    let setup = Setup::new();
    setup.ordered();
    let clock = Arc::clone(&setup.clock);
    setup.bank.follow(move |_| {
        move_by(&clock, SECOND * 9);
        Err(Error::Bank("timeout".to_owned()))
    });
    for seconds in [1, 2, 4, 8] {
        assert_eq!(setup.run(), failed(1));
        let wait = setup.next().unwrap() - setup.now();
        assert!(wait <= SECOND * seconds && wait > SECOND * seconds * 3 / 4, "{wait} of {seconds}");
        setup.wait(wait);
    }
}

#[test]
fn a_dead_letter_dates_from_the_banks_answer() {
    let setup = Setup::new();
    setup.ordered();
    setup.slow_down();
    setup.bank.follow(|_| answer(PaymentStatus::Part));
    let before = setup.now();
    setup.run();
    let since: Vec<_> = setup.aside().into_iter().map(|order| order.since).collect();
    assert_eq!((since, setup.now()), (vec![before + SECOND], before + SECOND));
}

#[test]
fn a_payment_that_is_approved_is_so_from_the_banks_last_answer_on() {
    let setup = Setup::new();
    let created = accepted(&setup.create());
    setup.slow_down();
    let before = setup.now();
    setup.engine.complete_sca(authorisation_id(&created), &approved()).unwrap();
    assert!(setup.now() > before);
    assert_eq!(setup.history(&created), [(setup.now(), PaymentStatus::Pdng)]);
    assert_eq!(setup.payment(&created).authorised_at, Some(setup.now()));
    assert_eq!(setup.next(), Some(setup.now()));
}

#[test]
fn a_baskets_payments_are_approved_at_one_time_after_the_last_answer() {
    let setup = Setup::new();
    let session = [("TPP-Session-ID", "s"), ("PSU-Context", "")];
    let headers = replaced(creation_headers(), &session);
    let started = accepted(&setup.call("POST", "/v1/bank-offered-consents", &headers, b""));
    let redirect = setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    let headers = replaced(headers, &[("PSU-ID", psu_id.as_str())]);
    let (target, order) = (format!("{STRAKS}?allowLogicalDuplicate=true"), straks().to_string());
    let create = |_| accepted(&setup.call("POST", &target, &headers, order.as_bytes()));
    let created: Vec<_> = (0..3).map(create).collect();
    let ids: Vec<_> = created.iter().map(|created| text(created, "/paymentId")).collect();
    let named = names(&ids).to_string();
    let basket = accepted(&setup.call("POST", BASKETS, &headers, named.as_bytes()));
    let path = format!("{}/authorisations", own(&basket));
    let started = accepted(&setup.call("POST", &path, &headers, b""));
    setup.slow_down();
    let before = setup.now();
    setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    // It is asked about each of them.
    assert!(setup.now() >= before + SECOND * 3);
    for created in &created {
        assert_eq!(setup.history(created), [(setup.now(), PaymentStatus::Pdng)]);
        assert_eq!(setup.payment(created).authorised_at, Some(setup.now()));
    }
}

#[test]
fn a_slow_cancellation_is_dated_at_the_time_of_the_banks_answer() {
    let setup = Setup::new();
    let created = setup.ordered();
    let path = format!("{}/cancellation-authorisations", own(&created));
    let started = accepted(&setup.call("POST", &path, &creation_headers(), b""));
    setup.slow_down();
    setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    assert_eq!(setup.history(&created).last(), Some(&(setup.now(), PaymentStatus::Canc)));
}
