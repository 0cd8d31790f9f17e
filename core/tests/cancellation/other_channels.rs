//! What the bank's own app or desk does to a payment, through the sandbox's control.

use xs2a::payment::machine::PaymentStatus;
use xs2a::{Error, ScaAnswer};

use crate::world::baskets::own;
use crate::world::products::{every_product, DOMESTIC};
use crate::world::*;

#[test]
fn a_payment_that_another_channel_ended_is_not_carried_out_and_stays_readable() {
    for status in [PaymentStatus::Canc, PaymentStatus::Rjct] {
        let world = World::new();
        let created = world.pay(DOMESTIC, &straks(), PAYER);
        world.sandbox.report_payment_status(text(&created, "/paymentId"), status, Some(false)).unwrap();
        world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
        let shown = world.status(&created);
        assert_eq!(text(&shown, "/transactionStatus"), status.to_string());
        assert_eq!(shown["fundsAvailable"], false);
        assert_eq!(world.get(own(&created)).status(), 200);
        assert!(world.booked(PAYER_ACCOUNT).is_empty());
        assert_refused(&world.act("DELETE", own(&created)), 405, "CONFLICT", "");
        world.assert_reconciled();
    }
}

#[test]
fn a_payment_that_another_channel_only_moved_on_is_carried_out() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    world.sandbox.report_payment_status(text(&created, "/paymentId"), PaymentStatus::Acwc, None).unwrap();
    world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_report_that_the_table_has_no_row_for_is_the_hosts_mistake_and_stops_nothing() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let id = text(&created, "/paymentId");
    for (id, status) in [
        (id, PaymentStatus::Acsc),
        ("enc!!AAAAAAAAAAAAAAAAAAAAAAAA", PaymentStatus::Canc),
        ("a/b", PaymentStatus::Canc),
    ] {
        let told = world.sandbox.report_payment_status(id, status, None);
        assert!(matches!(told, Err(Error::Misuse(_))), "{id} {status}");
    }
    world.answer(&created, &ScaAnswer::approve(PAYER));
    world.set_now("2026-09-01T11:00:00Z");
    assert_eq!(world.transaction_status(&created), "ACSC");
    // What is settled cannot be taken back by telling.
    let told = world.sandbox.report_payment_status(id, PaymentStatus::Canc, None);
    assert!(matches!(told, Err(Error::Misuse(_))));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_payment_cancelled_in_another_channel_before_its_sca_is_final() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    world.sandbox.report_payment_status(text(&created, "/paymentId"), PaymentStatus::Canc, None).unwrap();
    let callback = world.answer(&created, &ScaAnswer::approve(PAYER));
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    assert_eq!(world.transaction_status(&created), "CANC");
}

#[test]
fn in_part_is_what_a_bulk_alone_can_be() {
    let world = World::new();
    for (target, order) in every_product() {
        let created = world.pay(target, &order, PAYER);
        if world.transaction_status(&created) != "PDNG" {
            continue;
        }
        let told =
            world.sandbox.report_payment_status(text(&created, "/paymentId"), PaymentStatus::Part, None);
        match target.starts_with("/v1/bulk-payments/") {
            true => told.unwrap(),
            false => assert!(matches!(told, Err(Error::Misuse(_))), "{target}"),
        }
    }
}
