//! What a browser may do with the pages.

use super::browser::{Browser, Page};
use crate::world::*;
use base64::Engine as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

fn created(world: &World, redirect_uri: &str) -> Value {
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    accepted(&world.create_with(&target, &[("TPP-Redirect-URI", redirect_uri)], &straks()))
}

/// A page of every kind.
fn every_page(world: &World) -> Vec<Page> {
    let payment = created(world, REDIRECT_URI);
    let browser = Browser::at(&world.sandbox, link(&payment));
    let corporate = accepted(&world.create_with(
        &format!("{STRAKS}?allowLogicalDuplicate=true"),
        &[("PSU-Context", "CORPORATE")],
        &straks(),
    ));
    let company = Browser::at(&world.sandbox, link(&corporate));
    let mut pages = vec![
        browser.get(),
        browser.identify(""),
        browser.identify(PAYER),
        company.identify(PROXY),
        company.identify(PAYER),
        company.submit(&company.identify(PROXY), &[], "continue"),
        browser.send("PUT", b""),
        browser.post_raw(b"x"),
        browser.send("POST", b"x"),
        browser.post_raw(&vec![b'a'; 1 << 20]),
        Browser::at(&world.sandbox, "/sca/x").get(),
        browser.with("Sec-Fetch-Site", "cross-site").post_raw(b""),
    ];
    pages.push(Browser::at(&world.sandbox, link(&payment)).approve(PAYER));
    pages.push(Browser::at(&world.sandbox, link(&payment)).get());
    pages
}

#[test]
fn every_page_has_the_headers_that_keep_it_to_itself() {
    let pages = every_page(&World::new());
    let statuses: Vec<u16> = pages.iter().map(Page::status).collect();
    assert_eq!(statuses, [200, 400, 200, 200, 200, 400, 405, 400, 415, 413, 404, 403, 303, 410]);
    for page in pages {
        for (name, value) in [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Language", "en"),
            ("Date", "Tue, 01 Sep 2026 10:00:00 GMT"),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
        ] {
            assert_eq!(page.header(name), value, "{}", page.status());
        }
        let policy = page.header("Content-Security-Policy");
        for directive in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.split("; ").any(|found| found == directive), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(page.response.reason().is_none());
    }
}

#[test]
fn the_only_style_is_the_one_whose_hash_the_policy_has() {
    for page in every_page(&World::new()) {
        let style = page.html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(style.as_bytes()));
        let directive = format!("style-src 'sha256-{hash}'");
        assert!(page.header("Content-Security-Policy").contains(&directive), "{}", page.status());
        for word in
            ["<script", "javascript:", " onclick", " onsubmit", " style=", "<link", "<img", "<iframe", "url("]
        {
            assert!(!page.html.contains(word), "{word} on {}", page.status());
        }
        assert!(page.html.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    }
}

#[test]
fn only_a_page_without_a_form_has_form_action_none() {
    let pages = every_page(&World::new());
    assert_eq!(pages.iter().filter(|page| !page.tags("form").is_empty()).count(), 6);
    for page in pages {
        let policy = page.header("Content-Security-Policy");
        let said: Vec<_> = policy.split("; ").filter(|found| found.starts_with("form-action")).collect();
        // A TPP sends its reader on from its call-back, and browsers would hold that against the form.
        let expected: &[&str] = if page.tags("form").is_empty() { &["form-action 'none'"] } else { &[] };
        assert_eq!(said, expected, "{}: {policy}", page.status());
    }
}

#[test]
fn a_form_posts_to_its_own_address_and_ends_at_any_tpp_scheme() {
    let world = World::new();
    for uri in [
        "https://tpp.example/callback?state=42",
        "https://tpp.example:8443/",
        "http://localhost:5000/cb",
        "com.example.app:/callback",
    ] {
        let created = created(&world, uri);
        let browser = Browser::at(&world.sandbox, link(&created));
        for page in [browser.get(), browser.identify(""), browser.identify(PAYER)] {
            assert_eq!(page.tags("form"), ["<form method=\"post\">"], "to this very address");
        }
        let end = browser.approve(PAYER);
        assert!(end.location().starts_with(uri), "{}", end.location());
        end.assert_shows(&["You are sent back", "Continue"]);
        assert_eq!(super::browser::attribute(end.tags("a")[0], "href").as_deref(), Some(end.location()));
    }
}

#[test]
fn labels_headings_and_descriptions_belong_to_something() {
    for page in every_page(&World::new()) {
        assert_eq!(page.tags("h1").len(), 1, "{}", page.html);
        assert_eq!((page.tags("main").len(), page.tags("title").len()), (1, 1));
        let ids: Vec<String> = page
            .html
            .match_indices(" id=\"")
            .map(|(at, found)| page.html[at + found.len()..].split('"').next().unwrap().to_owned())
            .collect();
        let mut unique = ids.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(ids.len(), unique.len(), "{ids:?}");
        for named in ["for", "aria-describedby"] {
            for (at, found) in page.html.match_indices(&format!(" {named}=\"")) {
                let value = page.html[at + found.len()..].split('"').next().unwrap();
                assert!(
                    value.split(' ').all(|id| ids.iter().any(|found| found == id)),
                    "{named} {value}: {ids:?}"
                );
            }
        }
        for (at, found) in page.html.match_indices("href=\"#") {
            let id = page.html[at + found.len()..].split('"').next().unwrap();
            assert!(ids.iter().any(|found| found == id), "{id}");
        }
        let is_labelled = |tag: &&&str| ["radio", "checkbox", "text"].iter().any(|kind| tag.contains(kind));
        let inputs = page.tags("input").iter().filter(is_labelled).count();
        assert_eq!(page.tags("label").len(), inputs);
    }
}
