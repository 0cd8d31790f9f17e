//! For whom a person acts.

use super::browser::{Browser, Page};
use crate::world::*;
use serde_json::{json, Value};

fn of_company(world: &World, headers: &[(&str, &str)]) -> Value {
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    accepted(&world.create_with(&format!("{STRAKS}?allowLogicalDuplicate=true"), headers, &order))
}

const CORPORATE: [(&str, &str); 1] = [("PSU-Context", "CORPORATE")];

/// The text of [`PROXY`]'s companies on the page.
const COMPANY: &str = "Nettbank bedrift Fiktiv Handel AS";
const OTHER_COMPANY: &str = "Nettbank bedrift Oppdiktet Fisk AS";

/// The value of the choice with that name.
fn value(page: &Page, name: &str) -> String {
    let options = page.options("radio");
    let names: Vec<&str> =
        page.html.split("<b>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(options.len(), names.len());
    let at = names.iter().position(|found| *found == name).unwrap_or_else(|| panic!("{name} in {names:?}"));
    options[at].1.clone()
}

#[test]
fn a_person_who_acts_for_several_companies_chooses_one() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let roles = browser.identify(PROXY);
    roles.assert_shows(&["Who do you act for?", COMPANY, OTHER_COMPANY]);
    roles.assert_hides(&["Myself", "250.00"]);
    let chosen = value(&roles, COMPANY);
    let question = browser.submit(&roles, &[("role", &chosen)], "continue");
    question.assert_shows(&[&format!("You act for {COMPANY}"), "NOK 250.00"]);
    let end = browser.submit(&question, &[], "continue");
    let callback = end.location();
    assert_eq!(parameter(callback, "context").as_deref(), Some("CORPORATE"), "{callback}");
    assert!(parameter(callback, "psu-corporate-id").is_some(), "{callback}");
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn companies_whose_agreements_have_one_name_are_distinguished() {
    let world = World::new();
    let companies = [("18129215603", COMPANY_ACCOUNT), ("20079518612", OTHER_COMPANY_ACCOUNT)];
    for (owner, account) in companies {
        let engagement = json!({
            "customer": PAYER, "account": {"bban": account}, "roles": ["REGISTER", "VIEW"], "registerLimit": 0,
            "approvalLimit": 0,
        });
        let sent = json!({"name": "Nettbank", "owner": owner, "engagements": [engagement]}).to_string();
        accepted(&world.call("POST", "/v1/sandbox/agreements", &[], sent.as_bytes()));
    }
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let roles = browser.identify(PAYER);
    for name in ["Fiktiv Handel AS – Nettbank", "Oppdiktet Fisk AS – Nettbank"] {
        let question = browser.submit(&roles, &[("role", &value(&roles, name))], "continue");
        question.assert_shows(&[&format!("You act for {name} Amount")]);
    }
}

#[test]
fn in_bokmal_a_person_acts_on_behalf_of_a_company() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created)).speaking("nb");
    let roles = browser.identify(PROXY);
    roles.assert_shows(&["Hvem opptrer du på vegne av?"]);
    let question = browser.submit(&roles, &[("role", &value(&roles, COMPANY))], "continue");
    question.assert_shows(&[&format!("Du opptrer på vegne av {COMPANY}")]);
    let missing = browser.submit(&roles, &[], "continue");
    missing.assert_shows(&["Velg hvem du opptrer på vegne av"]);
    let unknown = browser.identify(PAYER);
    unknown.assert_shows(&[
        "Du kan ikke opptre på vegne av et foretak Acme Pay ber deg opptre på vegne av et foretak",
    ]);
    for page in [&roles, &question, &missing, &unknown] {
        page.assert_hides(&["handle for", "handler"]);
    }
}

#[test]
fn the_other_company_may_not_pay_from_that_account() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let roles = browser.identify(PROXY);
    let chosen = value(&roles, OTHER_COMPANY);
    let question = browser.submit(&roles, &[("role", &chosen)], "continue");
    let end = browser.submit(&question, &[], "continue");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("RESOURCE_UNKNOWN"));
}

#[test]
fn choosing_no_role_is_reported_and_can_be_corrected() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let roles = browser.identify(PROXY);
    let again = browser.submit(&roles, &[], "continue");
    assert_eq!(again.status(), 400);
    again.assert_shows(&["There is a problem", "Choose who you act for"]);
    assert!(again.html.contains("href=\"#role-0\"") && again.html.contains("id=\"role-0\""));
    let chosen = value(&again, COMPANY);
    assert_eq!(browser.submit(&again, &[("role", &chosen)], "continue").status(), 200);
}

#[test]
fn cancelling_where_a_company_is_chosen_aborts() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let end = browser.submit(&browser.identify(PROXY), &[], "cancel");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("SCA_INVALID"));
    assert_eq!(world.transaction_status(&created), "RCVD");
}

#[test]
fn a_role_that_is_not_offered_is_refused() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let roles = browser.identify(PROXY);
    for role in ["private", "agreement:enc!!AAAAAAAAAAAAAAAAAAAAAAAA"] {
        let page = browser.submit(&roles, &[("role", role)], "continue");
        page.assert_notice(400, "The field role has a value that was not offered.");
    }
    assert_eq!(browser.get().status(), 200, "the link is open still");
}

#[test]
fn a_person_without_an_agreement_can_only_cancel_a_companys_call() {
    let world = World::new();
    let created = of_company(&world, &CORPORATE);
    let browser = Browser::at(&world.sandbox, link(&created));
    let page = browser.identify(PAYER);
    assert_eq!(page.status(), 200);
    page.assert_shows(&["You cannot act for a company"]);
    assert_eq!(page.tags("button").len(), 1);
    let pressed = browser.submit(&page, &[("role", "private")], "continue");
    pressed.assert_notice(400, "The field role has a value that was not offered.");
    let end = browser.submit(&page, &[], "cancel");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("SCA_INVALID"));
}

#[test]
fn a_private_authorisation_asks_for_no_company() {
    let world = World::new();
    let order = changed(straks(), &[("/debtorAccount/bban", json!(PROXY_ACCOUNT))]);
    let created = accepted(&world.create(STRAKS, &order));
    let question = Browser::at(&world.sandbox, link(&created)).identify(PROXY);
    question.assert_shows(&["Approve payment", "NOK 250.00"]);
    question.assert_hides(&["You act for"]);
}

#[test]
fn a_company_that_the_call_names_is_not_asked_for_again() {
    let world = World::new();
    let callback = world.answer(&of_company(&world, &CORPORATE), &approve_for(COMPANY_AGREEMENT));
    let psu_id = parameter(&callback, "psu-id").unwrap();
    let corporate_id = parameter(&callback, "psu-corporate-id").unwrap();
    let who = [("PSU-ID", psu_id.as_str()), ("PSU-Corporate-ID", corporate_id.as_str()), ("PSU-Context", "")];
    let second = of_company(&world, &who);
    let started = accepted(&world.start_with(&second, &who));
    let question = Browser::at(&world.sandbox, link(&started)).identify(PROXY);
    question.assert_shows(&[&format!("You act for {COMPANY}"), "NOK 250.00"]);
}
