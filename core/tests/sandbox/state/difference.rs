//! What differs between two snapshots, in words.

use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::{Error, ScaAnswer};

use crate::aisp::consent;
use crate::state::busy::Busy;
use crate::world::*;

/// What a step changes, in words.
fn lines_of(world: &World, step: impl FnOnce(&World)) -> Vec<String> {
    let before = world.sandbox.snapshot().unwrap();
    step(world);
    xs2a::diff(&before, &world.sandbox.snapshot().unwrap()).unwrap()
}

#[track_caller]
fn assert_line(lines: &[String], expected: &str) {
    assert!(lines.iter().any(|line| line == expected), "`{expected}` in\n{}", lines.join("\n"));
}

#[test]
fn nothing_differs_from_itself() {
    let Busy { world, .. } = Busy::new();
    assert_eq!(lines_of(&world, |_| ()), Vec::<String>::new());
}

#[test]
fn a_payment_is_created_and_authorised() {
    let world = World::new();
    let mut created = Value::Null;
    let lines = lines_of(&world, |world| created = accepted(&world.create(STRAKS, &straks())));
    let id = text(&created, "/paymentId").to_owned();
    let product = "payments/instant-norwegian-domestic-credit-transfers-straks";
    assert_line(&lines, &format!("payment {id}: created (RCVD {product})"));
    let lines = lines_of(&world, |world| drop(world.answer(&created, &ScaAnswer::approve(PAYER))));
    assert_line(&lines, "account 95360573002: 100000.00 → 99750.00 NOK");
    assert_line(&lines, "account 95360573002: booked (-250.00 NOK 2026-09-01)");
    assert!(lines.iter().any(|line| line.starts_with(&format!("payment {id}: RCVD → ACSC, "))), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("session session-1 of PSDNO-FSA-000001: opened")),
        "{lines:?}"
    );
}

#[test]
fn a_difference_shows_a_payments_status_and_no_identity_number() {
    let Busy { world, open, .. } = Busy::new();
    let lines = lines_of(&world, |world| drop(world.answer(&open, &ScaAnswer::approve(PAYER))));
    let of_payment = format!("payment {}: ", text(&open, "/paymentId"));
    let line = lines.iter().find(|line| line.starts_with(&of_payment)).unwrap();
    assert!(line.contains("RCVD → ACSC, ") && !line.contains("identity"), "{line}");
}

#[test]
fn a_consent_is_granted_and_revoked() {
    let world = World::new();
    let lines = lines_of(&world, |world| drop(consent(world, "s", &ScaAnswer::approve(PAYER))));
    assert_line(&lines, &format!("consent of {PAYER} to PSDNO-FSA-000001: granted (PRIVATE)"));
    assert_line(&lines, "consent number 1 with account 95360573002: opened");
    let lines = lines_of(&world, |world| world.sandbox.revoke_consent(PAYER, "PSDNO-FSA-000001").unwrap());
    assert_eq!(lines, [format!("consent of {PAYER} to PSDNO-FSA-000001: revoked")]);
}

#[test]
fn a_difference_shows_the_clock_the_drawn_ids_and_a_tpp() {
    let world = World::new();
    let lines = lines_of(&world, |world| world.sandbox.advance(TimeDelta::minutes(1)).unwrap());
    assert_eq!(lines, ["clock: 2026-09-01T10:00:00.000000Z → 2026-09-01T10:01:00.000000Z"]);
    let lines = lines_of(&world, |world| drop(world.sandbox.register_tpp("Late", &["PISP"]).unwrap()));
    assert_line(&lines, "TPP PSDNO-FSA-000002: registered (Late PISP)");
    assert!(lines[0].starts_with("ids: seed 1, opening 1, "), "{lines:?}");
}

#[test]
fn removed_rows_are_shown_by_their_readable_names() {
    let Busy { world, .. } = Busy::new();
    let lines = lines_of(&world, |world| world.sandbox.initialize().unwrap());
    assert_line(&lines, &format!("consent of {PAYER} to PSDNO-FSA-000001: gone"));
    assert_line(&lines, "account 95360573002: booked: gone".replace(": booked", "").as_str());
}

#[test]
fn the_reverse_difference_shows_both_sides() {
    let world = World::new();
    let before = world.sandbox.snapshot().unwrap();
    world.pay(STRAKS, &straks(), PAYER);
    let after = world.sandbox.snapshot().unwrap();
    let (there, back) = (xs2a::diff(&before, &after).unwrap(), xs2a::diff(&after, &before).unwrap());
    assert_eq!(there.len(), back.len());
    assert_line(&back, "account 95360573002: 99750.00 → 100000.00 NOK");
}

/// No change of any member of any row goes unsaid.
#[test]
fn every_change_of_a_document_is_shown() {
    let Busy { world, .. } = Busy::new();
    let image = world.sandbox.snapshot().unwrap();
    let exported = world.sandbox.export_json().unwrap();
    let document: Value = serde_json::from_str(&exported).unwrap();
    let mut tried = 0;
    for (section, rows) in document.as_object().unwrap() {
        let Some(Value::Object(row)) = rows.get(0) else { continue };
        for (member, value) in row {
            let other = match value {
                Value::String(text) if text.ends_with('Z') => json!("2026-09-01T00:00:00.000001Z"),
                Value::String(_) => json!("other"),
                Value::Bool(flag) => json!(!flag),
                Value::Number(_) => json!(9),
                _ => json!([]),
            };
            let mut document = document.clone();
            document[section][0][member] = other;
            if world.sandbox.import_json(&document.to_string()).is_ok()
                && world.sandbox.export_json().unwrap() != exported
            {
                tried += 1;
                let lines = xs2a::diff(&image, &world.sandbox.snapshot().unwrap()).unwrap();
                assert!(!lines.is_empty(), "{section}/{member}");
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn a_thousand_lines_are_the_most() {
    let world = World::new();
    let mut document: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    for number in 0..1001 {
        let customer = json!({
            "id": format!("c{number}"),
            "number": 1000 + number,
            "customerNumber": format!("{}", 1_000_000 + number),
            "name": "x".repeat(70),
            "type": "PRIVATE",
        });
        document["customers"].as_array_mut().unwrap().push(customer);
    }
    let lines = lines_of(&world, |world| world.sandbox.import_json(&document.to_string()).unwrap());
    assert_eq!((lines.len(), lines[1000].as_str()), (1001, "and 1 more"));
    assert_eq!(lines[0], "customer 1000000: new (PRIVATE)", "a long name is not shown");
}

#[test]
fn what_is_no_snapshot_is_refused_on_either_side() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    let cut = &image[..image.len() / 2];
    for (before, after) in [(cut, image.as_slice()), (image.as_slice(), cut), (b"{}", image.as_slice())] {
        assert!(matches!(xs2a::diff(before, after), Err(Error::Misuse(_))));
    }
}
