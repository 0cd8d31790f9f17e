//! Snapshots, restoring, forks.

use crate::world::authority::Authority;
use crate::world::*;
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::{Error, Response, Sandbox, SandboxOptions, ScaAnswer};

fn restore_refused(world: &World, image: &[u8]) -> String {
    match world.sandbox.restore(image) {
        Err(Error::Misuse(text)) => text,
        other => panic!("{other:?}"),
    }
}

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

/// Everything of an answer.
fn all(response: &Response) -> (u16, Vec<(String, String)>, String) {
    let headers = response.headers().map(|(name, value)| (name.to_owned(), value.to_owned()));
    (response.status(), headers.collect(), String::from_utf8(response.body().to_vec()).unwrap())
}

fn restored(world: &World, image: &[u8]) {
    world.sandbox.restore(image).unwrap();
}

// What comes back.

#[test]
fn a_snapshot_inside_an_sca_brings_back_the_open_link() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let image = world.sandbox.snapshot().unwrap();
    let callback = world.answer(&created, &approve());
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.balance(PAYER_ACCOUNT), "99750.00");

    restored(&world, &image);
    assert_eq!(world.transaction_status(&created), "RCVD");
    assert_eq!(world.balance(PAYER_ACCOUNT), "100000.00");
    assert!(world.booked(PAYEE_ACCOUNT).is_empty());
    // The other way this time, then as before.
    world.answer(&created, &abort());
    assert_eq!(world.transaction_status(&created), "RCVD");

    restored(&world, &image);
    assert_eq!(world.answer(&created, &approve()), callback);
    assert_eq!(world.balance(PAYER_ACCOUNT), "99750.00");
    world.assert_reconciled();
}

#[test]
fn the_clock_goes_back_with_the_rest_and_forward_from_there() {
    let world = World::new();
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let image = world.sandbox.snapshot().unwrap();
    for _ in 0..3 {
        world.set_now("2026-09-05T00:00:00Z");
        assert_eq!(world.transaction_status(&pending), "ACSC");
        restored(&world, &image);
        assert_eq!(world.sandbox.now(), at("2026-09-01T10:00:00Z"));
        assert_eq!(world.transaction_status(&pending), "PDNG");
        let before = world.sandbox.now();
        assert_eq!(world.sandbox.next_event().unwrap(), Some(at("2026-09-01T11:00:00Z")));
        assert_eq!(world.sandbox.now(), before, "it is only shown");
        assert_eq!(world.sandbox.advance_to_next_event().unwrap(), Some(at("2026-09-01T11:00:00Z")));
        assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-1172.50"]);
        world.assert_reconciled();
    }
}

#[test]
fn the_replay_window_comes_back() {
    let world = World::new();
    let order = straks().to_string();
    let sign = || world.signed("POST", STRAKS, &creation_headers(), order.as_bytes());
    let post = |headers: &[(String, String)]| send(&world.sandbox, "POST", STRAKS, headers, order.as_bytes());
    let (before, after) = (sign(), sign());
    // A read leaves its id in memory alone.
    let read = world.signed("GET", &format!("{STRAKS}/x"), &plain_headers(), b"");
    let get = || send(&world.sandbox, "GET", &format!("{STRAKS}/x"), &read, b"");
    assert_eq!(post(&before).status(), 201);
    assert_eq!(get().status(), 404);
    let image = world.sandbox.snapshot().unwrap();
    world.sandbox.initialize().unwrap();
    assert_eq!(post(&after).status(), 201);

    restored(&world, &image);
    assert_refused(&post(&before), 400, "BAD_REQUEST", "X-Request-ID");
    assert_refused(&get(), 400, "BAD_REQUEST", "X-Request-ID");
    assert_refused(&post(&after), 409, "CONFLICT", "");
    assert_refused(&post(&after), 400, "BAD_REQUEST", "X-Request-ID");

    let other = World::with(SandboxOptions { seed: 7, ..SandboxOptions::default() });
    restored(&other, &image);
    assert_refused(
        &send(&other.sandbox, "POST", STRAKS, &before, order.as_bytes()),
        400,
        "BAD_REQUEST",
        "X-Request-ID",
    );
}

#[test]
fn the_ids_that_follow_are_the_ones_that_followed() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    let play = || {
        let created = world.create(STRAKS, &straks());
        let callback = world.answer(&body(&created), &approve());
        let tpp = world.sandbox.register_tpp("Late Pay", &["PISP"]).unwrap();
        (all(&created), callback, tpp.certificate_pem().to_owned())
    };
    let first = play();
    restored(&world, &image);
    assert_eq!(play(), first);
}

#[test]
fn who_registered_after_the_snapshot_is_not_registered_after_restoring_it() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    let late = world.sandbox.register_tpp("Late Pay", &["PISP"]).unwrap();
    let post = || world.call_by(&late, "POST", STRAKS, &creation_headers(), straks().to_string().as_bytes());
    accepted(&post());
    restored(&world, &image);
    assert_refused(&post(), 403, "FORBIDDEN", "");
    accepted(&world.create(STRAKS, &straks()));
}

#[test]
fn trust_comes_and_goes_with_the_snapshot() {
    let valid = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
    let root = Authority::root("Rot CA", 1, valid);
    let signer = root.issue("PSDNO-FSA-912345678", 2, valid);
    let world = World::new();
    let order = straks().to_string();
    let pay = |number| {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let headers =
            signer.sign("POST", &target, &creation_headers(), order.as_bytes(), world.sandbox.now(), number);
        send(&world.sandbox, "POST", &target, &headers, order.as_bytes())
    };
    let without = world.sandbox.snapshot().unwrap();
    world.sandbox.trust(&root.pem).unwrap();
    accepted(&pay(1));
    let with = world.sandbox.snapshot().unwrap();
    restored(&world, &without);
    assert_refused(&pay(2), 400, "BAD_REQUEST", "TPP-Signature-Certificate");
    restored(&world, &with);
    accepted(&pay(3));
    accepted(&{
        let fork = world.clone();
        let headers =
            signer.sign("POST", STRAKS, &creation_headers(), order.as_bytes(), fork.sandbox.now(), 4);
        // A like payment is there already.
        let target = STRAKS;
        let refused = send(&fork.sandbox, "POST", target, &headers, order.as_bytes());
        assert_refused(&refused, 409, "CONFLICT", "");
        fork.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks())
    });
}

#[test]
fn a_snapshot_of_one_sandbox_is_a_second_one_in_another_and_in_a_file() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let settled = world.pay(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks(), PAYER);
    let image = world.sandbox.snapshot().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    let options =
        SandboxOptions { now: Some(at("2027-01-01T00:00:00Z")), seed: 9, ..SandboxOptions::default() };
    for database in [None, Some(path.clone())] {
        let other = World::with(SandboxOptions { database, ..options.clone() });
        restored(&other, &image);
        assert_eq!(other.sandbox.now(), at("2026-09-01T10:00:00Z"));
        let other = World { sandbox: other.sandbox, tpp: world.tpp.clone() };
        assert_eq!(other.transaction_status(&settled), "ACSC");
        other.answer(&created, &approve());
        assert_eq!(other.transaction_status(&created), "ACSC");
        assert_eq!(world.transaction_status(&created), "RCVD");
        assert_eq!(other.booked(PAYER_ACCOUNT), ["-250.00"; 2]);
    }
    // The file keeps it, its clock too.
    let reopened = World::with(SandboxOptions { database: Some(path), ..SandboxOptions::default() });
    assert_eq!(reopened.booked(PAYER_ACCOUNT), ["-250.00"; 2]);
    assert_eq!(reopened.sandbox.now(), at("2026-09-01T10:00:00Z"));
}

#[test]
fn equal_sandboxes_have_equal_snapshots() {
    let play = || {
        let world = World::new();
        for amount in ["1.00", "2.00", "3.00"] {
            world.pay(STRAKS, &changed(straks(), &[("/instructedAmount/amount", json!(amount))]), PAYER);
        }
        world.sandbox.snapshot().unwrap()
    };
    assert!(play() == play());
    let world = World::new();
    assert!(world.sandbox.snapshot().unwrap() == world.sandbox.snapshot().unwrap());
}

// What does not.

#[test]
fn bytes_that_are_no_whole_snapshot_are_refused_and_change_nothing() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let image = world.sandbox.snapshot().unwrap();
    world.answer(&created, &approve());
    let unchanged = world.sandbox.snapshot().unwrap();

    let some = (0..image.len()).step_by(image.len() / 61);
    for length in (0..200).chain(some).chain([image.len() - 33, image.len() - 32, image.len() - 1]) {
        restore_refused(&world, &image[..length]);
    }
    for position in (0..image.len()).step_by(image.len() / 97).chain([image.len() - 1]) {
        let mut damaged = image.clone();
        damaged[position] ^= 0x01;
        restore_refused(&world, &damaged);
    }
    for added in [1, 32, 4096] {
        let mut longer = image.clone();
        longer.resize(longer.len() + added, 0);
        restore_refused(&world, &longer);
    }
    for foreign in [b"SQLite format 3\0".repeat(512), vec![0; 100_000], b"XS2ASNAP".to_vec(), b"{}".to_vec()]
    {
        restore_refused(&world, &foreign);
    }
    assert!(world.sandbox.snapshot().unwrap() == unchanged);
    restored(&world, &image);
    assert_eq!(world.transaction_status(&created), "RCVD");
}

/// An image with some bytes put in, and its hash made to fit.
fn forged(image: &[u8], position: usize, bytes: &[u8]) -> Vec<u8> {
    let mut body = image[..image.len() - 32].to_vec();
    body[position..position + bytes.len()].copy_from_slice(bytes);
    let hash = xs2a::internal::sha256(&body);
    body.extend_from_slice(&hash);
    body
}

#[test]
fn a_snapshot_of_a_newer_library_is_refused_by_its_version() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    for version in [0_u32, 2, u32::MAX] {
        let shown = restore_refused(&world, &forged(&image, 8, &version.to_be_bytes()));
        assert!(shown.contains(&format!("version is {version}")), "{shown}");
    }
    restored(&world, &forged(&image, 8, &1_u32.to_be_bytes()));
}

#[test]
fn a_snapshot_whose_parts_do_not_fit_is_refused_though_its_hash_does() {
    let world = World::new();
    accepted(&world.create(STRAKS, &straks()));
    let image = world.sandbox.snapshot().unwrap();
    // The number of request ids follows magic, version, clock, seed, generation and counter.
    for count in [0_u64, 2, u64::MAX] {
        restore_refused(&world, &forged(&image, 44, &count.to_be_bytes()));
    }
    let database = image.windows(16).position(|window| window == b"SQLite format 3\0").unwrap();
    restore_refused(&world, &forged(&image, database, b"SQLite format 4\0"));
    // A schema that this library does not know yet.
    restore_refused(&world, &forged(&image, database + 60, &99_u32.to_be_bytes()));
    assert!(world.sandbox.snapshot().unwrap() == image);
}

/// An image with other contents of its database, and its hash made to fit.
fn with_sql(image: &[u8], sql: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.db");
    let at = image.windows(16).position(|window| window == b"SQLite format 3\0").unwrap();
    std::fs::write(&path, &image[at..image.len() - 32]).unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let mut body = [&image[..at], &std::fs::read(&path).unwrap()].concat();
    let hash = xs2a::internal::sha256(&body);
    body.extend_from_slice(&hash);
    body
}

#[test]
fn an_unreadable_snapshot_is_refused_before_anything_is_changed() {
    let world = World::new();
    let root = Authority::root("Rot CA", 1, ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z"));
    world.sandbox.trust(&root.pem).unwrap();
    let image = world.sandbox.snapshot().unwrap();
    world.sandbox.advance(TimeDelta::hours(1)).unwrap();
    let unchanged = world.sandbox.snapshot().unwrap();
    restored(&world.clone(), &with_sql(&image, "SELECT 1"));
    let broken = with_sql(&image, "UPDATE sandbox_trust_anchor SET der = x'3000'");
    assert!(restore_refused(&world, &broken).contains("trust anchor"));
    assert!(world.sandbox.snapshot().unwrap() == unchanged);
    accepted(&world.create(STRAKS, &straks()));
}

/// The one way to see it find something: books that were forged.
#[test]
fn reconciling_finds_the_account_whose_balance_was_forged() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    assert_eq!(world.sandbox.reconcile_json().unwrap(), "[]");
    let forge = format!("UPDATE sandbox_account SET booked = '1.00' WHERE bban = '{PAYER_ACCOUNT}'");
    restored(&world, &with_sql(&image, &forge));
    let found: Value = serde_json::from_str(&world.sandbox.reconcile_json().unwrap()).unwrap();
    let expected = json!([{
        "resourceId": text(&world.ledger(PAYER_ACCOUNT), "/account/resourceId"),
        "bban": PAYER_ACCOUNT,
        "proven": {"amount": "100000.00", "currency": "NOK"},
        "booked": {"amount": "1.00", "currency": "NOK"},
    }]);
    assert_eq!(found, expected);
}

// Forks.

fn settled(world: &World) -> Value {
    world.pay(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks(), PAYER)
}

#[test]
fn a_fork_has_the_same_past_and_a_future_of_its_own() {
    let world = World::new();
    let before = settled(&world);
    let open = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    let fork = world.clone();
    assert_eq!(fork.transaction_status(&before), "ACSC");

    fork.answer(&open, &approve());
    assert_eq!(fork.transaction_status(&open), "ACSC");
    assert_eq!(world.transaction_status(&open), "RCVD");
    world.answer(&open, &abort());
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    assert_eq!(fork.booked(PAYER_ACCOUNT), ["-250.00"; 2]);

    let here = settled(&world);
    assert_refused(&fork.get(text(&here, "/_links/self/href")), 404, "RESOURCE_UNKNOWN", "");
    world.sandbox.initialize().unwrap();
    assert_eq!(fork.transaction_status(&before), "ACSC");
    for world in [&world, &fork] {
        world.assert_reconciled();
    }
}

#[test]
fn a_fork_has_its_own_clock() {
    let world = World::new();
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let fork = world.clone();
    fork.sandbox.advance(TimeDelta::days(1)).unwrap();
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:00:00Z"));
    assert_eq!(world.transaction_status(&pending), "PDNG");
    assert_eq!(fork.booked(PAYER_ACCOUNT), ["-30.00", "-1172.50"]);
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
}

#[test]
fn a_tpp_signs_by_the_clock_of_the_sandbox_that_gave_it() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let target = text(&created, "/_links/self/href");
    let image = world.sandbox.snapshot().unwrap();
    let fork = world.sandbox.fork().unwrap();
    fork.advance(TimeDelta::days(1)).unwrap();
    let restored = Sandbox::open(&SandboxOptions { seed: 7, ..SandboxOptions::default() }).unwrap();
    restored.restore(&image).unwrap();
    let answered = |sandbox: &Sandbox, tpp: &xs2a::TestTpp| {
        let headers = tpp.sign("GET", target, &owned(&plain_headers()), b"").unwrap();
        let response = send(sandbox, "GET", target, &headers, b"");
        (response.status(), response.reason())
    };
    assert_eq!(answered(&fork, &world.tpp), (400, Some("DAT-02")), "a day behind");
    for sandbox in [&world.sandbox, &fork, &restored] {
        let tpp = sandbox.tpp(world.tpp.organisation_id()).unwrap();
        assert_eq!(answered(sandbox, &tpp), (200, None));
        sandbox.advance(TimeDelta::hours(1)).unwrap();
        assert_eq!(answered(sandbox, &tpp), (200, None), "its clock moved on");
    }
    // Back to before it was registered, it is no TPP of the sandbox any more.
    let late = world.sandbox.register_tpp("Late", &["PISP"]).unwrap();
    world.sandbox.restore(&image).unwrap();
    assert!(matches!(world.sandbox.tpp(late.organisation_id()), Err(Error::Misuse(_))));
}

#[test]
fn a_fork_knows_the_used_request_ids_and_shares_none_of_its_own() {
    let world = World::new();
    let order = straks().to_string();
    let sign = || world.signed("POST", STRAKS, &creation_headers(), order.as_bytes());
    let (before, after) = (sign(), sign());
    let post = |to: &World, headers: &[(String, String)]| {
        send(&to.sandbox, "POST", STRAKS, headers, order.as_bytes())
    };
    assert_eq!(post(&world, &before).status(), 201);
    let fork = world.clone();
    assert_refused(&post(&fork, &before), 400, "BAD_REQUEST", "X-Request-ID");
    assert_refused(&post(&fork, &after), 409, "CONFLICT", "");
    assert_refused(&post(&world, &after), 409, "CONFLICT", "");
}

#[test]
fn forks_of_one_sandbox_make_the_same_ids() {
    let world = World::new();
    let (first, second) = (world.clone(), world.clone());
    let headers = world.signed("POST", STRAKS, &creation_headers(), straks().to_string().as_bytes());
    let post = |to: &World| send(&to.sandbox, "POST", STRAKS, &headers, straks().to_string().as_bytes());
    assert_eq!(all(&post(&first)), all(&post(&second)));
}

#[test]
fn a_fork_of_a_file_lives_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    let world = World::on_file(&path);
    settled(&world);
    let fork = world.clone();
    settled(&fork);
    drop(world);
    assert_eq!(World::on_file(&path).booked(PAYER_ACCOUNT), ["-250.00"]);
    assert_eq!(fork.booked(PAYER_ACCOUNT), ["-250.00"; 2]);
    assert_eq!(fork.clone().booked(PAYER_ACCOUNT), ["-250.00"; 2]);
}
