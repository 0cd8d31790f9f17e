//! Each row of the table of access, over HTTP. What two rows do together is tested beside the table.

use xs2a::ScaAnswer;

use crate::aisp::{answered, assert_needs_sca, assert_refused, choosing, Aisp, OTHER_ACCOUNT, SESSION};
use crate::world::{body, link, parameter, World, PAYER, PAYER_ACCOUNT};

const UNKNOWN: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

#[test]
fn the_corporate_context_needs_a_corporate_id() {
    let aisp = Aisp::with_history();
    for path in aisp.paths() {
        let response = aisp.get_with(&path, &[("PSU-Context", "CORPORATE")]);
        assert_refused(&response, 400, "HTTP_HEADER_REQUIRED");
        assert_eq!(body(&response)["tppMessages"][0]["path"], "PSU-Corporate-ID");
    }
}

#[test]
fn a_psu_id_that_is_absent_or_unknown_needs_an_sca() {
    let aisp = Aisp::with_history();
    for path in aisp.paths() {
        for psu_id in ["", UNKNOWN] {
            let response = aisp.get_with(&path, &[("PSU-ID", psu_id), ("TPP-Session-ID", "new")]);
            assert_needs_sca(&response, 401, "SCA_NOT_FOUND");
        }
    }
}

#[test]
fn the_sca_of_a_refusal_makes_the_same_call_pass() {
    let world = World::new();
    let headers = [("TPP-Redirect-URI", "https://tpp.example/cb"), ("TPP-Session-ID", "s")];
    let refused = world.call("GET", "/v1/accounts", &headers, b"");
    assert_needs_sca(&refused, 401, "SCA_NOT_FOUND");
    let callback = world.answer(&body(&refused), &ScaAnswer::approve(PAYER));
    let psu_id = parameter(&callback, "psu-id").unwrap();
    assert_eq!(parameter(&callback, "tpp-session-id").as_deref(), Some("s"));
    let known = [headers[0], headers[1], ("PSU-ID", &psu_id)];
    assert_eq!(
        answered(&world.call("GET", "/v1/accounts", &known, b""))["accounts"][0]["bban"],
        PAYER_ACCOUNT
    );
}

#[test]
fn a_corporate_id_that_this_tpp_was_not_given_is_refused() {
    let aisp = Aisp::with_history();
    for path in aisp.paths() {
        // In every context: that of the session is the private one.
        for (context, session) in
            [("CORPORATE", SESSION), ("PRIVATE", SESSION), ("", SESSION), ("", "new"), ("PRIVATE", "new")]
        {
            let with = [("PSU-Context", context), ("PSU-Corporate-ID", UNKNOWN), ("TPP-Session-ID", session)];
            assert_refused(&aisp.get_with(&path, &with), 401, "PSU_CREDENTIALS_INVALID");
        }
    }
}

#[test]
fn a_psu_who_never_consented_is_known_and_has_opened_nothing() {
    let world = World::new();
    let psu_id = world.payer_id();
    let aisp = Aisp { world, psu_id, corporate_id: None };
    let response = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "session-1")]);
    assert_needs_sca(&response, 403, "CONSENT_UNKNOWN");
}

#[test]
fn a_revoked_consent_is_unknown_until_the_psu_consents_again() {
    let aisp = Aisp::with_history();
    let paths = aisp.paths();
    let tpp = aisp.world.tpp.organisation_id();
    aisp.world.sandbox.revoke_consent(PAYER, tpp).unwrap();
    let mut last = None;
    for path in &paths {
        let response = aisp.get(path);
        assert_needs_sca(&response, 403, "CONSENT_UNKNOWN");
        last = Some(body(&response));
    }
    aisp.world.answer(&last.unwrap(), &ScaAnswer::approve(PAYER));
    answered(&aisp.get(&paths[0]));
}

#[test]
fn a_consent_counts_for_180_days_less_a_microsecond() {
    let aisp = Aisp::with_history();
    let paths = aisp.paths();
    aisp.world.set_now("2027-02-28T09:59:59.999999Z");
    paths.iter().for_each(|path| drop(answered(&aisp.get(path))));
    aisp.world.set_now("2027-02-28T10:00:00Z");
    for path in &paths {
        assert_needs_sca(&aisp.get(path), 401, "CONSENT_EXPIRED");
    }
    let refused = body(&aisp.get(&paths[0]));
    assert!(link(&refused).contains("/sca/"));
    aisp.world.answer(&refused, &ScaAnswer::approve(PAYER));
    paths.iter().for_each(|path| drop(answered(&aisp.get(path))));
}

#[test]
fn a_session_id_that_was_never_seen_needs_an_sca() {
    let aisp = Aisp::with_history();
    for path in aisp.paths() {
        assert_needs_sca(&aisp.get_with(&path, &[("TPP-Session-ID", "new")]), 401, "SCA_NOT_FOUND");
    }
}

#[test]
fn an_account_without_an_owner_is_unknown() {
    let aisp = Aisp::new();
    for path in
        ["/v1/accounts/enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "/v1/card-accounts/enc!!AAAAAAAAAAAAAAAAAAAAAAAA"]
    {
        for rest in ["", "/balances", "/transactions?bookingStatus=booked"] {
            assert_refused(&aisp.get(&format!("{path}{rest}")), 404, "RESOURCE_UNKNOWN");
        }
    }
}

#[test]
fn an_account_of_the_psu_outside_the_consent_needs_an_sca() {
    let everything = Aisp::with_history();
    let (account, card) = (everything.account_path(), everything.card_path());
    let detail = everything.transaction_path();
    let world = everything.world.clone();
    let narrow = Aisp::of(world, &choosing(&[OTHER_ACCOUNT], ScaAnswer::approve(PAYER)));
    for path in [account, card] {
        for rest in ["", "/balances", "/transactions?bookingStatus=booked"] {
            assert_needs_sca(&narrow.get(&format!("{path}{rest}")), 401, "CONSENT_INVALID");
        }
    }
    assert_needs_sca(&narrow.get(&detail), 401, "CONSENT_INVALID");
    let cards = answered(&narrow.get("/v1/card-accounts"));
    assert_eq!(cards, serde_json::json!({"cardAccounts": []}));
}

#[test]
fn details_without_the_psu_need_a_consent_of_the_last_90_days() {
    let aisp = Aisp::with_history();
    let (detail, account) = (aisp.transaction_path(), aisp.account_path());
    aisp.world.set_now("2026-11-30T09:59:59.999999Z");
    answered(&aisp.get_alone(&detail));
    aisp.world.set_now("2026-11-30T10:00:00Z");
    assert_needs_sca(&aisp.get_alone(&detail), 401, "CONSENT_EXPIRED");
    answered(&aisp.get(&detail));
    answered(&aisp.get_alone(&format!("{account}/transactions?bookingStatus=booked")));
    answered(&aisp.get_alone(&format!("{account}/balances")));
}
