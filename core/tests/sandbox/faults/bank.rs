//! A bank that is down, that has no rate, that does not take a payment.

use crate::world::*;
use xs2a::{Error, FaultKind, FaultSpec, ScaAnswer};

fn bank_down() -> FaultSpec {
    FaultSpec::of(FaultKind::BankDown)
}

#[test]
fn calls_that_ask_the_bank_are_answered_system_error_and_store_nothing() {
    let world = World::new();
    let operation = Some("createPayment".to_owned());
    let fault = world.sandbox.add_fault(FaultSpec { operation, ..bank_down() }).unwrap();
    let before = draft::database(&world.sandbox);
    let response = world.create(STRAKS, &straks());
    assert_eq!(response.reason(), Some("SYS-02"));
    assert_refused(&response, 500, "SYSTEM_ERROR", "");
    assert!(draft::database(&world.sandbox) == before);
    assert_eq!(fault.hits(), 1);
    world.sandbox.clear_faults();
    assert_eq!(world.create(STRAKS, &straks()).status(), 201);
}

#[test]
fn calls_that_do_not_ask_the_bank_are_answered_while_it_is_down() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    world.sandbox.add_fault(bank_down()).unwrap();
    assert_eq!(world.transaction_status(&created), "RCVD");
    assert_eq!(world.call("GET", "/v1/sandbox/customers", &[], b"").status(), 200, "a control, no call");
}

#[test]
fn account_information_of_a_bank_that_is_down_is_a_system_error() {
    let world = World::new();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "s")];
    let started = body(&world.call("POST", "/v1/bank-offered-consents", &headers, b""));
    let psu_id = parameter(&world.answer(&started, &ScaAnswer::approve(PAYER)), "psu-id").unwrap();
    let read = || {
        let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("PSU-ID", psu_id.as_str())];
        world.call("GET", "/v1/accounts", &headers, b"").status()
    };
    world.sandbox.add_fault(FaultSpec { nth: Some(2), ..bank_down() }).unwrap();
    assert_eq!([read(), read(), read()], [200, 500, 200]);
}

#[test]
fn without_conditions_the_bank_is_down_for_scas_and_deliveries_too() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let fault = world.sandbox.add_fault(bank_down()).unwrap();
    let answered = world.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER));
    assert!(matches!(answered, Err(Error::Bank(_))), "{answered:?}");
    assert!(fault.hits() > 0);
    world.sandbox.clear_faults();
    world.answer(&created, &ScaAnswer::approve(PAYER));
    assert_eq!(world.transaction_status(&created), "ACSC", "the link was still open");
}

#[test]
fn with_a_condition_it_is_down_for_those_calls_alone() {
    let world = World::new();
    let operation = Some("getAccounts".to_owned());
    world.sandbox.add_fault(FaultSpec { operation, ..bank_down() }).unwrap();
    let created = world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_call_on_another_thread_finds_the_bank_up() {
    let world = World::new();
    let healthy = world.sandbox.register_tpp("Healthy", &["PISP"]).unwrap();
    let tpp = Some(world.tpp.organisation_id().to_owned());
    world.sandbox.add_fault(FaultSpec { tpp, ..bank_down() }).unwrap();
    let order = straks().to_string();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    std::thread::scope(|scope| {
        for (tpp, status) in [(&world.tpp, 500), (&healthy, 201), (&world.tpp, 500), (&healthy, 201)] {
            let (world, order, target) = (&world, &order, &target);
            scope.spawn(move || {
                for _ in 0..20 {
                    let answer = world.call_by(tpp, "POST", target, &creation_headers(), order.as_bytes());
                    assert_eq!(answer.status(), status, "{}", body(&answer));
                }
            });
        }
    });
}

#[test]
fn a_bank_without_rates_fails_a_payment_in_another_currency() {
    let world = World::new();
    world.sandbox.add_fault(FaultSpec { times: Some(1), ..FaultSpec::of(FaultKind::NoRate) }).unwrap();
    let refused = world.create(CROSS_BORDER, &cross_border());
    assert_refused(&refused, 400, "PAYMENT_FAILED", "/instructedAmount/currency");
    assert_eq!(refused.reason(), Some("PAY-07"));
    assert_eq!(world.create(CROSS_BORDER, &cross_border()).status(), 201);
}

#[test]
fn a_payment_that_is_not_taken_is_delivered_again_and_paid_once() {
    let world = World::new();
    let spec = FaultSpec { times: Some(2), ..FaultSpec::of(FaultKind::SubmitPayment) };
    let fault = world.sandbox.add_fault(spec).unwrap();
    let created = world.pay(STRAKS, &straks(), PAYER);
    let next_due = || world.sandbox.engine().next_due().unwrap();
    for seconds in [1, 2] {
        let (failed_at, due_at) = (world.sandbox.now(), next_due().unwrap());
        assert_eq!(world.transaction_status(&created), "PDNG");
        // Each waits twice as long as the one before, and up to a quarter less, so that not all come at once.
        let waits = (due_at - failed_at).num_milliseconds();
        assert!((750 * seconds..=1_000 * seconds).contains(&waits), "{waits} ms");
        assert_eq!(world.sandbox.advance_to_next_event().unwrap(), Some(due_at));
    }
    assert_eq!((world.transaction_status(&created).as_str(), next_due()), ("ACSC", None));
    assert_eq!((fault.seen(), fault.hits()), (3, 2));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    world.assert_reconciled();
}

#[test]
fn only_payments_of_the_named_product_are_not_taken() {
    let world = World::new();
    let product = Some("sepa-credit-transfers".to_owned());
    world.sandbox.add_fault(FaultSpec { product, ..FaultSpec::of(FaultKind::SubmitPayment) }).unwrap();
    let created = world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
    let created = world.pay(products::SEPA, &products::sepa(), PAYER);
    assert_eq!(world.transaction_status(&created), "PDNG");
    assert!(world.sandbox.engine().next_due().unwrap().is_some(), "it waits in the outbox");
}
