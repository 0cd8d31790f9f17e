//! Answers that come late: the sandbox's clock shows how late.

use crate::world::*;
use chrono::TimeDelta;
use xs2a::internal::format_http_date;
use xs2a::{FaultSpec, ScaAnswer};

fn slow(seconds: f64) -> FaultSpec {
    FaultSpec::from_json(&format!(r#"{{"kind":"slow","seconds":{seconds}}}"#)).unwrap()
}

#[test]
fn the_clock_has_moved_when_the_answer_comes_and_its_date_says_so() {
    let world = World::new();
    let start = world.sandbox.now();
    world.sandbox.add_fault(FaultSpec { times: Some(1), ..slow(90.5) }).unwrap();
    let response = world.create(STRAKS, &straks());
    assert_eq!(response.status(), 201);
    assert_eq!(world.sandbox.now(), start + TimeDelta::milliseconds(90_500));
    let date = format_http_date(start + TimeDelta::seconds(90));
    assert_eq!(response.header("Date"), Some(date.as_str()));
    assert_eq!(world.get("/v1/accounts").status(), 401);
    assert_eq!(world.sandbox.now(), start + TimeDelta::milliseconds(90_500), "one call was slow");
}

#[test]
fn several_slow_faults_add_up_and_a_refusal_is_slow_too() {
    let world = World::new();
    let start = world.sandbox.now();
    for spec in [slow(1.0), slow(2.0), FaultSpec::refusal("ACCESS_EXCEEDED")] {
        world.sandbox.add_fault(spec).unwrap();
    }
    let response = world.get("/v1/accounts");
    assert_eq!(world.sandbox.now(), start + TimeDelta::seconds(3));
    assert_eq!(response.header("Retry-After"), Some("43197"), "counted from the answer");
}

#[test]
fn a_link_is_expired_after_ten_minutes_and_not_a_moment_earlier() {
    for (seconds, is_dead) in [(599.999_999, false), (600.0, true)] {
        let world = World::new();
        world.sandbox.add_fault(FaultSpec { times: Some(1), ..slow(seconds) }).unwrap();
        let created = accepted(&world.create(STRAKS, &straks()));
        let answered = world.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER));
        assert_eq!(
            matches!(&answered, Err(error) if error.is_of_caller()),
            is_dead,
            "{seconds}: {answered:?}"
        );
    }
}

#[test]
fn what_falls_due_while_an_answer_is_slow_happens() {
    let world = World::new();
    let created = world.pay(products::DOMESTIC, &straks(), PAYER);
    assert_eq!(world.transaction_status(&created), "PDNG");
    world.sandbox.add_fault(FaultSpec { times: Some(1), ..slow(3.0 * 3600.0) }).unwrap();
    assert_eq!(world.transaction_status(&created), "PDNG", "as it was when the call was made");
    assert_eq!(world.transaction_status(&created), "ACSC", "the batch of 13:00 in Oslo has run");
}

#[test]
fn a_call_that_meets_no_fault_takes_no_time() {
    let world = World::new();
    let start = world.sandbox.now();
    world.sandbox.add_fault(FaultSpec { operation: Some("getAccounts".to_owned()), ..slow(5.0) }).unwrap();
    assert_eq!(world.create(STRAKS, &straks()).status(), 201);
    assert_eq!(world.get("/v1/nowhere").status(), 404);
    assert_eq!(world.sandbox.now(), start);
}
