//! Cancelling payments: by the call alone before their SCA, by an SCA of its own after it, and not at all
//! once they are final or being settled.

mod at_the_bank;
mod lost_answers;
mod other_channels;

use crate::world::baskets::own;
use crate::world::products::{bulk, every_product, periodic, BULK, DOMESTIC, PERIODIC};
use crate::world::*;
use serde_json::json;
use xs2a::engine::Subject;
use xs2a::payment::machine::PaymentStatus;
use xs2a::ScaAnswer;

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

#[track_caller]
fn assert_final(world: &World, href: &str) {
    let response = world.act("DELETE", href);
    assert_refused(&response, 405, "CONFLICT", "");
    assert_eq!(response.header("Allow"), Some("GET"));
    assert_eq!(response.header("Content-Type"), Some("application/json"));
}

// Before the SCA.

#[test]
fn before_its_sca_a_payment_of_any_product_is_cancelled_by_the_call_alone() {
    let world = World::new();
    for (target, order) in every_product() {
        let created = accepted(&world.create(target, &order));
        world.gives_up(own(&created));
        let status = world.status(&created);
        assert_eq!(text(&status, "/transactionStatus"), "CANC", "{target}");
        assert_eq!(status["_links"]["self"]["verbs"], json!(["GET"]));
        assert!(status["_links"].get("startAuthorisation").is_none());
        // The id stays readable, and the open link leads nowhere.
        assert_eq!(world.get(own(&created)).status(), 200, "{target}");
        let callback = world.answer(&created, &approve());
        assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"), "{target}");
        assert_refused(&world.start(&created), 409, "CONFLICT", "");
        assert_final(&world, own(&created));
    }
    world.sandbox.advance(chrono::TimeDelta::days(2)).unwrap();
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
    world.assert_reconciled();
}

#[test]
fn a_cancelled_payment_is_no_duplicate_any_more() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    assert_refused(&world.create(STRAKS, &straks()), 409, "CONFLICT", "");
    world.gives_up(own(&created));
    accepted(&world.create(STRAKS, &straks()));
}

#[test]
fn the_own_link_takes_delete_until_the_sca_and_get_alone_after_it() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let verbs = |answered: &serde_json::Value| answered["_links"]["self"]["verbs"].clone();
    let details = || body(&world.get(own(&created)));
    for answered in [created.clone(), world.status(&created), details()] {
        assert_eq!(verbs(&answered), json!(["GET", "DELETE"]));
    }
    world.answer(&created, &approve());
    for answered in [world.status(&created), details()] {
        assert_eq!(verbs(&answered), json!(["GET"]));
    }
}

// After the SCA.

#[test]
fn after_its_sca_a_payment_is_cancelled_by_an_sca_of_its_own() {
    let world = World::new();
    for (target, order) in every_product() {
        let created = world.pay(target, &order, PAYER);
        if world.transaction_status(&created) == "ACSC" {
            assert_final(&world, own(&created));
            continue;
        }
        let booked = world.booked(PAYER_ACCOUNT);
        let response = world.act("DELETE", own(&created));
        let href = own(&created);
        assert_eq!(
            (response.status(), body(&response)),
            (
                202,
                json!({
                    "transactionStatus": "PDNG",
                    "_links": {
                        "self": {"href": href, "verbs": ["GET"]},
                        "status": {"href": format!("{href}/status"), "verbs": ["GET"]},
                        "startAuthorisation": {
                            "href": format!("{href}/cancellation-authorisations"),
                            "verbs": ["POST"],
                        },
                    },
                })
            ),
            "{target}"
        );
        assert_eq!(world.transaction_status(&created), "PDNG", "{target}: the call alone changes nothing");
        let started = world.start_cancelling(&created);
        assert_eq!(started["scaStatus"], "started");
        let callback = world.answer(&started, &approve());
        assert!(parameter(&callback, "psu-id").is_some(), "{callback}");
        assert_eq!(world.transaction_status(&created), "CANC", "{target}");
        assert_eq!(world.get(href).status(), 200);
        assert_final(&world, href);
        world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
        assert_eq!(world.booked(PAYER_ACCOUNT), booked, "{target}");
    }
    world.assert_reconciled();
}

#[test]
fn the_psu_is_shown_the_order_that_is_not_to_be_carried_out() {
    let world = World::new();
    let created = world.pay(PERIODIC, &periodic(), PAYER);
    let started = world.start_cancelling(&created);
    let id = link(&started).rsplit('/').next().unwrap();
    let shown = world.sandbox.engine().authorisation(id).unwrap().unwrap();
    let Subject::Cancellation(payment) = &shown.subject else { panic!("{:?}", shown.subject) };
    assert_eq!(payment.id.as_str(), text(&created, "/paymentId"));
    assert_eq!(payment.order.transfers()[0].instructed_amount.to_string(), "250.00");
}

#[test]
fn an_unapproved_cancellation_leaves_the_payment_unchanged() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    for (answer, code) in [
        (abort(), "SCA_INVALID"),
        (ScaAnswer::approve("00000000000"), "PSU_CREDENTIALS_INVALID"),
        (ScaAnswer::approve(PAYEE), "PSU_CREDENTIALS_INVALID"),
    ] {
        let callback = world.answer(&world.start_cancelling(&created), &answer);
        assert_eq!(parameter(&callback, "code").as_deref(), Some(code), "{answer:?}");
        assert_eq!(world.transaction_status(&created), "PDNG");
    }
    // And it can be cancelled all the same, or carried out.
    let other = world.clone();
    other.answer(&other.start_cancelling(&created), &approve());
    assert_eq!(other.transaction_status(&created), "CANC");
    world.set_now("2026-09-01T11:00:00Z");
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_cancellation_for_a_company_is_approved_for_that_company_alone() {
    let world = World::new();
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let created = accepted(&world.create_with(DOMESTIC, &[("PSU-Context", "CORPORATE")], &order));
    world.answer(&created, &approve_for(COMPANY_AGREEMENT));
    let target = format!("{}/cancellation-authorisations", own(&created));
    let start = || accepted(&world.act_with("POST", &target, &[("PSU-Context", "CORPORATE")]));
    let callback = world.answer(&start(), &approve_for(OTHER_COMPANY_AGREEMENT));
    assert_eq!(parameter(&callback, "code").as_deref(), Some("SCA_INVALID"));
    assert_eq!(world.transaction_status(&created), "PDNG");
    world.answer(&start(), &approve_for(COMPANY_AGREEMENT));
    assert_eq!(world.transaction_status(&created), "CANC");
}

#[test]
fn a_cancellation_approved_after_the_batch_is_too_late() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    world.set_now("2026-09-01T10:59:59Z");
    let (in_time, late) = (world.clone(), world);
    let started = late.start_cancelling(&created);
    late.set_now("2026-09-01T11:00:00Z");
    let callback = late.answer(&started, &approve());
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    assert_eq!(parameter(&callback, "status").as_deref(), Some("409"));
    assert_eq!(late.transaction_status(&created), "ACSC");

    in_time.answer(&in_time.start_cancelling(&created), &approve());
    in_time.set_now("2026-09-01T11:00:00Z");
    assert_eq!(in_time.transaction_status(&created), "CANC");
    assert!(in_time.booked(PAYER_ACCOUNT).is_empty());
}

#[test]
fn of_two_links_to_cancel_one_payment_both_may_be_approved() {
    let world = World::new();
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let links = [world.start_cancelling(&created), world.start_cancelling(&created)];
    for started in &links {
        let callback = world.answer(started, &approve());
        assert_eq!(parameter(&callback, "code"), None, "{callback}");
        assert_eq!(world.transaction_status(&created), "CANC");
    }
    let response = world.act("POST", &format!("{}/cancellation-authorisations", own(&created)));
    assert_refused(&response, 409, "CONFLICT", "");
}

#[test]
fn in_settlement_it_is_too_late_and_with_a_change_accepted_it_is_not() {
    for status in ["PDNG", "ACTC", "ACCP", "ACWC", "ACSP", "ACWP", "ACSC", "RJCT", "CANC"] {
        let world = World::new();
        let created = world.pay(DOMESTIC, &straks(), PAYER);
        let known = xs2a::machine::Machine::parse(status).unwrap();
        world.sandbox.engine().report_payment_status(text(&created, "/paymentId"), known, None).unwrap();
        let start = world.act("POST", &format!("{}/cancellation-authorisations", own(&created)));
        if ["ACSP", "ACWP", "ACSC", "RJCT", "CANC"].contains(&status) {
            assert_final(&world, own(&created));
            assert_refused(&start, 409, "CONFLICT", "");
        } else {
            assert_eq!(world.act("DELETE", own(&created)).status(), 202, "{status}");
            world.answer(&accepted(&start), &approve());
            assert_eq!(world.transaction_status(&created), PaymentStatus::Canc.to_string(), "{status}");
        }
    }
}

#[test]
fn a_bulk_carried_out_in_part_may_still_be_cancelled_if_the_bank_can() {
    // If the bank reports PART before any payment is booked, it can.
    let world = World::new();
    let created = world.pay(BULK, &bulk(2), PAYER);
    let id = text(&created, "/paymentId");
    world.sandbox.engine().report_payment_status(id, PaymentStatus::Part, None).unwrap();
    let (booked, open) = (world.clone(), world);
    assert_eq!(open.act("DELETE", own(&created)).status(), 202);
    open.answer(&open.start_cancelling(&created), &approve());
    assert_eq!(open.transaction_status(&created), "CANC");
    // What is booked cannot be taken back.
    booked.set_now("2026-09-01T11:00:00Z");
    assert_final(&booked, own(&created));
    let poor = changed(bulk(2), &[("/payments/1/instructedAmount/amount", json!("9999999.00"))]);
    let in_part = booked.pay(BULK, &poor, PAYER);
    booked.set_now("2026-09-02T11:00:00Z");
    assert_eq!(booked.transaction_status(&in_part), "PART");
    assert_eq!(booked.act("DELETE", own(&in_part)).status(), 202);
    let callback = booked.answer(&booked.start_cancelling(&in_part), &approve());
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    assert_eq!(booked.transaction_status(&in_part), "PART");
    booked.assert_reconciled();
}

// Who may cancel what.

#[test]
fn another_tpps_payment_is_as_unknown_as_one_that_never_was() {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let waiting = accepted(&world.create(DOMESTIC, &straks()));
    let order = changed(straks(), &[("/instructedAmount/amount", json!("2.00"))]);
    let pending = world.pay(DOMESTIC, &order, PAYER);
    let unknown = format!("{DOMESTIC}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA");
    for (method, below) in
        [("DELETE", ""), ("POST", "/cancellation-authorisations"), ("POST", "/authorisations")]
    {
        let ask = |href: &str| {
            let target = format!("{href}{below}");
            let response = world.call_by(&other, method, &target, &creation_headers(), b"");
            (response.status(), String::from_utf8(response.body().to_vec()).unwrap())
        };
        let unknown = ask(&unknown);
        assert_eq!(unknown.0, 404);
        assert!(unknown.1.contains("RESOURCE_UNKNOWN"), "{}", unknown.1);
        for href in [own(&waiting), own(&pending), &format!("{DOMESTIC}/x")] {
            assert_eq!(ask(href), unknown, "{method} {href}{below}");
        }
    }
    assert_eq!(world.transaction_status(&waiting), "RCVD");
    assert_eq!(world.transaction_status(&pending), "PDNG");
}

#[test]
fn a_payment_is_cancelled_under_its_own_product_alone() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let id = text(&created, "/paymentId");
    assert_refused(&world.act("DELETE", &format!("{STRAKS}/{id}")), 404, "RESOURCE_UNKNOWN", "");
    assert_refused(&world.act("DELETE", &format!("{PERIODIC}/{id}")), 404, "RESOURCE_UNKNOWN", "");
    let unknown = world.act("DELETE", &format!("/v1/payments/nothing/{id}"));
    assert_refused(&unknown, 404, "PRODUCT_UNKNOWN", "");
    assert_eq!(world.transaction_status(&created), "RCVD");
}

#[test]
fn an_id_may_come_percent_encoded() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let encoded = own(&created).replace('!', "%21").replace('=', "%3D").replace('-', "%2D");
    assert_ne!(encoded, own(&created));
    world.gives_up(&encoded);
    assert_eq!(world.transaction_status(&created), "CANC");
}

#[test]
fn another_psu_than_the_payments_cannot_be_named() {
    let world = World::new();
    let (payer, payee) = (world.payer_id(), world.psu_id(PAYEE, PAYEE_ACCOUNT, PAYER_ACCOUNT));
    let created = accepted(&world.create_for(&payer, DOMESTIC, &straks()));
    let named = |psu_id| [("PSU-Context", ""), ("PSU-ID", psu_id)];
    let target = format!("{}/cancellation-authorisations", own(&created));
    let stranger = world.act_with("DELETE", own(&created), &named(&payee));
    assert_refused(&stranger, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    let unknown_psu = world.act_with("DELETE", own(&created), &named("67e55044-10b1-426f-9247-bb680e5fe0c8"));
    assert_refused(&unknown_psu, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    let stranger = world.act_with("POST", &target, &named(&payee));
    assert_refused(&stranger, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    assert_eq!(world.transaction_status(&created), "RCVD");
    assert_eq!(world.act_with("DELETE", own(&created), &named(&payer)).status(), 204);
}

#[test]
fn cancelling_takes_the_headers_of_a_basket() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let target = format!("{}/cancellation-authorisations", own(&created));
    for header in ["PSU-IP-Address", "TPP-Redirect-URI", "TPP-Session-ID", "PSU-ID"] {
        let left_out = if header == "PSU-ID" { "PSU-Context" } else { header };
        for (method, target) in [("DELETE", own(&created)), ("POST", &target)] {
            let response = world.act_with(method, target, &[(left_out, "")]);
            assert_refused(&response, 400, "HTTP_HEADER_REQUIRED", header);
        }
    }
    assert_eq!(world.transaction_status(&created), "RCVD");
}

#[test]
fn a_tpp_without_the_role_is_refused_before_anything_is_looked_up() {
    let world = World::new();
    let created = accepted(&world.create(DOMESTIC, &straks()));
    let reader = world.sandbox.register_tpp("Innsyn AS", &["AISP"]).unwrap();
    for href in [own(&created), &format!("{DOMESTIC}/x")] {
        let response = world.call_by(&reader, "DELETE", href, &creation_headers(), b"");
        assert_refused(&response, 403, "FORBIDDEN", "");
    }
}
