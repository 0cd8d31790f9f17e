//! Strong customer authentication: the call-back, the life of a link, who may answer it.

mod roles;

use crate::world::*;
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::{Context, ScaAnswer, Subject};

fn misuse(world: &World, created: &Value, answer: &ScaAnswer) -> String {
    match world.sandbox.authorise(link(created), answer) {
        Err(error) if error.is_of_caller() => error.text().into_owned(),
        other => panic!("{other:?}"),
    }
}

fn code(callback: &str) -> String {
    parameter(callback, "code").unwrap_or_else(|| panic!("{callback}"))
}

fn created_with(world: &World, headers: &[(&str, &str)]) -> Value {
    accepted(&world.create_with(&format!("{STRAKS}?allowLogicalDuplicate=true"), headers, &straks()))
}

fn created(world: &World) -> Value {
    created_with(world, &[])
}

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

// The call-back.

#[test]
fn after_success_the_redirect_uri_keeps_its_query_before_parameters() {
    let world = World::new();
    for (uri, session, expected) in [
        (
            "https://tpp.example/cb",
            "s-1",
            "https://tpp.example/cb?psu-id={}&tpp-session-id=s-1&context=PRIVATE",
        ),
        (
            "https://tpp.example/cb?state=a%20b&n=1#top",
            "a b&c=å/?",
            "https://tpp.example/cb?state=a%20b&n=1&psu-id={}\
             &tpp-session-id=a%20b%26c%3D%C3%A5%2F%3F&context=PRIVATE#top",
        ),
        (
            "com.example.app:/callback",
            "~-._",
            "com.example.app:/callback?psu-id={}&tpp-session-id=~-._&context=PRIVATE",
        ),
        ("http://localhost:8080/?", "s", "http://localhost:8080/?psu-id={}&tpp-session-id=s&context=PRIVATE"),
    ] {
        let created = created_with(&world, &[("TPP-Redirect-URI", uri), ("TPP-Session-ID", session)]);
        let callback = world.answer(&created, &approve());
        let psu_id = parameter(&callback, "psu-id").unwrap();
        let as_uuid = uuid::Uuid::try_parse(&psu_id).unwrap();
        assert_eq!(as_uuid.to_string(), psu_id);
        assert_eq!(callback, expected.replace("{}", &psu_id));
        assert_eq!(parameter(&callback, "tpp-session-id").as_deref(), Some(session));
    }
}

#[test]
fn after_failure_it_gets_system_status_code_and_message() {
    let world = World::new();
    let uri = ("TPP-Redirect-URI", "https://tpp.example/cb?state=42#top");
    let aborted = world.answer(&created_with(&world, &[uri]), &abort());
    assert_eq!(
        aborted,
        "https://tpp.example/cb?state=42&system=xs2a&status=401&code=SCA_INVALID&message=the%20PSU%20cancelled#top"
    );
    let norwegian = created_with(&world, &[uri, ("Accept-Language", "nb")]);
    let unknown = world.answer(&norwegian, &ScaAnswer::approve("01010112345"));
    assert_eq!(
        unknown,
        "https://tpp.example/cb?state=42&system=xs2a&status=401&code=PSU_CREDENTIALS_INVALID\
         &message=banken%20kjenner%20ikke%20denne%20personen#top"
    );
}

#[test]
fn a_session_id_is_made_where_the_call_had_none_and_may_have_none() {
    let world = World::with_policy(r#"{"require_session_headers": false}"#);
    let without = [("TPP-Session-ID", ""), ("x-accept-fix", "")];
    let (first, second) = (created_with(&world, &without), created_with(&world, &without));
    let session = |created: &Value, answer| {
        let callback = world.answer(created, answer);
        parameter(&callback, "tpp-session-id").unwrap_or_else(|| panic!("{callback}"))
    };
    let (first, second) = (session(&first, &approve()), session(&second, &approve()));
    assert!(uuid::Uuid::try_parse(&first).is_ok(), "{first}");
    assert_ne!(first, second);

    let strict = World::new();
    let response = strict.create_with(STRAKS, &[("TPP-Session-ID", "")], &straks());
    assert_refused(&response, 400, "HTTP_HEADER_REQUIRED", "TPP-Session-ID");
}

// Failing and trying again.

#[test]
fn after_an_aborted_or_failed_sca_a_new_one_authorises_the_payment() {
    let world = World::new();
    for answer in
        [abort(), ScaAnswer::approve("00000000000"), ScaAnswer::approve(PAYEE), ScaAnswer::approve("")]
    {
        let created = created(&world);
        let callback = world.answer(&created, &answer);
        assert!(!code(&callback).is_empty());
        let status = world.status(&created);
        assert_eq!(text(&status, "/transactionStatus"), "RCVD", "{answer:?}");
        assert!(status["_links"].get("startAuthorisation").is_some());
        assert!(world.sandbox.ledger(PAYEE_ACCOUNT).is_ok());
        let started = accepted(&world.start(&created));
        assert_eq!(started["scaStatus"], "started");
        world.answer(&started, &approve());
        assert_eq!(world.transaction_status(&created), "ACSC", "{answer:?}");
    }
    world.assert_reconciled();
}

#[test]
fn several_links_of_one_payment_are_open_and_one_authorises_it() {
    let world = World::new();
    let first = created(&world);
    let [second, third, fourth] = [(); 3].map(|()| accepted(&world.start(&first)));
    world.answer(&first, &abort());
    world.answer(&second, &approve());
    assert_eq!(world.transaction_status(&first), "ACSC");
    // It belongs to the PSU who authorised it. Another PSU does not learn what became of it.
    for (link, answer, expected) in [
        (third, approve(), ("CONFLICT", "409")),
        (fourth, ScaAnswer::approve(PAYEE), ("PSU_CREDENTIALS_INVALID", "401")),
    ] {
        let callback = world.answer(&link, &answer);
        let status = parameter(&callback, "status");
        assert_eq!((code(&callback).as_str(), status.as_deref()), (expected.0, Some(expected.1)));
    }
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn authorising_what_is_authorised_or_final_is_a_conflict() {
    let world = World::new();
    let settled = world.pay(STRAKS, &straks(), PAYER);
    assert_refused(&world.start(&settled), 409, "CONFLICT", "");
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    assert_eq!(world.transaction_status(&pending), "PDNG");
    assert_refused(&world.start(&pending), 409, "CONFLICT", "");
    for status in [PaymentStatus::Rjct, PaymentStatus::Canc] {
        let ended = created(&world);
        let id = text(&ended, "/paymentId");
        world.sandbox.engine().report_payment_status(id, status, None).unwrap();
        assert_refused(&world.start(&ended), 409, "CONFLICT", "");
        let callback = world.answer(&ended, &approve());
        assert_eq!(code(&callback), "CONFLICT", "{status}");
        assert_eq!(world.transaction_status(&ended), status.to_string());
    }
}

// The life of a link.

#[test]
fn a_link_is_invalid_after_any_answer() {
    let world = World::new();
    for answer in [approve(), abort(), ScaAnswer::approve("00000000000")] {
        let created = created(&world);
        world.answer(&created, &answer);
        assert!(misuse(&world, &created, &approve()).contains("used"));
        assert!(misuse(&world, &created, &abort()).contains("used"));
    }
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_link_lives_ten_minutes_less_a_microsecond() {
    let world = World::new();
    let (kept, late) = (created(&world), created(&world));
    world.set_now("2026-09-01T10:09:59.999999Z");
    world.answer(&kept, &approve());
    assert_eq!(world.transaction_status(&kept), "ACSC");
    world.set_now("2026-09-01T10:10:00Z");
    misuse(&world, &late, &approve());
    assert_eq!(world.transaction_status(&late), "RCVD");
    // The payment is as good as before.
    let started = accepted(&world.start(&late));
    world.sandbox.advance(TimeDelta::minutes(9)).unwrap();
    world.answer(&started, &approve());
    assert_eq!(world.transaction_status(&late), "ACSC");
}

#[test]
fn an_unknown_link_is_the_hosts_mistake() {
    let world = World::new();
    let created = created(&world);
    for link in
        ["", "https://sca.bank.example/sca/", "enc!!AAAAAAAAAAAAAAAAAAAAAAAA", text(&created, "/paymentId")]
    {
        let answered = world.sandbox.authorise(link, &approve());
        assert!(matches!(&answered, Err(error) if error.is_of_caller()), "{link}: {answered:?}");
    }
    let decorated = format!("{}?lang=nb#form", link(&created));
    assert!(world.sandbox.authorise(&decorated, &approve()).is_ok());
}

#[test]
fn what_the_psu_must_see_is_there_while_the_link_is_open() {
    let world = World::new();
    let created = created(&world);
    let id = link(&created).rsplit('/').next().unwrap();
    let shown = world.sandbox.engine().authorisation(id).unwrap().unwrap();
    let Subject::Payment(payment) = &shown.subject else { panic!("{:?}", shown.subject) };
    let transfer = &payment.order.transfers()[0];
    assert_eq!(transfer.instructed_amount.to_string(), "250.00");
    assert_eq!(transfer.creditor_name.as_str(), "Testodius To");
    assert_eq!(shown.authorisation.context, Some(Context::Private));
    assert_eq!(shown.authorisation.expires_at(), at("2026-09-01T10:10:00Z"));
    world.set_now("2026-09-01T10:10:00Z");
    assert_eq!(world.sandbox.engine().authorisation(id).unwrap(), None);
    assert_eq!(world.sandbox.engine().authorisation("no id").unwrap(), None);
}

// Who may answer.

#[test]
fn another_person_than_x_psu_identity_names_fails_the_sca() {
    let world = World::new();
    for (named, passes) in [(PAYER, true), (PAYEE, false), ("01010112345", false), ("18129215603", false)] {
        let created = created_with(&world, &[("X-PSU-IDENTITY", named)]);
        let callback = world.answer(&created, &approve());
        if passes {
            assert_eq!(world.transaction_status(&created), "ACSC");
        } else {
            assert_eq!(code(&callback), "PSU_CREDENTIALS_INVALID", "{named}");
            assert!(!callback.contains(named), "{callback}");
            assert_eq!(world.transaction_status(&created), "RCVD");
        }
    }
}

/// The number that is kept with a payment.
fn kept_number(world: &World, created: &Value) -> Option<String> {
    let document: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    let payments = document["payments"].as_array().unwrap();
    let kept = payments.iter().find(|payment| payment["id"] == created["paymentId"]).unwrap();
    kept.get("identity").map(|number| number.as_str().unwrap().to_owned())
}

#[track_caller]
fn assert_of_another_person(world: &World, started: &Value, created: &Value, answer: &ScaAnswer) {
    let callback = world.answer(started, answer);
    assert_eq!(code(&callback), "PSU_CREDENTIALS_INVALID");
    assert_eq!(world.transaction_status(created), "RCVD");
}

#[test]
fn x_psu_identity_of_the_creation_binds_each_authorisation() {
    let world = World::new();
    // The account is the payer's, who could approve if no PSU were named.
    for named in [PAYEE, "01010112345", "18129215603"] {
        let created = created_with(&world, &[("X-PSU-IDENTITY", named)]);
        for _ in 0..2 {
            let started = accepted(&world.start(&created));
            assert_of_another_person(&world, &started, &created, &approve());
        }
        assert_eq!(kept_number(&world, &created).as_deref(), Some(named));
    }
    let created = created_with(&world, &[("X-PSU-IDENTITY", PAYER)]);
    let started = accepted(&world.start(&created));
    assert_of_another_person(&world, &started, &created, &ScaAnswer::approve(PAYEE));
    world.answer(&accepted(&world.start(&created)), &approve());
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_later_call_that_names_another_person_cannot_be_completed() {
    let world = World::new();
    for (first, later) in [(PAYER, PAYEE), (PAYEE, PAYER)] {
        let created = created_with(&world, &[("X-PSU-IDENTITY", first)]);
        for person in [PAYER, PAYEE] {
            let started = accepted(&world.start_with(&created, &[("X-PSU-IDENTITY", later)]));
            assert_of_another_person(&world, &started, &created, &ScaAnswer::approve(person));
        }
    }
}

#[test]
fn a_number_and_a_psu_id_of_two_persons_cannot_be_completed() {
    let world = World::new();
    let psu_id = world.payer_id();
    for (named, status) in [(PAYEE, "RCVD"), (PAYER, "ACSC")] {
        let who = [("PSU-Context", ""), ("PSU-ID", psu_id.as_str()), ("X-PSU-IDENTITY", named)];
        let created = created_with(&world, &who);
        for headers in [&[][..], &who[..2]] {
            if world.transaction_status(&created) == "RCVD" {
                world.answer(&accepted(&world.start_with(&created, headers)), &approve());
            }
            assert_eq!(world.transaction_status(&created), status, "{named}");
        }
    }
}

#[test]
fn an_identity_number_is_deleted_when_its_payment_leaves_rcvd() {
    let world = World::new();
    let approved = |created: &Value| drop(world.answer(&accepted(&world.start(created)), &approve()));
    let given_up = |created: &Value| world.gives_up(text(created, "/_links/self/href"));
    let rejected = |created: &Value| {
        let id = text(created, "/paymentId");
        world.sandbox.engine().report_payment_status(id, PaymentStatus::Rjct, None).unwrap();
    };
    for end in [&approved as &dyn Fn(&Value), &given_up, &rejected] {
        let created = created_with(&world, &[("X-PSU-IDENTITY", PAYER)]);
        world.answer(&created, &abort());
        assert_eq!(
            kept_number(&world, &created).as_deref(),
            Some(PAYER),
            "an SCA that failed changes nothing"
        );
        end(&created);
        assert_eq!(kept_number(&world, &created), None);
    }
    assert_eq!(kept_number(&world, &created(&world)), None);
}

#[test]
fn a_payment_of_an_identified_psu_is_approved_by_that_psu_alone() {
    let world = World::new();
    let psu_id = world.payer_id();
    let created = accepted(&world.create_for(&psu_id, STRAKS, &straks()));
    // Named by the call, or only by the payment.
    for headers in
        [[("PSU-Context", ""), ("PSU-ID", psu_id.as_str())], [("PSU-Context", "PRIVATE"), ("PSU-ID", "")]]
    {
        let started = accepted(&world.start_with(&created, &headers));
        let callback = world.answer(&started, &ScaAnswer::approve(PAYEE));
        assert_eq!(code(&callback), "PSU_CREDENTIALS_INVALID");
        assert_eq!(world.transaction_status(&created), "RCVD");
    }
    let other_id = world.psu_id(PAYEE, PAYEE_ACCOUNT, PAYER_ACCOUNT);
    let stranger = world.start_with(&created, &[("PSU-Context", ""), ("PSU-ID", &other_id)]);
    assert_refused(&stranger, 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    let started = accepted(&world.start(&created));
    world.answer(&started, &approve());
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn starting_an_authorisation_names_the_psu_or_the_context() {
    let world = World::new();
    let created = created(&world);
    let response = world.start_with(&created, &[("PSU-Context", "")]);
    assert_refused(&response, 400, "HTTP_HEADER_REQUIRED", "PSU-ID");
}

#[test]
fn another_context_than_the_call_names_fails_the_sca() {
    let world = World::new();
    let company = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let private = accepted(&world.create(STRAKS, &company));
    let callback = world.answer(&private, &approve_for(COMPANY_AGREEMENT));
    assert_eq!(
        (code(&callback).as_str(), parameter(&callback, "status").as_deref()),
        ("SCA_INVALID", Some("401"))
    );
    let corporate = created_with(&world, &[("PSU-Context", "CORPORATE")]);
    let callback = world.answer(&corporate, &approve());
    assert_eq!(code(&callback), "SCA_INVALID");
    assert_eq!(world.transaction_status(&corporate), "RCVD");
}

#[test]
fn another_company_than_the_call_names_fails_the_sca() {
    let world = World::new();
    let company = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let first = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company));
    let callback = world.answer(&first, &approve_for(COMPANY_AGREEMENT));
    let (psu_id, corporate_id) =
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap());
    let who = [("PSU-ID", psu_id.as_str()), ("PSU-Corporate-ID", corporate_id.as_str()), ("PSU-Context", "")];
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let second = accepted(&world.create_with(&target, &who, &company));
    let started = accepted(&world.start_with(&second, &who));
    let callback = world.answer(&started, &approve_for(OTHER_COMPANY_AGREEMENT));
    assert_eq!(code(&callback), "SCA_INVALID");
}

#[test]
fn an_agreement_not_offered_is_misuse_and_leaves_the_link_open() {
    let world = World::new();
    let company = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company));
    let corporate = |customer: &str, agreement: Option<&str>| ScaAnswer {
        context: Context::Corporate,
        agreement: agreement.map(str::to_owned),
        ..ScaAnswer::approve(customer)
    };
    // Two are offered and none is chosen; the chosen one is unknown; none is offered to this person.
    let reported = misuse(&world, &created, &corporate(PROXY, None));
    assert!(reported.contains(COMPANY_AGREEMENT) && reported.contains(OTHER_COMPANY_AGREEMENT), "{reported}");
    misuse(&world, &created, &corporate(PROXY, Some("Privatavtale")));
    misuse(&world, &created, &corporate(PAYER, None));
    let accounts =
        ScaAnswer { accounts: Some(vec![COMPANY_ACCOUNT.to_owned()]), ..approve_for(COMPANY_AGREEMENT) };
    misuse(&world, &created, &accounts);
    world.answer(&created, &approve_for(COMPANY_AGREEMENT));
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn an_agreement_is_chosen_by_its_id_too() {
    let world = World::new();
    let data: Value = serde_json::from_str(&world.sandbox.default_data().unwrap()).unwrap();
    let agreements = data["agreements"].as_array().unwrap();
    let of_company = agreements.iter().find(|agreement| agreement["name"] == COMPANY_AGREEMENT).unwrap();
    let company = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company));
    let id = ["/agreementId", "/id", "/mockAgreementId"]
        .iter()
        .find_map(|pointer| of_company.pointer(pointer).and_then(Value::as_str))
        .unwrap_or_else(|| panic!("{of_company}"));
    world.answer(&created, &approve_for(id));
    assert_eq!(world.transaction_status(&created), "ACSC");
}

// The ids a TPP knows a PSU by.

fn ids(world: &World, tpp: &xs2a::TestTpp, customer: &str, account: &str) -> String {
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let order = changed(straks(), &[("/debtorAccount/bban", json!(account))]).to_string();
    let created = accepted(&world.call_by(tpp, "POST", &target, &creation_headers(), order.as_bytes()));
    let callback = world.answer(&created, &ScaAnswer::approve(customer));
    parameter(&callback, "psu-id").unwrap_or_else(|| panic!("{callback}"))
}

#[test]
fn a_psu_id_is_the_same_for_one_tpp_and_person_and_another_for_any_other() {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let first = ids(&world, &world.tpp, PAYER, PAYER_ACCOUNT);
    world.sandbox.advance(TimeDelta::days(400)).unwrap();
    assert_eq!(ids(&world, &world.tpp, PAYER, PAYER_ACCOUNT), first);
    let of_other_person = ids(&world, &world.tpp, PROXY, PROXY_ACCOUNT);
    let of_other_tpp = ids(&world, &other, PAYER, PAYER_ACCOUNT);
    assert_ne!(of_other_person, first);
    assert_ne!(of_other_tpp, first);
    assert_ne!(of_other_tpp, of_other_person);
    assert_eq!(ids(&world, &other, PAYER, PAYER_ACCOUNT), of_other_tpp);
}

#[test]
fn a_failed_sca_gives_no_psu_id_and_a_companys_gives_the_persons() {
    let world = World::new();
    let callback = world.answer(&created(&world), &abort());
    assert_eq!(parameter(&callback, "psu-id"), None);

    let private = world.psu_id(PROXY, PROXY_ACCOUNT, "95360573088");
    let mut corporate_ids = Vec::new();
    for (agreement, account) in [
        (COMPANY_AGREEMENT, COMPANY_ACCOUNT),
        (OTHER_COMPANY_AGREEMENT, OTHER_COMPANY_ACCOUNT),
        (COMPANY_AGREEMENT, COMPANY_ACCOUNT),
    ] {
        let order = changed(straks(), &[("/debtorAccount/bban", json!(account))]);
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let created = accepted(&world.create_with(&target, &[("PSU-Context", "CORPORATE")], &order));
        let callback = world.answer(&created, &approve_for(agreement));
        assert_eq!(parameter(&callback, "psu-id").as_deref(), Some(private.as_str()));
        corporate_ids.push(parameter(&callback, "psu-corporate-id").unwrap());
    }
    assert_eq!(corporate_ids[0], corporate_ids[2]);
    assert_ne!(corporate_ids[0], corporate_ids[1]);
}
