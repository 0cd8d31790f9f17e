//! What may be put into a basket.

use serde_json::{json, Value};
use xs2a::payment::machine::PaymentStatus;
use xs2a::ScaAnswer;

use crate::world::answer::messages;
use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::{bulk, periodic, BULK, PERIODIC};
use crate::world::*;

const OF_UNKNOWN_PSU: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

fn id(created: &Value) -> &str {
    text(created, "/paymentId")
}

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

#[test]
fn a_basket_is_answered_with_its_id_its_status_and_three_links() {
    let world = World::new();
    let (first, second) = (world.numbered(1), world.numbered(2));
    let response = world.ask_for_basket(&[&first, &second]);
    let basket = accepted(&response);
    let href = format!("{BASKETS}/{}", text(&basket, "/basketId"));
    assert_eq!(response.header("Location"), Some(href.as_str()));
    let links = json!({
        "self": {"href": href, "verbs": ["GET", "DELETE"]},
        "status": {"href": format!("{href}/status"), "verbs": ["GET"]},
        "startAuthorisation": {"href": format!("{href}/authorisations"), "verbs": ["POST"]},
    });
    let basket_id = basket["basketId"].clone();
    assert_eq!(basket, json!({"basketId": basket_id, "transactionStatus": "RCVD", "_links": links}));
    assert_eq!(body(&world.get(&format!("{href}/status"))), basket);
    // The details list the payments, in the order they were named.
    let details = body(&world.get(&href));
    assert_eq!(details["payments"], json!([id(&first), id(&second)]));
    assert_eq!((&details["transactionStatus"], &details["_links"]), (&json!("RCVD"), &links));
}

#[test]
fn under_a_base_path_links_stay_without_it_and_the_location_has_it() {
    let options = xs2a::SandboxOptions { base_path: "/api".to_owned(), ..Default::default() };
    let world = World::with(options);
    let create = |number: usize| {
        let amount = [("/instructedAmount/amount", json!(format!("{number}.00")))];
        accepted(&world.create(&format!("/api{STRAKS}"), &changed(straks(), &amount)))
    };
    let callback = world.answer(&create(1), &approve());
    let (payer, created) = (parameter(&callback, "psu-id").unwrap(), create(2));
    let response = world.create_for(&payer, &format!("/api{BASKETS}"), &names(&[id(&created)]));
    let href = own(&accepted(&response)).to_owned();
    assert!(href.starts_with("/v1/signing-baskets/"), "{href}");
    assert_eq!(response.header("Location"), Some(format!("/api{href}").as_str()));
    assert_eq!(world.get(&format!("/api{href}")).status(), 200);
    assert_refused(&world.get(&href), 404, "NOT_FOUND", "");
}

#[test]
fn one_to_ten_payments_make_a_basket() {
    let world = World::new();
    let payments: Vec<_> = (1..=11).map(|number| world.numbered(number)).collect();
    let all: Vec<_> = payments.iter().collect();
    assert_refused(&world.ask_for_basket(&all), 400, "FORMAT_ERROR", "/paymentIds");
    assert_refused(&world.ask_for_basket(&[]), 400, "FORMAT_ERROR", "/paymentIds");
    let ten = world.basket(&all[..10]);
    assert_eq!(body(&world.get(own(&ten)))["payments"].as_array().unwrap().len(), 10);
    world.basket(&all[10..]);
}

#[test]
fn every_repeated_id_is_named() {
    let world = World::new();
    let payment = world.numbered(1);
    let response = world.name(&names(&[id(&payment), "x", id(&payment), "x"]));
    assert_refused(&response, 400, "FORMAT_ERROR", "/paymentIds/2");
    let paths: Vec<_> = messages(&response).into_iter().map(|message| message.path).collect();
    assert_eq!(paths, ["/paymentIds/2", "/paymentIds/3"]);
}

#[test]
fn a_repeated_id_is_named_beside_what_is_no_id_and_beside_a_wrong_count() {
    let world = World::new();
    let paths = |ids: Value| {
        let response = world.name(&json!({ "paymentIds": ids }));
        messages(&response).into_iter().map(|message| message.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(json!(["x", "x", 7])), ["/paymentIds/2", "/paymentIds/1"]);
    let eleven: Vec<_> = (0..11).map(|number| (number % 10).to_string()).collect();
    assert_eq!(paths(json!(eleven)), ["/paymentIds", "/paymentIds/10"]);
}

#[test]
fn what_is_no_list_of_texts_is_a_format_error() {
    let world = World::new();
    let payer = world.known_payer();
    for (sent, path) in [
        ("{}", "/paymentIds"),
        (r#"{"paymentIds":null}"#, "/paymentIds"),
        (r#"{"paymentIds":"x"}"#, "/paymentIds"),
        (r#"{"paymentIds":{}}"#, "/paymentIds"),
        (r#"{"paymentIds":[null]}"#, "/paymentIds/0"),
        (r#"{"paymentIds":["x",7]}"#, "/paymentIds/1"),
        (r#"{"paymentIds":["x"],"paymentIds":["y"]}"#, "/paymentIds"),
        ("[]", ""),
        ("", ""),
    ] {
        let headers = replaced(creation_headers(), &[("PSU-ID", payer.as_str())]);
        let response = world.call("POST", BASKETS, &headers, sent.as_bytes());
        assert_refused(&response, 400, "FORMAT_ERROR", path);
    }
}

#[test]
fn unknown_members_are_ignored() {
    let world = World::new();
    let sent = json!({"consentIds": ["x"], "paymentIds": [id(&world.numbered(1))]});
    accepted(&world.name(&sent));
}

#[test]
fn every_unknown_payment_is_named() {
    let world = World::new();
    let payment = world.numbered(1);
    let ids = [OF_UNKNOWN_PSU, id(&payment), "", "a/b", &"x".repeat(1000)];
    let response = world.name(&names(&ids));
    assert_refused(&response, 400, "RESOURCE_UNKNOWN", "/paymentIds/0");
    let paths: Vec<_> = messages(&response).into_iter().map(|message| message.path).collect();
    assert_eq!(paths, ["/paymentIds/0", "/paymentIds/2", "/paymentIds/3", "/paymentIds/4"]);
    // The others were not touched.
    world.basket(&[&payment]);
}

#[test]
fn bulk_and_periodic_payments_cannot_be_put_into_a_basket() {
    let world = World::new();
    let single = world.numbered(1);
    let mixed = [accepted(&world.create(PERIODIC, &periodic())), accepted(&world.create(BULK, &bulk(2)))];
    for other in &mixed {
        assert_refused(&world.ask_for_basket(&[other]), 400, "REFERENCE_MIX_INVALID", "/paymentIds/0");
        let response = world.ask_for_basket(&[&single, other]);
        assert_refused(&response, 400, "REFERENCE_MIX_INVALID", "/paymentIds/1");
        assert_eq!(world.transaction_status(other), "RCVD");
    }
    let response = world.ask_for_basket(&[&mixed[0], &single, &mixed[1]]);
    let paths: Vec<_> = messages(&response).into_iter().map(|message| message.path).collect();
    assert_eq!(paths, ["/paymentIds/0", "/paymentIds/2"]);
    world.basket(&[&single]);
}

#[test]
fn every_single_product_can_be_put_into_one_basket() {
    let world = World::new();
    let products = products::every_product();
    let single = products.iter().filter(|(target, _)| target.starts_with("/v1/payments/"));
    let payments: Vec<_> = single.map(|(target, order)| accepted(&world.create(target, order))).collect();
    assert_eq!(payments.len(), 6);
    world.basket(&payments.iter().collect::<Vec<_>>());
}

#[test]
fn payments_of_two_psus_are_a_mix_and_of_an_unknown_psu_are_not() {
    let world = World::new();
    let (payer, payee) = (world.payer_id(), world.psu_id(PAYEE, PAYEE_ACCOUNT, PAYER_ACCOUNT));
    let of_payer = world.numbered_of(&payer, 1, PAYER_ACCOUNT);
    let of_payee = world.numbered_of(&payee, 2, PAYEE_ACCOUNT);
    let without_psu = world.numbered(3);
    let response = world.ask_for_basket(&[&without_psu, &of_payer, &of_payee]);
    assert_refused(&response, 400, "REFERENCE_MIX_INVALID", "/paymentIds/2");
    let basket = world.basket(&[&without_psu, &of_payer]);
    world.gives_up(own(&basket));
    accepted(&world.create_for(&payee, BASKETS, &names(&[id(&of_payee), id(&without_psu)])));
}

#[test]
fn what_cannot_be_in_a_basket_does_not_say_whose_it_is() {
    let world = World::new();
    let (payer, payee) = (world.payer_id(), world.psu_id(PAYEE, PAYEE_ACCOUNT, PAYER_ACCOUNT));
    let open_basket = accepted(&world.create_for(&payer, PERIODIC, &periodic()));
    let of_payee = [1, 2].map(|number| world.numbered_of(&payee, number, PAYEE_ACCOUNT));
    let ids = names(&[id(&open_basket), id(&of_payee[0]), id(&of_payee[1])]);
    let paths: Vec<_> =
        messages(&world.create_for(&payee, BASKETS, &ids)).into_iter().map(|message| message.path).collect();
    assert_eq!(paths, ["/paymentIds/0"]);
}

#[test]
fn the_psu_named_is_the_one_of_the_payments() {
    let world = World::new();
    let (payer, payee) = (world.payer_id(), world.psu_id(PAYEE, PAYEE_ACCOUNT, PAYER_ACCOUNT));
    let of_payer = world.numbered_of(&payer, 1, PAYER_ACCOUNT);
    let sent = names(&[id(&of_payer)]);
    assert_refused(&world.create_for(&payee, BASKETS, &sent), 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    let unknown = world.create_for("67e55044-10b1-426f-9247-bb680e5fe0c8", BASKETS, &sent);
    assert_refused(&unknown, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    accepted(&world.create_for(&payer, BASKETS, &sent));
}

#[test]
fn payments_of_two_contexts_or_companies_are_a_mix() {
    let world = World::new();
    let order = |number: usize, account: &str| {
        let changes = [("/instructedAmount/amount", json!(format!("{number}.00")))];
        changed(changed(straks(), &changes), &[("/debtorAccount/bban", json!(account))])
    };
    let create = |headers: &[(&str, &str)], number, account| {
        accepted(&world.create_with(STRAKS, headers, &order(number, account)))
    };
    let corporate_id = |agreement: &str, number, account| {
        let created = create(&[("PSU-Context", "CORPORATE")], number, account);
        let callback = world.answer(&created, &approve_for(agreement));
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap())
    };
    let (psu_id, company) = corporate_id(COMPANY_AGREEMENT, 1, COMPANY_ACCOUNT);
    let (_, other_company) = corporate_id(OTHER_COMPANY_AGREEMENT, 2, OTHER_COMPANY_ACCOUNT);
    let of = |corporate: &str, number, account| {
        let who = [("PSU-Context", ""), ("PSU-ID", psu_id.as_str()), ("PSU-Corporate-ID", corporate)];
        create(&who, number, account)
    };
    let private = create(&[], 3, PROXY_ACCOUNT);
    let of_company = of(&company, 4, COMPANY_ACCOUNT);
    let of_other = of(&other_company, 5, OTHER_COMPANY_ACCOUNT);
    let of_some_company = create(&[("PSU-Context", "CORPORATE")], 6, COMPANY_ACCOUNT);
    // The session is a company's: who signs privately says so.
    let signer = [("PSU-Context", "PRIVATE"), ("PSU-ID", psu_id.as_str())];
    for (one, other) in [(&private, &of_company), (&of_company, &of_other), (&private, &of_some_company)] {
        let response = world.create_with(BASKETS, &signer, &names(&[id(one), id(other)]));
        assert_refused(&response, 400, "REFERENCE_MIX_INVALID", "/paymentIds/1");
    }
    let sent = names(&[id(&of_company), id(&of_some_company)]);
    let refused = world.create_with(BASKETS, &signer, &sent);
    assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", "PSU-Context");
    let signer = [("PSU-Context", ""), ("PSU-ID", psu_id.as_str()), ("PSU-Corporate-ID", company.as_str())];
    accepted(&world.create_with(BASKETS, &signer, &sent));
}

#[test]
fn a_payment_sits_in_one_open_basket_at_a_time() {
    let world = World::new();
    let (first, second) = (world.numbered(1), world.numbered(2));
    let basket = world.basket(&[&first]);
    let taken = world.ask_for_basket(&[&second, &first]);
    assert_refused(&taken, 400, "REFERENCE_MIX_INVALID", "/paymentIds/1");
    world.gives_up(own(&basket));
    world.basket(&[&second, &first]);
}

#[test]
fn only_received_payments_can_be_put_into_a_basket() {
    let world = World::new();
    let received = world.numbered(1);
    let settled = world.numbered(2);
    world.answer(&settled, &approve());
    let cancelled = world.numbered(3);
    world.gives_up(own(&cancelled));
    let rejected = world.numbered(4);
    world.sandbox.engine().report_payment_status(id(&rejected), PaymentStatus::Rjct, None).unwrap();
    for other in [&settled, &cancelled, &rejected] {
        assert_refused(&world.ask_for_basket(&[&received, other]), 409, "CONFLICT", "/paymentIds/1");
    }
    world.basket(&[&received]);
}

/// Unknown, then mixed: the first reason in the table decides, and the others are reported beside it. A conflict has
/// another status, and is reported only if there is no other fault.
#[test]
fn of_several_kinds_of_faults_the_first_leads_and_all_are_reported() {
    let world = World::new();
    let settled = world.numbered(1);
    world.answer(&settled, &approve());
    let open_basket = accepted(&world.create(PERIODIC, &periodic()));
    let taken = world.numbered(2);
    world.basket(&[&taken]);
    let (settled, open_basket, taken) = (id(&settled), id(&open_basket), id(&taken));
    for (ids, expected, beside) in [
        (
            vec![settled, taken, open_basket, OF_UNKNOWN_PSU],
            (400, "BSK-05", "/paymentIds/3"),
            &["/paymentIds/2", "/paymentIds/1"][..],
        ),
        (vec![settled, taken, open_basket], (400, "BSK-06", "/paymentIds/2"), &["/paymentIds/1"]),
        (vec![settled, taken], (400, "BSK-07", "/paymentIds/1"), &[]),
        (vec![settled], (409, "BSK-09", "/paymentIds/0"), &[]),
    ] {
        let response = world.name(&names(&ids));
        let (status, reason, _, path) = refused(&response);
        assert_eq!((status, reason, path.as_str()), expected);
        let reported: Vec<_> = messages(&response).into_iter().skip(1).map(|message| message.path).collect();
        assert_eq!(reported, beside);
    }
}

#[test]
fn creating_takes_the_headers_of_a_basket_and_needs_no_digest() {
    let world = World::new();
    let payment = world.numbered(1);
    let sent = names(&[id(&payment)]);
    let payer = world.known_payer();
    for header in ["PSU-ID", "PSU-IP-Address", "TPP-Redirect-URI", "TPP-Session-ID", "x-accept-fix"] {
        let mut headers = creation_headers();
        headers.push(("PSU-ID", &payer));
        headers.retain(|(name, _)| *name != header);
        let response = world.call("POST", BASKETS, &headers, sent.to_string().as_bytes());
        assert_refused(&response, 400, "HTTP_HEADER_REQUIRED", header);
    }
    let named = [("PSU-ID", payer.as_str()), ("Content-Type", "text/plain")];
    let other_type = world.create_with(BASKETS, &named, &sent);
    assert_refused(&other_type, 415, "BAD_REQUEST", "Content-Type");
    let draft = draft::Draft::raw_creation(BASKETS, sent.to_string()).with("PSU-ID", &payer);
    let signer = draft::Signer::of(&world.tpp);
    let signed = ["date", "x-request-id", "psu-id", "tpp-redirect-uri"];
    let prepared = signer.sign(draft, world.sandbox.now()).without("Digest").without("Signature");
    accepted(&signer.sign_undigested(prepared, &signed).send(&world.sandbox));
}

/// PSU-Context names a context and no PSU: it is enough for an authorisation, and not for a basket.
#[test]
fn a_basket_names_its_psu() {
    let world = World::new();
    let sent = names(&[id(&world.numbered(1))]);
    assert_refused(&world.create(BASKETS, &sent), 400, "HTTP_HEADER_REQUIRED", "PSU-ID");
    let basket = accepted(&world.create_for(&world.known_payer(), BASKETS, &sent));
    accepted(&world.start(&basket));
}
