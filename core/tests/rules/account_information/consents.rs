//! Consents: what they open, to whom, and how they end.

use xs2a::store::Grant;
use xs2a::types::{AccountId, ActingPsu, Context};
use xs2a::{ScaAnswer, ScaOutcome, Subject};

use crate::aisp::{answered, assert_needs_sca, bbans, choosing, consent, Aisp, OTHER_ACCOUNT, SESSION};
use crate::world::{
    body, link, parameter, World, PAYEE, PAYEE_ACCOUNT, PAYER, PAYER_ACCOUNT, PAYER_CARD_MASKED, PROXY,
    REDIRECT_URI,
};

fn start(world: &World) -> serde_json::Value {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", SESSION)];
    body(&world.call("POST", "/v1/bank-offered-consents", &headers, b""))
}

#[track_caller]
fn assert_misuse(world: &World, started: &serde_json::Value, answer: &ScaAnswer) {
    let answered = world.sandbox.authorise(link(started), answer);
    assert!(matches!(&answered, Err(error) if error.is_of_caller()), "{answered:?}");
}

#[test]
fn everything_that_is_offered_is_opened_where_nothing_is_chosen() {
    let aisp = Aisp::new();
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [PAYER_ACCOUNT, OTHER_ACCOUNT]);
    let cards = answered(&aisp.get("/v1/card-accounts"));
    assert_eq!(cards["cardAccounts"].as_array().unwrap().len(), 1);
}

#[test]
fn accounts_are_chosen_by_bban_iban_and_masked_pan() {
    let aisp = Aisp::new();
    for (chosen, accounts, cards) in [
        (&[PAYER_ACCOUNT][..], &[PAYER_ACCOUNT][..], 0),
        (&["NO0995360573002"], &[PAYER_ACCOUNT], 0),
        (&["9536 05 73010"], &[OTHER_ACCOUNT], 0),
        (&[PAYER_CARD_MASKED], &[], 1),
        (&[PAYER_CARD_MASKED, OTHER_ACCOUNT, OTHER_ACCOUNT], &[OTHER_ACCOUNT], 1),
    ] {
        consent(&aisp.world, SESSION, &choosing(chosen, ScaAnswer::approve(PAYER)));
        assert_eq!(bbans(&aisp.get("/v1/accounts")), accounts, "{chosen:?}");
        let listed = answered(&aisp.get("/v1/card-accounts"));
        assert_eq!(listed["cardAccounts"].as_array().unwrap().len(), cards, "{chosen:?}");
    }
}

#[test]
fn a_masked_pan_opens_every_card_that_shows_it_and_no_other() {
    let world = World::new();
    for (number, masked) in [
        ("95360573312", PAYER_CARD_MASKED),
        ("95360573320", PAYER_CARD_MASKED),
        ("95360573339", "9999******0001"),
    ] {
        let card = serde_json::json!({
            "customerNumber": PAYER, "maskedPan": masked, "currency": "NOK", "accountNumber": number,
            "creditLimit": {"currency": "NOK", "amount": 5000}, "balances": [], "cardId": "C",
            "cardIdVNo": "01", "expiry": "2030-01", "name": "Kort", "product": "KORT", "status": "enabled",
        });
        let made = world.call("POST", "/v1/sandbox/card-accounts", &[], card.to_string().as_bytes());
        assert_eq!(made.status(), 201, "{}", body(&made));
    }
    let aisp = Aisp::of(world, &choosing(&[PAYER_CARD_MASKED], ScaAnswer::approve(PAYER)));
    let listed = answered(&aisp.get("/v1/card-accounts"));
    let shown: Vec<_> =
        listed["cardAccounts"].as_array().unwrap().iter().map(|card| &card["maskedPan"]).collect();
    assert_eq!(shown, [PAYER_CARD_MASKED; 3]);
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [""; 0]);
}

#[test]
fn a_choice_that_was_not_offered_is_misuse_and_leaves_the_link_open() {
    let world = World::new();
    let started = start(&world);
    for chosen in [&[PAYEE_ACCOUNT][..], &[PAYER_ACCOUNT, "95360573118"], &["nothing"], &[""], &[]] {
        assert_misuse(&world, &started, &choosing(chosen, ScaAnswer::approve(PAYER)));
    }
    let callback = world.answer(&started, &choosing(&[PAYER_ACCOUNT], ScaAnswer::approve(PAYER)));
    assert_eq!(parameter(&callback, "code"), None);
}

#[test]
fn a_grant_that_the_bank_does_not_offer_is_the_hosts_mistake() {
    let world = World::new();
    let started = start(&world);
    let id = link(&started).rsplit('/').next().unwrap();
    let engine = world.sandbox.engine();
    assert_eq!(engine.authorisation(id).unwrap().unwrap().subject, Subject::Consent);
    let foreign = Grant::Only {
        accounts: vec![AccountId::parse("enc!!AAAAAAAAAAAAAAAAAAAAAAAA").unwrap()],
        card_accounts: vec![],
    };
    let nothing = Grant::Only { accounts: vec![], card_accounts: vec![] };
    for grant in [foreign, nothing] {
        let psu = ActingPsu {
            psu: xs2a::types::PsuKey::new("a person"),
            context: Context::Private,
            corporate: None,
        };
        let ended = engine.complete_sca(id, &ScaOutcome::Approved { psu, grant });
        assert!(matches!(&ended, Err(error) if error.is_of_caller()), "{ended:?}");
    }
}

#[test]
fn only_a_consent_offers_accounts_to_choose_from() {
    let world = World::new();
    let answer = choosing(&[PAYER_ACCOUNT], ScaAnswer::approve(PAYER));
    let created = body(&world.create(crate::world::STRAKS, &crate::world::straks()));
    assert_misuse(&world, &created, &answer);
    let identification = world.call("GET", "/v1/user", &[("TPP-Redirect-URI", REDIRECT_URI)], b"");
    assert_misuse(&world, &body(&identification), &answer);
}

#[test]
fn a_new_consent_replaces_the_scope_and_an_aborted_one_does_not() {
    let aisp = Aisp::new();
    consent(&aisp.world, SESSION, &choosing(&[OTHER_ACCOUNT], ScaAnswer::approve(PAYER)));
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [OTHER_ACCOUNT]);
    let aborted = ScaAnswer { approve: false, ..ScaAnswer::approve(PAYER) };
    consent(&aisp.world, SESSION, &aborted);
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [OTHER_ACCOUNT]);
}

#[test]
fn revoking_ends_every_context_of_one_psu_at_one_tpp_repeatably() {
    let aisp = Aisp::of(World::new(), &ScaAnswer::approve(PROXY));
    let company =
        consent(&aisp.world, "company", &crate::world::approve_for(crate::world::COMPANY_AGREEMENT));
    let corporate_id = parameter(&company, "psu-corporate-id").unwrap();
    let other_psu = Aisp::of(aisp.world.clone(), &ScaAnswer::approve(PAYEE));
    let tpp = aisp.world.tpp.organisation_id();
    for _ in 0..2 {
        other_psu.world.sandbox.revoke_consent(PROXY, tpp).unwrap();
        aisp.world.sandbox.revoke_consent(PROXY, tpp).unwrap();
    }
    assert_needs_sca(&aisp.get("/v1/accounts"), 403, "CONSENT_UNKNOWN");
    let of_company = [("PSU-Corporate-ID", corporate_id.as_str()), ("TPP-Session-ID", "company")];
    assert_needs_sca(&aisp.get_with("/v1/accounts", &of_company), 403, "CONSENT_UNKNOWN");
    answered(&other_psu.get("/v1/accounts"));
}

#[test]
fn revoking_at_one_tpp_leaves_the_other() {
    let aisp = Aisp::new();
    let other = aisp.world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    aisp.world.sandbox.revoke_consent(PAYER, other.organisation_id()).unwrap();
    answered(&aisp.get("/v1/accounts"));
}

#[test]
fn revoking_without_a_customer_is_the_hosts_mistake() {
    let aisp = Aisp::new();
    let tpp = aisp.world.tpp.organisation_id();
    for number in ["", "00000000000", "18129215603"] {
        let revoked = aisp.world.sandbox.revoke_consent(number, tpp);
        assert!(matches!(&revoked, Err(error) if error.is_of_caller()), "{number}: {revoked:?}");
    }
    let mistyped = aisp.world.sandbox.revoke_consent(PAYER, "PSDNO-FSA-unknown");
    assert!(matches!(&mistyped, Err(error) if error.is_of_caller()), "{mistyped:?}");
    answered(&aisp.get("/v1/accounts"));
}

#[test]
fn a_consent_of_an_unknown_person_ends_in_the_call_back() {
    let world = World::new();
    let callback = consent(&world, SESSION, &ScaAnswer::approve("00000000000"));
    assert_eq!(parameter(&callback, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
    assert_eq!(parameter(&callback, "psu-id"), None);
}

#[test]
fn a_consent_that_names_a_psu_is_given_by_that_psu_alone() {
    let aisp = Aisp::new();
    let started = body(&aisp.world.call("POST", "/v1/bank-offered-consents", &aisp.headers(), b""));
    let callback = aisp.world.answer(&started, &ScaAnswer::approve(PAYEE));
    assert_eq!(parameter(&callback, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
}

#[test]
fn unknown_ids_name_no_psu_and_the_sca_gives_the_right_ones() {
    let world = World::new();
    let headers = [
        ("TPP-Redirect-URI", REDIRECT_URI),
        ("PSU-ID", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
        ("PSU-Corporate-ID", "67e55044-10b1-426f-9247-bb680e5fe0c9"),
    ];
    for (method, path, status) in [("POST", "/v1/bank-offered-consents", 201), ("GET", "/v1/user", 200)] {
        let started = world.call(method, path, &headers, b"");
        assert_eq!(started.status(), status);
        let callback = world.answer(&body(&started), &ScaAnswer::approve(PAYER));
        assert!(parameter(&callback, "psu-id").is_some(), "{callback}");
    }
}

#[test]
fn a_named_context_is_kept_and_an_unnamed_one_is_the_psus_choice() {
    let world = World::new();
    let started = |context: &str| {
        let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("PSU-Context", context)];
        let headers = crate::world::replaced(vec![], &headers);
        body(&world.call("POST", "/v1/bank-offered-consents", &headers, b""))
    };
    let of_company = crate::world::approve_for(crate::world::COMPANY_AGREEMENT);
    let private = ScaAnswer::approve(PROXY);
    for (context, answer, passes) in [
        ("PRIVATE", &private, true),
        ("PRIVATE", &of_company, false),
        ("CORPORATE", &of_company, true),
        ("CORPORATE", &private, false),
        ("", &private, true),
        ("", &of_company, true),
    ] {
        let callback = world.answer(&started(context), answer);
        let code = parameter(&callback, "code");
        assert_eq!(code.is_none(), passes, "{context} {callback}");
        if passes {
            assert_eq!(parameter(&callback, "context").as_deref(), Some(answer.context.as_str()));
            assert_eq!(
                parameter(&callback, "psu-corporate-id").is_some(),
                answer.context == Context::Corporate
            );
        }
    }
}

#[test]
fn initialize_deletes_consents_and_counts_and_a_snapshot_keeps_them() {
    let aisp = Aisp::with_history();
    let (detail, account) = (aisp.transaction_path(), aisp.account_path());
    for _ in 0..4 {
        answered(&aisp.get_alone(&detail));
    }
    let image = aisp.world.sandbox.snapshot().unwrap();
    aisp.world.sandbox.initialize().unwrap();
    assert_needs_sca(&aisp.get(&account), 401, "SCA_NOT_FOUND");
    let callback = consent(&aisp.world, "another", &ScaAnswer::approve(PAYER));
    let psu_id = parameter(&callback, "psu-id").unwrap();
    let second = Aisp { world: aisp.world.clone(), psu_id, corporate_id: None };
    assert_needs_sca(&second.get(&account), 401, "SCA_NOT_FOUND");

    aisp.world.sandbox.restore(&image).unwrap();
    answered(&aisp.get(&account));
    assert_eq!(aisp.get_alone(&detail).status(), 429);
    let fork = aisp.world.clone();
    let in_fork = Aisp { world: fork, ..aisp.clone() };
    answered(&in_fork.get(&account));
}

#[test]
fn a_consent_in_a_file_is_there_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    let aisp = Aisp::of(World::on_file(&path), &choosing(&[OTHER_ACCOUNT], ScaAnswer::approve(PAYER)));
    let (psu_id, tpp) = (aisp.psu_id.clone(), aisp.world.tpp.clone());
    drop(aisp);
    let mut world = World::on_file(&path);
    world.tpp = tpp;
    let again = Aisp { world, psu_id, corporate_id: None };
    assert_eq!(bbans(&again.get("/v1/accounts")), [OTHER_ACCOUNT]);
}
