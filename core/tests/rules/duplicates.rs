//! Which payments are logical duplicates, and for how long.

use crate::world::*;
use serde_json::{json, Value};
use xs2a::payment::machine::PaymentStatus;
use xs2a::{Response, ScaAnswer};

fn report(world: &World, created: &Value, status: PaymentStatus) {
    let id = text(created, "/paymentId");
    world.sandbox.engine().report_payment_status(id, status, None).unwrap();
}

fn again(world: &World, order: &Value) -> Response {
    world.create(STRAKS, order)
}

#[test]
fn a_like_payment_is_refused_for_24_hours_to_the_microsecond() {
    let world = World::new();
    accepted(&again(&world, &straks()));
    world.set_now("2026-09-02T09:59:59.999999Z");
    assert_refused(&again(&world, &straks()), 409, "CONFLICT", "");
    world.set_now("2026-09-02T10:00:00Z");
    accepted(&again(&world, &straks()));
}

#[test]
fn a_like_payment_is_let_pass_where_the_call_allows_it() {
    let world = World::new();
    accepted(&again(&world, &straks()));
    let target = |value: &str| format!("{STRAKS}?allowLogicalDuplicate={value}");
    assert_refused(&world.create(&target("false"), &straks()), 409, "CONFLICT", "");
    accepted(&world.create(&target("true"), &straks()));
    for value in ["yes", "TRUE", "1", ""] {
        let response = world.create(&target(value), &straks());
        assert_refused(&response, 400, "FORMAT_ERROR", "allowLogicalDuplicate");
    }
    let twice = format!("{STRAKS}?allowLogicalDuplicate=true&allowLogicalDuplicate=true");
    assert_refused(&world.create(&twice, &straks()), 400, "FORMAT_ERROR", "allowLogicalDuplicate");
}

#[test]
fn each_of_the_compared_fields_makes_a_payment_unlike() {
    let world = World::new();
    accepted(&again(&world, &straks()));
    for changes in [
        vec![("/instructedAmount/amount", json!("250.01"))],
        vec![("/instructedAmount/currency", json!("SEK"))],
        vec![("/debtorAccount/bban", json!("95360573010"))],
        vec![("/debtorAccount/currency", json!("EUR"))],
        vec![("/creditorAccount/bban", json!(EUR_ACCOUNT))],
        vec![("/creditorAccount/currency", json!("EUR"))],
        vec![("/remittanceInformationUnstructured", json!("Invoice 1002"))],
        vec![("/remittanceInformationUnstructured", Value::Null)],
        vec![
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructured", json!({"reference": "1234567897"})),
        ],
    ] {
        let order = changed(straks(), &changes);
        accepted(&again(&world, &order));
        assert_refused(&again(&world, &order), 409, "CONFLICT", "");
    }
}

#[test]
fn product_and_tpp_make_a_payment_unlike() {
    let world = World::new();
    let order = changed(
        cross_border(),
        &[
            ("/creditorAccount", json!({"bban": PAYEE_ACCOUNT, "currency": "NOK"})),
            ("/instructedAmount", json!({"amount": "250.00", "currency": "NOK"})),
        ],
    );
    accepted(&world.create(STRAKS, &changed(order.clone(), &[("/creditorAgent", Value::Null)])));
    accepted(&world.create(CROSS_BORDER, &order));

    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let body = straks().to_string();
    accepted(&world.call_by(&other, "POST", STRAKS, &creation_headers(), body.as_bytes()));
}

#[test]
fn the_same_order_is_a_duplicate_however_its_psu_is_named() {
    let world = World::new();
    let psu_id = world.payer_id();
    let order = changed(straks(), &[("/instructedAmount/amount", json!("99.00"))]);
    accepted(&world.create(STRAKS, &order));
    assert_refused(&world.create_for(&psu_id, STRAKS, &order), 409, "CONFLICT", "");
    assert_refused(&world.create_with(STRAKS, &[("X-PSU-IDENTITY", PAYER)], &order), 409, "CONFLICT", "");
}

/// Payments from the card account of the payer, named either way.
fn by_card(number: &str) -> Value {
    let other = json!({"identification": number, "schemeNameProprietary": "creditCardAccount"});
    changed(straks(), &[("/debtorAccount", json!({"other": other, "currency": "NOK"}))])
}

#[test]
fn a_card_account_is_one_account_by_its_number_and_by_its_masked_pan() {
    for (first, second) in [
        (PAYER_CARD, PAYER_CARD_MASKED),
        (PAYER_CARD_MASKED, PAYER_CARD),
        (PAYER_CARD, PAYER_CARD),
        (PAYER_CARD_MASKED, PAYER_CARD_MASKED),
    ] {
        // Of the same identified PSU, and of a PSU that was not identified at first.
        for is_identified in [true, false] {
            let world = World::new();
            let psu_id = world.payer_id();
            let created = match is_identified {
                true => world.create_for(&psu_id, STRAKS, &by_card(first)),
                false => again(&world, &by_card(first)),
            };
            accepted(&created);
            let second_time = world.create_for(&psu_id, STRAKS, &by_card(second));
            assert_refused(&second_time, 409, "CONFLICT", "");
            let target = format!("{STRAKS}?allowLogicalDuplicate=true");
            accepted(&world.create_for(&psu_id, &target, &by_card(second)));
            // An ordinary account is another one.
            accepted(&world.create_for(&psu_id, STRAKS, &straks()));
        }
    }
}

#[test]
fn a_card_account_named_otherwise_is_another_until_the_psu_is_known() {
    let world = World::new();
    accepted(&again(&world, &by_card(PAYER_CARD)));
    // The bank resolves a masked PAN only for an identified person.
    accepted(&again(&world, &by_card(PAYER_CARD_MASKED)));
}

#[test]
fn dots_and_spaces_in_an_account_number_do_not_make_a_payment_unlike() {
    let world = World::new();
    accepted(&again(&world, &straks()));
    for (pointer, number) in [
        ("/debtorAccount/bban", "9536.05.73002"),
        ("/debtorAccount/bban", "9536 05 73002"),
        ("/creditorAccount/bban", "9536.05.73037"),
    ] {
        let order = changed(straks(), &[(pointer, json!(number))]);
        assert_refused(&again(&world, &order), 409, "CONFLICT", "");
    }
}

#[test]
fn a_payee_abroad_is_another_at_another_bank_and_the_same_at_its_branches() {
    let world = World::new();
    let creation = |agent: &str| {
        let account = json!({"bban": "000123456789", "currency": "USD"});
        let changes = [("/creditorAccount", account), ("/creditorAgent", json!(agent))];
        world.create(CROSS_BORDER, &changed(cross_border(), &changes))
    };
    accepted(&creation("CHASUS33"));
    accepted(&creation("BOFAUS3N"));
    for agent in ["CHASUS33", "CHASUS33XXX", "BOFAUS3NXXX"] {
        assert_refused(&creation(agent), 409, "CONFLICT", "");
    }
}

/// A person who acts for the company, from a first payment for it: PSU-ID and PSU-Corporate-ID.
fn for_the_company(world: &World, answer: &ScaAnswer, sum: &str) -> (String, String) {
    let changes = [("/debtorAccount/bban", json!(COMPANY_ACCOUNT)), ("/instructedAmount/amount", json!(sum))];
    let order = changed(straks(), &changes);
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &order));
    let callback = world.answer(&created, answer);
    (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap())
}

#[test]
fn two_psus_who_pay_the_same_from_one_account_make_two_payments() {
    let world = World::new();
    let engaged = json!({
        "name": "Second signer",
        "owner": "18129215603",
        "engagements": [{
            "customer": PAYER, "account": {"bban": COMPANY_ACCOUNT}, "roles": ["REGISTER", "VIEW"],
            "registerLimit": 1000, "approvalLimit": 1000,
        }],
    });
    let sent = engaged.to_string();
    accepted(&world.call("POST", "/v1/sandbox/agreements", &[], sent.as_bytes()));
    let second_signer = ScaAnswer {
        context: xs2a::Context::Corporate,
        agreement: Some("Second signer".to_owned()),
        ..ScaAnswer::approve(PAYER)
    };
    let one = for_the_company(&world, &approve_for(COMPANY_AGREEMENT), "1.00");
    let other = for_the_company(&world, &second_signer, "2.00");
    assert_ne!(one.0, other.0);
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let pay = |(psu_id, corporate_id): &(String, String)| {
        let who = [("PSU-Context", "CORPORATE"), ("PSU-ID", psu_id), ("PSU-Corporate-ID", corporate_id)];
        world.create_with(STRAKS, &who, &order)
    };
    accepted(&pay(&one));
    accepted(&pay(&other));
    assert_refused(&pay(&one), 409, "CONFLICT", "");
    assert_refused(&pay(&other), 409, "CONFLICT", "");
}

#[test]
fn what_is_not_compared_leaves_a_payment_like() {
    let world = World::new();
    accepted(&again(&world, &straks()));
    for change in [
        ("/creditorName", json!("Another Person")),
        ("/creditorAddress", json!({"country": "SE"})),
        ("/purposeCode", json!("SALA")),
        ("/ultimateDebtor", json!("Another Person")),
    ] {
        assert_refused(&again(&world, &changed(straks(), &[change])), 409, "CONFLICT", "");
    }
}

#[test]
fn a_rejected_payment_is_no_duplicate() {
    for (status, is_no_duplicate) in
        [(PaymentStatus::Rjct, true), (PaymentStatus::Canc, true), (PaymentStatus::Acsc, false)]
    {
        let world = World::new();
        let created = accepted(&again(&world, &straks()));
        if status == PaymentStatus::Acsc {
            world.answer(&created, &ScaAnswer::approve(PAYER));
        } else {
            report(&world, &created, status);
        }
        assert_eq!(world.transaction_status(&created), status.to_string());
        let second = again(&world, &straks());
        if is_no_duplicate {
            accepted(&second);
        } else {
            assert_refused(&second, 409, "CONFLICT", "");
        }
    }
}

#[test]
fn a_refused_duplicate_leaves_no_trace() {
    let world = World::new();
    accepted(&again(&world, &straks()));
    world.set_now("2026-09-01T20:00:00Z");
    assert_refused(&again(&world, &straks()), 409, "CONFLICT", "");
    // 24 hours after the first: if the refused payment were stored, it would be a duplicate.
    world.set_now("2026-09-02T10:00:00Z");
    accepted(&again(&world, &straks()));
}
