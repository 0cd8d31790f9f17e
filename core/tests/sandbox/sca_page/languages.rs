//! English and Bokmål.

use super::browser::{Browser, Page};
use crate::world::*;
use serde_json::json;

#[test]
fn the_browsers_language_counts_and_else_that_of_the_call() {
    let world = World::new();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    for (of_call, of_browser, expected) in [
        ("", "", "en"),
        ("nb", "", "nb"),
        ("nb", "en", "en"),
        ("en", "nb-NO,nb;q=0.9,en;q=0.8", "nb"),
        ("", "nn", "nb"),
        ("nb", "de", "en"),
        ("", "en;q=0.4, no;q=0.5", "nb"),
    ] {
        let created = accepted(&world.create_with(&target, &[("Accept-Language", of_call)], &straks()));
        let browser = Browser::at(&world.sandbox, link(&created)).speaking(of_browser);
        for page in [browser.get(), browser.identify("1"), browser.identify(PAYER)] {
            assert_eq!(page.header("Content-Language"), expected, "{of_call:?} {of_browser:?}");
            assert!(page.html.contains(&format!("<html lang=\"{expected}\">")));
        }
    }
}

#[test]
fn a_notice_about_a_link_is_in_the_language_of_its_pages() {
    let world = World::new();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    for (of_call, of_browser, expected) in
        [("nb", "", "nb"), ("nb", "en", "en"), ("nb", "de", "en"), ("en", "nb", "nb"), ("", "", "en")]
    {
        let created = accepted(&world.create_with(&target, &[("Accept-Language", of_call)], &straks()));
        let at_the_link = || Browser::at(&world.sandbox, link(&created)).speaking(of_browser);
        let browser = at_the_link();
        let mut notices = vec![
            browser.send("PUT", b""),
            browser.send("POST", b"x"),
            browser.post_raw(b"x"),
            browser.post_raw(&vec![b'a'; 1 << 20]),
            at_the_link().with("Sec-Fetch-Site", "cross-site").post_raw(b""),
        ];
        browser.approve(PAYER).location();
        notices.push(browser.get());
        let statuses: Vec<_> = notices.iter().map(Page::status).collect();
        assert_eq!(statuses, [405, 415, 400, 413, 403, 410]);
        for page in notices {
            let found = page.header("Content-Language");
            assert_eq!(found, expected, "{of_call:?} {of_browser:?} {}", page.status());
        }
        // An unknown link, in any language.
        let unknown = Browser::at(&world.sandbox, "/sca/x").speaking(of_browser).get();
        assert_eq!(unknown.header("Content-Language"), if of_browser == "nb" { "nb" } else { "en" });
    }
}

#[test]
fn bokmal_is_spoken_on_every_page() {
    let world = World::new();
    let order = changed(
        cross_border(),
        &[
            ("/instructedAmount/amount", json!("1234.50")),
            ("/remittanceInformationUnstructured", json!("Blåbærsyltetøy")),
        ],
    );
    let created = accepted(&world.create(CROSS_BORDER, &order));
    let browser = Browser::at(&world.sandbox, link(&created)).speaking("nb");
    browser.get().assert_shows(&[
        "Bekreft hvem du er",
        "Acme Pay ber deg godkjenne en betaling.",
        "Fødselsnummer",
        "Svar før kl. 12:10 norsk tid.",
        "Fortsett",
        "Avbryt",
    ]);
    browser.identify("x").assert_shows(&["Noe er galt", "Nummeret må ha 6 til 11 sifre og ikke noe annet"]);
    let question = browser.identify(PAYER);
    question.assert_shows(&[
        "Godkjenn betaling",
        "Beløp 1 234,50 EUR",
        "Til Fiktiv Handel GmbH",
        "Fra konto 9536 05 73002",
        "Melding Blåbærsyltetøy",
        "Gebyr 30,00 NOK",
        "Så snart som mulig",
    ]);
    browser.post_raw(b"").assert_notice(400, "Feltet step mangler.");
    let unknown = Browser::at(&world.sandbox, "/sca/x").speaking("nb").get();
    unknown.assert_notice(404, "Denne lenken finnes ikke Banken kjenner den ikke.");
    let end = browser.submit(&question, &[], "continue");
    end.assert_shows(&["Du sendes tilbake"]);
    browser.get().assert_notice(410, "Denne lenken er brukt Svaret er mottatt.");
    let other = changed(order, &[("/instructedAmount/amount", json!("2.00"))]);
    let created = accepted(&world.create(CROSS_BORDER, &other));
    world.set_now("2026-09-01T10:10:00Z");
    let late = Browser::at(&world.sandbox, link(&created)).speaking("nb").get();
    late.assert_notice(410, "Denne lenken virker ikke lenger Den er eldre enn 10 minutter.");
}

#[test]
fn the_callback_uses_the_calls_language_for_every_browser() {
    let world = World::new();
    let created = accepted(&world.create_with(STRAKS, &[("Accept-Language", "nb")], &straks()));
    let browser = Browser::at(&world.sandbox, link(&created)).speaking("en");
    let end = browser.identify("01010112345");
    let message = parameter(end.location(), "message");
    assert_eq!(message.as_deref(), Some("banken kjenner ikke denne personen"));
}
