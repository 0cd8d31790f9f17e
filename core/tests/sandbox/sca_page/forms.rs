//! Forms that no page of ours sent.

use super::browser::{Browser, Page};
use crate::world::*;
use serde_json::Value;
use xs2a::SandboxOptions;

fn created(world: &World) -> Value {
    accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()))
}

/// A world with one payment to approve, its browser, and the page with the question.
fn asked(test: impl Fn(&World, &Browser<'_>, &Page)) {
    let world = World::new();
    let created = created(&world);
    let browser = Browser::at(&world.sandbox, link(&created));
    let question = browser.identify(PAYER);
    test(&world, &browser, &question);
    assert_eq!(world.transaction_status(&created), "RCVD");
    browser.submit(&question, &[], "continue").location();
    assert_eq!(world.transaction_status(&created), "ACSC", "the link was open all the time");
}

fn changed_field(fields: &[(String, String)], name: &str, value: &str) -> Vec<(String, String)> {
    let mut fields = fields.to_vec();
    let field = fields.iter_mut().find(|(found, _)| found == name).unwrap();
    field.1 = value.to_owned();
    fields
}

#[test]
fn missing_repeated_and_foreign_fields_are_refused_by_name() {
    asked(|_, browser, question| {
        let fields = question.filled_in(&[], "continue");
        assert_eq!(
            fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["step", "token", "customerNumber", "role", "action"]
        );
        for (index, (name, _)) in fields.iter().enumerate() {
            let mut fewer = fields.clone();
            fewer.remove(index);
            browser.post(&fewer).assert_notice(400, &format!("The field {name} is missing."));
            let mut more = fields.clone();
            more.push(fields[index].clone());
            browser.post(&more).assert_notice(400, &format!("The field {name} occurs more than once."));
        }
        for foreign in ["amount", "redirect_uri", "Action", "account ", "card[]"] {
            let mut more = fields.clone();
            more.push((foreign.to_owned(), "x".to_owned()));
            browser.post(&more).assert_notice(400, "does not belong to this form.");
        }
        for field in ["account", "card"] {
            let mut more = fields.clone();
            more.push((field.to_owned(), "enc!!AAAA".to_owned()));
            let shown = format!("The field {field} does not belong to this form.");
            browser.post(&more).assert_notice(400, &shown);
        }
    });
}

#[test]
fn a_token_is_good_for_its_own_link_step_and_answers_alone() {
    asked(|world, browser, question| {
        let fields = question.filled_in(&[], "continue");
        let other = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
        let elsewhere = Browser::at(&world.sandbox, link(&other));
        elsewhere.post(&fields).assert_notice(403, "did not come from our page");

        let first_token = browser.get().hidden().into_iter().find(|(name, _)| name == "token").unwrap().1;
        let forged = [
            changed_field(&fields, "token", ""),
            changed_field(&fields, "token", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            changed_field(&fields, "token", &first_token),
            changed_field(&fields, "customerNumber", PAYEE),
            changed_field(&fields, "customerNumber", "130393 19955"),
            changed_field(&fields, "role", "agreement:enc!!AAAAAAAAAAAAAAAAAAAAAAAA"),
        ];
        for fields in forged {
            browser.post(&fields).assert_notice(403, "did not come from our page");
        }
        let skipped = changed_field(&fields, "step", "role");
        browser.post(&skipped[..3]).assert_notice(400, "The field action is missing.");
        let cancelled = changed_field(&changed_field(&fields, "action", "cancel"), "token", &first_token);
        browser.post(&cancelled).assert_notice(403, "did not come from our page");
    });
}

#[test]
fn a_token_of_another_seed_is_refused_and_a_snapshot_has_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let open = |seed| {
        let database = Some(folder.path().join("bank.db"));
        let now = Some(at("2026-09-01T10:00:00Z"));
        let options = SandboxOptions { database, now, seed, ..SandboxOptions::default() };
        xs2a::Sandbox::open(&options).unwrap()
    };
    let world = World::on_file(&folder.path().join("bank.db"));
    let created = created(&world);
    let question = Browser::at(&world.sandbox, link(&created)).identify(PAYER);
    let image = world.sandbox.snapshot().unwrap();
    drop(world);
    let other = open(9);
    let browser = Browser::at(&other, link(&created));
    browser.submit(&question, &[], "continue").assert_notice(403, "did not come from our page");
    other.restore(&image).unwrap();
    assert!(browser.submit(&question, &[], "continue").location().contains("psu-id="));
}

#[test]
fn a_fork_inside_a_walk_goes_on_with_the_same_page_and_its_parent_too() {
    let world = World::new();
    let created = created(&world);
    let question = Browser::at(&world.sandbox, link(&created)).identify(PAYER);
    let fork = world.clone();
    for (walked, action, status) in [(&fork, "continue", "ACSC"), (&world, "cancel", "RCVD")] {
        Browser::at(&walked.sandbox, link(&created)).submit(&question, &[], action).location();
        assert_eq!(walked.transaction_status(&created), status);
        // The link was good for one answer in each.
        Browser::at(&walked.sandbox, link(&created)).get().assert_notice(410, "used");
    }
}

#[test]
fn a_form_of_another_site_is_refused() {
    asked(|_, browser, question| {
        let fields = question.filled_in(&[], "continue");
        let sent_by = |headers: &[(&str, &str)]| {
            let browser = Browser::at(browser.sandbox(), browser.path());
            let browser = headers.iter().fold(browser, |browser, (name, value)| browser.with(name, value));
            // A form with an invalid token is refused.
            let spoilt = changed_field(&fields, "step", "pay");
            browser.post(&spoilt).status()
        };
        for headers in [
            [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://tpp.example")],
            [("Sec-Fetch-Site", "same-site"), ("Origin", "https://sca.bank.example")],
            [("Origin", "https://tpp.example"), ("Referer", "")],
        ] {
            assert_eq!(sent_by(&headers), 403, "{headers:?}");
        }
        for headers in [
            [("Sec-Fetch-Site", "same-origin"), ("Origin", "null")],
            [("Sec-Fetch-Site", "none"), ("Origin", "null")],
            [("Origin", "https://sca.bank.example"), ("Referer", "")],
            [("Origin", "null"), ("Referer", "")],
        ] {
            assert_eq!(sent_by(&headers), 400, "{headers:?}");
        }
    });
}

#[test]
fn what_is_no_form_is_refused() {
    asked(|_, browser, _| {
        for media_type in ["", "application/json", "multipart/form-data; boundary=x", "text/plain"] {
            let browser = Browser::at(browser.sandbox(), browser.path()).with("Content-Type", media_type);
            browser.send("POST", b"{}").assert_notice(415, "This is not a form");
        }
        for media_type in
            ["application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=UTF-8"]
        {
            let browser = Browser::at(browser.sandbox(), browser.path()).with("Content-Type", media_type);
            browser.send("POST", b"").assert_notice(400, "The field step is missing.");
        }
    });
}

#[test]
fn a_form_of_the_largest_size_is_read_and_one_byte_more_is_not() {
    asked(|_, browser, _| {
        let body = vec![b'a'; xs2a::limits::FORM_BYTES_MAX + 1];
        browser.post_raw(&body).assert_notice(413, "262144 bytes");
        browser.post_raw(&body[1..]).assert_notice(400, "The field aaaa");
    });
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    asked(|_, browser, question| {
        let token = &question.hidden()[1].1;
        for number in [&b"%FF%FE"[..], b"\xFF\xFE", b"13039319955%00", b"%"] {
            let start = format!("step=identify&token={token}&action=continue&customerNumber=");
            browser.post_raw(&[start.as_bytes(), number].concat()).assert_notice(403, "our page");
        }
        let first = browser.get();
        for typed in ["\u{0}", "\u{FFFD}", "１２３４５６", "123456\u{200b}"] {
            let page = browser.submit(&first, &[("customerNumber", typed)], "continue");
            assert_eq!(page.status(), 400, "{typed:?}");
            page.assert_shows(&["6 to 11 digits"]);
        }
    });
}
