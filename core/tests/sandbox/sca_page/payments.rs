//! A payment on its way through the pages.

use super::browser::Browser;
use crate::world::*;
use serde_json::json;

#[test]
fn a_payment_is_identified_shown_approved_and_settled_on_the_way_back() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));

    let first = browser.get();
    assert_eq!(first.status(), 200);
    first.assert_shows(&["Confirm who you are", "Acme Pay asks you to approve a payment.", "12:10"]);
    first.assert_hides(&["250.00", "9536 05 73037"]);

    let question = browser.submit(&first, &[("customerNumber", PAYER)], "continue");
    assert_eq!(question.status(), 200);
    question.assert_shows(&[
        "Approve payment",
        "Amount NOK 250.00",
        "To Testodius To",
        "To account 9536 05 73037",
        "From account 9536 05 73002",
        "Message Invoice 1001",
        "Date As soon as possible",
        "Fee NOK 0.00",
    ]);
    assert_eq!(world.transaction_status(&created), "RCVD", "nothing is approved by looking");

    let end = browser.submit(&question, &[], "continue");
    let callback = end.location();
    assert!(callback.starts_with("https://tpp.example/callback?state=42&psu-id="), "{callback}");
    assert!(callback.ends_with("&tpp-session-id=session-1&context=PRIVATE"), "{callback}");
    assert_eq!(world.transaction_status(&created), "ACSC", "an instant payment is settled at once");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    world.assert_reconciled();
}

#[test]
fn the_call_back_is_the_same_as_that_of_an_answer_without_a_browser() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let other = world.clone();
    let walked = Browser::at(&world.sandbox, link(&created)).approve(PAYER).location().to_owned();
    assert_eq!(walked, other.answer(&created, &xs2a::ScaAnswer::approve(PAYER)));
}

#[test]
fn cancelling_on_any_page_aborts_the_sca_and_leaves_the_payment_as_it_was() {
    let world = World::new();
    for pages_before in 0..2 {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let created = accepted(&world.create(&target, &straks()));
        let browser = Browser::at(&world.sandbox, link(&created));
        let (page, filled_in) = match pages_before {
            0 => (browser.get(), vec![("customerNumber", "")]),
            _ => (browser.identify(PAYER), vec![]),
        };
        let end = browser.submit(&page, &filled_in, "cancel");
        let callback = end.location();
        assert_eq!(parameter(callback, "code").as_deref(), Some("SCA_INVALID"), "{callback}");
        assert_eq!(parameter(callback, "message").as_deref(), Some("the PSU cancelled"));
        assert_eq!(world.transaction_status(&created), "RCVD");
        world.pay(&target, &straks(), PAYER);
    }
}

#[test]
fn an_unknown_person_fails_the_sca_and_a_malformed_number_does_not() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));
    for (typed, shown) in [
        ("", "Enter the number of a test customer"),
        ("   ", "Enter the number of a test customer"),
        ("12345", "6 to 11 digits and nothing else"),
        ("130393199550", "6 to 11 digits and nothing else"),
        ("1303931995x", "6 to 11 digits and nothing else"),
    ] {
        let page = browser.identify(typed);
        assert_eq!(page.status(), 400, "{typed}");
        page.assert_shows(&["There is a problem", shown]);
        assert!(page.html.contains("<title>Error: "), "{typed}");
        assert!(page.html.contains("aria-invalid=\"true\""), "{typed}");
    }
    let end = browser.identify("01010112345");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
    browser.get().assert_notice(410, "This link was used already");
    // A company cannot identify itself.
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let created = accepted(&world.create(&target, &straks()));
    let end = Browser::at(&world.sandbox, link(&created)).identify("18129215603");
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
}

#[test]
fn a_number_may_be_typed_with_spaces() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let page = Browser::at(&world.sandbox, link(&created)).identify(" 130393 19955 ");
    page.assert_shows(&["Approve payment"]);
}

#[test]
fn another_person_than_the_named_one_is_sent_back_at_once() {
    let world = World::new();
    let psu_id = world.payer_id();
    let named_by_number = accepted(&world.create_with(STRAKS, &[("X-PSU-IDENTITY", PAYER)], &straks()));
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let explicit = accepted(&world.create_for(&psu_id, &target, &straks()));
    let named_by_id = accepted(&world.start_with(&explicit, &[("PSU-Context", ""), ("PSU-ID", &psu_id)]));
    let by_its_creation = accepted(&world.start(&named_by_number));
    for (asked, payment) in [
        (&named_by_number, &named_by_number),
        (&by_its_creation, &named_by_number),
        (&named_by_id, &explicit),
    ] {
        let end = Browser::at(&world.sandbox, link(asked)).identify(PAYEE);
        let callback = end.location();
        assert_eq!(parameter(callback, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"), "{callback}");
        end.assert_hides(&["250.00", "Testodius"]);
        assert_eq!(world.transaction_status(payment), "RCVD");
    }
}

#[test]
fn a_person_who_may_not_pay_from_the_account_fails_the_sca() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let end = Browser::at(&world.sandbox, link(&created)).approve(PAYEE);
    assert_eq!(parameter(end.location(), "code").as_deref(), Some("RESOURCE_UNKNOWN"));
    assert_eq!(world.transaction_status(&created), "RCVD");
}

#[test]
fn a_foreign_payment_shows_its_bank_its_fee_and_its_iban_in_fours() {
    let world = World::new();
    let order = changed(
        cross_border(),
        &[
            ("/instructedAmount/amount", json!("1234.50")),
            (
                "/remittanceInformationStructured",
                json!({"reference": "RF18539007547034", "referenceType": "CINV"}),
            ),
            ("/ultimateDebtor", json!("Kari Nordmann")),
        ],
    );
    let created = accepted(&world.create(CROSS_BORDER, &order));
    let page = Browser::at(&world.sandbox, link(&created)).identify(PAYER);
    page.assert_shows(&[
        "Amount EUR 1,234.50",
        "To Fiktiv Handel GmbH",
        "To account DE89 3704 0044 0532 0130 00",
        "Bank DEUTDEFF",
        "Fee NOK 30.00",
        "On behalf of Kari Nordmann",
        "Reference RF18539007547034",
    ]);
}

#[test]
fn a_card_that_pays_is_shown_as_it_was_named() {
    let world = World::new();
    let card = json!({"other": {"identification": PAYER_CARD_MASKED, "schemeNameProprietary": "creditCardAccount"},
        "currency": "NOK"});
    let created = accepted(&world.create(STRAKS, &changed(straks(), &[("/debtorAccount", card)])));
    let browser = Browser::at(&world.sandbox, link(&created));
    browser.identify(PAYER).assert_shows(&["From account 123456******0001"]);
}
