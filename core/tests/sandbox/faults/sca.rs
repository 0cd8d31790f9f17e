//! An SCA that the PSU would approve, and that ends otherwise.

use crate::world::*;
use chrono::TimeDelta;
use xs2a::{FaultSpec, ScaAnswer};

fn sca(members: &str) -> FaultSpec {
    FaultSpec::from_json(&format!(r#"{{"kind":"sca",{members}}}"#)).unwrap()
}

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

#[test]
fn the_callback_has_status_and_code_and_a_later_sca_approves() {
    for (members, status, code) in [
        (r#""outcome":"aborted""#, "401", "SCA_INVALID"),
        (r#""outcome":"failed""#, "401", "SCA_INVALID"),
        (r#""outcome":"failed","code":"PSU_CREDENTIALS_INVALID""#, "401", "PSU_CREDENTIALS_INVALID"),
        (r#""outcome":"failed","code":"SYSTEM_ERROR""#, "500", "SYSTEM_ERROR"),
        (r#""outcome":"failed","code":"CONFLICT","status":405"#, "405", "CONFLICT"),
    ] {
        let world = World::new();
        let fault = world.sandbox.add_fault(FaultSpec { times: Some(1), ..sca(members) }).unwrap();
        let created = accepted(&world.create(STRAKS, &straks()));
        let callback = world.answer(&created, &approve());
        let shown = ["system", "status", "code"].map(|name| parameter(&callback, name).unwrap());
        assert_eq!(shown, ["xs2a", status, code], "{callback}");
        assert_eq!(world.transaction_status(&created), "RCVD");
        assert_eq!(fault.hits(), 1);
        let again = accepted(&world.start(&created));
        assert_eq!(parameter(&world.answer(&again, &approve()), "code"), None);
        assert_eq!(world.transaction_status(&created), "ACSC");
    }
}

#[test]
fn an_sca_that_expires_outlives_its_link() {
    let world = World::new();
    let start = world.sandbox.now();
    world.sandbox.add_fault(FaultSpec { times: Some(1), ..sca(r#""outcome":"expired""#) }).unwrap();
    let created = accepted(&world.create(STRAKS, &straks()));
    let answered = world.sandbox.authorise(link(&created), &approve());
    assert!(matches!(&answered, Err(error) if error.is_of_caller()), "{answered:?}");
    assert_eq!(world.sandbox.now(), start + TimeDelta::minutes(10));
    assert_eq!(world.transaction_status(&created), "RCVD");
    let again = accepted(&world.start(&created));
    world.answer(&again, &approve());
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_psu_who_cancels_or_is_unknown_is_not_counted() {
    let world = World::new();
    let fault = world.sandbox.add_fault(sca(r#""outcome":"failed","code":"CONFLICT""#)).unwrap();
    let created = accepted(&world.create(STRAKS, &straks()));
    assert_eq!(parameter(&world.answer(&created, &abort()), "code").unwrap(), "SCA_INVALID");
    let again = accepted(&world.start(&created));
    let callback = world.answer(&again, &ScaAnswer::approve("01810112251"));
    assert_eq!(parameter(&callback, "code").unwrap(), "PSU_CREDENTIALS_INVALID");
    assert_eq!((fault.seen(), fault.hits()), (0, 0));
}

#[test]
fn scas_of_another_tpp_are_left_alone() {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other", &["PISP"]).unwrap();
    let of_other =
        FaultSpec { tpp: Some(other.organisation_id().to_owned()), ..sca(r#""outcome":"aborted""#) };
    world.sandbox.add_fault(of_other).unwrap();
    let created = world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
    let order = straks().to_string();
    let theirs = accepted(&world.call_by(&other, "POST", STRAKS, &creation_headers(), order.as_bytes()));
    assert_eq!(parameter(&world.answer(&theirs, &approve()), "code").unwrap(), "SCA_INVALID");
}

#[test]
fn every_kind_of_sca_meets_the_fault() {
    let world = World::new();
    let psu_id = world.payer_id();
    let fault = world.sandbox.add_fault(sca(r#""outcome":"failed","code":"FORBIDDEN""#)).unwrap();
    let explicit = accepted(&world.create_for(&psu_id, STRAKS, &straks()));
    let started = accepted(&world.start_with(&explicit, &[("PSU-ID", &psu_id), ("PSU-Context", "")]));
    let consent = body(&world.call("POST", "/v1/bank-offered-consents", &plain_headers(), b""));
    let identification = body(&world.get("/v1/user"));
    for (number, answered) in [started, consent, identification].iter().enumerate() {
        let callback = world.answer(answered, &approve());
        assert_eq!(parameter(&callback, "code").as_deref(), Some("FORBIDDEN"), "{callback}");
        assert_eq!(fault.hits(), number as u64 + 1);
    }
}
