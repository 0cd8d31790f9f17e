//! A payment of one role, and calls that name another.

use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::world::*;

/// A person who acts for two companies, as a TPP knows them.
struct Representative {
    psu_id: String,
    company: String,
    other_company: String,
}

fn order(number: usize, account: &str) -> Value {
    let amount = json!(format!("{number}.00"));
    changed(straks(), &[("/debtorAccount/bban", json!(account)), ("/instructedAmount/amount", amount)])
}

fn representative(world: &World) -> Representative {
    let known_by = |agreement: &str, account: &str| {
        let created =
            accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &order(1, account)));
        let callback = world.answer(&created, &approve_for(agreement));
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap())
    };
    let (psu_id, company) = known_by(COMPANY_AGREEMENT, COMPANY_ACCOUNT);
    let (_, other_company) = known_by(OTHER_COMPANY_AGREEMENT, OTHER_COMPANY_ACCOUNT);
    Representative { psu_id, company, other_company }
}

#[test]
fn a_call_in_another_role_starts_no_sca_and_cancels_nothing() {
    let world = World::new();
    let Representative { psu_id, company, other_company } = representative(&world);
    let (psu_id, company, other_company) = (psu_id.as_str(), company.as_str(), other_company.as_str());
    let own = [("PSU-ID", psu_id), ("PSU-Corporate-ID", company), ("PSU-Context", "CORPORATE")];
    let created = accepted(&world.create_with(STRAKS, &own, &order(2, COMPANY_ACCOUNT)));
    let path = text(&created, "/_links/self/href");
    let basket = accepted(&world.create_with(baskets::BASKETS, &own, &{
        let beside = accepted(&world.create_with(STRAKS, &own, &order(3, COMPANY_ACCOUNT)));
        baskets::names(&[text(&beside, "/paymentId")])
    }));
    for (headers, place) in [
        (&[("PSU-ID", psu_id), ("PSU-Context", "PRIVATE")][..], "PSU-Context"),
        (&[("PSU-Context", "PRIVATE")], "PSU-Context"),
        (
            &[("PSU-ID", psu_id), ("PSU-Corporate-ID", other_company), ("PSU-Context", "CORPORATE")],
            "PSU-Corporate-ID",
        ),
        (&[("PSU-Corporate-ID", other_company), ("PSU-Context", "CORPORATE")], "PSU-Corporate-ID"),
    ] {
        for refused in [
            world.start_with(&created, headers),
            world.act_with("DELETE", path, headers),
            world.start_with(&basket, headers),
            world.act_with("DELETE", baskets::own(&basket), headers),
        ] {
            assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", place);
        }
    }
    // The named person acts for the company; without its id they do not.
    let alone = [("PSU-ID", psu_id), ("PSU-Context", ""), ("TPP-Session-ID", "never seen")];
    for refused in [
        world.start_with(&created, &alone),
        world.act_with("DELETE", path, &alone),
        world.start_with(&basket, &alone),
        world.act_with("DELETE", baskets::own(&basket), &alone),
    ] {
        assert_refused(&refused, 400, "HTTP_HEADER_REQUIRED", "PSU-Corporate-ID");
    }
    // The headers of a basket have no PSU-Context: under a private session too, the company says enough.
    let private = accepted(&world.create_with(STRAKS, &[], &order(4, PROXY_ACCOUNT)));
    world.answer(&private, &ScaAnswer::approve(PROXY));
    let by_id = [own[0], own[1], ("PSU-Context", "")];
    for headers in [&own[..], &own[1..], &own[2..], &by_id] {
        let started = accepted(&world.start_with(&created, headers));
        assert!(started["_links"]["scaRedirect"].is_object(), "{headers:?}");
    }
    let started = accepted(&world.start_with(&created, &own[2..]));
    world.answer(&started, &approve_for(COMPANY_AGREEMENT));
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_call_for_a_company_is_none_for_a_private_payment() {
    let world = World::new();
    let Representative { psu_id, company, .. } = representative(&world);
    let (person, acting) = (("PSU-ID", psu_id.as_str()), ("PSU-Corporate-ID", company.as_str()));
    let unsaid = ("PSU-Context", "");
    let never_seen = ("TPP-Session-ID", "never seen");
    let create = |number| {
        let private = [person, ("PSU-Context", "PRIVATE"), never_seen];
        accepted(&world.create_with(STRAKS, &private, &order(number, PROXY_ACCOUNT)))
    };
    let (created, beside) = (create(2), create(3));
    let path = text(&created, "/_links/self/href");
    let of_basket = [person, unsaid, never_seen];
    let names = |payment: &Value| baskets::names(&[text(payment, "/paymentId")]);
    let basket = accepted(&world.create_with(baskets::BASKETS, &of_basket, &names(&beside)));
    // The session of the last SCA is the company's.
    for by_company in [&[person, acting, unsaid, never_seen][..], &[person, acting, unsaid]] {
        for refused in [
            world.start_with(&created, by_company),
            world.act_with("DELETE", path, by_company),
            world.start_with(&basket, by_company),
            world.act_with("DELETE", baskets::own(&basket), by_company),
        ] {
            assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", "PSU-Context");
        }
    }
    let by_company = [person, acting, unsaid, never_seen];
    let refused = world.create_with(baskets::BASKETS, &by_company, &names(&created));
    assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", "PSU-Context");
    for own in [&[person, unsaid, never_seen][..], &[person, acting, ("PSU-Context", "PRIVATE")]] {
        assert!(accepted(&world.start_with(&created, own))["_links"]["scaRedirect"].is_object());
    }
    // A private session says more than a company that is named under it.
    let at_once = accepted(&world.start_with(&create(4), &[person, unsaid, ("TPP-Session-ID", "private")]));
    world.answer(&at_once, &ScaAnswer::approve(PROXY));
    let under_it = [person, acting, unsaid, ("TPP-Session-ID", "private")];
    assert!(accepted(&world.start_with(&created, &under_it))["_links"]["scaRedirect"].is_object());
}

#[test]
fn a_person_may_name_a_company_for_a_payment_of_an_unknown_company() {
    let world = World::new();
    let Representative { psu_id, company, .. } = representative(&world);
    let single = [("PSU-Context", "CORPORATE"), ("TPP-Session-ID", "never seen")];
    let created = accepted(&world.create_with(STRAKS, &single, &order(2, COMPANY_ACCOUNT)));
    let path = text(&created, "/_links/self/href");
    let alone = [("PSU-ID", psu_id.as_str()), ("PSU-Context", ""), ("TPP-Session-ID", "never seen")];
    let names = baskets::names(&[text(&created, "/paymentId")]);
    for refused in [
        world.start_with(&created, &alone),
        world.act_with("DELETE", path, &alone),
        world.create_with(baskets::BASKETS, &alone, &names),
    ] {
        assert_refused(&refused, 400, "HTTP_HEADER_REQUIRED", "PSU-Corporate-ID");
    }
    let with_it = [alone[0], ("PSU-Corporate-ID", company.as_str()), alone[1], alone[2]];
    for headers in [&with_it[..], &single] {
        assert!(accepted(&world.start_with(&created, headers))["_links"]["scaRedirect"].is_object());
    }
}

#[test]
fn a_company_named_without_a_person_is_known_and_approves_alone() {
    let world = World::new();
    let Representative { company, .. } = representative(&world);
    let never_given = "11111111-1111-4111-8111-111111111111";
    for context in ["CORPORATE", "PRIVATE"] {
        let named = [("PSU-Context", context), ("PSU-Corporate-ID", never_given)];
        let refused = world.create_with(STRAKS, &named, &order(2, COMPANY_ACCOUNT));
        assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", "PSU-Corporate-ID");
    }
    let named = [("PSU-Context", "CORPORATE"), ("PSU-Corporate-ID", company.as_str())];
    for (number, account, agreement, expected) in [
        (3, OTHER_COMPANY_ACCOUNT, OTHER_COMPANY_AGREEMENT, "RCVD"),
        (4, COMPANY_ACCOUNT, COMPANY_AGREEMENT, "ACSC"),
    ] {
        let created = accepted(&world.create_with(STRAKS, &named, &order(number, account)));
        world.answer(&created, &approve_for(agreement));
        assert_eq!(world.transaction_status(&created), expected, "{agreement}");
    }
}

#[test]
fn a_basket_is_made_in_the_role_of_its_payments_alone() {
    let world = World::new();
    let Representative { psu_id, company, other_company } = representative(&world);
    let own =
        [("PSU-ID", psu_id.as_str()), ("PSU-Corporate-ID", company.as_str()), ("PSU-Context", "CORPORATE")];
    let created = accepted(&world.create_with(STRAKS, &own, &order(2, COMPANY_ACCOUNT)));
    let names = baskets::names(&[text(&created, "/paymentId")]);
    let other = [own[0], ("PSU-Corporate-ID", other_company.as_str()), own[2]];
    let private = [own[0], ("PSU-Context", "PRIVATE")];
    for (headers, place) in [(&other[..], "PSU-Corporate-ID"), (&private, "PSU-Context")] {
        let refused = world.create_with(baskets::BASKETS, headers, &names);
        assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", place);
    }
    let alone = [own[0], ("PSU-Context", ""), ("TPP-Session-ID", "never seen")];
    let refused = world.create_with(baskets::BASKETS, &alone, &names);
    assert_refused(&refused, 400, "HTTP_HEADER_REQUIRED", "PSU-Corporate-ID");
    let by_id = [own[0], own[1], ("PSU-Context", ""), ("TPP-Session-ID", "never seen")];
    let basket = accepted(&world.create_with(baskets::BASKETS, &by_id, &names));
    let started = accepted(&world.start_with(&basket, &by_id));
    world.answer(&started, &approve_for(COMPANY_AGREEMENT));
    assert_eq!(world.transaction_status(&created), "ACSC");
}
