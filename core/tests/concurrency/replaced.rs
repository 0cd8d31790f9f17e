//! Calls beside a replacement of all that the bank has: they count before it, or not at all.

use std::sync::Barrier;
use std::thread;

use crate::world::*;
use chrono::TimeDelta;
use serde_json::Value;
use xs2a::ScaAnswer;

const ROUNDS: usize = 60;
/// How many act beside a replacement.
const ACTORS: usize = 7;

fn in_memory_and_in_a_file(test: impl Fn(&World)) {
    test(&World::new());
    let folder = tempfile::tempdir().unwrap();
    test(&World::on_file(&folder.path().join("sandbox.db")));
}

/// Puts the bank to a state in which actors may act, and restores another one while they do.
fn restored_beside(world: &World, begun: &[u8], other: &[u8], act: impl Fn(usize) + Sync) {
    world.sandbox.restore(begun).unwrap();
    let start = Barrier::new(ACTORS + 1);
    thread::scope(|scope| {
        for number in 0..ACTORS {
            let (start, act) = (&start, &act);
            scope.spawn(move || {
                start.wait();
                act(number);
            });
        }
        start.wait();
        world.sandbox.restore(other).unwrap();
    });
}

#[test]
fn what_the_bank_exempts_is_paid_before_a_restore_or_never() {
    in_memory_and_in_a_file(|world| {
        let psu_id = world.payer_id();
        world.sandbox.set_sca_demand(PAYER, "exempt").unwrap();
        let image = world.sandbox.snapshot().unwrap();
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        for round in 0..ROUNDS {
            restored_beside(world, &image, &image, |_| {
                world.create_for(&psu_id, &target, &straks());
            });
            // A payment that was made after the restore is known, and is paid.
            let bookings = world.booked(PAYER_ACCOUNT).iter().filter(|amount| *amount == "-250.00").count();
            let state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
            // One is the payment that made the payer known.
            assert_eq!(bookings + 1, state["payments"].as_array().unwrap().len(), "round {round}");
            world.assert_reconciled();
        }
    });
}

#[test]
fn a_payment_cancelled_during_a_restore_is_paid_or_cancelled() {
    in_memory_and_in_a_file(|world| {
        let target = format!("{CROSS_BORDER}?allowLogicalDuplicate=true");
        let orders: Vec<_> = (0..ACTORS).map(|_| world.pay(&target, &cross_border(), PAYER)).collect();
        let before = world.sandbox.snapshot().unwrap();
        let links: Vec<_> = orders.iter().map(|order| world.start_cancelling(order)).collect();
        let asked = world.sandbox.snapshot().unwrap();
        for round in 0..ROUNDS {
            restored_beside(world, &asked, &before, |number| {
                let _ = world.sandbox.authorise(link(&links[number]), &ScaAnswer::approve(PAYER));
            });
            world.sandbox.advance(TimeDelta::days(1)).unwrap();
            for order in &orders {
                let target = text(order, "/_links/status/href");
                let status = body(&world.get(target));
                assert_eq!(text(&status, "/transactionStatus"), "ACSC", "round {round}");
            }
            world.assert_reconciled();
        }
    });
}

#[test]
fn a_tpp_that_a_restored_bank_does_not_have_is_not_registered() {
    in_memory_and_in_a_file(|world| {
        let without = world.sandbox.snapshot().unwrap();
        let late = world.sandbox.register_tpp("Late Pay", &["AISP", "PISP"]).unwrap();
        let with = world.sandbox.snapshot().unwrap();
        for round in 0..ROUNDS {
            let ask = || {
                let request_id = draft::request_id();
                let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("X-Request-ID", &request_id)];
                world.call_by(&late, "GET", "/v1/accounts", &headers, b"").status()
            };
            restored_beside(world, &with, &without, |_| {
                ask();
            });
            assert_eq!(ask(), 403, "round {round}");
        }
    });
}
