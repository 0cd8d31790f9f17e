//! Many threads at one sandbox.

use std::sync::Barrier;
use std::thread;

use crate::world::*;
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::{Error, ScaAnswer};

const THREADS: usize = 8;

/// Runs the same work in eight threads that start at once.
fn at_once<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(THREADS);
    let run = |number| {
        start.wait();
        work(number)
    };
    thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..THREADS).map(|number| scope.spawn(move || run(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// How many of some things hold.
fn count<T>(things: &[T], holds: impl Fn(&T) -> bool) -> usize {
    things.iter().filter(|thing| holds(thing)).count()
}

fn in_memory_and_in_a_file(test: impl Fn(&World)) {
    test(&World::new());
    let folder = tempfile::tempdir().unwrap();
    test(&World::on_file(&folder.path().join("sandbox.db")));
}

#[test]
fn no_move_of_the_clock_is_lost_to_another() {
    let world = World::new();
    let start = world.sandbox.now();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..100).for_each(|_| world.sandbox.advance(TimeDelta::seconds(1)).unwrap()));
        }
    });
    assert_eq!(world.sandbox.now(), start + TimeDelta::seconds(400));
}

#[test]
fn eight_threads_that_create_and_authorise_book_every_payment_once() {
    const ROUNDS: usize = 10;
    in_memory_and_in_a_file(|world| {
        let made: Vec<Vec<Value>> = at_once(|number| {
            let order = changed(
                straks(),
                &[("/remittanceInformationUnstructured", json!(format!("thread {number}")))],
            );
            let target = format!("{STRAKS}?allowLogicalDuplicate=true");
            (0..ROUNDS).map(|_| world.pay(&target, &order, PAYER)).collect()
        });
        let mut ids: Vec<_> = made.iter().flatten().map(|created| text(created, "/paymentId")).collect();
        assert!(made.iter().flatten().all(|created| world.transaction_status(created) == "ACSC"));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), THREADS * ROUNDS);
        assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"; THREADS * ROUNDS]);
        assert_eq!(
            (world.balance(PAYER_ACCOUNT), world.balance(PAYEE_ACCOUNT)),
            ("80000.00".into(), "120000.00".into())
        );
        world.assert_reconciled();
    });
}

#[test]
fn money_that_suffices_for_three_of_eight_is_spent_three_times() {
    in_memory_and_in_a_file(|world| {
        let order = changed(straks(), &[("/instructedAmount/amount", json!("30000.00"))]);
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let made = at_once(|_| world.pay(&target, &order, PAYER));
        let statuses: Vec<_> = made.iter().map(|created| world.transaction_status(created)).collect();
        assert_eq!(count(&statuses, |status| status == "ACSC"), 3, "{statuses:?}");
        assert_eq!(count(&statuses, |status| status == "RJCT"), 5, "{statuses:?}");
        assert_eq!(world.balance(PAYER_ACCOUNT), "10000.00");
        world.assert_reconciled();
    });
}

#[test]
fn exactly_one_of_eight_answers_to_one_link_counts() {
    in_memory_and_in_a_file(|world| {
        let created = accepted(&world.create(STRAKS, &straks()));
        let answered = at_once(|_| world.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER)));
        assert_eq!(count(&answered, Result::is_ok), 1, "{answered:?}");
        assert_eq!(
            count(&answered, |answer| matches!(&answer, Err(error) if error.is_of_caller())),
            7,
            "{answered:?}"
        );
        assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    });
}

#[test]
fn of_eight_links_of_one_payment_one_authorises_and_others_conflict() {
    in_memory_and_in_a_file(|world| {
        let created = accepted(&world.create(STRAKS, &straks()));
        let links: Vec<_> = (0..THREADS).map(|_| accepted(&world.start(&created))).collect();
        let callbacks = at_once(|number| world.answer(&links[number], &ScaAnswer::approve(PAYER)));
        assert_eq!(count(&callbacks, |callback| parameter(callback, "psu-id").is_some()), 1, "{callbacks:?}");
        let conflicts = |callback: &String| parameter(callback, "code").as_deref() == Some("CONFLICT");
        assert_eq!(count(&callbacks, conflicts), 7, "{callbacks:?}");
        assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    });
}

#[test]
fn of_an_approval_and_an_abort_at_once_one_counts() {
    for _ in 0..5 {
        let world = World::new();
        let created = accepted(&world.create(STRAKS, &straks()));
        let answers = [ScaAnswer::approve(PAYER), abort()];
        let answered = at_once(|number| world.sandbox.authorise(link(&created), &answers[number % 2]));
        let counted: Vec<_> = answered.iter().flatten().collect();
        assert_eq!(counted.len(), 1);
        let approved = parameter(counted[0], "psu-id").is_some();
        assert_eq!(world.transaction_status(&created), if approved { "ACSC" } else { "RCVD" });
        assert_eq!(world.booked(PAYER_ACCOUNT).len(), usize::from(approved));
    }
}

#[test]
fn one_person_seen_by_eight_threads_for_the_first_time_gets_one_psu_id() {
    in_memory_and_in_a_file(|world| {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let ids = at_once(|_| {
            let created = accepted(&world.create(&target, &straks()));
            parameter(&world.answer(&created, &ScaAnswer::approve(PAYER)), "psu-id").unwrap()
        });
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    });
}

#[test]
fn one_request_sent_by_eight_threads_is_answered_201_once() {
    in_memory_and_in_a_file(|world| {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let order = straks().to_string();
        let headers = world.signed("POST", &target, &creation_headers(), order.as_bytes());
        let answers = at_once(|_| send(&world.sandbox, "POST", &target, &headers, order.as_bytes()));
        assert_eq!(count(&answers, |answer| answer.status() == 201), 1);
        for refusal in answers.iter().filter(|answer| answer.status() != 201) {
            assert_refused(refusal, 400, "BAD_REQUEST", "X-Request-ID");
        }
    });
}

#[test]
fn of_eight_like_payments_at_once_one_is_created() {
    in_memory_and_in_a_file(|world| {
        let answers = at_once(|_| world.create(STRAKS, &straks()));
        assert_eq!(count(&answers, |answer| answer.status() == 201), 1);
        for refusal in answers.iter().filter(|answer| answer.status() != 201) {
            assert_refused(refusal, 409, "CONFLICT", "");
        }
    });
}

#[test]
fn the_clock_moves_and_snapshots_are_taken_while_others_pay() {
    let world = World::new();
    let target = format!("{CROSS_BORDER}?allowLogicalDuplicate=true");
    let order = cross_border();
    at_once(|number| {
        for _ in 0..5 {
            match number {
                0 => {
                    world.sandbox.advance_to_next_event().unwrap();
                }
                1 => {
                    let image = world.sandbox.snapshot().unwrap();
                    let copy = World::new();
                    copy.sandbox.restore(&image).unwrap();
                    copy.assert_reconciled();
                }
                2 => world.clone().assert_reconciled(),
                _ => {
                    // The clock may move between signing and sending; then the call is late, and refused.
                    let response = world.create(&target, &order);
                    if response.status() == 201 {
                        let created = body(&response);
                        let _ = world.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER));
                    } else {
                        assert_refused(&response, 400, "BAD_REQUEST", "Date");
                    }
                }
            }
        }
    });
    while world.sandbox.advance_to_next_event().unwrap().is_some() {}
    world.assert_reconciled();
    let booked = world.booked(PAYER_ACCOUNT);
    assert_eq!(count(&booked, |amount| amount == "-30.00"), count(&booked, |amount| amount == "-1172.50"));
}

#[test]
fn eight_threads_that_move_the_clock_settle_what_is_due_once() {
    let world = World::new();
    let created = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    at_once(|_| world.sandbox.set_now(at("2026-09-02T00:00:00Z")).unwrap());
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-1172.50"]);
}

#[test]
fn answers_beside_an_initialisation_count_before_it_or_find_the_link_gone() {
    in_memory_and_in_a_file(|world| {
        for round in 0..20 {
            let target = format!("{STRAKS}?allowLogicalDuplicate=true");
            let links: Vec<_> = (0..THREADS).map(|_| accepted(&world.create(&target, &straks()))).collect();
            let answered = at_once(|number| match number {
                0 if round % 2 == 0 => {
                    let response = world.call("POST", "/v1/sandbox/initialize", &[], b"");
                    assert_eq!(response.status(), 201, "{}", body(&response));
                    Ok(String::new())
                }
                0 => world.sandbox.initialize().map(|()| String::new()),
                _ => world.sandbox.authorise(link(&links[number]), &ScaAnswer::approve(PAYER)),
            });
            let is_expected = |ended: &Result<_, Error>| ended.as_ref().err().is_none_or(Error::is_of_caller);
            assert!(answered.iter().all(is_expected), "round {round}: {answered:?}");
            // Any earlier payment is removed, and no payment was booked later.
            assert_eq!(world.booked(PAYER_ACCOUNT), [""; 0], "round {round}");
            assert_eq!(world.sandbox.engine().next_due().unwrap(), None);
            world.assert_reconciled();
        }
    });
}
