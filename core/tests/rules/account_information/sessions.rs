//! Sessions: an hour, one id at a time, opened by every completed SCA.

use xs2a::engine::ScaOutcome;
use xs2a::{Context, ScaAnswer};

use crate::aisp::{answered, assert_needs_sca, consent, pay, Aisp, SESSION};
use crate::world::{
    abort, approve_for, at, body, link, parameter, replaced, straks, World, COMPANY_AGREEMENT,
    OTHER_COMPANY_AGREEMENT, PAYEE, PAYER, PROXY, REDIRECT_URI, STRAKS,
};

/// What only an open session may read.
const LONG_AGO: &str = "/transactions?bookingStatus=booked&dateFrom=1970-01-01";

fn is_open(aisp: &Aisp, session: &str) -> bool {
    let path = format!("{}{LONG_AGO}", aisp.account_path_by(session));
    let response = aisp.get_with(&path, &[("TPP-Session-ID", session)]);
    match response.status() {
        200 => true,
        _ => {
            assert_needs_sca(&response, 401, "SCA_EXPIRED");
            false
        }
    }
}

impl Aisp {
    /// The path of the first account, read under some session.
    fn account_path_by(&self, session: &str) -> String {
        let accounts = answered(&self.get_with("/v1/accounts", &[("TPP-Session-ID", session)]));
        format!("/v1/accounts/{}", accounts["accounts"][0]["resourceId"].as_str().unwrap())
    }
}

#[test]
fn a_session_is_open_for_an_hour_less_a_microsecond() {
    let aisp = Aisp::new();
    aisp.world.set_now("2026-09-01T10:59:59.999999Z");
    assert!(is_open(&aisp, SESSION));
    aisp.world.set_now("2026-09-01T11:00:00Z");
    assert!(!is_open(&aisp, SESSION));
}

#[test]
fn an_sca_under_the_same_id_opens_it_for_another_hour() {
    let aisp = Aisp::new();
    aisp.world.set_now("2026-09-01T10:30:00Z");
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    aisp.world.set_now("2026-09-01T11:29:59Z");
    assert!(is_open(&aisp, SESSION));
    aisp.world.set_now("2026-09-01T11:30:00Z");
    assert!(!is_open(&aisp, SESSION));
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, SESSION));
}

#[test]
fn a_completed_newer_session_ends_the_older_and_an_aborted_one_does_not() {
    let aisp = Aisp::new();
    let expected = parameter(&consent(&aisp.world, "newer", &abort()), "code");
    assert_eq!(expected.as_deref(), Some("SCA_INVALID"));
    consent(&aisp.world, "newer", &ScaAnswer::approve("00000000000"));
    assert!(is_open(&aisp, SESSION));
    assert_needs_sca(&aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "newer")]), 401, "SCA_NOT_FOUND");

    consent(&aisp.world, "newer", &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, "newer"));
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");
    // An SCA under the older id makes it the newer one.
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, SESSION));
    assert_needs_sca(&aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "newer")]), 401, "SCA_INVALID");
}

/// Begins a consent SCA under a session. The answer with its link.
fn begin(aisp: &Aisp, session: &str) -> serde_json::Value {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", session)];
    body(&aisp.world.call("POST", "/v1/bank-offered-consents", &headers, b""))
}

#[test]
fn an_sca_of_before_its_id_was_replaced_opens_no_session() {
    let aisp = Aisp::of(World::with_policy(r#"{"audit": true}"#), &ScaAnswer::approve(PAYER));
    let who = [("PSU-ID", aisp.psu_id.as_str()), ("TPP-Session-ID", SESSION)];
    let payment = body(&aisp.world.create_with(STRAKS, &who, &straks()));
    let started = body(&aisp.world.start_with(&payment, &who));
    let earlier = begin(&aisp, "newer");
    let (first, second) = (begin(&aisp, SESSION), begin(&aisp, SESSION));
    aisp.world.answer(&earlier, &ScaAnswer::approve(PAYER));
    aisp.world.set_now("2026-09-01T10:05:00Z");
    aisp.world.answer(&started, &ScaAnswer::approve(PAYER));
    assert_eq!(aisp.world.transaction_status(&payment), "ACSC", "it does what it was for");
    for begun in [&first, &second] {
        let callback = aisp.world.answer(begun, &ScaAnswer::approve(PAYER));
        assert_eq!(parameter(&callback, "psu-id").as_deref(), Some(aisp.psu_id.as_str()));
        assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");
        assert!(is_open(&aisp, "newer"));
    }
    let day = at("2026-09-01T00:00:00Z")..at("2026-09-02T00:00:00Z");
    let audit: Vec<_> = aisp.world.sandbox.engine().audit(day).map(Result::unwrap).collect();
    let opened = audit.iter().filter(|line| line.contains("session.opened"));
    assert_eq!(opened.count(), 2, "{audit:?}");
    // One that begins after the replacement opens it.
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, SESSION));
    assert_needs_sca(&aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "newer")]), 401, "SCA_INVALID");
}

#[test]
fn of_two_ids_that_are_new_the_later_one_is_open_in_either_order() {
    for later_is_first in [true, false] {
        let aisp = Aisp::new();
        let (earlier, later) = (begin(&aisp, "earlier"), begin(&aisp, "later"));
        let answered = if later_is_first { [&later, &earlier] } else { [&earlier, &later] };
        for begun in answered {
            aisp.world.answer(begun, &ScaAnswer::approve(PAYER));
        }
        assert!(is_open(&aisp, "later"), "{later_is_first}");
        let response = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "earlier")]);
        let code = if later_is_first { "SCA_NOT_FOUND" } else { "SCA_INVALID" };
        assert_needs_sca(&response, 401, code);
    }
}

#[test]
fn sessions_of_other_psus_tpps_and_contexts_stay_open() {
    let aisp = Aisp::new();
    consent(&aisp.world, "of payee", &ScaAnswer::approve(PAYEE));
    consent(&aisp.world, "of proxy", &ScaAnswer::approve(PROXY));
    let other = aisp.world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", SESSION)];
    let started = aisp.world.call_by(&other, "POST", "/v1/bank-offered-consents", &headers, b"");
    aisp.world.answer(&body(&started), &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, SESSION));

    let private = Aisp::of(World::new(), &ScaAnswer::approve(PROXY));
    consent(&private.world, "of company", &approve_for(COMPANY_AGREEMENT));
    assert!(is_open(&private, SESSION));
}

#[test]
fn the_session_of_another_company_of_the_psu_ends_and_its_consent_stays() {
    let first = Aisp::of(World::new(), &approve_for(COMPANY_AGREEMENT));
    let callback = consent(&first.world, "of other", &approve_for(OTHER_COMPANY_AGREEMENT));
    let other = Aisp { corporate_id: parameter(&callback, "psu-corporate-id"), ..first.clone() };
    assert!(is_open(&other, "of other"));
    assert_needs_sca(&first.get("/v1/accounts"), 401, "SCA_INVALID");
    answered(&first.get_with("/v1/accounts", &[("TPP-Session-ID", "")]));
}

#[test]
fn the_session_of_another_psu_is_invalid() {
    let aisp = Aisp::new();
    consent(&aisp.world, "of payee", &ScaAnswer::approve(PAYEE));
    let response = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "of payee")]);
    assert_needs_sca(&response, 401, "SCA_INVALID");
    // The link is for the PSU that the call names: it makes the session theirs.
    let failed = aisp.world.answer(&body(&response), &ScaAnswer::approve(PAYEE));
    assert_eq!(parameter(&failed, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
    let again = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "of payee")]);
    aisp.world.answer(&body(&again), &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, "of payee"));
}

#[test]
fn the_sca_of_a_payment_opens_its_session_and_grants_nothing() {
    let world = World::new();
    pay(&world, "paid");
    let psu_id = world.payer_id();
    let aisp = Aisp { world, psu_id, corporate_id: None };
    pay(&aisp.world, "paid again");
    let response = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "paid again")]);
    assert_needs_sca(&response, 403, "CONSENT_UNKNOWN");
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert_needs_sca(&aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "paid")]), 401, "SCA_INVALID");
    pay(&aisp.world, "third");
    assert!(is_open(&aisp, "third"));
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");
}

#[test]
fn the_scas_of_a_basket_and_of_a_cancellation_open_their_sessions_too() {
    const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";
    let aisp = Aisp::new();
    let who = [("PSU-ID", aisp.psu_id.as_str()), ("PSU-Context", ""), ("TPP-Session-ID", "of basket")];
    let created = body(&aisp.world.create(DOMESTIC, &straks()));
    let ids = crate::world::baskets::names(&[crate::world::text(&created, "/paymentId")]);
    let basket = aisp.world.create_with(crate::world::baskets::BASKETS, &who, &ids);
    assert_eq!(basket.status(), 201, "{}", body(&basket));
    let started = aisp.world.start_with(&body(&basket), &who);
    aisp.world.answer(&body(&started), &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, "of basket"));
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");

    let target = format!("{}/cancellation-authorisations", crate::world::text(&created, "/_links/self/href"));
    let who = [("PSU-ID", aisp.psu_id.as_str()), ("PSU-Context", ""), ("TPP-Session-ID", "of cancellation")];
    let started = aisp.world.create_with(&target, &who, &serde_json::json!({}));
    assert_eq!(started.status(), 201, "{}", body(&started));
    aisp.world.answer(&body(&started), &ScaAnswer::approve(PAYER));
    assert!(is_open(&aisp, "of cancellation"));
    let response = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "of basket")]);
    assert_needs_sca(&response, 401, "SCA_INVALID");
}

#[test]
fn the_sca_of_a_payment_restarts_neither_180_nor_90_days() {
    let aisp = Aisp::with_history();
    let detail = aisp.transaction_path();
    aisp.world.set_now("2026-11-30T09:00:00Z");
    pay(&aisp.world, SESSION);
    aisp.world.set_now("2026-11-30T10:00:00Z");
    assert_needs_sca(&aisp.get_alone(&detail), 401, "CONSENT_EXPIRED");
    aisp.world.set_now("2027-02-28T10:00:00Z");
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "CONSENT_EXPIRED");
}

#[test]
fn identification_opens_a_session_too_and_grants_nothing() {
    let aisp = Aisp::new();
    for path in ["/v1/user", "/v1/users"] {
        let started = aisp.world.call(
            "GET",
            path,
            &[("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", path)],
            b"",
        );
        let callback = aisp.world.answer(&answered(&started), &ScaAnswer::approve(PAYER));
        assert_eq!(parameter(&callback, "psu-id").as_deref(), Some(aisp.psu_id.as_str()));
        assert!(is_open(&aisp, path));
    }
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");
    let other = Aisp { psu_id: aisp.world.psu_id(PAYEE, "95360573037", "95360573002"), ..aisp };
    let response = other.get_with("/v1/accounts", &[("TPP-Session-ID", "session-1")]);
    assert_needs_sca(&response, 403, "CONSENT_UNKNOWN");
}

#[test]
fn a_session_id_is_made_where_the_call_had_none_and_opens_a_session() {
    let aisp = Aisp::new();
    let headers = replaced(aisp.headers(), &[("TPP-Session-ID", "")]);
    let started = aisp.world.call("POST", "/v1/bank-offered-consents", &headers, b"");
    let callback = aisp.world.answer(&body(&started), &ScaAnswer::approve(PAYER));
    let made = parameter(&callback, "tpp-session-id").unwrap();
    assert!(is_open(&aisp, &made));
}

#[test]
fn a_link_of_a_known_psu_keeps_to_the_context_of_the_session() {
    let aisp = Aisp::new();
    aisp.world.sandbox.revoke_consent(PAYER, aisp.world.tpp.organisation_id()).unwrap();
    let refused = body(&aisp.get("/v1/accounts"));
    let id = link(&refused).rsplit('/').next().unwrap().to_owned();
    let shown = aisp.world.sandbox.engine().authorisation(&id).unwrap().unwrap().authorisation;
    assert_eq!((shown.context, shown.session_id.as_str()), (Some(Context::Private), SESSION));
    let failed = aisp.world.sandbox.engine().complete_sca(&id, &ScaOutcome::Failed).unwrap();
    assert!(!failed.approved);
}
