//! Changes of a payment by the bank's own app or staff, through the sandbox's control.

use std::sync::Arc;

use serde_json::{json, Value};
use xs2a::bank::{Bank, PaymentStatus};
use xs2a::internal::{Database, SandboxBank};
use xs2a::types::{PaymentId, Rates};
use xs2a::{FaultSpec, ScaAnswer};

use crate::world::baskets::own;
use crate::world::products::{every_product, DOMESTIC};
use crate::world::*;

#[test]
fn a_payment_ended_by_another_channel_is_not_made_and_is_readable() {
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
fn the_reason_of_a_rejection_may_be_reported_later_and_once() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    for (reported, known) in [(None, Value::Null), (Some(false), json!(false)), (Some(true), json!(false))] {
        world
            .sandbox
            .report_payment_status(text(&created, "/paymentId"), PaymentStatus::Rjct, reported)
            .unwrap();
        assert_eq!(world.status(&created)["fundsAvailable"], known, "{reported:?}");
    }
}

#[test]
fn what_was_settled_in_the_end_had_its_funds() {
    for (first, before) in [(PaymentStatus::Acwc, json!(false)), (PaymentStatus::Acsp, json!(false))] {
        let world = World::new();
        let created = world.pay(DOMESTIC, &straks(), PAYER);
        let id = text(&created, "/paymentId");
        world.sandbox.report_payment_status(id, first, Some(false)).unwrap();
        assert_eq!(world.status(&created)["fundsAvailable"], before);
        world.sandbox.engine().report_payment_status(id, PaymentStatus::Acsc, None).unwrap();
        assert_eq!(world.status(&created)["fundsAvailable"], Value::Null);
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
fn a_payment_settled_by_another_channel_is_booked_once() {
    for (target, order) in every_product().into_iter().filter(|(target, _)| !target.contains("periodic")) {
        let world = World::new();
        let created = world.pay(target, &order, PAYER);
        let id = text(&created, "/paymentId");
        world.sandbox.report_payment_status(id, PaymentStatus::Acsc, Some(true)).unwrap();
        let booked = world.booked(PAYER_ACCOUNT);
        assert!(!booked.is_empty(), "{target}");
        assert_eq!(world.transaction_status(&created), "ACSC", "{target}");
        world.sandbox.advance(chrono::TimeDelta::days(10)).unwrap();
        assert_eq!(world.booked(PAYER_ACCOUNT), booked, "{target}");
        assert_eq!(world.transaction_status(&created), "ACSC", "{target}");
        world.assert_reconciled();
    }
}

/// A bulk of two entries that wait for the batch, for more money together than there is.
fn bulk_beyond_the_balance(world: &World) -> Value {
    let (target, mut order) =
        every_product().into_iter().find(|(target, _)| target.contains("bulk")).unwrap();
    let entry = changed(order["payments"][0].clone(), &[("/instructedAmount/amount", json!("60000.00"))]);
    order["payments"] =
        json!([entry.clone(), changed(entry, &[("/instructedAmount/amount", json!("60000.01"))])]);
    world.pay(target, &order, PAYER)
}

#[test]
fn what_is_left_of_a_bulk_in_part_is_not_paid_again() {
    for end in [None, Some(PaymentStatus::Acsc), Some(PaymentStatus::Rjct)] {
        let world = World::new();
        let created = bulk_beyond_the_balance(&world);
        let report = |status| world.sandbox.report_payment_status(text(&created, "/paymentId"), status, None);
        report(PaymentStatus::Part).unwrap();
        // A bank may report twice.
        end.into_iter().for_each(|end| (0..2).for_each(|_| report(end).unwrap()));
        world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
        assert_eq!(world.transaction_status(&created), end.unwrap_or(PaymentStatus::Part).to_string());
        assert!(world.booked(PAYER_ACCOUNT).is_empty(), "{end:?}");
        world.assert_reconciled();
    }
}

#[test]
fn a_bulk_that_is_yet_to_be_booked_cannot_be_where_no_part_follows() {
    let world = World::new();
    let created = bulk_beyond_the_balance(&world);
    let report = |status| world.sandbox.report_payment_status(text(&created, "/paymentId"), status, None);
    report(PaymentStatus::Acsp).unwrap();
    assert!(matches!(&report(PaymentStatus::Acwp), Err(error) if error.is_of_caller()));
    world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
    assert_eq!(world.transaction_status(&created), "PART");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-60000.00"]);
    report(PaymentStatus::Acsc).unwrap();
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-60000.00"], "the rest was paid elsewhere");
}

#[test]
fn a_status_that_is_refused_leaves_the_order_where_it_is() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let id = text(&created, "/paymentId");
    let reported = world.sandbox.report_payment_status(id, PaymentStatus::Part, None);
    assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{reported:?}");
    world.sandbox.report_payment_status(id, PaymentStatus::Acwp, None).unwrap();
    world.sandbox.report_payment_status(id, PaymentStatus::Acsc, None).unwrap();
    let shown = world.status(&created);
    assert_eq!((text(&shown, "/transactionStatus"), &shown["fundsAvailable"]), ("ACSC", &json!(true)));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_payment_without_an_order_is_not_settled_by_a_report() {
    let world = World::new();
    let spec = r#"{"kind":"submit_payment","times":1}"#;
    world.sandbox.add_fault(FaultSpec::from_json(spec).unwrap()).unwrap();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let reported =
        world.sandbox.report_payment_status(text(&created, "/paymentId"), PaymentStatus::Acsc, None);
    assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{reported:?}");
    world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
    assert_eq!(world.transaction_status(&created), "ACSC", "delivered again, and carried out");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_bulk_without_an_order_is_not_part_settled_by_a_report() {
    let world = World::new();
    let spec = r#"{"kind":"submit_payment","times":1}"#;
    world.sandbox.add_fault(FaultSpec::from_json(spec).unwrap()).unwrap();
    let created = bulk_beyond_the_balance(&world);
    let reported =
        world.sandbox.report_payment_status(text(&created, "/paymentId"), PaymentStatus::Part, None);
    assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{reported:?}");
    world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
    assert_eq!(world.transaction_status(&created), "PART", "delivered again, and carried out");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-60000.00"]);
}

#[test]
fn a_payment_that_cannot_be_booked_is_not_settled_by_a_report() {
    let of = |order: &Value, sum: &str| changed(order.clone(), &[("/instructedAmount/amount", json!(sum))]);
    let (bulk, mut in_part) =
        every_product().into_iter().find(|(target, _)| target.contains("bulk")).unwrap();
    let entry = in_part["payments"][0].clone();
    in_part["payments"] = json!([of(&entry, "60000.00"), of(&entry, "60000.01")]);
    for (target, order) in [(DOMESTIC, of(&straks(), "100001.01")), (bulk, in_part)] {
        let world = World::new();
        let created = world.pay(target, &order, PAYER);
        let id = text(&created, "/paymentId");
        let reported = world.sandbox.report_payment_status(id, PaymentStatus::Acsc, Some(true));
        assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{target}: {reported:?}");
        assert_eq!(world.transaction_status(&created), "PDNG", "{target}");
        assert!(world.booked(PAYER_ACCOUNT).is_empty(), "{target}");
    }
}

#[test]
fn a_report_without_a_transition_is_misuse_and_stops_no_other() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let id = text(&created, "/paymentId");
    for (id, status) in [
        (id, PaymentStatus::Acsc),
        ("enc!!AAAAAAAAAAAAAAAAAAAAAAAA", PaymentStatus::Canc),
        ("a/b", PaymentStatus::Canc),
    ] {
        let reported = world.sandbox.report_payment_status(id, status, None);
        assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{id} {status}");
    }
    world.answer(&created, &ScaAnswer::approve(PAYER));
    world.set_now("2026-09-01T11:00:00Z");
    assert_eq!(world.transaction_status(&created), "ACSC");
    // A report cannot take back a settled payment.
    let reported = world.sandbox.report_payment_status(id, PaymentStatus::Canc, None);
    assert!(matches!(&reported, Err(error) if error.is_of_caller()));
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
        let reported =
            world.sandbox.report_payment_status(text(&created, "/paymentId"), PaymentStatus::Part, None);
        match target.starts_with("/v1/bulk-payments/") {
            true => reported.unwrap(),
            false => assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{target}"),
        }
    }
}

/// The simulated bank on the file of a sandbox, as another process has it.
fn bank_on(file: &std::path::Path) -> SandboxBank {
    SandboxBank::new(Arc::new(Database::open_file_for_sandbox(file, |_| Ok(())).unwrap()), Rates::default())
}

#[test]
fn a_settled_payment_not_yet_reported_cannot_be_ended_by_a_report() {
    for status in [PaymentStatus::Canc, PaymentStatus::Rjct] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sandbox.db");
        let world = World::on_file(&file);
        let created = world.pay(DOMESTIC, &straks(), PAYER);
        // As if the power failed between the batch and its report.
        assert_eq!(bank_on(&file).run(at("2026-09-01T11:00:00Z")).unwrap().len(), 1);
        let reported = world.sandbox.report_payment_status(text(&created, "/paymentId"), status, None);
        assert!(matches!(&reported, Err(error) if error.is_of_caller()), "{status}");
        assert_eq!(world.transaction_status(&created), "PDNG");
        world.set_now("2026-09-01T11:00:00Z");
        assert_eq!(world.transaction_status(&created), "ACSC");
        assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    }
}

#[test]
fn an_end_that_reached_only_the_bank_can_be_reported_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let world = World::on_file(&file);
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let id = text(&created, "/paymentId");
    let given_up = PaymentId::parse(id).unwrap();
    bank_on(&file).payments().cancel_payment(&given_up, at("2026-09-01T10:30:00Z")).unwrap();
    for _ in 0..2 {
        world.sandbox.report_payment_status(id, PaymentStatus::Canc, None).unwrap();
        assert_eq!(world.transaction_status(&created), "CANC");
    }
    world.set_now("2026-09-02T00:00:00Z");
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
}
