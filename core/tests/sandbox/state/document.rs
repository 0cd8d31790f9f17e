//! Export and import: the same sandbox, in every state.

use chrono::TimeDelta;
use proptest::prelude::*;
use serde_json::Value;
use xs2a::{Error, Sandbox, SandboxOptions, ScaAnswer, StateRows};

use crate::state::busy::Busy;
use crate::world::*;

/// Another sandbox than any of those exported.
fn other() -> Sandbox {
    let now = Some(at("2031-01-01T00:00:00Z"));
    Sandbox::open(&SandboxOptions { now, seed: 99, ..SandboxOptions::default() }).unwrap()
}

/// The same TPP, signing by the clock and with the ids of this sandbox.
fn with_tpp(sandbox: Sandbox) -> World {
    let tpp = sandbox.tpp("PSDNO-FSA-000001").unwrap();
    World { sandbox, tpp }
}

/// A second world with the state of the first, by way of its text.
fn by_text(world: &World) -> World {
    let sandbox = other();
    sandbox.import_json(&world.sandbox.export_json().unwrap()).unwrap();
    with_tpp(sandbox)
}

/// What follows, ids, links and balances included.
fn future(world: &World, open: &Value) -> Vec<String> {
    let callback = world.answer(open, &ScaAnswer::approve(PAYER));
    world.sandbox.advance(TimeDelta::days(1)).unwrap();
    let created = world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks());
    let late = world.sandbox.register_tpp("Late Pay", &["PISP"]).unwrap();
    let said = [callback, body(&created).to_string(), late.certificate_pem().to_owned()];
    said.into_iter()
        .chain([world.ledger(PAYER_ACCOUNT).to_string(), world.sandbox.now().to_rfc3339()])
        .collect()
}

#[test]
fn an_imported_sandbox_is_the_exported_one_inside_an_sca_too() {
    let Busy { world, open, .. } = Busy::new();
    let twin = by_text(&world);
    assert_eq!(twin.sandbox.export_json().unwrap(), world.sandbox.export_json().unwrap());
    assert_eq!(future(&twin, &open), future(&world, &open));
    twin.assert_reconciled();
    assert_eq!(twin.sandbox.export_json().unwrap(), world.sandbox.export_json().unwrap());
}

#[test]
fn restoring_from_text_is_restoring_from_a_snapshot() {
    let Busy { world, open, pending } = Busy::new();
    let from_image = other();
    from_image.restore(&world.sandbox.snapshot().unwrap()).unwrap();
    let from_image = with_tpp(from_image);
    let from_text = by_text(&world);
    assert_eq!(future(&from_text, &open), future(&from_image, &open));
    assert_eq!(from_text.transaction_status(&pending), from_image.transaction_status(&pending));
    // Nothing differs but the pages of the databases.
    let (one, two) = (from_text.sandbox.snapshot().unwrap(), from_image.sandbox.snapshot().unwrap());
    assert_eq!(xs2a::diff(&one, &two).unwrap(), Vec::<String>::new());
}

#[test]
fn the_replay_window_goes_along() {
    let world = World::new();
    let order = straks().to_string();
    let signed = world.signed("POST", STRAKS, &creation_headers(), order.as_bytes());
    assert_eq!(send(&world.sandbox, "POST", STRAKS, &signed, order.as_bytes()).status(), 201);
    let twin = by_text(&world);
    let again = send(&twin.sandbox, "POST", STRAKS, &signed, order.as_bytes());
    assert_refused(&again, 400, "BAD_REQUEST", "X-Request-ID");
}

/// The sandbox without what its engine remembers of the replay window, as after other calls than a test can send.
fn without_window(world: &World) -> Sandbox {
    let mut state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    assert!(!state["replayWindow"].as_array().unwrap().is_empty());
    state["replayWindow"] = serde_json::json!([]);
    let sandbox = other();
    sandbox.import_json(&state.to_string()).unwrap();
    sandbox
}

#[test]
fn a_change_is_not_repeated_where_the_window_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    for world in [World::new(), World::on_file(&folder.path().join("sandbox.db"))] {
        let order = straks().to_string();
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let signed = world.signed("POST", &target, &creation_headers(), order.as_bytes());
        assert_eq!(send(&world.sandbox, "POST", &target, &signed, order.as_bytes()).status(), 201);
        let again = send(&without_window(&world), "POST", &target, &signed, order.as_bytes());
        assert_refused(&again, 400, "BAD_REQUEST", "X-Request-ID");
    }
}

#[test]
fn a_file_takes_it_and_keeps_it() {
    let Busy { world, .. } = Busy::new();
    let exported = world.sandbox.export_json().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    World::on_file(&path).sandbox.import_json(&exported).unwrap();
    let reopened =
        Sandbox::open(&SandboxOptions { database: Some(path), seed: 1, ..SandboxOptions::default() })
            .unwrap();
    assert_eq!(reopened.now(), world.sandbox.now());
    assert_eq!(reopened.ledger(PAYER_ACCOUNT).unwrap(), world.sandbox.ledger(PAYER_ACCOUNT).unwrap());
}

#[test]
fn nearly_every_section_is_tried() {
    let Busy { world, .. } = Busy::new();
    let exported: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    let sections = exported.as_object().unwrap().iter();
    let empty: Vec<_> =
        sections.filter(|(_, rows)| rows == &&serde_json::json!([])).map(|(name, _)| name.as_str()).collect();
    // Each of these needs a bank that is down, several processes, or an operator's act or report in between; the tests
    // of populations try those that go on, and `with_authorisation` adds a use of a card.
    assert_eq!(
        empty,
        [
            "blocked",
            "callCounts",
            "cancelledPayments",
            "cardAuthorisations",
            "orders",
            "outages",
            "ownNames",
            "populations",
        ]
    );
}

#[test]
fn the_text_is_canonical_and_any_spelling_of_it_is_read() {
    let Busy { world, .. } = Busy::new();
    let exported = world.sandbox.export_json().unwrap();
    // serde_json sorts members here by their bytes, which for names of ASCII is the order of RFC 8785.
    let value: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(value.to_string(), exported);
    let sandbox = other();
    sandbox.import_json(&serde_json::to_string_pretty(&value).unwrap()).unwrap();
    assert_eq!(sandbox.export_json().unwrap(), exported);
}

#[test]
fn policies_are_not_in_it() {
    let world = World::with_policy(r#"{"base_path":"/x","pending_unfiltered":false}"#);
    let before = world.sandbox.policy().unwrap();
    world.sandbox.import_json(&World::new().sandbox.export_json().unwrap()).unwrap();
    assert_eq!(world.sandbox.policy().unwrap(), before);
}

#[test]
fn a_text_cut_anywhere_or_of_another_kind_is_refused_and_changes_nothing() {
    let Busy { world, .. } = Busy::new();
    let exported = world.sandbox.export_json().unwrap();
    let sandbox = other();
    let before = sandbox.export_json().unwrap();
    let is_border = |at: &usize| exported.is_char_boundary(*at);
    let cuts = (0..200).chain((200..exported.len()).step_by(exported.len() / 211)).filter(is_border);
    for at in cuts.chain([exported.len() - 1]) {
        assert!(matches!(sandbox.import_json(&exported[..at]), Err(Error::Misuse(_))), "{at}");
    }
    for (text, part) in [
        ("null", "no JSON object"),
        ("[]", "no JSON object"),
        ("{}", "`format`"),
        (r#"{"format":"xs2a"}"#, "`format`"),
        (r#"{"format":"xs2a sandbox"}"#, "`version` is no number"),
        (r#"{"format":"xs2a sandbox","version":0}"#, "version is 0, this library reads 1"),
        (r#"{"format":"xs2a sandbox","version":2}"#, "version is 2, this library reads 1"),
        (r#"{"format":"xs2a sandbox","version":"1"}"#, "`version` is no number"),
        (r#"{"format":"xs2a sandbox","version":1}"#, "/customers: is missing"),
    ] {
        match sandbox.import_json(text) {
            Err(Error::Misuse(message)) => assert!(message.contains(part), "{text}: {message}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    assert_eq!(sandbox.export_json().unwrap(), before);
}

/// One step of a journey.
fn step(world: &World, kind: u8) {
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    match kind {
        0 => drop(world.create(&target, &straks())),
        1 => drop(world.pay(&target, &straks(), PAYER)),
        2 => drop(world.pay(
            CROSS_BORDER,
            &changed(cross_border(), &[("/instructedAmount/amount", Value::from("1.00"))]),
            PAYER,
        )),
        3 => world.sandbox.advance(TimeDelta::hours(5)).unwrap(),
        4 => drop(crate::aisp::consent(world, "session-p", &ScaAnswer::approve(PAYER))),
        5 => world.sandbox.revoke_consent(PAYER, world.tpp.organisation_id()).unwrap(),
        6 => world.sandbox.initialize().unwrap(),
        _ => drop(world.sandbox.advance_to_next_event().unwrap()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn import_after_export_changes_nothing(steps in proptest::collection::vec(0..8_u8, 0..8)) {
        let world = World::new();
        // A like order of the same day is a duplicate across borders: those are tried once.
        let mut crossed = false;
        for kind in steps {
            if kind == 2 && std::mem::replace(&mut crossed, true) {
                continue;
            }
            step(&world, kind);
        }
        let open = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
        let twin = by_text(&world);
        prop_assert_eq!(twin.sandbox.export_json().unwrap(), world.sandbox.export_json().unwrap());
        prop_assert_eq!(future(&twin, &open), future(&world, &open));
    }
}

fn rows(sandbox: &Sandbox, section: &str, only: Option<(&str, &str)>, limit: u32) -> Value {
    let text = sandbox.state_rows(&StateRows { section, only, limit }).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn rows_of_a_section_are_those_of_the_export_newest_first() {
    let Busy { world, .. } = Busy::new();
    let exported: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    for (section, all) in exported.as_object().unwrap() {
        let Some(all) = all.as_array() else { continue };
        if section == "replayWindow" {
            continue;
        }
        let newest: Vec<_> = all.iter().rev().cloned().collect();
        assert_eq!(rows(&world.sandbox, section, None, u32::MAX), Value::Array(newest.clone()), "{section}");
        let two: Vec<_> = newest.into_iter().take(2).collect();
        assert_eq!(rows(&world.sandbox, section, None, 2), Value::Array(two), "{section}");
    }
}

#[test]
fn rows_are_found_by_a_member() {
    let Busy { world, .. } = Busy::new();
    let event = &rows(&world.sandbox, "paymentEvents", None, 1)[0];
    let payment = event["payment"].as_str().unwrap().to_owned();
    let found = rows(&world.sandbox, "payments", Some(("id", &payment)), 9);
    assert_eq!(found.as_array().unwrap().len(), 1);
    let events = rows(&world.sandbox, "paymentEvents", Some(("payment", &payment)), 9);
    assert!(events.as_array().unwrap().iter().all(|event| event["payment"] == *payment));
    assert!(!events.as_array().unwrap().is_empty());
    assert_eq!(rows(&world.sandbox, "payments", Some(("id", "' OR 1 --")), 9), Value::Array(Vec::new()));
    for (section, only) in [("secrets", None), ("payments", Some(("no_such", "x"))), ("payment", None)] {
        let refused = world.sandbox.state_rows(&StateRows { section, only, limit: 1 });
        assert!(matches!(refused, Err(Error::Misuse(_))), "{section}");
    }
}
