//! The sandbox's controls: the clock, initialising, registering, trusting.

use crate::world::authority::{Authority, Signer};
use crate::world::*;
use chrono::TimeDelta;
use serde_json::Value;
use xs2a::{Error, Response, Sandbox, SandboxOptions, ScaAnswer};

fn is_misuse<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Misuse(_)))
}

#[test]
fn the_clock_is_constant_unless_it_is_moved_and_never_goes_back() {
    let world = World::new();
    let start = at("2026-09-01T10:00:00Z");
    world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.sandbox.now(), start);
    assert!(is_misuse(world.sandbox.set_now(start - TimeDelta::microseconds(1))));
    assert!(is_misuse(world.sandbox.advance(TimeDelta::microseconds(-1))));
    assert_eq!(world.sandbox.now(), start);
    world.sandbox.set_now(start).unwrap();
    world.sandbox.advance(TimeDelta::zero()).unwrap();
    world.sandbox.advance(TimeDelta::microseconds(1)).unwrap();
    assert_eq!(world.sandbox.now(), start + TimeDelta::microseconds(1));
}

#[test]
fn the_clock_does_not_leave_the_calendar() {
    let world = World::new();
    assert!(is_misuse(world.sandbox.advance(TimeDelta::MAX)));
    assert!(is_misuse(world.sandbox.advance(TimeDelta::MIN)));
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:00:00Z"));
}

#[test]
fn the_clock_ends_at_the_last_microsecond_of_the_year_9999() {
    let world = World::new();
    let created = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let last = at("9999-12-31T23:59:59.999999Z");
    let micro = TimeDelta::microseconds(1);
    assert!(is_misuse(world.sandbox.set_now(last + micro)));
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:00:00Z"));
    assert_eq!(world.transaction_status(&created), "PDNG", "nothing happened on the way");
    world.sandbox.set_now(last).unwrap();
    for by in [micro, TimeDelta::days(1)] {
        assert!(is_misuse(world.sandbox.advance(by)));
    }
    world.sandbox.advance(TimeDelta::zero()).unwrap();
    assert_eq!(world.sandbox.now(), last);
}

#[test]
fn what_is_paid_in_the_last_hour_is_booked_on_the_last_day() {
    let world = World::new();
    world.sandbox.set_now(at("9999-12-31T23:59:59.999999Z")).unwrap();
    let created = world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
    let ledger = world.ledger(PAYER_ACCOUNT);
    assert_eq!(ledger["bookings"][0]["bookingDate"], "9999-12-31");
}

#[test]
fn a_sandbox_opens_in_the_years_1_to_9999_alone() {
    let opened = |now| Sandbox::open(&SandboxOptions { now: Some(now), ..SandboxOptions::default() });
    let micro = TimeDelta::microseconds(1);
    for end in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"].map(at) {
        assert_eq!(opened(end).unwrap().now(), end);
    }
    assert!(is_misuse(opened(at("0001-01-01T00:00:00Z") - micro)));
    assert!(is_misuse(opened(at("9999-12-31T23:59:59.999999Z") + micro)));
}

#[test]
fn a_tpp_has_a_name_and_roles_that_exist_if_any() {
    let world = World::new();
    let named = |name, roles: &[&str]| world.sandbox.register_tpp(name, roles).map(|tpp| tpp.roles().len());
    assert_eq!(named("A", &["AISP"]).unwrap(), 1);
    assert_eq!(named("A", &[]).unwrap(), 0);
    for (name, roles) in [("", &["AISP"][..]), (" ", &["AISP"]), ("A", &["Bank"])] {
        assert!(is_misuse(named(name, roles)), "{name:?} {roles:?}");
    }
}

#[test]
fn a_long_pending_payment_is_settled_once_before_the_far_future() {
    let world = World::new();
    let created = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    world.set_now("2099-12-31T23:59:59Z");
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-1172.50"]);
}

#[test]
fn a_sandbox_without_a_time_of_its_own_starts_at_the_present() {
    let before = Sandbox::open(&SandboxOptions::default()).unwrap().now();
    let after = Sandbox::open(&SandboxOptions::default()).unwrap().now();
    assert!(before <= after && after - before < TimeDelta::minutes(1));
    assert!(before > at("2026-01-01T00:00:00Z"));
}

#[test]
fn initialising_brings_back_the_default_set_and_forgets_every_payment() {
    let world = World::new();
    let psu_id = world.payer_id();
    let settled = world.pay(STRAKS, &straks(), PAYER);
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let open = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    world.set_now("2026-09-01T10:05:00Z");
    world.sandbox.initialize().unwrap();

    for created in [&settled, &pending, &open] {
        assert_refused(&world.get(text(created, "/_links/self/href")), 404, "RESOURCE_UNKNOWN", "");
    }
    assert!(is_misuse(world.sandbox.authorise(link(&open), &ScaAnswer::approve(PAYER))));
    assert_refused(&world.create_for(&psu_id, STRAKS, &straks()), 401, "PSU_CREDENTIALS_INVALID", "PSU-ID");
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
    assert_eq!(world.balance(PAYER_ACCOUNT), "100000.00");
    world.assert_reconciled();

    // The clock and the registered TPP stay, nothing waits, and no old payment is a duplicate.
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:05:00Z"));
    assert_eq!(world.sandbox.advance_to_next_event().unwrap(), None);
    let created = world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn initialising_keeps_the_replay_window() {
    let world = World::new();
    let body = straks().to_string();
    let headers = world.signed("POST", STRAKS, &creation_headers(), body.as_bytes());
    assert_eq!(send(&world.sandbox, "POST", STRAKS, &headers, body.as_bytes()).status(), 201);
    world.sandbox.initialize().unwrap();
    let again = send(&world.sandbox, "POST", STRAKS, &headers, body.as_bytes());
    assert_refused(&again, 400, "BAD_REQUEST", "X-Request-ID");
}

#[test]
fn the_default_set_is_the_same_for_ever_and_names_what_a_test_needs() {
    let world = World::new();
    let data: Value = serde_json::from_str(&world.sandbox.default_data().unwrap()).unwrap();
    let shown = data.to_string();
    for needed in
        [PAYER, PAYEE, PROXY, PAYER_ACCOUNT, EUR_ACCOUNT, "18129215603", "20079518612", "91351631959"]
    {
        assert!(shown.contains(needed), "{needed}");
    }
    world.pay(STRAKS, &straks(), PAYER);
    world.set_now("2030-01-01T00:00:00Z");
    assert_eq!(world.sandbox.default_data().unwrap(), World::new().sandbox.default_data().unwrap());
}

#[test]
fn an_account_that_is_not_there_has_no_ledger() {
    let world = World::new();
    for account in ["", "12345678903", "NO9386011117947", "x"] {
        assert!(is_misuse(world.sandbox.ledger(account)), "{account}");
    }
    let by_iban = world.sandbox.ledger("NO09 9536 0573 002").unwrap();
    assert_eq!(by_iban, world.sandbox.ledger(PAYER_ACCOUNT).unwrap());
}

#[test]
fn a_policy_that_cannot_be_used_opens_no_sandbox() {
    for policy in
        ["", "[]", r#"{"unheard_of": 1}"#, r#"{"rates": {"NOK": "2"}}"#, r#"{"repertoire": "ascii"}"#]
    {
        let options = SandboxOptions { policy: Some(policy.to_owned()), ..SandboxOptions::default() };
        assert!(matches!(Sandbox::open(&options), Err(Error::Config(_))), "{policy}");
    }
    let options = SandboxOptions { base_path: "api".to_owned(), ..SandboxOptions::default() };
    assert!(matches!(Sandbox::open(&options), Err(Error::Config(_))));
}

#[test]
fn a_rate_of_the_policy_is_what_is_booked() {
    let world = World::with_policy(r#"{"rates": {"EUR": "10"}}"#);
    world.pay(CROSS_BORDER, &cross_border(), PAYER);
    world.sandbox.advance_to_next_event().unwrap();
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-1000.00"]);
}

#[test]
fn roles_go_by_the_contracts_names_and_by_the_standards() {
    let world = World::new();
    for role in ["PISP", "PSP_PI"] {
        let tpp = world.sandbox.register_tpp("Pay", &[role]).unwrap();
        assert_eq!(tpp.roles(), [role]);
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let order = straks().to_string();
        assert_eq!(world.call_by(&tpp, "POST", &target, &creation_headers(), order.as_bytes()).status(), 201);
    }
    for role in ["", "PSP_XX", "PISP AISP"] {
        assert!(is_misuse(world.sandbox.register_tpp("Pay", &[role])), "{role}");
    }
}

#[test]
fn more_tpps_than_there_are_test_keys_are_distinguished() {
    let world = World::new();
    let tpps: Vec<_> = (0..10).map(|_| world.sandbox.register_tpp("Pay", &["PISP"]).unwrap()).collect();
    let mut ids: Vec<_> = tpps.iter().map(|tpp| tpp.organisation_id().to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 10);
    let order = straks().to_string();
    for tpp in &tpps {
        let response = world.call_by(tpp, "POST", STRAKS, &creation_headers(), order.as_bytes());
        assert_eq!(response.status(), 201, "{}", body(&response));
    }
}

#[test]
fn a_tpp_is_found_again_by_its_authorisation_number_as_it_was_registered() {
    let world = World::new();
    // More than there are test keys, in every order of roles.
    for roles in
        [&["AISP", "PISP"][..], &["PISP", "AISP"], &["PSP_AI"], &["PSP_IC", "PISP", "PSP_AS"]].repeat(3)
    {
        let tpp = world.sandbox.register_tpp("Ærlig Betaling", roles).unwrap();
        let found = world.sandbox.tpp(tpp.organisation_id()).unwrap();
        assert_eq!((found.name(), found.organisation_id()), (tpp.name(), tpp.organisation_id()));
        assert_eq!(found.roles(), roles);
        assert_eq!(found.certificate_pem(), tpp.certificate_pem());
        assert_eq!(found.private_key_pem(), tpp.private_key_pem());
        // Known, and with its roles: only one that may initiate payments may look for one.
        let response = send_get(&world.sandbox, &found, &format!("{STRAKS}/none"));
        let expected = if roles.contains(&"PISP") { 404 } else { 403 };
        assert_eq!(response.status(), expected, "{}", body(&response));
    }
}

/// A call signed by the TPP alone: with the `Date` that it gives.
fn send_get(sandbox: &Sandbox, tpp: &xs2a::TestTpp, target: &str) -> Response {
    let headers = tpp.sign("GET", target, &owned(&plain_headers()), b"").unwrap();
    send(sandbox, "GET", target, &headers, b"")
}

#[test]
fn an_unregistered_tpp_is_not_found() {
    let world = World::new();
    let id = world.tpp.organisation_id().to_owned();
    for unknown in ["", "PSDNO-FSA-000002", "psdno-fsa-000001", &format!("{id} "), "' OR 1=1 --"] {
        assert!(is_misuse(world.sandbox.tpp(unknown)), "{unknown}");
    }
    assert!(is_misuse(Sandbox::open(&SandboxOptions::default()).unwrap().tpp(&id)), "of another sandbox");
    world.sandbox.initialize().unwrap();
    assert_eq!(world.sandbox.tpp(&id).unwrap().certificate_pem(), world.tpp.certificate_pem());
}

#[test]
fn two_sandboxes_never_meet() {
    let (first, second) =
        (World::new(), World::with(SandboxOptions { seed: 2, ..SandboxOptions::default() }));
    let created = first.pay(STRAKS, &straks(), PAYER);
    assert_refused(&second.get(text(&created, "/_links/self/href")), 404, "RESOURCE_UNKNOWN", "");
    assert!(second.booked(PAYER_ACCOUNT).is_empty());
    second.set_now("2027-01-01T00:00:00Z");
    assert_eq!(first.sandbox.now(), at("2026-09-01T10:00:00Z"));
}

#[test]
fn a_certificate_of_the_test_authority_counts_where_its_tpp_is_registered() {
    let (world, stranger) = (World::new(), World::new());
    let other = stranger.sandbox.register_tpp("Other Pay", &["PISP"]).unwrap();
    let order = straks().to_string();
    let response = world.call_by(&other, "POST", STRAKS, &creation_headers(), order.as_bytes());
    assert_refused(&response, 403, "FORBIDDEN", "");
    assert_eq!(response.reason(), Some("TPP-01"));
}

// Trust.

#[test]
fn a_text_without_a_usable_certificate_is_not_trusted() {
    let world = World::new();
    for pem in ["", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        assert!(matches!(world.sandbox.trust(pem), Err(Error::Config(_))), "{pem}");
    }
    world.pay(STRAKS, &straks(), PAYER);
}

const LONG: (&str, &str) = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");

/// A payment by a TPP whose certificate was made elsewhere.
fn pay_elsewhere(world: &World, signer: &Signer, number: u128) -> Response {
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let order = straks().to_string();
    let now = world.sandbox.now();
    let headers = signer.sign("POST", &target, &creation_headers(), order.as_bytes(), now, number);
    send(&world.sandbox, "POST", &target, &headers, order.as_bytes())
}

#[test]
fn a_certificate_of_a_trusted_authority_counts_as_registered() {
    let (world, other) = (World::new(), World::new());
    let root = Authority::root("Rot CA", 1, LONG);
    let signer = root.issue("PSDNO-FSA-912345678", 2, LONG);
    assert_refused(&pay_elsewhere(&world, &signer, 1), 400, "BAD_REQUEST", "TPP-Signature-Certificate");
    world.sandbox.trust(&root.pem).unwrap();
    world.sandbox.trust(&root.pem).unwrap();
    let created = accepted(&pay_elsewhere(&world, &signer, 2));
    let page = world.sandbox.handle(&xs2a::Request {
        method: "GET",
        target: link(&created).strip_prefix("https://sca.bank.example").unwrap(),
        headers: &[],
        body: b"",
        correlation_id: None,
    });
    let shown = String::from_utf8(page.body().to_vec()).unwrap();
    assert!(shown.contains("Pay elsewhere"), "{shown}");
    assert_refused(&pay_elsewhere(&other, &signer, 1), 400, "BAD_REQUEST", "TPP-Signature-Certificate");
    world.sandbox.initialize().unwrap();
    accepted(&pay_elsewhere(&world, &signer, 3));
}

#[test]
fn an_expired_certificate_or_authority_counts_despite_a_cached_chain() {
    let until_noon = ("2026-01-01T00:00:00Z", "2026-09-01T12:00:00Z");
    for (root, leaf) in [(until_noon, LONG), (LONG, until_noon)] {
        let world = World::new();
        let root = Authority::root("Rot CA", 1, root);
        let signer = root.issue("PSDNO-FSA-912345678", 2, leaf);
        world.sandbox.trust(&root.pem).unwrap();
        accepted(&pay_elsewhere(&world, &signer, 1));
        world.set_now("2026-09-01T12:00:00.999999Z");
        accepted(&pay_elsewhere(&world, &signer, 2));
        world.set_now("2026-09-01T12:00:01Z");
        assert_refused(&pay_elsewhere(&world, &signer, 3), 400, "BAD_REQUEST", "TPP-Signature-Certificate");
    }
}

#[test]
fn a_renewed_authority_counts_despite_a_cached_chain() {
    let world = World::new();
    let old = Authority::root("Rot CA", 1, ("2026-01-01T00:00:00Z", "2026-09-01T12:00:00Z"));
    let renewed = Authority::root("Rot CA", 3, LONG);
    let signer = old.issue("PSDNO-FSA-912345678", 2, LONG);
    world.sandbox.trust(&old.pem).unwrap();
    accepted(&pay_elsewhere(&world, &signer, 1));
    world.sandbox.trust(&renewed.pem).unwrap();
    world.set_now("2026-09-02T00:00:00Z");
    accepted(&pay_elsewhere(&world, &signer, 2));
}

#[test]
fn what_is_over_is_forgotten_when_the_clock_moves() {
    let world = World::new();
    let count = |section: &str| {
        let state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
        state[section].as_array().unwrap().len()
    };
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "s")];
    for _ in 0..3 {
        assert_eq!(world.call("POST", "/v1/bank-offered-consents", &headers, b"").status(), 201);
    }
    assert_eq!((count("authorisations"), count("usedRequestIds")), (3, 3));
    // No SCA is completed, and no batch has anything to do.
    world.sandbox.advance(TimeDelta::days(1)).unwrap();
    assert_eq!((count("authorisations"), count("usedRequestIds")), (3, 0));
    world.sandbox.advance(TimeDelta::minutes(10)).unwrap();
    assert_eq!(count("authorisations"), 0);
}
