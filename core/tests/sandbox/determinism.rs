//! Same seed, same time, same calls: the same bytes.

use crate::world::*;
use serde_json::json;
use xs2a::{Response, SandboxOptions, ScaAnswer};

/// Everything of an answer, as text.
fn written(response: &Response) -> String {
    let headers: Vec<_> = response.headers().map(|(name, value)| format!("{name}: {value}")).collect();
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    format!("{} {:?}\n{}\n\n{body}", response.status(), response.reason(), headers.join("\n"))
}

/// A day at the bank: every kind of call, good and bad. What was answered, in order.
fn day(options: SandboxOptions) -> Vec<String> {
    let world = World::with(options);
    let mut said = vec![world.tpp.certificate_pem().to_owned()];
    let created = world.create(STRAKS, &straks());
    said.push(written(&created));
    let created = body(&created);
    said.push(written(&world.create(STRAKS, &straks())));
    said.push(written(&world.create(STRAKS, &json!({}))));
    said.push(world.answer(&created, &abort()));
    let started = world.start(&created);
    said.push(written(&started));
    said.push(world.answer(&body(&started), &ScaAnswer::approve(PAYER)));
    said.push(written(&world.get(text(&created, "/_links/self/href"))));
    said.push(written(&world.get(text(&created, "/_links/status/href"))));

    let pending = accepted(&world.create_with(CROSS_BORDER, &[("Accept-Language", "nb")], &cross_border()));
    said.push(world.answer(&pending, &ScaAnswer::approve(PAYER)));
    let company = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let for_company = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &company));
    said.push(world.answer(&for_company, &approve_for(COMPANY_AGREEMENT)));
    let other = world.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    said.push(written(&world.call_by(
        &other,
        "GET",
        text(&created, "/_links/self/href"),
        &plain_headers(),
        b"",
    )));
    said.push(format!("{:?}", world.sandbox.advance_to_next_event().unwrap()));
    said.push(written(&world.get(text(&pending, "/_links/status/href"))));
    for account in [PAYER_ACCOUNT, PAYEE_ACCOUNT, COMPANY_ACCOUNT] {
        said.push(world.sandbox.ledger(account).unwrap());
    }
    said
}

fn differing(left: &[String], right: &[String]) -> usize {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).filter(|(left, right)| left != right).count()
}

#[test]
fn the_same_day_is_answered_in_the_same_bytes() {
    let (first, second) = (day(SandboxOptions::default()), day(SandboxOptions::default()));
    assert_eq!(first, second);
}

#[test]
fn memory_and_a_new_file_answer_in_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let database = Some(folder.path().join("sandbox.db"));
    let in_file = day(SandboxOptions { database, ..SandboxOptions::default() });
    assert_eq!(in_file, day(SandboxOptions::default()));
}

#[test]
fn another_time_makes_other_dates_and_the_same_ids() {
    let ids = |now: &str| {
        let world = World::with(SandboxOptions { now: Some(at(now)), ..SandboxOptions::default() });
        let response = world.create(STRAKS, &straks());
        let created = accepted(&response);
        let date = response.header("Date").unwrap().to_owned();
        (text(&created, "/paymentId").to_owned(), link(&created).to_owned(), date)
    };
    let (first, second) = (ids("2026-09-01T10:00:00Z"), ids("2026-09-02T10:00:00Z"));
    assert_eq!((&first.0, &first.1), (&second.0, &second.1));
    assert_ne!(first.2, second.2);
}

#[test]
fn another_seed_makes_other_ids() {
    // `World` fixes the seed, so the sandboxes are opened by hand.
    let ids = |seed| {
        let now = Some(at("2026-09-01T10:00:00Z"));
        let sandbox =
            xs2a::Sandbox::open(&SandboxOptions { now, seed, ..SandboxOptions::default() }).unwrap();
        let tpp = sandbox.register_tpp("Acme Pay", &["PISP"]).unwrap();
        let world = World { sandbox, tpp };
        let created = accepted(&world.create(STRAKS, &straks()));
        let callback = world.answer(&created, &ScaAnswer::approve(PAYER));
        [
            text(&created, "/paymentId").to_owned(),
            link(&created).to_owned(),
            parameter(&callback, "psu-id").unwrap(),
            world.tpp.certificate_pem().to_owned(),
        ]
    };
    let (zero, one, largest) = (ids(0), ids(1), ids(u64::MAX));
    assert_eq!(differing(&zero, &one), 4);
    assert_eq!(differing(&one, &largest), 4);
    assert_eq!(differing(&one, &ids(1)), 0);
}
