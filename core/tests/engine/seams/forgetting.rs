//! What is over leaves the store.

use chrono::TimeDelta;
use xs2a::store::Store;
use xs2a::types::AuthorisationId;

use crate::house::*;
use crate::world::*;

#[test]
fn a_link_is_forgotten_a_day_after_it_died_or_could_have_and_not_before() {
    let a_day = TimeDelta::hours(24) + TimeDelta::minutes(10);
    for (waited, is_forgotten) in [(a_day - TimeDelta::microseconds(1), false), (a_day, true)] {
        let house = House::new();
        let (unanswered, answered) = (accepted(&house.create()), accepted(&house.create()));
        house.engine.complete_sca(authorisation_id(&answered), &approved()).unwrap();
        house.wait(waited);
        house.engine.run_due().unwrap();
        for link in [unanswered, answered] {
            assert_eq!(is_kept(&house, &link), !is_forgotten);
        }
    }
}

#[test]
fn a_session_is_forgotten_a_year_after_it_was_opened_and_not_before() {
    let house = House::new();
    let payment = accepted(&house.create());
    house.engine.complete_sca(authorisation_id(&payment), &approved()).unwrap();
    let is_kept = || house.store.sca().session(TPP, "session-1").unwrap().is_some();
    for (wait, is_forgotten) in [
        (TimeDelta::zero(), false),
        (TimeDelta::days(365) - TimeDelta::microseconds(1), false),
        (TimeDelta::minutes(1), true),
    ] {
        house.wait(wait);
        house.engine.run_due().unwrap();
        assert_eq!(is_kept(), !is_forgotten, "{wait}");
    }
}

#[test]
fn an_engine_looks_for_what_is_over_once_a_minute() {
    let house = House::new();
    let dead = accepted(&house.create());
    house.wait(TimeDelta::hours(24) + TimeDelta::minutes(10) - TimeDelta::microseconds(1));
    for (wait, is_forgotten) in [(0, false), (59_999_999, false), (1, true)] {
        house.wait(TimeDelta::microseconds(wait));
        house.engine.run_due().unwrap();
        assert_eq!(is_kept(&house, &dead), !is_forgotten, "{wait}");
    }
}

fn is_kept(house: &House, created: &serde_json::Value) -> bool {
    let id = AuthorisationId::parse(authorisation_id(created)).unwrap();
    house.store.sca().authorisation(&id).unwrap().is_some()
}
