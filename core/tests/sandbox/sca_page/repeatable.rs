//! The same seed, time and calls give the same pages, and a snapshot between two pages can be gone on from.

use super::browser::Browser;
use crate::world::*;

fn walked(world: &World) -> Vec<(u16, String)> {
    let created = accepted(&world.create(STRAKS, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));
    let (first, question) = (browser.get(), browser.identify(PAYER));
    let end = browser.submit(&question, &[], "continue");
    [first, question, end].into_iter().map(|page| (page.status(), page.html)).collect()
}

#[test]
fn the_same_seed_time_and_calls_give_the_same_pages() {
    assert_eq!(walked(&World::new()), walked(&World::new()));
}

#[test]
fn looking_at_a_page_changes_nothing() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let before = world.sandbox.snapshot().unwrap();
    let browser = Browser::at(&world.sandbox, link(&created));
    browser.get();
    browser.identify(PAYER);
    browser.identify("x");
    browser.post_raw(b"x");
    assert!(before == world.sandbox.snapshot().unwrap());
}

#[test]
fn a_fork_between_two_pages_goes_on_by_itself() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let question = Browser::at(&world.sandbox, link(&created)).identify(PAYER);
    let fork = world.clone();
    Browser::at(&fork.sandbox, link(&created)).submit(&question, &[], "continue").location();
    assert_eq!(
        (fork.transaction_status(&created), world.transaction_status(&created)),
        ("ACSC".into(), "RCVD".into())
    );
    Browser::at(&world.sandbox, link(&created)).submit(&question, &[], "cancel").location();
    assert_eq!(world.transaction_status(&created), "RCVD");
}

#[test]
fn a_page_of_a_file_that_was_closed_and_opened_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    let world = World::on_file(&path);
    let created = accepted(&world.create(STRAKS, &straks()));
    let question = Browser::at(&world.sandbox, link(&created)).identify(PAYER);
    drop(world);
    let world = World::on_file(&path);
    let end = Browser::at(&world.sandbox, link(&created)).submit(&question, &[], "continue");
    assert!(end.location().contains("psu-id="), "{}", end.location());
}
