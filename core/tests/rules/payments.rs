//! Payments: how they are created, what is answered, which TPP reads them, and why they are refused.

use crate::world::*;
use serde_json::{json, Value};
use xs2a::{Context, SandboxOptions, ScaAnswer};

fn link_names(answered: &Value) -> Vec<&str> {
    answered["_links"].as_object().unwrap().keys().map(String::as_str).collect()
}

// How a payment starts.

#[test]
fn an_identified_psu_gets_links_self_status_and_start_authorisation() {
    let world = World::new();
    let psu_id = world.payer_id();
    let created = accepted(&world.create_for(&psu_id, STRAKS, &straks()));
    let own = format!("{STRAKS}/{}", text(&created, "/paymentId"));
    assert_eq!(
        created["_links"],
        json!({
            "self": {"href": own, "verbs": ["GET", "DELETE"]},
            "status": {"href": format!("{own}/status"), "verbs": ["GET"]},
            "startAuthorisation": {"href": format!("{own}/authorisations"), "verbs": ["POST"]},
        })
    );
    let started = accepted(&world.start_with(&created, &[("PSU-Context", ""), ("PSU-ID", &psu_id)]));
    assert_eq!(started["scaStatus"], "started");
    assert_eq!(link_names(&started), ["scaRedirect"]);
    assert_eq!(world.transaction_status(&created), "RCVD");
    world.answer(&started, &ScaAnswer::approve(PAYER));
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_single_sca_answers_the_link_in_the_place_of_start_authorisation() {
    let world = World::new();
    for (target, order) in [(STRAKS, straks()), (CROSS_BORDER, cross_border())] {
        let created = accepted(&world.create(target, &order));
        assert_eq!(link_names(&created), ["scaRedirect", "self", "status"], "{target}");
        assert_eq!(created["_links"]["scaRedirect"]["verbs"], json!(["GET"]));
        assert!(link(&created).starts_with("https://"), "{}", link(&created));
        assert_eq!(text(&created, "/transactionStatus"), "RCVD");
    }
}

#[test]
fn with_neither_psu_id_nor_context_psu_id_is_asked_for() {
    let world = World::new();
    let bare = world.create_with(STRAKS, &[("PSU-Context", "")], &straks());
    assert_refused(&bare, 400, "HTTP_HEADER_REQUIRED", "PSU-ID");
    let named = [("PSU-Context", ""), ("X-PSU-IDENTITY", PAYER)];
    assert_refused(&world.create_with(STRAKS, &named, &straks()), 400, "HTTP_HEADER_REQUIRED", "PSU-ID");
}

#[test]
fn a_psu_id_counts_for_the_tpp_it_was_given_to() {
    let world = World::new();
    let psu_id = world.payer_id();
    let unknown = "6f0f6d8e-93b5-4c0a-8d6b-4fd5a3a86e11";
    assert_refused(&world.create_for(unknown, STRAKS, &straks()), 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let headers = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
    let stolen = world.call_by(&other, "POST", STRAKS, &headers, straks().to_string().as_bytes());
    assert_refused(&stolen, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    accepted(&world.create_for(&psu_id, STRAKS, &straks()));
}

#[test]
fn a_new_payments_location_has_the_base_path_and_its_links_do_not() {
    let base_path = "/api-sandbox".to_owned();
    let world = World::with(SandboxOptions { base_path, ..SandboxOptions::default() });
    let response = world.create(&format!("/api-sandbox{STRAKS}"), &straks());
    let created = accepted(&response);
    let own = text(&created, "/_links/self/href");
    assert!(own.starts_with("/v1/"), "{own}");
    assert!(link(&created).contains("/api-sandbox/sca/"), "{}", link(&created));
    let location = response.header("Location").unwrap();
    assert_eq!(location, format!("/api-sandbox{own}"));
    assert_eq!(world.get(location).status(), 200);
    assert_refused(&world.get(own), 404, "NOT_FOUND", "");
}

// What it costs.

#[test]
fn instant_domestic_is_free_and_cross_border_costs_by_service_level() {
    let world = World::new();
    let level = |level: &str| changed(cross_border(), &[("/serviceLevel", level.into())]);
    for (target, order, amount, indicator) in [
        (STRAKS, straks(), "0.00", false),
        (CROSS_BORDER, cross_border(), "30.00", true),
        (CROSS_BORDER, level("NURG"), "30.00", true),
        (CROSS_BORDER, level("URGP"), "60.00", true),
        (CROSS_BORDER, level("SDVA"), "60.00", true),
    ] {
        let created = accepted(&world.create(&format!("{target}?allowLogicalDuplicate=true"), &order));
        assert_eq!(created["transactionFees"], json!({"amount": amount, "currency": "NOK"}), "{order}");
        assert_eq!(created["transactionFeeIndicator"], indicator, "{order}");
    }
}

// Details.

/// What details repeat of an order.
fn details_of(world: &World, target: &str, order: &Value) -> Value {
    let created = accepted(&world.create(target, order));
    let response = world.get(text(&created, "/_links/self/href"));
    assert_eq!(response.status(), 200, "{}", body(&response));
    let mut details = body(&response);
    assert_eq!(details["paymentId"], created["paymentId"]);
    assert_eq!(link_names(&details), ["self", "status"]);
    let members = details.as_object_mut().unwrap();
    members.remove("paymentId");
    members.remove("_links");
    details
}

#[test]
fn details_repeat_every_member_of_the_request_without_a_status() {
    let world = World::new();
    let reference =
        json!({"reference": "RF18539007547034", "referenceType": "CINV", "referenceIssuer": "ISO"});
    let full_address = json!({
        "street": "Storgata", "buildingNumber": "1 B", "postalCode": "0155", "townName": "Oslo", "city": "Oslo",
        "country": "NO",
    });
    let bare = |order: Value, changes: &[(&str, Value)]| {
        let without = changed(order, &[("/remittanceInformationUnstructured", Value::Null)]);
        changed(without, changes)
    };
    let card = json!({
        "other": {"identification": PAYER_CARD_MASKED, "schemeNameProprietary": "creditCardAccount"},
        "currency": "NOK",
    });
    for (target, order) in [
        (STRAKS, straks()),
        (STRAKS, bare(straks(), &[("/creditorAddress", json!({"country": "NO"}))])),
        (
            STRAKS,
            bare(
                straks(),
                &[
                    ("/creditorAddress", full_address),
                    ("/ultimateDebtor", "Ola Nordmann Ærlig".into()),
                    ("/purposeCode", "SALA".into()),
                    ("/remittanceInformationStructured", reference.clone()),
                ],
            ),
        ),
        (STRAKS, bare(straks(), &[("/remittanceInformationStructured", json!({"reference": "1234567897"}))])),
        (
            STRAKS,
            bare(
                straks(),
                &[(
                    "/remittanceInformationStructuredArray",
                    json!([reference, {"reference": "1234567897", "referenceType": "SCOR"}]),
                )],
            ),
        ),
        (STRAKS, bare(straks(), &[("/debtorAccount", card)])),
        (CROSS_BORDER, cross_border()),
        (
            CROSS_BORDER,
            changed(
                cross_border(),
                &[
                    ("/instructedAmount", json!({"amount": "12345678", "currency": "JPY"})),
                    ("/creditorAccount", json!({"bban": "0123456789ABC", "currency": "JPY"})),
                    ("/creditorAgent", "BOTKJPJTXXX".into()),
                    ("/serviceLevel", "URGP".into()),
                    ("/purposeCode", "SUPP".into()),
                    ("/ultimateDebtor", "Someone else".into()),
                    ("/regulatoryReportingCode", "14".into()),
                    ("/regulatoryReportingInformation", "Purchase of goods".into()),
                    ("/remittanceInformationUnstructured", "Invoice 7".into()),
                ],
            ),
        ),
    ] {
        assert_eq!(details_of(&world, target, &order), order);
    }
}

#[test]
fn details_stay_the_same_after_settlement() {
    let world = World::new();
    let created = world.pay(STRAKS, &straks(), PAYER);
    let details = body(&world.get(text(&created, "/_links/self/href")));
    assert_eq!(details["instructedAmount"], straks()["instructedAmount"]);
    assert_eq!(details.get("transactionStatus"), None);
}

// Who sees a payment.

#[test]
fn a_payment_is_unknown_to_another_tpp_product_or_id() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let id = text(&created, "/paymentId").to_owned();
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    for suffix in ["", "/status"] {
        let own = format!("{STRAKS}/{id}{suffix}");
        assert_eq!(world.get(&own).status(), 200);
        let foreign = world.call_by(&other, "GET", &own, &plain_headers(), b"");
        assert_refused(&foreign, 404, "RESOURCE_UNKNOWN", "");
        let other_product = world.get(&format!("{CROSS_BORDER}/{id}{suffix}"));
        assert_refused(&other_product, 404, "RESOURCE_UNKNOWN", "");
        for unknown in ["enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "1", "%00"] {
            let response = world.get(&format!("{STRAKS}/{unknown}{suffix}"));
            assert_refused(&response, 404, "RESOURCE_UNKNOWN", "");
        }
    }
    let target = format!("{STRAKS}/{id}/authorisations");
    let foreign = world.call_by(&other, "POST", &target, &creation_headers(), b"");
    assert_refused(&foreign, 404, "RESOURCE_UNKNOWN", "");
}

#[test]
fn a_certificate_without_the_role_makes_no_payments() {
    let world = World::new();
    let reader = world.sandbox.register_tpp("Reader", &["AISP"]).unwrap();
    let response =
        world.call_by(&reader, "POST", STRAKS, &creation_headers(), straks().to_string().as_bytes());
    assert_refused(&response, 403, "FORBIDDEN", "");
}

// The account that pays.

#[test]
fn an_identified_psu_learns_at_creation_that_the_account_is_not_theirs() {
    let world = World::new();
    let psu_id = world.payer_id();
    for (account, code, path) in [
        (json!({"bban": PAYEE_ACCOUNT, "currency": "NOK"}), "RESOURCE_UNKNOWN", "/debtorAccount/bban"),
        (json!({"bban": "12345678903", "currency": "NOK"}), "RESOURCE_UNKNOWN", "/debtorAccount/bban"),
        (json!({"bban": COMPANY_ACCOUNT, "currency": "NOK"}), "RESOURCE_UNKNOWN", "/debtorAccount/bban"),
        (json!({"bban": PAYER_ACCOUNT, "currency": "EUR"}), "FORMAT_ERROR", "/debtorAccount/currency"),
        (
            json!({"other": {"identification": "123456******0002", "schemeNameProprietary": "creditCardAccount"},
                "currency": "NOK"}),
            "RESOURCE_UNKNOWN",
            "/debtorAccount/other/identification",
        ),
    ] {
        let order = changed(straks(), &[("/debtorAccount", account)]);
        assert_refused(&world.create_for(&psu_id, STRAKS, &order), 400, code, path);
    }
}

#[test]
fn an_unidentified_psu_learns_in_the_sca_that_the_account_is_not_theirs() {
    let world = World::new();
    for (account, code) in [
        (json!({"bban": PAYEE_ACCOUNT, "currency": "NOK"}), "RESOURCE_UNKNOWN"),
        (json!({"bban": PAYER_ACCOUNT, "currency": "EUR"}), "FORMAT_ERROR"),
    ] {
        let created = accepted(&world.create(STRAKS, &changed(straks(), &[("/debtorAccount", account)])));
        let callback = world.answer(&created, &ScaAnswer::approve(PAYER));
        assert_eq!(parameter(&callback, "code").as_deref(), Some(code), "{callback}");
        assert_eq!(parameter(&callback, "status").as_deref(), Some("400"), "{callback}");
        assert_eq!(parameter(&callback, "psu-id"), None, "{callback}");
        assert_eq!(world.transaction_status(&created), "RCVD");
    }
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
}

#[test]
fn a_card_account_pays_by_its_number_and_by_its_masked_pan() {
    let world = World::new();
    let card = |number: &str| {
        json!({"other": {"identification": number, "schemeNameProprietary": "creditCardAccount"},
            "currency": "NOK"})
    };
    for (number, left) in [(PAYER_CARD, "-250.00"), (PAYER_CARD_MASKED, "-500.00")] {
        let order = changed(straks(), &[("/debtorAccount", card(number))]);
        let created = world.pay(STRAKS, &order, PAYER);
        assert_eq!(world.transaction_status(&created), "ACSC", "{number}");
        assert_eq!(world.balance(PAYER_CARD), left, "{number}");
    }
    assert_eq!(world.balance(PAYEE_ACCOUNT), "100500.00");
    world.assert_reconciled();
}

// A company pays.

fn company_order() -> Value {
    changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))])
}

#[test]
fn a_person_pays_for_the_company_of_the_agreement_and_the_tpp_gets_its_id() {
    let world = World::new();
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company_order()));
    let callback = world.answer(&created, &approve_for(COMPANY_AGREEMENT));
    let names: Vec<_> = parameters(&callback).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["state", "psu-id", "psu-corporate-id", "tpp-session-id", "context"]);
    assert_eq!(parameter(&callback, "context").as_deref(), Some("CORPORATE"));
    assert_eq!(world.transaction_status(&created), "ACSC");

    // The ids are good for the next call.
    let (psu_id, corporate_id) =
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap());
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    for context in ["CORPORATE", ""] {
        let who = [
            ("PSU-Context", context),
            ("PSU-ID", psu_id.as_str()),
            ("PSU-Corporate-ID", corporate_id.as_str()),
        ];
        let created = accepted(&world.create_with(&target, &who, &company_order()));
        let started = accepted(&world.start_with(&created, &who));
        world.answer(&started, &approve_for(COMPANY_AGREEMENT));
        assert_eq!(world.transaction_status(&created), "ACSC", "{context}");
    }
    assert_eq!(world.booked(COMPANY_ACCOUNT), ["-250.00"; 3]);
    world.assert_reconciled();
}

#[test]
fn an_identified_psu_in_corporate_context_needs_the_corporate_id() {
    let world = World::new();
    let psu_id = world.psu_id(PROXY, PROXY_ACCOUNT, "95360573088");
    let who = [("PSU-Context", "CORPORATE"), ("PSU-ID", psu_id.as_str())];
    let response = world.create_with(STRAKS, &who, &company_order());
    assert_refused(&response, 400, "HTTP_HEADER_REQUIRED", "PSU-Corporate-ID");
}

#[test]
fn an_identified_psus_context_is_its_sessions_if_none_is_sent() {
    let world = World::new();
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company_order()));
    let callback = world.answer(&created, &approve_for(COMPANY_AGREEMENT));
    let (psu_id, corporate_id) =
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap());
    let session = parameter(&callback, "tpp-session-id").unwrap();
    let order = changed(straks(), &[("/debtorAccount/bban", json!(PROXY_ACCOUNT))]);
    let create = |psu_id: &str, corporate_id: &str, context: &str, session: &str| {
        let who = [
            ("PSU-ID", psu_id),
            ("PSU-Corporate-ID", corporate_id),
            ("PSU-Context", context),
            ("TPP-Session-ID", session),
        ];
        world.create_with(&format!("{STRAKS}?allowLogicalDuplicate=true"), &who, &order)
    };
    let refused = create(&psu_id, "", "", &session);
    assert_refused(&refused, 400, "HTTP_HEADER_REQUIRED", "PSU-Corporate-ID");
    accepted(&create(&psu_id, "", "PRIVATE", &session));
    accepted(&create(&psu_id, "", "", "never seen"));
    // The session over the corporate id: a person's account is none of the company's.
    let private = accepted(&create(&psu_id, "", "PRIVATE", "private"));
    let started = world.start_with(&private, &[("PSU-ID", psu_id.as_str()), ("TPP-Session-ID", "private")]);
    world.answer(&accepted(&started), &ScaAnswer::approve(PROXY));
    accepted(&create(&psu_id, &corporate_id, "", "private"));
    assert_refused(
        &create(&psu_id, &corporate_id, "", &session),
        400,
        "RESOURCE_UNKNOWN",
        "/debtorAccount/bban",
    );
    let unknown = "6f0f6d8e-93b5-4c0a-8d6b-4fd5a3a86e11";
    let refused = create(&psu_id, unknown, "PRIVATE", &session);
    assert_refused(&refused, 401, "PSU_CREDENTIALS_INVALID", "PSU-Corporate-ID");
    // That of another person's session is not.
    let payer_id = world.payer_id();
    let who = [("PSU-ID", payer_id.as_str()), ("PSU-Context", ""), ("TPP-Session-ID", session.as_str())];
    accepted(&world.create_with(&format!("{STRAKS}?allowLogicalDuplicate=true"), &who, &straks()));
}

#[test]
fn a_corporate_id_is_for_its_psu_and_its_companys_accounts() {
    let world = World::new();
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company_order()));
    let callback = world.answer(&created, &approve_for(COMPANY_AGREEMENT));
    let (psu_id, corporate_id) =
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap());
    let payer_id = world.payer_id();
    let create = |psu_id: &str, corporate_id: &str, account: &str| {
        let who = [("PSU-Context", "CORPORATE"), ("PSU-ID", psu_id), ("PSU-Corporate-ID", corporate_id)];
        let order = changed(straks(), &[("/debtorAccount/bban", json!(account))]);
        world.create_with(&format!("{STRAKS}?allowLogicalDuplicate=true"), &who, &order)
    };
    let unknown = "6f0f6d8e-93b5-4c0a-8d6b-4fd5a3a86e11";
    accepted(&create(&psu_id, &corporate_id, COMPANY_ACCOUNT));
    for (response, status, code, path) in [
        (create(&psu_id, unknown, COMPANY_ACCOUNT), 401, "PSU_CREDENTIALS_INVALID", "PSU-Corporate-ID"),
        (
            create(&payer_id, &corporate_id, COMPANY_ACCOUNT),
            401,
            "PSU_CREDENTIALS_INVALID",
            "PSU-Corporate-ID",
        ),
        (
            create(&psu_id, &corporate_id, OTHER_COMPANY_ACCOUNT),
            400,
            "RESOURCE_UNKNOWN",
            "/debtorAccount/bban",
        ),
        (create(&psu_id, &corporate_id, PROXY_ACCOUNT), 400, "RESOURCE_UNKNOWN", "/debtorAccount/bban"),
    ] {
        assert_refused(&response, status, code, path);
    }
    // The person alone does not pay from the company's account.
    let private =
        world.create_for(&psu_id, &format!("{STRAKS}?allowLogicalDuplicate=true"), &company_order());
    assert_refused(&private, 400, "RESOURCE_UNKNOWN", "/debtorAccount/bban");
}

#[test]
fn a_corporate_customer_is_no_person_who_could_approve() {
    let world = World::new();
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company_order()));
    let answer = ScaAnswer { context: Context::Corporate, ..ScaAnswer::approve("18129215603") };
    let callback = world.answer(&created, &answer);
    assert_eq!(parameter(&callback, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
}

#[test]
fn another_psus_account_is_reported_after_faults_before_warnings() {
    let world = World::new();
    let psu_id = world.payer_id();
    let account = "/debtorAccount/bban";
    let order = changed(
        straks(),
        &[
            (account, json!(PAYEE_ACCOUNT)),
            ("/creditorName", json!("")),
            ("/creditorAccount/bban", json!("91351631959")),
            ("/unheardOf", json!(1)),
        ],
    );
    let response = world.create_for(&psu_id, STRAKS, &order);
    let answer = body(&response);
    let named: Vec<_> = answer["tppMessages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| (text(message, "/code"), text(message, "/path")))
        .collect();
    assert_eq!(
        named,
        [
            ("FORMAT_ERROR", "/creditorName"),
            ("KID_MISSING", "/remittanceInformationStructured/reference"),
            ("RESOURCE_UNKNOWN", account),
            ("FORMAT_ERROR", "/unheardOf"),
        ]
    );
}

// KID.

#[test]
fn a_creditor_with_a_kid_agreement_takes_no_payment_without_a_fitting_kid() {
    let world = World::new();
    let bare = changed(
        straks(),
        &[
            ("/creditorAccount/bban", json!("91351631959")),
            ("/remittanceInformationUnstructured", Value::Null),
        ],
    );
    let with = |reference: Value| changed(bare.clone(), &[("/remittanceInformationStructured", reference)]);
    let path = "/remittanceInformationStructured/reference";
    assert_refused(&world.create(STRAKS, &bare), 400, "KID_MISSING", path);
    let text = changed(bare.clone(), &[("/remittanceInformationUnstructured", json!("1234567897"))]);
    assert_refused(&world.create(STRAKS, &text), 400, "KID_MISSING", path);
    for reference in ["1234567898", "1234", "18"] {
        let response = world.create(STRAKS, &with(json!({"reference": reference})));
        assert_refused(&response, 400, "KID_INVALID", path);
    }
    let created = world.pay(STRAKS, &with(json!({"reference": "1234567897"})), PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
}
