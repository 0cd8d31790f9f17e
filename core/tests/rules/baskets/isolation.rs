//! No TPP reads a basket of another TPP.

use serde_json::Value;
use xs2a::{Response, ScaAnswer, TestTpp};

use crate::world::baskets::{names, own, BASKETS};
use crate::world::*;

const OF_UNKNOWN_PSU: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

fn ask(world: &World, tpp: &TestTpp, method: &str, target: &str) -> (u16, String) {
    let response = world.call_by(tpp, method, target, &creation_headers(), b"");
    (response.status(), String::from_utf8(response.body().to_vec()).unwrap())
}

#[test]
fn another_tpps_basket_equals_an_unknown_and_a_deleted_one() {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let open = world.basket(&[&world.numbered(1)]);
    let deleted = world.basket(&[&world.numbered(2)]);
    world.gives_up(own(&deleted));
    for (method, below) in [("GET", ""), ("GET", "/status"), ("DELETE", ""), ("POST", "/authorisations")] {
        let unknown = ask(&world, &other, method, &format!("{BASKETS}/{OF_UNKNOWN_PSU}{below}"));
        assert_eq!(unknown.0, 404);
        assert!(unknown.1.contains("RESOURCE_UNKNOWN"), "{}", unknown.1);
        for href in [own(&open), own(&deleted), "/v1/signing-baskets/x", "/v1/signing-baskets/%20"] {
            assert_eq!(
                ask(&world, &other, method, &format!("{href}{below}")),
                unknown,
                "{method} {href}{below}"
            );
        }
        assert_eq!(ask(&world, &world.tpp, method, &format!("{}{below}", own(&deleted))), unknown);
    }
    assert_eq!(world.get(own(&open)).status(), 200);
}

#[test]
fn another_tpps_payment_is_as_unknown_in_a_basket_as_one_that_never_was() {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let payment = world.numbered(1);
    // The other TPP knows the same person, under an id of its own.
    let order = changed(straks(), &[("/instructedAmount/amount", "7.00".into())]).to_string();
    let created = accepted(&world.call_by(&other, "POST", STRAKS, &creation_headers(), order.as_bytes()));
    let callback = world.answer(&created, &ScaAnswer::approve(PAYER));
    let psu_id = parameter(&callback, "psu-id").unwrap();
    let ask = |id: &str| -> Response {
        let sent = names(&[id]).to_string();
        let headers = replaced(creation_headers(), &[("PSU-ID", &psu_id)]);
        world.call_by(&other, "POST", BASKETS, &headers, sent.as_bytes())
    };
    let unknown = ask(OF_UNKNOWN_PSU);
    assert_refused(&unknown, 400, "RESOURCE_UNKNOWN", "/paymentIds/0");
    assert_eq!(ask(text(&payment, "/paymentId")).body(), unknown.body());
    world.basket(&[&payment]);
    assert_eq!(ask(text(&payment, "/paymentId")).body(), unknown.body());
}

#[test]
fn a_payments_id_is_no_baskets_and_a_baskets_is_no_payments() {
    let world = World::new();
    let payment = world.numbered(1);
    let basket = world.basket(&[&payment]);
    let (payment_id, basket_id) = (text(&payment, "/paymentId"), text(&basket, "/basketId"));
    assert_refused(&world.get(&format!("{BASKETS}/{payment_id}")), 404, "RESOURCE_UNKNOWN", "");
    assert_refused(&world.get(&format!("{STRAKS}/{basket_id}")), 404, "RESOURCE_UNKNOWN", "");
    let nested = world.name(&names(&[basket_id]));
    assert_refused(&nested, 400, "RESOURCE_UNKNOWN", "/paymentIds/0");
}

#[test]
fn another_psu_than_the_baskets_cannot_be_named() {
    let world = World::new();
    let (payer, payee) = (world.payer_id(), world.psu_id(PAYEE, PAYEE_ACCOUNT, PAYER_ACCOUNT));
    let named = |psu_id| [("PSU-Context", ""), ("PSU-ID", psu_id)];
    // The PSU of the payments, and the PSU that the call named that created the basket.
    let of_payer = world.basket(&[&world.numbered_of(&payer, 1, PAYER_ACCOUNT)]);
    let without_psu = world.numbered(2);
    let for_payer = accepted(&world.create_for(&payer, BASKETS, &names(&[text(&without_psu, "/paymentId")])));
    for basket in [&of_payer, &for_payer] {
        let stranger = world.start_with(basket, &named(&payee));
        assert_refused(&stranger, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
        let stranger = world.act_with("DELETE", own(basket), &named(&payee));
        assert_refused(&stranger, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
        accepted(&world.start_with(basket, &named(&payer)));
        assert_eq!(world.act_with("DELETE", own(basket), &named(&payer)).status(), 204);
    }
}

#[test]
fn a_tpp_without_the_role_is_refused_before_anything_is_looked_up() {
    let world = World::new();
    let basket = world.basket(&[&world.numbered(1)]);
    let reader = world.sandbox.register_tpp("Innsyn AS", &["AISP"]).unwrap();
    for (method, target) in [
        ("GET", own(&basket).to_owned()),
        ("GET", format!("{BASKETS}/x/status")),
        ("DELETE", own(&basket).to_owned()),
        ("POST", format!("{}/authorisations", own(&basket))),
    ] {
        let response = world.call_by(&reader, method, &target, &creation_headers(), b"");
        assert_refused(&response, 403, "FORBIDDEN", "");
    }
    let sent: Value = names(&["x"]);
    let headers = replaced(creation_headers(), &[("PSU-ID", "67e55044-10b1-426f-9247-bb680e5fe0c8")]);
    let response = world.call_by(&reader, "POST", BASKETS, &headers, sent.to_string().as_bytes());
    assert_refused(&response, 403, "FORBIDDEN", "");
}
