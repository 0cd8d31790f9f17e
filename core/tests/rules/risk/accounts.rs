//! Account information by risk.

use xs2a::{Context, ScaAnswer};

use crate::aisp::{
    answered, assert_needs_sca, assert_refused, choosing, consent, pay, Aisp, OTHER_ACCOUNT, SESSION,
};
use crate::world::{
    abort, approve_for, body, parameter, text, World, COMPANY_AGREEMENT, PAYEE, PAYER, PROXY, REDIRECT_URI,
};

/// A session under which no SCA was completed.
const UNSEEN: &[(&str, &str)] = &[("TPP-Session-ID", "unseen")];

fn say(aisp: &Aisp, demand: &str) {
    aisp.world.sandbox.set_sca_demand(PAYER, demand).unwrap();
}

#[test]
fn an_sca_demanded_by_the_bank_is_required_on_every_route() {
    let aisp = Aisp::with_history();
    let paths = aisp.paths();
    say(&aisp, "demanded");
    for path in &paths {
        for with in [&[][..], &[("PSU-IP-Address", "")]] {
            let refused = aisp.get_with(path, with);
            assert_needs_sca(&refused, 401, "SCA_INVALID");
            assert_eq!(refused.reason(), Some("AIS-13"), "{path}");
        }
    }
    assert_needs_sca(&aisp.get_with(&paths[0], &[("TPP-Session-ID", "")]), 401, "SCA_INVALID");
    let link = body(&aisp.get(&paths[0]));
    assert_eq!(parameter(&aisp.world.answer(&link, &ScaAnswer::approve(PAYER)), "code"), None);
    paths.iter().for_each(|path| drop(answered(&aisp.get(path))));
}

#[test]
fn a_demand_lasts_until_that_person_completes_any_sca() {
    let aisp = Aisp::new();
    say(&aisp, "demanded");
    consent(&aisp.world, SESSION, &abort());
    consent(&aisp.world, "of payee", &ScaAnswer::approve(PAYEE));
    consent(&aisp.world, SESSION, &ScaAnswer::approve("00000000000"));
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");
    pay(&aisp.world, SESSION);
    answered(&aisp.get("/v1/accounts"));
    say(&aisp, "demanded");
    say(&aisp, "as_ruled");
    answered(&aisp.get("/v1/accounts"));
}

#[test]
fn a_demand_is_of_one_person_in_every_role() {
    let aisp = Aisp::new();
    let payee = Aisp::of(aisp.world.clone(), &ScaAnswer::approve(PAYEE));
    payee.world.sandbox.set_sca_demand(PAYER, "demanded").unwrap();
    answered(&payee.get("/v1/accounts"));
    let company = Aisp::of(World::new(), &approve_for(COMPANY_AGREEMENT));
    company.world.sandbox.set_sca_demand(PROXY, "demanded").unwrap();
    let refused = company.get("/v1/accounts");
    assert_needs_sca(&refused, 401, "SCA_INVALID");
    let id = text(&body(&refused), "/_links/scaRedirect/href").rsplit('/').next().unwrap().to_owned();
    let shown = company.world.sandbox.engine().authorisation(&id).unwrap().unwrap().authorisation;
    assert_eq!(shown.context, Some(Context::Corporate), "the link is for the role of the call");
}

#[test]
fn every_row_of_the_table_answers_before_the_bank_does() {
    let aisp = Aisp::with_history();
    let (account, detail) = (aisp.account_path(), aisp.transaction_path());
    let old = format!("{account}/transactions?bookingStatus=booked&dateFrom=2026-06-02");
    let lists = format!("{account}/transactions?bookingStatus=booked");
    (0..4).for_each(|_| drop(answered(&aisp.get_alone(&lists))));
    for demand in ["demanded", "exempt"] {
        say(&aisp, demand);
        assert_needs_sca(&aisp.get_with("/v1/accounts", &[("PSU-ID", "")]), 401, "SCA_NOT_FOUND");
        assert_refused(&aisp.get("/v1/accounts/enc!!AAAAAAAAAAAAAAAAAAAAAAAA"), 404, "RESOURCE_UNKNOWN");
        assert_needs_sca(&aisp.get_with(&old, &[("TPP-Session-ID", "")]), 401, "SCA_EXPIRED");
        assert_refused(&aisp.get_alone(&lists), 429, "ACCESS_EXCEEDED");
    }
    aisp.world.set_now("2026-11-30T10:00:00Z");
    assert_needs_sca(&aisp.get_alone(&detail), 401, "CONSENT_EXPIRED");
    aisp.world.set_now("2027-02-28T10:00:00Z");
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "CONSENT_EXPIRED");
    aisp.world.sandbox.revoke_consent(PAYER, aisp.world.tpp.organisation_id()).unwrap();
    assert_needs_sca(&aisp.get("/v1/accounts"), 403, "CONSENT_UNKNOWN");
}

#[test]
fn a_call_that_the_bank_refuses_is_not_counted() {
    let aisp = Aisp::new();
    let list = format!("{}/transactions?bookingStatus=booked", aisp.account_path());
    say(&aisp, "demanded");
    (0..5).for_each(|_| assert_needs_sca(&aisp.get_alone(&list), 401, "SCA_INVALID"));
    say(&aisp, "as_ruled");
    (0..4).for_each(|_| drop(answered(&aisp.get_alone(&list))));
    assert_refused(&aisp.get_alone(&list), 429, "ACCESS_EXCEEDED");
}

#[test]
fn an_exempted_call_with_an_unseen_session_is_as_without_a_session() {
    let aisp = Aisp::with_history();
    let paths = aisp.paths();
    say(&aisp, "exempt");
    paths.iter().for_each(|path| drop(answered(&aisp.get_with(path, UNSEEN))));
    let list = format!("{}/transactions?bookingStatus=booked", aisp.account_path());
    let booked = |path: &str| answered(&aisp.get_with(path, UNSEEN))["transactions"]["booked"].clone();
    assert_eq!(booked(&list), booked(&format!("{list}&dateFrom=2026-06-03")), "the history of 90 days");
    let older = format!("{list}&dateFrom=2026-06-02");
    assert_needs_sca(&aisp.get_with(&older, UNSEEN), 401, "SCA_EXPIRED");
    // It opened no session, and ended none.
    say(&aisp, "as_ruled");
    assert_needs_sca(&aisp.get_with("/v1/accounts", UNSEEN), 401, "SCA_NOT_FOUND");
    answered(&aisp.get(&older));
}

#[test]
fn an_exemption_waives_no_other_row() {
    let aisp = Aisp::with_history();
    let account = aisp.account_path();
    consent(&aisp.world, "newer", &choosing(&[OTHER_ACCOUNT], ScaAnswer::approve(PAYER)));
    consent(&aisp.world, "of payee", &ScaAnswer::approve(PAYEE));
    say(&aisp, "exempt");
    let under = |path: &str, session: &str| aisp.get_with(path, &[("TPP-Session-ID", session)]);
    assert_needs_sca(&under("/v1/accounts", SESSION), 401, "SCA_INVALID");
    assert_needs_sca(&under("/v1/accounts", "of payee"), 401, "SCA_INVALID");
    for session in ["newer", "unseen"] {
        assert_needs_sca(&under(&account, session), 401, "CONSENT_INVALID");
        let foreign = "/v1/accounts/enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
        assert_refused(&under(foreign, session), 404, "RESOURCE_UNKNOWN");
    }
    let unknown = [("PSU-ID", ""), ("TPP-Session-ID", "unseen")];
    assert_needs_sca(&aisp.get_with("/v1/accounts", &unknown), 401, "SCA_NOT_FOUND");
    let company = [("PSU-Context", "CORPORATE"), ("TPP-Session-ID", "unseen")];
    assert_refused(&aisp.get_with("/v1/accounts", &company), 400, "HTTP_HEADER_REQUIRED");
    aisp.world.set_now("2027-02-28T10:00:00Z");
    assert_needs_sca(&under("/v1/accounts", "unseen"), 401, "CONSENT_EXPIRED");
    aisp.world.sandbox.revoke_consent(PAYER, aisp.world.tpp.organisation_id()).unwrap();
    assert_needs_sca(&under("/v1/accounts", "unseen"), 403, "CONSENT_UNKNOWN");
}

#[test]
fn starting_an_sca_and_listing_agreements_ask_no_risk_question() {
    let aisp = Aisp::new();
    say(&aisp, "demanded");
    let psu = [("TPP-Redirect-URI", REDIRECT_URI), ("PSU-ID", aisp.psu_id.as_str())];
    for (method, path, status) in
        [("POST", "/v1/bank-offered-consents", 201), ("GET", "/v1/user", 200), ("GET", "/v1/agreements", 200)]
    {
        assert_eq!(aisp.world.call(method, path, &psu, b"").status(), status, "{path}");
    }
}
