//! A signing basket and a cancellation on their way through the pages.

use super::browser::{Browser, Page};
use crate::world::baskets::own;
use crate::world::products::DOMESTIC;
use crate::world::*;
use serde_json::{json, Value};
use xs2a::payment::machine::PaymentStatus;

fn question(world: &World, started: &Value) -> Page {
    let page = Browser::at(&world.sandbox, link(started)).identify(PAYER);
    assert_eq!(page.status(), 200, "{}", page.html);
    page
}

fn parts_of(world: &World) -> [Value; 3] {
    let urgent = changed(cross_border(), &[("/serviceLevel", json!("URGP"))]);
    [
        accepted(&world.create(STRAKS, &straks())),
        accepted(&world.create(CROSS_BORDER, &cross_border())),
        accepted(
            &world.create(CROSS_BORDER, &changed(urgent, &[("/instructedAmount/amount", json!("7.00"))])),
        ),
    ]
}

#[test]
fn a_basket_shows_every_payment_and_fee_and_one_approval_orders_all() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = world.basket(&[&payments[0], &payments[1], &payments[2]]);
    let started = accepted(&world.start(&basket));
    let browser = Browser::at(&world.sandbox, link(&started));
    browser.get().assert_shows(&["Acme Pay asks you to approve several payments."]);

    let page = question(&world, &started);
    page.assert_shows(&[
        "Approve 3 payments",
        "In all EUR 107.00 NOK 250.00 Fee NOK 90.00",
        "Amount NOK 250.00",
        "Amount EUR 100.00",
        "Amount EUR 7.00",
    ]);
    assert_eq!(page.tags("li").len(), 3);
    assert_eq!(world.transaction_status(&basket), "RCVD", "nothing is approved by looking");

    let end = browser.submit(&page, &[], "continue");
    assert_eq!(parameter(end.location(), "code"), None, "{}", end.location());
    assert_eq!(world.transaction_status(&basket), "ACTC");
    let statuses = payments.each_ref().map(|payment| world.transaction_status(payment));
    assert_eq!(statuses, ["ACSC", "PDNG", "PDNG"]);
    world.set_now("2026-09-02T00:00:00Z");
    let fees = world.booked(PAYER_ACCOUNT).into_iter().filter(|sum| sum == "-30.00" || sum == "-60.00");
    assert_eq!(fees.count(), 2, "what was shown is what is charged");
    world.assert_reconciled();
}

#[test]
fn an_ended_payment_of_a_basket_is_not_shown_or_counted_in_fees() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = world.basket(&[&payments[0], &payments[1], &payments[2]]);
    let started = accepted(&world.start(&basket));
    let ended = text(&payments[2], "/paymentId");
    world.sandbox.report_payment_status(ended, PaymentStatus::Canc, None).unwrap();
    let page = question(&world, &started);
    page.assert_shows(&["Approve 2 payments", "In all EUR 100.00 NOK 250.00 Fee NOK 30.00"]);
    page.assert_hides(&["7.00", "90.00"]);
}

#[test]
fn a_basket_that_was_given_up_costs_nothing() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = world.basket(&[&payments[0], &payments[1]]);
    let started = accepted(&world.start(&basket));
    assert_eq!(world.act("DELETE", own(&basket)).status(), 204);
    question(&world, &started).assert_hides(&["250.00", "Fee", "30.00"]);
}

#[test]
fn a_basket_of_which_nothing_waits_says_so_and_can_only_be_cancelled() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = world.basket(&[&payments[0], &payments[1]]);
    let started = accepted(&world.start(&basket));
    assert_eq!(world.act("DELETE", own(&basket)).status(), 204);
    let browser = Browser::at(&world.sandbox, link(&started));
    browser.get().assert_shows(&["No payment waits for your approval any more."]);
    let page = question(&world, &started);
    page.assert_shows(&[
        "Nothing to approve No payment waits for your approval any more. Cancel to go back. Cancel",
    ]);
    assert_eq!((page.tags("button").len(), page.tags("dl").len(), page.tags("ol").len()), (1, 0, 0));
    let end = browser.submit(&page, &[], "cancel");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("SCA_INVALID"));
}

#[test]
fn the_words_of_a_basket_are_those_of_the_payments_that_wait() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = world.basket(&[&payments[0], &payments[1]]);
    let started = accepted(&world.start(&basket));
    let browser = Browser::at(&world.sandbox, link(&started));
    browser.get().assert_shows(&["Acme Pay asks you to approve several payments."]);
    let ended = text(&payments[1], "/paymentId");
    world.sandbox.report_payment_status(ended, PaymentStatus::Canc, None).unwrap();
    browser.get().assert_shows(&["Acme Pay asks you to approve a payment."]);
    question(&world, &started).assert_shows(&[
        "Approve payment Acme Pay asks you to approve a payment. Amount NOK 250.00",
        "Approve payment Cancel",
    ]);
}

#[test]
fn a_basket_that_the_psu_does_not_approve_stays_as_it_was() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = world.basket(&[&payments[0], &payments[1]]);
    let started = accepted(&world.start(&basket));
    let page = question(&world, &started);
    let end = Browser::at(&world.sandbox, link(&started)).submit(&page, &[], "cancel");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("SCA_INVALID"));
    assert_eq!(world.transaction_status(&basket), "RCVD");
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
}

#[test]
fn a_payment_is_stopped_by_one_yes_and_costs_nothing() {
    let world = World::new();
    let created = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let started = world.start_cancelling(&created);
    let browser = Browser::at(&world.sandbox, link(&started));
    browser.get().assert_shows(&["Acme Pay asks you to stop a payment."]);
    let page = question(&world, &started);
    page.assert_shows(&["Stop this payment?", "Amount EUR 100.00", "To Fiktiv Handel GmbH", "Yes, stop it"]);
    page.assert_hides(&["Fee"]);
    assert_eq!(world.transaction_status(&created), "PDNG");

    let end = browser.submit(&page, &[], "continue");
    assert_eq!(parameter(end.location(), "code"), None, "{}", end.location());
    assert_eq!(world.transaction_status(&created), "CANC");
    world.set_now("2026-09-02T00:00:00Z");
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
    assert_eq!(world.get(own(&created)).status(), 200);
}

#[test]
fn a_payment_that_the_psu_lets_be_is_carried_out() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let started = world.start_cancelling(&created);
    let page = question(&world, &started);
    let end = Browser::at(&world.sandbox, link(&started)).submit(&page, &[], "cancel");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("SCA_INVALID"));
    world.set_now("2026-09-02T00:00:00Z");
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_payment_that_was_settled_while_the_psu_read_is_too_late_to_stop() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    world.set_now("2026-09-01T10:55:00Z");
    let started = world.start_cancelling(&created);
    let page = question(&world, &started);
    world.set_now("2026-09-01T11:00:00Z");
    let end = Browser::at(&world.sandbox, link(&started)).submit(&page, &[], "continue");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("CONFLICT"));
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn another_person_sees_neither_a_basket_nor_a_cancellation() {
    let world = World::new();
    let payments = parts_of(&world);
    let basket = accepted(&world.start(&world.basket(&[&payments[0], &payments[1]])));
    let other = changed(straks(), &[("/instructedAmount/amount", json!("3.00"))]);
    let cancelling = world.start_cancelling(&world.pay(DOMESTIC, &other, PAYER));
    for started in [&basket, &cancelling] {
        let end = Browser::at(&world.sandbox, link(started)).identify(PAYEE);
        assert_eq!(parameter(end.location(), "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
        end.assert_hides(&["250.00", "3.00", "Testodius"]);
    }
}
