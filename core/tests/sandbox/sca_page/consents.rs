//! Accounts and cards in consents, and identifications by a TPP.

use super::browser::{Browser, Page};
use crate::world::*;
use serde_json::{json, Value};
use xs2a::ScaAnswer;

const OTHER_ACCOUNT: &str = "95360573010";

fn asked(world: &World) -> Value {
    accepted(&world.call("POST", "/v1/bank-offered-consents", &asking(), b""))
}

fn asking() -> Vec<(&'static str, &'static str)> {
    vec![("TPP-Session-ID", "session-1"), ("TPP-Redirect-URI", REDIRECT_URI)]
}

/// The names of the accounts and cards that the TPP gets to see after a walk.
fn seen(world: &World, callback: &str) -> (Vec<String>, Vec<String>) {
    let psu_id = parameter(callback, "psu-id").unwrap_or_else(|| panic!("{callback}"));
    let corporate_id = parameter(callback, "psu-corporate-id");
    let get = |target: &str, list: &str, name: &str| -> Vec<String> {
        let mut headers = asking();
        headers.push(("PSU-ID", &psu_id));
        headers.push(("PSU-IP-Address", "192.0.2.1"));
        headers.extend(corporate_id.as_deref().map(|id| ("PSU-Corporate-ID", id)));
        let response = world.call("GET", target, &headers, b"");
        assert_eq!(response.status(), 200, "{}", body(&response));
        let answered = body(&response);
        answered[list].as_array().unwrap().iter().map(|item| text(item, name).to_owned()).collect()
    };
    (get("/v1/accounts", "accounts", "/bban"), get("/v1/card-accounts", "cardAccounts", "/maskedPan"))
}

/// What a browser sends with these boxes ticked.
fn ticked(options: &[(String, String)]) -> Vec<(&str, &str)> {
    options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn assert_all_ticked(page: &Page) {
    let boxes: Vec<_> = page.tags("input").into_iter().filter(|tag| tag.contains("checkbox")).collect();
    assert!(!boxes.is_empty() && boxes.iter().all(|tag| tag.contains(" checked")), "{boxes:?}");
}

#[test]
fn everything_is_offered_and_ticked_and_what_stays_ticked_is_opened() {
    let world = World::new();
    let link_to = asked(&world);
    let browser = Browser::at(&world.sandbox, link(&link_to));
    browser.get().assert_shows(&["Acme Pay asks to see your accounts."]);
    browser.get().assert_hides(&["9536"]);
    let offer = browser.identify(PAYER);
    offer.assert_shows(&[
        "Let Acme Pay see your accounts",
        "for 180 days",
        "9536 05 73002 NOK",
        "9536 05 73010 NOK",
        "123456******0001 NOK",
        "Accounts",
        "Cards",
    ]);
    assert_all_ticked(&offer);
    let options = offer.options("checkbox");
    let names: Vec<_> = options.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["account", "account", "card"]);

    let end = browser.submit(&offer, &ticked(&options), "continue");
    let (accounts, cards) = seen(&world, end.location());
    assert_eq!(accounts, [PAYER_ACCOUNT, OTHER_ACCOUNT]);
    assert_eq!(cards, [PAYER_CARD_MASKED]);
}

#[test]
fn each_account_and_card_can_be_left_out() {
    let world = World::new();
    for left_out in 0..3 {
        let link_to = asked(&world);
        let browser = Browser::at(&world.sandbox, link(&link_to));
        let offer = browser.identify(PAYER);
        let mut options = offer.options("checkbox");
        options.remove(left_out);
        let end = browser.submit(&offer, &ticked(&options), "continue");
        let (accounts, cards) = seen(&world, end.location());
        let mut expected = vec![PAYER_ACCOUNT, OTHER_ACCOUNT, PAYER_CARD_MASKED];
        expected.remove(left_out);
        assert_eq!([accounts, cards].concat(), expected);
    }
}

#[test]
fn an_empty_choice_is_reported_and_can_be_corrected() {
    let world = World::new();
    let link_to = asked(&world);
    let browser = Browser::at(&world.sandbox, link(&link_to));
    let offer = browser.identify(PAYER);
    let again = browser.submit(&offer, &[], "continue");
    assert_eq!(again.status(), 400);
    again.assert_shows(&["There is a problem", "Choose at least one account or card"]);
    assert!(!again.html.contains(" checked"), "nothing is ticked behind the person's back");
    let one = &again.options("checkbox")[..1];
    let end = browser.submit(&again, &ticked(one), "continue");
    assert_eq!(seen(&world, end.location()).0, [PAYER_ACCOUNT]);
}

#[test]
fn what_was_not_offered_cannot_be_opened() {
    let world = World::new();
    let link_to = asked(&world);
    let browser = Browser::at(&world.sandbox, link(&link_to));
    let offer = browser.identify(PAYER);
    let other = Browser::at(&world.sandbox, link(&asked(&world))).identify(PAYEE).options("checkbox");
    let own = offer.options("checkbox");
    for (name, value) in &other {
        let page = browser.submit(&offer, &[(name, value)], "continue");
        page.assert_notice(400, &format!("The field {name} has a value that was not offered."));
        // Nor beside one's own.
        let both = [(own[0].0.as_str(), own[0].1.as_str()), (name, value)];
        browser.submit(&offer, &both, "continue").assert_notice(400, "that was not offered");
    }
    let card_as_account = [("account", own[2].1.as_str())];
    browser.submit(&offer, &card_as_account, "continue").assert_notice(400, "The field account has a value");
    let twice = [("card", own[2].1.as_str()), ("card", own[2].1.as_str())];
    browser.submit(&offer, &twice, "continue").assert_notice(400, "The field card occurs more than once.");
    let end = browser.submit(&offer, &ticked(&own), "continue");
    assert_eq!(seen(&world, end.location()).0.len(), 2, "the link was open all the time");
}

#[test]
fn cancelling_opens_nothing() {
    let world = World::new();
    let link_to = asked(&world);
    let browser = Browser::at(&world.sandbox, link(&link_to));
    let offer = browser.identify(PAYER);
    let end = browser.submit(&offer, &ticked(&offer.options("checkbox")), "cancel");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("SCA_INVALID"));
    assert_eq!(parameter(end.location(), "psu-id"), None);
}

#[test]
fn a_person_with_agreements_chooses_a_role_and_gets_its_offer() {
    let world = World::new();
    let link_to = asked(&world);
    let browser = Browser::at(&world.sandbox, link(&link_to));
    let roles = browser.identify(PROXY);
    roles.assert_shows(&["Who do you act for?", "Myself", COMPANY_AGREEMENT, OTHER_COMPANY_AGREEMENT]);
    let choices = roles.options("radio");
    assert_eq!(choices[0], ("role".to_owned(), "private".to_owned()));

    let private = browser.submit(&roles, &[("role", "private")], "continue");
    private.assert_shows(&["9536 05 73061"]);
    private.assert_hides(&["73118", "You act for"]);
    let company = browser.submit(&roles, &[("role", &choices[1].1)], "continue");
    company.assert_shows(&["9536 05 73118", "You act for Nettbank bedrift Fiktiv Handel AS"]);
    company.assert_hides(&["73061"]);

    // What one role was offered is nothing for the other.
    let mixed = private.options("checkbox");
    browser.submit(&company, &ticked(&mixed), "continue").assert_notice(400, "that was not offered");

    let end = browser.submit(&company, &ticked(&company.options("checkbox")), "continue");
    let callback = end.location();
    assert_eq!(parameter(callback, "context").as_deref(), Some("CORPORATE"));
    assert!(seen(&world, callback).0.contains(&COMPANY_ACCOUNT.to_owned()));
}

#[test]
fn an_agreement_is_offered_its_own_accounts_alone() {
    let world = World::new();
    let engagement = json!({
        "customer": PROXY, "account": {"bban": "95360573126"}, "roles": ["REGISTER", "VIEW"], "registerLimit": 0,
        "approvalLimit": 0,
    });
    let sent = json!({"name": "Ny avtale", "owner": "18129215603", "engagements": [engagement]}).to_string();
    accepted(&world.call("POST", "/v1/sandbox/agreements", &[], sent.as_bytes()));
    let link_to = asked(&world);
    let browser = Browser::at(&world.sandbox, link(&link_to));
    let roles = browser.identify(PROXY);
    let choices = roles.options("radio");
    let asked_under = |number: usize| browser.submit(&roles, &[("role", &choices[number].1)], "continue");

    let all = asked_under(1);
    all.assert_shows(&["9536 05 73118", "9536 05 73126"]);
    let one = asked_under(3);
    one.assert_shows(&["You act for Fiktiv Handel AS – Ny avtale", "9536 05 73126"]);
    one.assert_hides(&["73118"]);
    // What the other agreement of the same company offers is nothing for this one.
    let stray = browser.submit(&one, &ticked(&all.options("checkbox")), "continue");
    stray.assert_notice(400, "that was not offered");
    let end = browser.submit(&one, &ticked(&one.options("checkbox")), "continue");
    assert_eq!(seen(&world, end.location()).0, ["95360573126"]);
}

#[test]
fn everything_ticked_is_what_an_answer_without_a_browser_opens() {
    let world = World::new();
    let link_to = asked(&world);
    let other = world.clone();
    let browser = Browser::at(&world.sandbox, link(&link_to));
    let offer = browser.identify(PAYER);
    let walked =
        browser.submit(&offer, &ticked(&offer.options("checkbox")), "continue").location().to_owned();
    let answered = other.answer(&link_to, &ScaAnswer::approve(PAYER));
    assert_eq!(walked, answered);
    assert_eq!(seen(&world, &walked), seen(&other, &answered));
}

#[test]
fn a_tpp_that_identifies_a_person_learns_no_account() {
    let world = World::new();
    let mut headers = asking();
    headers.push(("PSU-IP-Address", "192.0.2.1"));
    let response = world.call("GET", "/v1/user", &headers, b"");
    assert_eq!(response.status(), 200, "{}", body(&response));
    let answered = body(&response);
    let browser = Browser::at(&world.sandbox, link(&answered));
    browser.get().assert_shows(&["Acme Pay asks you to confirm who you are."]);
    let question = browser.identify(PAYER);
    question.assert_shows(&["Confirm that it is you", "gets to see no account"]);
    let stray = browser.submit(&question, &[("account", "enc!!AAAA")], "continue");
    stray.assert_notice(400, "The field account does not belong to this form.");
    let end = browser.submit(&question, &[], "continue");
    assert!(parameter(end.location(), "psu-id").is_some(), "{}", end.location());
}
