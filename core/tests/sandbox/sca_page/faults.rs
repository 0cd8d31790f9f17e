//! Faults in the pages: the same as in an answer without a browser.

use super::browser::Browser;
use crate::world::*;
use xs2a::FaultSpec;

fn walk(members: &str) -> (World, super::browser::Page) {
    let world = World::new();
    let spec = format!(r#"{{"kind":"sca",{members}}}"#);
    world.sandbox.add_fault(FaultSpec::from_json(&spec).unwrap()).unwrap();
    let created = accepted(&world.create(STRAKS, &straks()));
    let page = Browser::at(&world.sandbox, link(&created)).approve(PAYER);
    assert_eq!(world.transaction_status(&created), "RCVD");
    (world, page)
}

#[test]
fn an_sca_that_fails_sends_the_person_back_with_its_code() {
    let (_, page) = walk(r#""outcome":"failed","code":"PAYMENT_FAILED""#);
    assert_eq!(parameter(page.location(), "code").as_deref(), Some("PAYMENT_FAILED"));
}

#[test]
fn an_sca_that_expires_ends_with_the_notice_that_the_link_is_too_old() {
    let (world, page) = walk(r#""outcome":"expired""#);
    page.assert_notice(410, "It is older than 10 minutes.");
    assert_eq!(page.header("Date"), "Tue, 01 Sep 2026 10:10:00 GMT");
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:10:00Z"));
}
