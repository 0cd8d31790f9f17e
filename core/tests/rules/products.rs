//! Every payment product through the interface: created, read again, and its fee.

use serde_json::{json, Value};

use crate::world::products::{
    bulk, every_product, periodic, sepa, BULK, DOMESTIC, INSTANT, PERIODIC, PLAIN_CROSS_BORDER, SEPA,
};
use crate::world::{
    accepted, assert_refused, body, changed, cross_border, straks, text, World, CROSS_BORDER, PAYEE_ACCOUNT,
    PAYER, STRAKS,
};
use xs2a::ScaAnswer;

/// What details say of an order: the answer without its id and links.
fn details(world: &World, created: &Value) -> Value {
    let response = world.get(text(created, "/_links/self/href"));
    assert_eq!(response.status(), 200, "{}", body(&response));
    let mut details = body(&response);
    let members = details.as_object_mut().unwrap();
    assert_eq!(members.remove("paymentId"), Some(created["paymentId"].clone()));
    let links = members.remove("_links").unwrap();
    assert_eq!(links["self"], created["_links"]["self"]);
    assert_eq!(links["status"], created["_links"]["status"]);
    details
}

#[test]
fn every_product_is_created_and_read_under_its_own_path() {
    let world = World::new();
    for (target, order) in every_product() {
        let created = accepted(&world.create(target, &order));
        assert_eq!(created["transactionStatus"], "RCVD", "{target}");
        let id = text(&created, "/paymentId");
        assert_eq!(text(&created, "/_links/self/href"), format!("{target}/{id}"));
        assert_eq!(text(&created, "/_links/status/href"), format!("{target}/{id}/status"));
        assert_eq!(details(&world, &created), order, "{target}");
        let status = world.status(&created);
        assert_eq!((text(&status, "/paymentId"), text(&status, "/transactionStatus")), (id, "RCVD"));
    }
}

#[test]
fn a_payment_is_read_under_no_other_product() {
    let world = World::new();
    for (target, order) in every_product() {
        let created = accepted(&world.create(target, &order));
        let id = text(&created, "/paymentId");
        for (other, _) in every_product().into_iter().filter(|(other, _)| *other != target) {
            for path in [format!("{other}/{id}"), format!("{other}/{id}/status")] {
                assert_refused(&world.get(&path), 404, "RESOURCE_UNKNOWN", "");
            }
        }
    }
}

#[test]
fn by_policy_a_domestic_payment_cannot_be_read_before_it_is_approved() {
    for (policy, hidden) in [("{}", false), (r#"{"domestic_unreadable_before_approval":true}"#, true)] {
        let world = World::with_policy(policy);
        for (target, order) in every_product() {
            let created = accepted(&world.create(target, &order));
            let own = text(&created, "/_links/self/href");
            for path in [own.to_owned(), format!("{own}/status")] {
                let response = world.get(&path);
                match hidden && target == DOMESTIC {
                    true => assert_refused(&response, 404, "RESOURCE_UNKNOWN", ""),
                    false => assert_eq!(response.status(), 200, "{path}"),
                }
            }
            world.answer(&created, &ScaAnswer::approve(PAYER));
            assert_eq!(world.get(own).status(), 200, "{target}");
            assert_eq!(world.get(&format!("{own}/status")).status(), 200, "{target}");
        }
    }
}

#[test]
fn an_unknown_product_is_404_and_one_of_another_service_403() {
    let world = World::new();
    let products: Vec<&str> =
        every_product().iter().map(|(target, _)| target.rsplit('/').next().unwrap()).collect();
    let targets: Vec<&str> = every_product().iter().map(|(target, _)| *target).collect();
    for service in ["payments", "periodic-payments", "bulk-payments"] {
        for product in &products {
            let target = format!("/v1/{service}/{product}");
            if targets.contains(&target.as_str()) {
                continue;
            }
            assert_refused(&world.create(&target, &straks()), 403, "PRODUCT_INVALID", "");
            assert_refused(&world.get(&format!("{target}/id")), 403, "PRODUCT_INVALID", "");
        }
        for unknown in ["pain.001-credit-transfers", "Sepa-Credit-Transfers", "sepa-credit-transfer"] {
            let target = format!("/v1/{service}/{unknown}");
            assert_refused(&world.create(&target, &straks()), 404, "PRODUCT_UNKNOWN", "");
        }
    }
}

#[test]
fn domestic_payments_are_free_and_the_others_cost_thirty_kroner() {
    let world = World::new();
    for (target, order) in every_product() {
        let created = accepted(&world.create(target, &order));
        let is_abroad = [SEPA, PLAIN_CROSS_BORDER, CROSS_BORDER].contains(&target);
        let amount = if is_abroad { "30.00" } else { "0.00" };
        assert_eq!(created["transactionFees"], json!({"amount": amount, "currency": "NOK"}), "{target}");
        assert_eq!(created["transactionFeeIndicator"], json!(is_abroad), "{target}");
    }
}

#[test]
fn a_higher_service_level_costs_more() {
    let world = World::new();
    for target in [PLAIN_CROSS_BORDER, CROSS_BORDER] {
        for (level, amount) in [("NURG", "30.00"), ("URGP", "60.00"), ("SDVA", "60.00")] {
            let order = changed(cross_border(), &[("/serviceLevel", json!(level))]);
            let created = accepted(&world.create(&format!("{target}?allowLogicalDuplicate=true"), &order));
            assert_eq!(text(&created, "/transactionFees/amount"), amount, "{target} {level}");
        }
    }
}

#[test]
fn details_repeat_every_member_that_was_sent() {
    let world = World::new();
    let dated = [("/requestedExecutionDate", json!("2026-09-02"))];
    let reference =
        json!([{"reference": "18", "referenceType": "SCOR"}, {"reference": "X", "referenceType": "CINV"}]);
    let reported = [
        ("/regulatoryReportingCode", json!("14")),
        ("/regulatoryReportingInformation", json!("Goods")),
        ("/requestedExecutionDate", json!("2027-09-01")),
    ];
    let schedule = [
        ("/endDate", json!("2027-12-31")),
        ("/executionRule", json!("preceding")),
        ("/dayOfExecution", json!("31")),
        ("/purposeCode", json!("SALA")),
    ];
    let head = [("/paymentInformationId", json!("Run 42")), dated[0].clone()];
    let card = json!({
        "other": {"identification": "123456******0001", "schemeNameProprietary": "creditCardAccount"},
        "currency": "NOK",
    });
    let other_debtor = json!({"iban": "NO9386011117947", "currency": "NOK"});
    let orders = [
        (DOMESTIC, changed(straks(), &dated)),
        (
            INSTANT,
            changed(straks(), &[("/ultimateDebtor", json!("Testodius Test")), ("/debtorAccount", card)]),
        ),
        (
            STRAKS,
            changed(
                straks(),
                &[
                    ("/remittanceInformationUnstructured", Value::Null),
                    ("/remittanceInformationStructuredArray", reference.clone()),
                ],
            ),
        ),
        (SEPA, changed(changed(sepa(), &reported), &[("/debtorAccount", other_debtor)])),
        (PLAIN_CROSS_BORDER, changed(cross_border(), &[("/serviceLevel", json!("URGP")), dated[0].clone()])),
        (CROSS_BORDER, changed(cross_border(), &reported)),
        (PERIODIC, changed(periodic(), &schedule)),
        (
            BULK,
            changed(
                changed(bulk(3), &head),
                &[
                    ("/payments/1/remittanceInformationUnstructured", Value::Null),
                    ("/payments/1/remittanceInformationStructuredArray", reference),
                    ("/payments/2/ultimateDebtor", json!("Testodius Test")),
                ],
            ),
        ),
    ];
    for (target, order) in orders {
        let created = accepted(&world.create(target, &order));
        assert_eq!(created.get("tppMessages"), None, "{target}: {created}");
        assert_eq!(details(&world, &created), order, "{target}");
    }
}

fn members(answered: &Value) -> Vec<&str> {
    answered.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_new_payment_has_the_members_of_the_contract_and_no_others() {
    let world = World::new();
    let member_names = [
        "_links",
        "paymentId",
        "psuMessage",
        "transactionFeeIndicator",
        "transactionFees",
        "transactionStatus",
    ];
    for (target, order) in every_product() {
        let created = accepted(&world.create(target, &order));
        assert_eq!(members(&created), member_names, "{target}");
        assert_eq!(created["transactionStatus"], "RCVD");
        assert_eq!(members(&created["transactionFees"]), ["amount", "currency"]);
        assert!(created["transactionFees"]["amount"].is_string() && created["psuMessage"].is_string());
        // Messages are there only where there is something to say.
        let remarked = changed(order, &[("/comment", json!("x"))]);
        let created = accepted(&world.create(&format!("{target}?allowLogicalDuplicate=true"), &remarked));
        let mut with_messages = [&member_names[..], &["tppMessages"]].concat();
        with_messages.sort_unstable();
        assert_eq!(members(&created), with_messages, "{target}");
        assert_eq!(created["tppMessages"].as_array().map(Vec::len), Some(1));
        let message = &created["tppMessages"][0];
        assert_eq!(members(message), ["category", "code", "path", "text"]);
        let said = (text(message, "/category"), text(message, "/code"), text(message, "/path"));
        assert_eq!(said, ("WARNING", "FORMAT_ERROR", "/comment"));
    }
}

#[test]
fn a_status_has_four_members_and_the_funds_once_they_are_known() {
    let world = World::new();
    let waiting = ["_links", "paymentId", "psuMessage", "transactionStatus"];
    let known = ["_links", "fundsAvailable", "paymentId", "psuMessage", "transactionStatus"];
    for (target, order) in every_product() {
        let created = accepted(&world.create(target, &order));
        assert_eq!(members(&world.status(&created)), waiting, "{target}");
        world.answer(&created, &ScaAnswer::approve(PAYER));
        world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
        let status = world.status(&created);
        // A periodic payment is carried out by no batch.
        let expected = if target == PERIODIC { &waiting[..] } else { &known[..] };
        assert_eq!(members(&status), expected, "{target}: {status}");
        assert_eq!(status["paymentId"], created["paymentId"]);
    }
}

#[test]
fn account_numbers_are_kept_without_the_dots_and_spaces_they_came_with() {
    let world = World::new();
    let dotted = changed(
        straks(),
        &[("/creditorAccount/bban", json!("9536.05.73037")), ("/debtorAccount/bban", json!("9536 05 73002"))],
    );
    let grouped = changed(sepa(), &[("/creditorAccount/iban", json!("de89 3704 0044 0532 0130 00"))]);
    for (target, order, plain) in [(STRAKS, dotted, straks()), (SEPA, grouped, sepa())] {
        let created = accepted(&world.create(target, &order));
        assert_eq!(details(&world, &created), plain, "{target}");
    }
}

#[test]
fn the_misspelt_execution_rule_is_shown_well_spelt() {
    let world = World::new();
    let order = changed(periodic(), &[("/executionRule", json!("preceeding"))]);
    let created = accepted(&world.create(PERIODIC, &order));
    assert_eq!(text(&details(&world, &created), "/executionRule"), "preceding");
}

/// The rule of logical duplicates, for a product and a change to its order.
fn is_duplicate(target: &str, order: &Value, changes: &[(&str, Value)]) -> bool {
    let world = World::new();
    accepted(&world.create(target, order));
    let again = world.create(target, &changed(order.clone(), changes));
    assert!([201, 409].contains(&again.status()), "{}", body(&again));
    again.status() == 409
}

#[test]
fn an_equal_payment_is_a_duplicate_only_within_its_product() {
    for (target, order) in every_product() {
        assert!(is_duplicate(target, &order, &[]), "{target}");
    }
    let world = World::new();
    for (target, order) in every_product() {
        accepted(&world.create(target, &order));
    }
}

#[test]
fn neither_days_nor_schedules_make_another_payment_and_sums_do() {
    for (target, order, changes, expected) in [
        (DOMESTIC, straks(), ("/requestedExecutionDate", json!("2026-09-02")), true),
        (PERIODIC, periodic(), ("/startDate", json!("2026-11-01")), true),
        (PERIODIC, periodic(), ("/frequency", json!("Weekly")), true),
        (PERIODIC, periodic(), ("/instructedAmount/amount", json!("251.00")), false),
        (BULK, bulk(2), ("/requestedExecutionDate", json!("2026-09-02")), true),
        (BULK, bulk(2), ("/paymentInformationId", json!("Run 43")), true),
        (BULK, bulk(2), ("/payments/0/creditorName", json!("Another Person")), true),
        (BULK, bulk(2), ("/payments/1/instructedAmount/amount", json!("251.00")), false),
        (BULK, bulk(2), ("/payments/1/remittanceInformationUnstructured", json!("Other")), false),
        (BULK, bulk(2), ("/payments", bulk(3)["payments"].clone()), false),
        (BULK, bulk(2), ("/payments", bulk(1)["payments"].clone()), false),
    ] {
        let pointer = changes.0;
        assert_eq!(is_duplicate(target, &order, &[changes]), expected, "{target} {pointer}");
    }
}

#[test]
fn the_debtor_account_is_one_account_by_each_of_its_numbers() {
    let iban = |number: &str| ("/debtorAccount", json!({"iban": number, "currency": "NOK"}));
    assert!(is_duplicate(SEPA, &sepa(), &[iban("NO0995360573002")]));
    assert!(!is_duplicate(SEPA, &sepa(), &[iban("NO3495360573037")]));
}

#[test]
fn an_identified_psus_payment_is_started_explicitly_in_every_product() {
    let world = World::new();
    let psu_id = world.payer_id();
    for (target, order) in every_product() {
        let created = accepted(&world.create_for(&psu_id, target, &order));
        let own = text(&created, "/_links/self/href");
        assert_eq!(text(&created, "/_links/startAuthorisation/href"), format!("{own}/authorisations"));
        let started = accepted(&world.start(&created));
        assert_eq!(text(&started, "/scaStatus"), "started", "{target}");
    }
}

#[test]
fn the_debtor_account_of_a_bulk_is_looked_at_once() {
    let world = World::new();
    let psu_id = world.payer_id();
    let order = changed(bulk(3), &[("/debtorAccount/bban", json!(PAYEE_ACCOUNT))]);
    let refused = world.create_for(&psu_id, BULK, &order);
    assert_refused(&refused, 400, "RESOURCE_UNKNOWN", "/debtorAccount/bban");
    assert_eq!(body(&refused)["tppMessages"].as_array().map(Vec::len), Some(1));
}
