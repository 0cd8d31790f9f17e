//! The corporate agreements of a PSU.

use serde_json::json;
use xs2a::ScaAnswer;

use crate::aisp::{answered, assert_needs_sca, consent, Aisp};
use crate::world::{
    approve_for, body, parameter, send, World, COMPANY_AGREEMENT, OTHER_COMPANY_AGREEMENT, PAYER, PROXY,
    REDIRECT_URI,
};

fn agreements(aisp: &Aisp) -> serde_json::Value {
    answered(&aisp.get_with("/v1/agreements", &[("TPP-Session-ID", "")]))
}

#[test]
fn each_agreement_names_its_customer_as_the_tpp_knows_it() {
    let aisp = Aisp::of(World::new(), &ScaAnswer::approve(PROXY));
    let listed = agreements(&aisp);
    assert_eq!(listed, agreements(&aisp), "an id that was given stays");
    let listed = listed["agreements"].as_array().unwrap().clone();
    let facts: Vec<_> = listed.iter().map(|one| (one["name"].clone(), one["owner"].clone())).collect();
    assert_eq!(
        facts,
        [
            (json!(COMPANY_AGREEMENT), json!("18129215603")),
            (json!(OTHER_COMPANY_AGREEMENT), json!("20079518612"))
        ]
    );
    for (agreement, one) in [COMPANY_AGREEMENT, OTHER_COMPANY_AGREEMENT].iter().zip(&listed) {
        let callback = consent(&aisp.world, agreement, &approve_for(agreement));
        assert_eq!(parameter(&callback, "psu-corporate-id").as_deref(), one["psuCorporateId"].as_str());
    }
}

#[test]
fn ids_given_by_an_sca_before_are_listed() {
    let aisp = Aisp::of(World::new(), &approve_for(OTHER_COMPANY_AGREEMENT));
    let listed = agreements(&aisp);
    assert_eq!(listed["agreements"][1]["psuCorporateId"].as_str(), aisp.corporate_id.as_deref());
    assert_ne!(listed["agreements"][0]["psuCorporateId"].as_str(), aisp.corporate_id.as_deref());
}

#[test]
fn another_tpp_knows_the_customers_by_other_ids() {
    let aisp = Aisp::of(World::new(), &ScaAnswer::approve(PROXY));
    let mut world = aisp.world.clone();
    world.tpp = world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let other = Aisp::of(world, &ScaAnswer::approve(PROXY));
    let ids = |aisp: &Aisp| agreements(aisp)["agreements"][0]["psuCorporateId"].clone();
    assert_ne!(ids(&aisp), ids(&other));
}

#[test]
fn a_person_without_agreements_has_an_empty_list() {
    assert_eq!(agreements(&Aisp::new()), json!({"agreements": []}));
}

#[test]
fn an_identified_psu_needs_no_consent() {
    let world = World::new();
    let started = world.call("GET", "/v1/user", &[("TPP-Redirect-URI", REDIRECT_URI)], b"");
    let callback = world.answer(&body(&started), &ScaAnswer::approve(PROXY));
    let aisp = Aisp { psu_id: parameter(&callback, "psu-id").unwrap(), corporate_id: None, world };
    assert_eq!(agreements(&aisp)["agreements"].as_array().unwrap().len(), 2);
}

#[test]
fn an_unknown_psu_is_sent_to_an_sca_that_identifies_and_grants_nothing() {
    let world = World::new();
    for psu_id in [None, Some(("PSU-ID", "67e55044-10b1-426f-9247-bb680e5fe0c8"))] {
        let mut headers = vec![("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "s")];
        headers.extend(psu_id);
        let refused = world.call("GET", "/v1/agreements", &headers, b"");
        assert_needs_sca(&refused, 401, "SCA_NOT_FOUND");
        let callback = world.answer(&body(&refused), &ScaAnswer::approve(PAYER));
        let aisp = Aisp {
            psu_id: parameter(&callback, "psu-id").unwrap(),
            corporate_id: None,
            world: world.clone(),
        };
        let closed = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "s")]);
        assert_needs_sca(&closed, 403, "CONSENT_UNKNOWN");
    }
}

/// Each of them would be the first to name the customers.
#[test]
fn eight_lists_at_the_same_time_give_one_customer_one_id() {
    let start = std::sync::Barrier::new(8);
    for _ in 0..20 {
        let aisp = Aisp::of(World::new(), &ScaAnswer::approve(PROXY));
        let signed: Vec<_> =
            (0..8).map(|_| aisp.world.signed("GET", "/v1/agreements", &aisp.headers(), b"")).collect();
        let list = |headers: &Vec<(String, String)>| {
            start.wait();
            answered(&send(&aisp.world.sandbox, "GET", "/v1/agreements", headers, b""))
        };
        let lists: Vec<_> = std::thread::scope(|scope| {
            let calls: Vec<_> = signed.iter().map(|headers| scope.spawn(|| list(headers))).collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        assert!(lists.iter().all(|list| *list == lists[0]), "{lists:?}");
    }
}
