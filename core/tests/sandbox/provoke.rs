//! `provoke`: a request for every code of the contract, which is answered with exactly that code.

use std::collections::BTreeSet;

use crate::world::answer::{assert_well_formed, messages};
use crate::world::draft::database;
use crate::world::*;
use xs2a::reason::Reason;
use xs2a::{Error, FaultSpec, SandboxOptions};

/// Every id that there is a recipe for, as the refusal of an unknown one lists them after the codes.
fn ids() -> Vec<String> {
    let Err(Error::Misuse(text)) = World::new().sandbox.provoke("?") else { panic!("refused") };
    let (_, words) = text.rsplit_once("one of ").unwrap();
    let words: Vec<_> = words.split(", ").map(str::to_owned).collect();
    let (codes, ids) = words.split_at(answer::CODES.len());
    assert_eq!(BTreeSet::from_iter(codes.iter().map(String::as_str)), BTreeSet::from(answer::CODES));
    ids.to_vec()
}

#[track_caller]
fn assert_earned(world: &World, wanted: &str) {
    let provoked = world.sandbox.provoke(wanted).unwrap();
    let reason = provoked.reason();
    assert!(reason.code().as_str() == wanted || reason.id() == wanted, "{wanted}: {reason:?}");
    let response = provoked.send(&world.sandbox);
    assert_well_formed(&response);
    assert_eq!((response.status(), response.reason()), (reason.status(), Some(reason.id())), "{wanted}");
    let codes: Vec<_> = messages(&response).into_iter().map(|message| message.code).collect();
    assert_eq!(codes, [reason.code().as_str()], "{wanted}: one cause alone");
}

#[test]
fn every_code_of_the_contract_is_earned() {
    for code in answer::CODES {
        assert_earned(&World::new(), code);
    }
}

#[test]
fn every_code_is_earned_one_after_the_other_and_twice_in_one_sandbox() {
    let world = World::new();
    for code in answer::CODES.iter().chain(&answer::CODES) {
        assert_earned(&world, code);
    }
    world.assert_reconciled();
}

#[test]
fn one_call_too_many_is_one_more_than_the_policy_says() {
    assert_earned(&World::with_policy(r#"{"calls_without_psu_per_day":6}"#), "AIS-11");
}

#[test]
fn every_recipe_is_asked_for_by_its_reason_too() {
    let ids = ids();
    assert!(ids.len() > answer::CODES.len(), "{ids:?}");
    let codes: BTreeSet<_> = Reason::ALL
        .iter()
        .filter(|reason| ids.iter().any(|id| id == reason.id()))
        .map(|reason| reason.code().as_str())
        .collect();
    assert_eq!(codes, answer::CODES.into_iter().collect());
    for id in ids {
        assert_earned(&World::new(), &id);
    }
}

#[test]
fn every_code_is_earned_under_a_base_path_and_on_any_day() {
    for now in ["2026-09-01T21:59:59.999999Z", "2026-12-31T23:30:00Z", "2028-02-29T00:00:00Z"] {
        for code in answer::CODES {
            let base_path = "/api-sandbox".to_owned();
            let world = World::with(SandboxOptions { base_path, now: Some(at(now)), ..Default::default() });
            assert_earned(&world, code);
        }
    }
}

#[test]
fn every_recipe_works_from_the_first_day_of_the_certificates_on() {
    let from = |now| World::with(SandboxOptions { now: Some(at(now)), ..Default::default() });
    for id in ids() {
        assert_earned(&from("1950-01-01T00:00:00Z"), &id);
    }
    let too_early = from("1949-12-31T23:59:59.999999Z");
    let before = database(&too_early.sandbox);
    for id in ids() {
        assert!(matches!(too_early.sandbox.provoke(&id), Err(Error::Misuse(_))), "{id}");
    }
    assert!(database(&too_early.sandbox) == before);
}

#[test]
fn it_may_stay_in_a_fork_and_then_leaves_nothing() {
    let world = World::new();
    let (before, now) = (database(&world.sandbox), world.sandbox.now());
    for code in answer::CODES {
        assert_earned(&world.clone(), code);
    }
    assert!(database(&world.sandbox) == before);
    assert_eq!(world.sandbox.now(), now);
    assert_eq!(world.sandbox.faults().len(), 0);
}

#[test]
fn recipes_move_the_clock_or_set_a_fault_only_if_needed() {
    for code in answer::CODES {
        let world = World::new();
        let start = world.sandbox.now();
        world.sandbox.provoke(code).unwrap();
        let moved = (world.sandbox.now() - start).num_days();
        assert_eq!(moved, if code == "CONSENT_EXPIRED" { 180 } else { 0 }, "{code}");
        let faults = usize::from(["SYSTEM_ERROR", "PAYMENT_FAILED"].contains(&code));
        assert_eq!(world.sandbox.faults().len(), faults, "{code}");
    }
}

#[test]
fn the_fault_of_a_provoked_request_strikes_no_other_call() {
    let world = World::new();
    let provoked = world.sandbox.provoke("SYSTEM_ERROR").unwrap();
    assert_eq!(world.create(STRAKS, &straks()).status(), 201);
    assert_eq!(provoked.send(&world.sandbox).status(), 500);
}

#[test]
fn the_same_seed_gives_the_same_requests() {
    let request = |code: &str| World::new().sandbox.provoke(code).unwrap().to_json().unwrap();
    for code in answer::CODES {
        assert_eq!(request(code), request(code), "{code}");
    }
}

#[test]
fn a_request_counts_once() {
    let world = World::new();
    let provoked = world.sandbox.provoke("NOT_FOUND").unwrap();
    assert_eq!(provoked.send(&world.sandbox).status(), 404);
    let provoked = world.sandbox.provoke("KID_INVALID").unwrap();
    assert_eq!(provoked.send(&world.sandbox).reason(), Some("KID-02"));
    assert_eq!(provoked.send(&world.sandbox).reason(), Some("RPL-01"));
}

#[test]
fn the_json_form_is_the_request_and_what_it_earns() {
    let provoked = World::new().sandbox.provoke("KID_INVALID").unwrap();
    let json: serde_json::Value = serde_json::from_str(&provoked.to_json().unwrap()).unwrap();
    assert_eq!((json["method"].as_str(), json["target"].as_str()), (Some("POST"), Some(STRAKS)));
    assert_eq!(json["body"], provoked.body());
    assert_eq!(
        (&json["code"], &json["status"], &json["reason"]),
        (&"KID_INVALID".into(), &400.into(), &"KID-02".into())
    );
    let headers: Vec<_> =
        json["headers"].as_array().unwrap().iter().map(|field| text(field, "/name")).collect();
    assert!(headers.contains(&"Signature") && headers.contains(&"Digest"), "{headers:?}");
}

#[test]
fn what_there_is_no_recipe_for_and_what_cannot_be_prepared_is_misuse() {
    let world = World::new();
    for wanted in ["", "TEAPOT", "kid_invalid", "FLT-01", "SYS-01"] {
        assert!(matches!(world.sandbox.provoke(wanted), Err(Error::Misuse(_))), "{wanted}");
    }
    world.sandbox.add_fault(FaultSpec::refusal("FORBIDDEN")).unwrap();
    let Err(Error::Misuse(text)) = world.sandbox.provoke("CONFLICT") else { panic!("a fault in the way") };
    assert!(text.contains("FLT-07"), "{text}");
}
