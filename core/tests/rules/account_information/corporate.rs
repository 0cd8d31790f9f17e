//! A person's own accounts and those of two companies, side by side.

use serde_json::json;
use xs2a::{Context, ScaAnswer};

use crate::aisp::{assert_needs_sca, assert_refused, bbans, choosing, consent, Aisp, With};
use crate::world::{
    accepted, approve_for, link, parameter, text, World, COMPANY_ACCOUNT, COMPANY_AGREEMENT,
    OTHER_COMPANY_ACCOUNT, OTHER_COMPANY_AGREEMENT, PAYER, PROXY, REDIRECT_URI,
};

struct ThreeRoles {
    aisp: Aisp,
    company: String,
    other_company: String,
}

impl ThreeRoles {
    fn new() -> Self {
        let world = World::new();
        let private = consent(&world, "private", &ScaAnswer::approve(PROXY));
        let id = |callback: &str| parameter(callback, "psu-corporate-id").unwrap();
        let company =
            consent(&world, "company", &choosing(&[COMPANY_ACCOUNT], approve_for(COMPANY_AGREEMENT)));
        let other = consent(&world, "other", &approve_for(OTHER_COMPANY_AGREEMENT));
        assert_eq!(parameter(&company, "context").as_deref(), Some("CORPORATE"));
        let psu_id = parameter(&private, "psu-id").unwrap();
        assert_eq!(parameter(&other, "psu-id").as_deref(), Some(psu_id.as_str()), "one person, one id");
        let (company, other_company) = (id(&company), id(&other));
        Self { aisp: Aisp { world, psu_id, corporate_id: None }, company, other_company }
    }

    fn get(&self, with: With<'_>) -> xs2a::Response {
        self.aisp.get_with("/v1/accounts", with)
    }
}

#[test]
fn of_another_person_s_session_no_context_follows() {
    let roles = ThreeRoles::new();
    consent(&roles.aisp.world, "payer's", &ScaAnswer::approve(PAYER));
    let company = [("TPP-Session-ID", "payer's"), ("PSU-Corporate-ID", roles.company.as_str())];
    assert_needs_sca(&roles.get(&company), 401, "SCA_INVALID");
    let payer =
        parameter(&consent(&roles.aisp.world, "payer's", &ScaAnswer::approve(PAYER)), "psu-id").unwrap();
    // A company's session of the proxy: the payer, who has no company, is asked for none.
    let private = [("TPP-Session-ID", "other"), ("PSU-ID", payer.as_str())];
    assert_needs_sca(&roles.get(&private), 401, "SCA_INVALID");
}

#[test]
fn each_role_shows_what_was_opened_in_it() {
    let roles = ThreeRoles::new();
    let own = bbans(&roles.get(&[("TPP-Session-ID", "private")]));
    assert!(own.contains(&"95360573061".to_owned()) && !own.contains(&COMPANY_ACCOUNT.to_owned()), "{own:?}");
    // The session of one company ended with that of the other; the consents are side by side.
    let company = [("TPP-Session-ID", ""), ("PSU-Corporate-ID", roles.company.as_str())];
    assert_eq!(bbans(&roles.get(&company)), [COMPANY_ACCOUNT]);
    let other = bbans(&roles.get(&[("TPP-Session-ID", "other"), ("PSU-Corporate-ID", &roles.other_company)]));
    assert!(other.contains(&OTHER_COMPANY_ACCOUNT.to_owned()), "{other:?}");
    assert!(!other.contains(&COMPANY_ACCOUNT.to_owned()), "{other:?}");
}

#[test]
fn the_context_is_of_the_header_else_session_else_corporate_id() {
    let roles = ThreeRoles::new();
    let corporate_id = ("PSU-Corporate-ID", roles.company.as_str());
    let none = ("TPP-Session-ID", "");
    // The corporate id alone.
    assert_eq!(bbans(&roles.get(&[none, corporate_id])), [COMPANY_ACCOUNT]);
    // The header over the corporate id.
    let private = bbans(&roles.get(&[none, corporate_id, ("PSU-Context", "PRIVATE")]));
    assert_eq!(private, bbans(&roles.get(&[none])));
    // The session over the corporate id, and the session without one.
    let in_session = bbans(&roles.get(&[("TPP-Session-ID", "private"), corporate_id]));
    assert_eq!(in_session, private);
    assert_refused(&roles.get(&[("TPP-Session-ID", "company")]), 400, "HTTP_HEADER_REQUIRED");
    // The header over the session: a session of another role is none of this one.
    let headers = [("TPP-Session-ID", "company"), ("PSU-Context", "PRIVATE")];
    assert_needs_sca(&roles.get(&headers), 401, "SCA_INVALID");
    let headers = [("TPP-Session-ID", "private"), ("PSU-Context", "CORPORATE"), corporate_id];
    assert_needs_sca(&roles.get(&headers), 401, "SCA_INVALID");
    let headers = [("TPP-Session-ID", "other"), corporate_id];
    assert_needs_sca(&roles.get(&headers), 401, "SCA_INVALID");
}

#[test]
fn an_account_of_another_role_is_unknown() {
    let roles = ThreeRoles::new();
    let company = [("TPP-Session-ID", ""), ("PSU-Corporate-ID", roles.company.as_str())];
    let id = |with: With<'_>| {
        let accounts = crate::aisp::answered(&roles.get(with));
        accounts["accounts"][0]["resourceId"].as_str().unwrap().to_owned()
    };
    let (of_company, own) = (id(&company), id(&[("TPP-Session-ID", "private")]));
    let path = |id: &str| format!("/v1/accounts/{id}/balances");
    crate::aisp::answered(&roles.aisp.get_with(&path(&of_company), &company));
    let other = [("TPP-Session-ID", "other"), ("PSU-Corporate-ID", roles.other_company.as_str())];
    for (id, with) in
        [(&of_company, &[("TPP-Session-ID", "private")][..]), (&of_company, &other[..]), (&own, &company[..])]
    {
        assert_refused(&roles.aisp.get_with(&path(id), with), 404, "RESOURCE_UNKNOWN");
    }
}

#[test]
fn the_corporate_id_of_one_person_opens_nothing_to_another() {
    let roles = ThreeRoles::new();
    let stranger = Aisp::of(roles.aisp.world.clone(), &ScaAnswer::approve(PAYER));
    let headers = [("PSU-Context", "CORPORATE"), ("PSU-Corporate-ID", roles.company.as_str())];
    assert_refused(&stranger.get_with("/v1/accounts", &headers), 401, "PSU_CREDENTIALS_INVALID");
    assert_eq!(approve_for(COMPANY_AGREEMENT).context, Context::Corporate);
}

#[test]
fn a_company_without_a_consent_is_unknown_beside_one_that_has_one() {
    let world = World::new();
    let callback = consent(&world, "company", &approve_for(COMPANY_AGREEMENT));
    let aisp = Aisp { psu_id: parameter(&callback, "psu-id").unwrap(), corporate_id: None, world };
    let agreements = crate::aisp::answered(&aisp.get_with("/v1/agreements", &[]));
    let other = agreements["agreements"].as_array().unwrap();
    let other = other.iter().find(|agreement| agreement["name"] == OTHER_COMPANY_AGREEMENT).unwrap();
    let id = other["psuCorporateId"].as_str().unwrap();
    let headers = [("TPP-Session-ID", ""), ("PSU-Corporate-ID", id)];
    assert_needs_sca(&aisp.get_with("/v1/accounts", &headers), 403, "CONSENT_UNKNOWN");
    assert_needs_sca(&aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "")]), 403, "CONSENT_UNKNOWN");
}

/// Another agreement of the first company, by which the same person has its second account alone. Its id.
fn second_agreement(world: &World, name: &str) -> String {
    let engagement = json!({
        "customer": PROXY, "account": {"bban": SECOND_ACCOUNT}, "roles": ["REGISTER", "VIEW"], "registerLimit": 0,
        "approvalLimit": 0,
    });
    let sent = json!({"name": name, "owner": "18129215603", "engagements": [engagement]}).to_string();
    let made = world.call("POST", "/v1/sandbox/agreements", &[], sent.as_bytes());
    text(&accepted(&made), "/id").to_owned()
}

const SECOND_ACCOUNT: &str = "95360573126";

/// The error that the host receives for a mistake at the SCA of a consent.
fn mistake(world: &World, answer: &ScaAnswer) -> String {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "session")];
    let asked = accepted(&world.call("POST", "/v1/bank-offered-consents", &headers, b""));
    match world.sandbox.authorise(link(&asked), answer) {
        Err(error) if error.is_of_caller() => error.text().into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_agreement_opens_its_own_accounts_only() {
    let world = World::new();
    let id = second_agreement(&world, "Ny avtale");
    for (agreement, expected) in [
        ("Ny avtale", &[SECOND_ACCOUNT][..]),
        (&id, &[SECOND_ACCOUNT]),
        (COMPANY_AGREEMENT, &[COMPANY_ACCOUNT, SECOND_ACCOUNT]),
    ] {
        let aisp = Aisp::of(world.clone(), &approve_for(agreement));
        assert_eq!(bbans(&aisp.get("/v1/accounts")), expected, "{agreement}");
    }
    let reported = mistake(&world, &choosing(&[SECOND_ACCOUNT, COMPANY_ACCOUNT], approve_for("Ny avtale")));
    let expected = "`95360573118` is not offered to this person in this context; offered: 95360573126";
    assert_eq!(reported, format!("`accounts`: {expected}"));
}

#[test]
fn an_agreement_without_an_account_to_see_opens_nothing_of_another_one() {
    let world = World::new();
    let blind = json!({
        "customer": PROXY, "account": {"bban": SECOND_ACCOUNT}, "roles": ["REGISTER", "VIEW"],
        "accessRights": false, "registerLimit": 0, "approvalLimit": 0,
    });
    let sent = json!({"name": "Ny avtale", "owner": "18129215603", "engagements": [blind]}).to_string();
    accepted(&world.call("POST", "/v1/sandbox/agreements", &[], sent.as_bytes()));
    let reported = mistake(&world, &approve_for("Ny avtale"));
    assert!(reported.contains("opens at least one account"), "{reported}");
    let reported = mistake(&world, &choosing(&[SECOND_ACCOUNT], approve_for("Ny avtale")));
    assert!(reported.ends_with("offered: nothing"), "{reported}");
}

#[test]
fn of_two_agreements_with_one_name_the_id_chooses() {
    let world = World::new();
    let id = second_agreement(&world, COMPANY_AGREEMENT);
    let reported = mistake(&world, &approve_for(COMPANY_AGREEMENT));
    assert!(reported.starts_with("`agreement`: several have that name, so choose by the id: "), "{reported}");
    assert!(reported.contains(&format!("{COMPANY_AGREEMENT} ({id})")), "{reported}");
    assert!(
        reported.ends_with(&format!("{OTHER_COMPANY_AGREEMENT}, {COMPANY_AGREEMENT} ({id})")),
        "{reported}"
    );
    let aisp = Aisp::of(world, &approve_for(&id));
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [SECOND_ACCOUNT]);
}

#[test]
fn mistakes_at_an_sca_are_reported_with_the_offer() {
    let world = World::new();
    let agreements = format!("{COMPANY_AGREEMENT}, {OTHER_COMPANY_AGREEMENT}");
    let offered = format!("`agreement` must be one that is offered, by name or id: {agreements}");
    let none = "`context`: this person has no agreement to act under for a company";
    let of_payer = "offered: 95360573002, 95360573010, 123456******0001";
    let not_offered = "not offered to this person in this context";
    let payer = || ScaAnswer::approve(PAYER);
    let private = ScaAnswer { context: Context::Private, ..approve_for(COMPANY_AGREEMENT) };
    for (answer, reported) in [
        (approve_for("Privatavtale"), offered.clone()),
        (ScaAnswer { agreement: None, ..approve_for("") }, offered),
        (ScaAnswer { context: Context::Corporate, ..payer() }, none.to_owned()),
        (private.clone(), "`agreement`: there is one to choose only in the context CORPORATE".to_owned()),
        (
            ScaAnswer { approve: false, ..private },
            "`agreement`: there is one to choose only in the context CORPORATE".to_owned(),
        ),
        (
            choosing(&["95360573002", "95360573037"], payer()),
            format!("`accounts`: `95360573037` is {not_offered}; {of_payer}"),
        ),
        (
            choosing(&["95360573037", "x"], payer()),
            format!("`accounts`: `95360573037`, `x` are {not_offered}; {of_payer}"),
        ),
    ] {
        assert_eq!(mistake(&world, &answer), reported);
    }
}
