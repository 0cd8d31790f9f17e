//! The life of a link, and what the site answers beside it.

use super::browser::Browser;
use crate::world::*;
use serde_json::Value;
use xs2a::{Request, SandboxOptions};

fn created(world: &World) -> Value {
    accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()))
}

#[test]
fn an_unknown_link_is_not_found() {
    let world = World::new();
    let created = created(&world);
    let payment = format!("/sca/{}", text(&created, "/paymentId"));
    for path in
        ["/sca/enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "/sca/", "/sca/x", "/sca/a%20b", "/sca/%2F..", &payment]
    {
        let browser = Browser::at(&world.sandbox, path);
        browser.get().assert_notice(404, "There is no such link");
        let form = "step=identify&token=t&customerNumber=13039319955&action=continue";
        browser.post_raw(form.as_bytes()).assert_notice(404, "There is no such link");
    }
}

#[test]
fn a_used_link_shows_on_every_open_page_that_it_is_answered() {
    let world = World::new();
    let created = created(&world);
    let browser = Browser::at(&world.sandbox, link(&created));
    let (first, question) = (browser.get(), browser.identify(PAYER));
    browser.submit(&question, &[], "continue").location();
    for page in [
        browser.get(),
        browser.submit(&first, &[("customerNumber", PAYER)], "continue"),
        browser.submit(&question, &[], "continue"),
        browser.submit(&question, &[], "cancel"),
    ] {
        page.assert_notice(410, "This link was used already The answer was received.");
        page.assert_hides(&["start again", "10 minutes"]);
    }
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_cancelled_or_failed_link_is_used_and_stays_used() {
    let world = World::new();
    let (cancelled, failed) = (created(&world), created(&world));
    let cancelled = Browser::at(&world.sandbox, link(&cancelled));
    cancelled.submit(&cancelled.get(), &[("customerNumber", "")], "cancel").location();
    let failed = Browser::at(&world.sandbox, link(&failed));
    failed.identify("01010112345").location();
    for time in ["2026-09-01T10:00:00Z", "2026-09-01T11:00:00Z"] {
        world.set_now(time);
        cancelled.get().assert_notice(410, "The answer was received.");
        failed.get().assert_notice(410, "The answer was received.");
    }
}

#[test]
fn a_used_link_that_was_deleted_advises_to_check_the_status_first() {
    let world = World::new();
    let browser = Browser::at(&world.sandbox, link(&created(&world)));
    browser.submit(&browser.identify(PAYER), &[], "continue").location();
    let at_another_sca = |time: &str| {
        world.set_now(time);
        world.answer(&created(&world), &abort());
        browser.get()
    };
    at_another_sca("2026-09-02T10:09:00Z").assert_notice(410, "This link was used already");
    let page = at_another_sca("2026-09-02T10:10:00Z");
    page.assert_notice(404, "There is no such link The bank does not know it. It may have been used,");
    page.assert_shows(&["more than 24 hours ago", "check its status before you start again"]);
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_link_that_grows_old_between_two_pages_is_gone() {
    let world = World::new();
    let created = created(&world);
    let browser = Browser::at(&world.sandbox, link(&created));
    let question = browser.identify(PAYER);
    world.set_now("2026-09-01T10:09:59.999999Z");
    assert_eq!(browser.get().status(), 200);
    world.set_now("2026-09-01T10:10:00Z");
    for page in [browser.get(), browser.submit(&question, &[], "continue")] {
        page.assert_notice(410, "This link no longer works It is older than 10 minutes.");
        page.assert_shows(&["start again"]);
        page.assert_hides(&["used"]);
    }
    assert_eq!(world.transaction_status(&created), "RCVD");
}

#[test]
fn other_methods_are_not_allowed() {
    let world = World::new();
    let created = created(&world);
    let browser = Browser::at(&world.sandbox, link(&created));
    for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "get"] {
        let page = browser.send(method, b"");
        page.assert_notice(405, "It takes GET and POST.");
        assert_eq!(page.header("Allow"), "GET, POST", "{method}");
    }
}

#[test]
fn the_query_of_the_address_is_ignored() {
    let world = World::new();
    let created = created(&world);
    let decorated = format!("{}?utm=1&redirect=https://evil.example", link(&created));
    let browser = Browser::at(&world.sandbox, &decorated);
    let callback = browser.approve(PAYER).location().to_owned();
    assert!(callback.starts_with("https://tpp.example/callback?state=42&"), "{callback}");
}

#[test]
fn the_site_is_below_the_base_path_and_other_paths_are_the_engines() {
    let world =
        World::with(SandboxOptions { base_path: "/api-sandbox".to_owned(), ..SandboxOptions::default() });
    let target = format!("/api-sandbox{STRAKS}");
    let created = accepted(&world.create(&target, &straks()));
    assert!(link(&created).starts_with("https://sca.bank.example/api-sandbox/sca/"), "{}", link(&created));
    let browser = Browser::at(&world.sandbox, link(&created));
    assert_eq!(browser.get().status(), 200);
    let id = link(&created).rsplit('/').next().unwrap();
    let elsewhere = [
        format!("/sca/{id}"),
        format!("/api-sandbox/sca/{id}/"),
        "/api-sandbox/sca".to_owned(),
        "/".to_owned(),
    ];
    for path in elsewhere {
        let page = Browser::at(&world.sandbox, &path).get();
        assert_eq!((page.status(), page.header("Content-Type")), (404, "application/json"), "{path}");
    }
}

#[test]
fn an_engine_has_no_such_site() {
    let world = World::new();
    let created = created(&world);
    let target = link(&created).strip_prefix("https://sca.bank.example").unwrap().to_owned();
    for method in ["GET", "POST"] {
        let request = Request { method, target: &target, headers: &[], body: b"", correlation_id: None };
        let response = world.sandbox.engine().handle(&request);
        assert_eq!(response.status(), 404, "{method}");
        assert_eq!(response.header("Content-Type"), Some("application/json"));
    }
}

#[test]
fn initialising_the_sandbox_forgets_its_links() {
    let world = World::new();
    let created = created(&world);
    let browser = Browser::at(&world.sandbox, link(&created));
    let question = browser.identify(PAYER);
    world.sandbox.initialize().unwrap();
    browser.submit(&question, &[], "continue").assert_notice(404, "There is no such link");
}
