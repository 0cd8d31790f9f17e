//! Payments by risk.

use serde_json::json;
use xs2a::ScaAnswer;

use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::{every_product, DOMESTIC};
use crate::world::{
    accepted, assert_refused, body, changed, link, straks, text, World, PAYEE, PAYEE_ACCOUNT, PAYER,
    PAYER_ACCOUNT, STRAKS,
};

/// A world in which the bank says that of the payer, and the payer's PSU-ID.
fn world_saying(demand: &str) -> (World, String) {
    let world = World::new();
    let psu_id = world.payer_id();
    world.sandbox.set_sca_demand(PAYER, demand).unwrap();
    (world, psu_id)
}

#[test]
fn an_exempted_instant_payment_is_settled_when_its_call_returns() {
    let (world, psu_id) = world_saying("exempt");
    let created = accepted(&world.create_for(&psu_id, STRAKS, &straks()));
    assert_eq!(created["transactionStatus"], "PDNG");
    let path = format!("{STRAKS}/{}", text(&created, "/paymentId"));
    let links = json!({
        "self": {"href": path, "verbs": ["GET"]},
        "status": {"href": format!("{path}/status"), "verbs": ["GET"]},
    });
    assert_eq!(created["_links"], links, "there is nothing to start");
    let status = world.status(&created);
    assert_eq!((&status["transactionStatus"], &status["fundsAvailable"]), (&json!("ACSC"), &json!(true)));
    assert_eq!(world.booked(PAYEE_ACCOUNT), ["250.00"]);
    assert_refused(&world.start(&created), 409, "CONFLICT", "");
    world.assert_reconciled();
}

#[test]
fn an_exempted_payment_without_money_is_rejected() {
    let (world, psu_id) = world_saying("exempt");
    let order = changed(straks(), &[("/instructedAmount/amount", json!("100001.01"))]);
    let created = accepted(&world.create_for(&psu_id, STRAKS, &order));
    let status = world.status(&created);
    assert_eq!((&status["transactionStatus"], &status["fundsAvailable"]), (&json!("RJCT"), &json!(false)));
    assert!(world.booked(PAYEE_ACCOUNT).is_empty());
}

#[test]
fn every_product_can_be_exempted_and_waits_for_its_batch() {
    for (target, order) in every_product() {
        let (world, psu_id) = world_saying("exempt");
        let created = accepted(&world.create_for(&psu_id, target, &order));
        assert_eq!(created["transactionStatus"], "PDNG", "{target}");
        let is_instant = target.contains("instant");
        let expected = if is_instant { "ACSC" } else { "PDNG" };
        assert_eq!(world.transaction_status(&created), expected, "{target}");
        world.sandbox.advance_to_next_event().unwrap();
        let final_status = if target.contains("periodic") { "PDNG" } else { "ACSC" };
        assert_eq!(world.transaction_status(&created), final_status, "{target}");
        world.assert_reconciled();
    }
}

#[test]
fn without_an_exemption_a_payment_waits_for_its_sca() {
    for demand in ["as_ruled", "demanded"] {
        let (world, psu_id) = world_saying(demand);
        let created = accepted(&world.create_for(&psu_id, STRAKS, &straks()));
        assert_eq!(created["transactionStatus"], "RCVD", "{demand}");
        assert!(created.pointer("/_links/startAuthorisation").is_some(), "{demand}");
        assert!(world.booked(PAYEE_ACCOUNT).is_empty(), "{demand}");
    }
}

#[test]
fn a_psu_who_is_not_identified_is_never_exempted() {
    let (world, _) = world_saying("exempt");
    for with in [&[][..], &[("X-PSU-IDENTITY", PAYER)]] {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let created = accepted(&world.create_with(&target, with, &straks()));
        assert_eq!(created["transactionStatus"], "RCVD");
        assert!(link(&created).contains("/sca/"));
    }
    assert!(world.booked(PAYEE_ACCOUNT).is_empty());
}

#[test]
fn a_payment_that_names_two_persons_waits_for_the_sca() {
    let unknown = "99999999999";
    for (named, status) in [(PAYER, "PDNG"), (PAYEE, "RCVD"), (unknown, "RCVD")] {
        let (world, psu_id) = world_saying("exempt");
        let headers = [("PSU-ID", psu_id.as_str()), ("X-PSU-IDENTITY", named)];
        let created = accepted(&world.create_with(STRAKS, &headers, &straks()));
        assert_eq!(created["transactionStatus"], status, "{named}");
        assert_eq!(world.booked(PAYEE_ACCOUNT).is_empty(), named != PAYER, "{named}");
    }
}

#[test]
fn an_exemption_makes_no_faulty_payment_a_good_one() {
    let (world, psu_id) = world_saying("exempt");
    for (pointer, value, code) in [
        ("/debtorAccount/bban", PAYEE_ACCOUNT, "RESOURCE_UNKNOWN"),
        ("/debtorAccount/currency", "EUR", "FORMAT_ERROR"),
        ("/creditorAccount/bban", "91351631959", "KID_MISSING"),
        ("/instructedAmount/amount", "0.00", "FORMAT_ERROR"),
    ] {
        let refused = world.create_for(&psu_id, STRAKS, &changed(straks(), &[(pointer, json!(value))]));
        assert_eq!(
            (refused.status(), text(&body(&refused), "/tppMessages/0/code")),
            (400, code),
            "{pointer}"
        );
    }
    accepted(&world.create_for(&psu_id, STRAKS, &straks()));
    assert_refused(&world.create_for(&psu_id, STRAKS, &straks()), 409, "CONFLICT", "");
    assert_eq!(world.booked(PAYEE_ACCOUNT), ["250.00"], "the duplicate is not ordered");
}

#[test]
fn a_basket_and_its_payments_need_their_sca_despite_an_exemption() {
    let (world, psu_id) = world_saying("as_ruled");
    let waiting = accepted(&world.create_for(&psu_id, STRAKS, &straks()));
    world.sandbox.set_sca_demand(PAYER, "exempt").unwrap();
    let psu = [("PSU-Context", ""), ("PSU-ID", psu_id.as_str())];
    let basket = accepted(&world.create_with(BASKETS, &psu, &names(&[text(&waiting, "/paymentId")])));
    assert_eq!(basket["transactionStatus"], "RCVD");
    let started = accepted(&world.act_with("POST", &format!("{}/authorisations", own(&basket)), &psu));
    assert_eq!(world.transaction_status(&waiting), "RCVD");
    world.answer(&started, &ScaAnswer::approve(PAYER));
    assert_eq!(world.transaction_status(&waiting), "ACSC");
    // What was exempted is authorised, and can be put into no basket.
    let order = changed(straks(), &[("/instructedAmount/amount", json!("2.00"))]);
    let exempted = accepted(&world.create_for(&psu_id, DOMESTIC, &order));
    let refused = world.create_with(BASKETS, &psu, &names(&[text(&exempted, "/paymentId")]));
    assert_eq!((refused.status(), text(&body(&refused), "/tppMessages/0/code")), (409, "CONFLICT"));
}

#[test]
fn an_exempted_payment_is_cancelled_by_an_sca_alone() {
    let (world, psu_id) = world_saying("exempt");
    let created = accepted(&world.create_for(&psu_id, DOMESTIC, &straks()));
    let answered = world.act("DELETE", own(&created));
    assert_eq!((answered.status(), text(&body(&answered), "/transactionStatus")), (202, "PDNG"));
    let started = world.start_cancelling(&created);
    assert_eq!(world.transaction_status(&created), "PDNG");
    world.answer(&started, &ScaAnswer::approve(PAYER));
    assert_eq!(world.transaction_status(&created), "CANC");
    world.sandbox.advance_to_next_event().unwrap();
    assert!(world.booked(PAYEE_ACCOUNT).is_empty());
}

#[test]
fn what_is_forwarded_of_the_psu_is_never_answered() {
    let (world, psu_id) = world_saying("as_ruled");
    let forwarded = [
        ("PSU-IP-Address", "203.0.113.77"),
        ("PSU-IP-Port", "40777"),
        ("PSU-User-Agent", "Agent-of-the-PSU"),
        ("PSU-Accept", "x-of-the-psu/accept"),
        ("PSU-Accept-Language", "tlh"),
        ("PSU-Device-ID", "99435c7e-ad88-49ec-a2ad-99ddcb1f7777"),
        ("PSU-Geo-Location", "GEO:71.1725,25.7836"),
        ("TPP-Brand-Logging-Information", "Brand-of-the-TPP"),
    ];
    let headers = [&[("PSU-Context", ""), ("PSU-ID", psu_id.as_str())], &forwarded[..]].concat();
    let created = world.create_with(STRAKS, &headers, &straks());
    let payment = accepted(&created);
    let started = world.start_with(&payment, &headers);
    let read = [&[("TPP-Redirect-URI", crate::world::REDIRECT_URI)], &forwarded[..]].concat();
    let details = world.call("GET", own(&payment), &read, b"");
    let status = world.call("GET", text(&payment, "/_links/status/href"), &read, b"");
    let refused = world.create_with(STRAKS, &headers, &straks());
    for response in [created, started, details, status, refused] {
        let headers: String = response.headers().map(|(name, value)| format!("{name}: {value} ")).collect();
        let reported = format!("{headers}{}", String::from_utf8_lossy(response.body()));
        for (name, value) in forwarded {
            assert!(!reported.contains(value), "{name} in {reported}");
        }
    }
}

#[test]
fn an_exemption_opens_no_session() {
    let (world, psu_id) = world_saying("exempt");
    let headers = [("PSU-Context", ""), ("PSU-ID", psu_id.as_str()), ("TPP-Session-ID", "by exemption")];
    accepted(&world.create_with(STRAKS, &headers, &straks()));
    let details = [("TPP-Redirect-URI", crate::world::REDIRECT_URI), ("TPP-Session-ID", "by exemption")];
    crate::aisp::consent(&world, "consent", &ScaAnswer::approve(PAYER));
    world.sandbox.set_sca_demand(PAYER, "as_ruled").unwrap();
    let headers = [&details[..], &[("PSU-ID", psu_id.as_str())]].concat();
    let refused = world.call("GET", "/v1/accounts", &headers, b"");
    crate::aisp::assert_needs_sca(&refused, 401, "SCA_NOT_FOUND");
}

#[test]
fn a_company_is_paid_for_by_exemption_in_its_own_context_alone() {
    use crate::world::{approve_for, parameter, COMPANY_ACCOUNT, COMPANY_AGREEMENT, PROXY};
    let world = World::new();
    let callback = crate::aisp::consent(&world, "company", &approve_for(COMPANY_AGREEMENT));
    let id = |name: &str| parameter(&callback, name).unwrap();
    let (psu_id, corporate_id) = (id("psu-id"), id("psu-corporate-id"));
    world.sandbox.set_sca_demand(PROXY, "exempt").unwrap();
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let private = [("PSU-Context", "PRIVATE"), ("PSU-ID", psu_id.as_str())];
    let refused = world.create_with(STRAKS, &private, &order);
    assert_refused(&refused, 400, "RESOURCE_UNKNOWN", "/debtorAccount/bban");
    let company =
        [("PSU-Context", "CORPORATE"), ("PSU-ID", &psu_id), ("PSU-Corporate-ID", corporate_id.as_str())];
    let created = accepted(&world.create_with(STRAKS, &company, &order));
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.booked(COMPANY_ACCOUNT), ["-250.00"]);
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
}
