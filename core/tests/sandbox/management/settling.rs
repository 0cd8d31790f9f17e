//! What was made by hand pays and is paid like anything else in the sandbox.

use serde_json::json;
use xs2a::ScaAnswer;

use crate::counter::{balance, balances, closing, ACCOUNTS, COMPANY, CUSTOMERS};
use crate::world::products::PLAIN_CROSS_BORDER;
use crate::world::{
    accepted, changed, cross_border, parameter, straks, text, World, CROSS_BORDER, PAYEE_ACCOUNT, STRAKS,
};

const PERSON: &str = "12345678901";
/// Numbers of 32 bits, used for sums beyond them.
const LEAST: i64 = i32::MIN as i64;
const MOST: i64 = i32::MAX as i64;

#[test]
fn a_payment_of_a_new_customer_from_a_new_account_to_another_settles() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    let (from, to) = (world.account(PERSON, 1_000), world.account(COMPANY, 5));
    let order = changed(
        straks(),
        &[("/debtorAccount/bban", from["bban"].clone()), ("/creditorAccount/bban", to["bban"].clone())],
    );
    let created = world.pay(STRAKS, &order, PERSON);
    assert_eq!(world.transaction_status(&created), "ACSC");
    let shown = |account: &serde_json::Value| {
        balances(&world.found(&format!("{ACCOUNTS}/{}", text(account, "/id")))["balances"])
    };
    assert_eq!((shown(&from), shown(&to)), ((750, 750), (255, 255)));
    let listed = world.found(&format!("{ACCOUNTS}/{}/transactions", text(&to, "/id")));
    assert_eq!(listed[0]["debtorName"], "Ny Kunde");
    world.assert_reconciled();
}

#[test]
fn money_that_is_not_there_is_rejected_until_it_is_set_by_hand() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    let from = world.account(PERSON, 249);
    let order = changed(straks(), &[("/debtorAccount/bban", from["bban"].clone())]);
    let poor = world.pay(STRAKS, &order, PERSON);
    let status = world.status(&poor);
    assert_eq!((&status["transactionStatus"], &status["fundsAvailable"]), (&json!("RJCT"), &json!(false)));
    world.put(&format!("{ACCOUNTS}/{}/balances", text(&from, "/id")), &json!([closing(250)]));
    assert_eq!(world.transaction_status(&world.pay(STRAKS, &order, PERSON)), "ACSC");
}

#[test]
fn amounts_blocked_by_hand_or_only_expected_cannot_be_paid() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    for (booked, expected, status) in
        [(1_000, 249, "RJCT"), (1_000, 250, "ACSC"), (249, 1_000, "RJCT"), (250, 1_000, "ACSC")]
    {
        let sent = [closing(booked), balance("expected", expected, "NOK")];
        let made =
            world.made(ACCOUNTS, &json!({"customerNumber": PERSON, "currency": "NOK", "balances": sent}));
        let order = changed(straks(), &[("/debtorAccount/bban", made["bban"].clone())]);
        let paid = world.pay(STRAKS, &order, PERSON);
        assert_eq!(world.transaction_status(&paid), status, "{booked} {expected}");
    }
}

#[test]
fn an_account_pays_from_its_credit_line_too() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    for (line, status) in [(249, "RJCT"), (250, "ACSC")] {
        let made =
            world.made(ACCOUNTS, &json!({"customerNumber": PERSON, "currency": "NOK", "creditLine": line}));
        let order = changed(straks(), &[("/debtorAccount/bban", made["bban"].clone())]);
        assert_eq!(world.transaction_status(&world.pay(STRAKS, &order, PERSON)), status, "{line}");
    }
}

#[test]
fn a_waiting_payment_lowers_the_expected_balance_after_it_is_set_too() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    let from = world.account(PERSON, 10_000);
    let target = format!("{ACCOUNTS}/{}/balances", text(&from, "/id"));
    let order = changed(
        cross_border(),
        &[
            ("/debtorAccount/bban", from["bban"].clone()),
            ("/instructedAmount", json!({"amount": "100.00", "currency": "NOK"})),
        ],
    );
    world.pay(CROSS_BORDER, &order, PERSON);
    let shown = || balances(&world.found(target.trim_end_matches("/balances"))["balances"]);
    assert_eq!(shown(), (10_000, 9_870), "100 and the fee of 30");
    for (sent, expected) in [
        (json!([closing(1_000)]), (1_000, 870)),
        (json!([balance("expected", 1_000, "NOK")]), (1_130, 1_000)),
        (json!([closing(1_000), balance("expected", 500, "NOK")]), (1_000, 500)),
    ] {
        assert_eq!(balances(&world.put(&target, &sent)), expected, "{sent}");
        assert_eq!(shown(), expected);
    }
    world.sandbox.advance_to_next_event().unwrap();
    assert_eq!(shown(), (870, 500), "what was held back by hand stays so");
    world.assert_reconciled();
}

#[test]
fn orders_beyond_any_sum_leave_balances_that_can_be_shown_and_set() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    world.sandbox.set_policy(r#"{"rates": {"KWD": "50000"}}"#).unwrap();
    let from = world.account(PERSON, 10_000);
    let path = format!("{ACCOUNTS}/{}", text(&from, "/id"));
    for amount in ["9999999999999.999", "9999999999999.998", "9999999999999.997"] {
        let sum = json!({"amount": amount, "currency": "KWD"});
        let order = changed(
            cross_border(),
            &[("/debtorAccount/bban", from["bban"].clone()), ("/instructedAmount", sum)],
        );
        assert_eq!(world.transaction_status(&world.pay(PLAIN_CROSS_BORDER, &order, PERSON)), "PDNG");
    }
    // What waits is beyond 32 bits, and is answered as the nearest number of so many.
    assert_eq!(balances(&world.found(&path)["balances"]), (10_000, LEAST));
    for (sent, expected) in [
        (json!([closing(1_000)]), (1_000, LEAST)),
        (json!([balance("expected", -1_000, "NOK")]), (MOST, -1_000)),
        (json!([closing(1_000), balance("expected", 500, "NOK")]), (1_000, 500)),
    ] {
        assert_eq!(balances(&world.put(&format!("{path}/balances"), &sent)), expected, "{sent}");
    }
    world.sandbox.advance_to_next_event().unwrap();
    world.assert_reconciled();
}

#[test]
fn an_order_whose_account_was_deleted_is_rejected() {
    let world = World::new();
    world.customer(PERSON, "PRIVATE");
    let from = world.account(PERSON, 10_000);
    let order = changed(cross_border(), &[("/debtorAccount/bban", from["bban"].clone())]);
    let created = world.pay(CROSS_BORDER, &order, PERSON);
    assert_eq!(world.transaction_status(&created), "PDNG");
    world.delete_twice(&format!("{ACCOUNTS}/{}", text(&from, "/id")), "SBX-04");
    world.sandbox.advance_to_next_event().unwrap();
    assert_eq!(world.transaction_status(&created), "RJCT");
    world.assert_reconciled();
}

#[test]
fn a_deleted_customer_cannot_approve() {
    let world = World::new();
    let id = world.customer(PERSON, "PRIVATE");
    let from = world.account(PERSON, 1_000);
    let order = changed(straks(), &[("/debtorAccount/bban", from["bban"].clone())]);
    let created = accepted(&world.create(STRAKS, &order));
    world.delete_twice(&format!("{CUSTOMERS}/{id}"), "SBX-01");
    let url = world.answer(&created, &ScaAnswer::approve(PERSON));
    assert_eq!(parameter(&url, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
}

#[test]
fn initialising_ends_the_payments_of_everybody() {
    let world = World::new();
    let created = world.pay(STRAKS, &straks(), crate::world::PAYER);
    let response = world.send("POST", "/v1/sandbox/initialize", &serde_json::Value::Null);
    assert_eq!(response.status(), 201);
    assert_eq!(world.get(text(&created, "/_links/status/href")).status(), 404);
    assert_eq!(world.balance(PAYEE_ACCOUNT), "100000.00");
}
