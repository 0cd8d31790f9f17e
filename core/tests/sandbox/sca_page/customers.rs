//! Who can sign in, and who is signed in.

use super::browser::{Browser, Page};
use crate::world::*;
use serde_json::json;
use xs2a::PopulationPlan;

const HEADING: &str = "Test customers you can enter";
const OTHERS: &str = "Other private customers of this bank can be entered too.";

/// The numbers that a page lists.
fn listed(page: &Page) -> Vec<String> {
    let terms = page.html.split("<dt>").skip(1);
    terms.map(|rest| rest.split('<').next().unwrap().to_owned()).collect()
}

#[test]
fn the_first_page_lists_the_customers_who_can_be_entered() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));
    for page in [browser.get(), browser.identify("x")] {
        page.assert_shows(&[HEADING]);
        page.assert_hides(&[OTHERS]);
        let numbers = listed(&page);
        assert!(numbers.contains(&PAYER.to_owned()) && numbers.contains(&PROXY.to_owned()), "{numbers:?}");
        // A company cannot sign in.
        assert!(!numbers.contains(&"18129215603".to_owned()), "{numbers:?}");
        for number in &numbers {
            assert_ne!(browser.identify(number).status(), 400, "{number}");
        }
    }
    browser.speaking("nb").get().assert_shows(&["Testkunder du kan skrive inn"]);
}

#[test]
fn of_a_call_that_names_a_person_only_that_one_is_listed() {
    let world = World::new();
    let psu_id = world.payer_id();
    let by_number = accepted(&world.create_with(STRAKS, &[("X-PSU-IDENTITY", PAYER)], &straks()));
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let explicit = accepted(&world.create_for(&psu_id, &target, &straks()));
    let by_id = accepted(&world.start_with(&explicit, &[("PSU-Context", ""), ("PSU-ID", &psu_id)]));
    for asked in [&by_number, &by_id] {
        assert_eq!(listed(&Browser::at(&world.sandbox, link(asked)).get()), [PAYER]);
    }
    let unknown = accepted(&world.create_with(&target, &[("X-PSU-IDENTITY", "01010112345")], &straks()));
    let page = Browser::at(&world.sandbox, link(&unknown)).get();
    page.assert_hides(&[HEADING, OTHERS]);
}

#[test]
fn for_a_company_those_with_an_agreement_are_listed() {
    let world = World::new();
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &order));
    assert_eq!(listed(&Browser::at(&world.sandbox, link(&created)).get()), [PROXY]);
}

#[test]
fn ten_are_listed_and_more_are_mentioned() {
    let world = World::new();
    let default = 3;
    for (persons, count, are_there_others) in
        [(0, default, false), (7, 10, false), (1, 10, true), (90, 10, true)]
    {
        world
            .sandbox
            .populate(PopulationPlan { persons, companies: 0, months: 0, ..PopulationPlan::DEFAULT })
            .unwrap();
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let created = accepted(&world.create(&target, &straks()));
        let page = Browser::at(&world.sandbox, link(&created)).get();
        assert_eq!(listed(&page).len(), count, "{persons}");
        assert_eq!(page.html.contains(OTHERS), are_there_others, "{persons}");
    }
}

#[test]
fn the_pages_after_the_first_show_who_is_signed_in() {
    let world = World::new();
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &order));
    let browser = Browser::at(&world.sandbox, link(&created));
    browser.get().assert_hides(&["Signed in"]);
    let roles = browser.identify(PROXY);
    let signed_in = format!("({PROXY})");
    let (_, role) = roles.options("radio").remove(0);
    let question = browser.submit(&roles, &[("role", &role)], "continue");
    for page in [&roles, &browser.submit(&roles, &[], "continue"), &question] {
        page.assert_shows(&["Signed in as ", &signed_in]);
    }
    browser.identify(PAYER).assert_shows(&["You cannot act for a company", &format!("({PAYER})")]);
    let page = browser.speaking("nb").identify(PROXY);
    page.assert_shows(&["Logget inn som ", &signed_in]);
}
