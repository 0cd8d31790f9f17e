//! What is over leaves the store.

use chrono::TimeDelta;
use xs2a::store::Store;
use xs2a::types::AuthorisationId;

use crate::setup::*;
use crate::world::*;

#[test]
fn a_link_is_forgotten_a_day_after_it_died_or_could_have_and_not_before() {
    let a_day = TimeDelta::hours(24) + TimeDelta::minutes(10);
    for (waited, is_forgotten) in [(a_day - TimeDelta::microseconds(1), false), (a_day, true)] {
        let setup = Setup::new();
        let (unanswered, answered) = (accepted(&setup.create()), accepted(&setup.create()));
        setup.engine.complete_sca(authorisation_id(&answered), &approved()).unwrap();
        setup.wait(waited);
        setup.engine.run_due().unwrap();
        for link in [unanswered, answered] {
            assert_eq!(is_kept(&setup, &link), !is_forgotten);
        }
    }
}

#[test]
fn a_session_is_forgotten_a_year_after_it_was_opened_and_not_before() {
    let setup = Setup::new();
    let payment = accepted(&setup.create());
    setup.engine.complete_sca(authorisation_id(&payment), &approved()).unwrap();
    let is_kept = || setup.store.sca().session(TPP, "session-1").unwrap().is_some();
    for (wait, is_forgotten) in [
        (TimeDelta::zero(), false),
        (TimeDelta::days(365) - TimeDelta::microseconds(1), false),
        (TimeDelta::minutes(1), true),
    ] {
        setup.wait(wait);
        setup.engine.run_due().unwrap();
        assert_eq!(is_kept(), !is_forgotten, "{wait}");
    }
}

#[test]
fn an_engine_looks_for_what_is_over_once_a_minute() {
    let setup = Setup::new();
    let dead = accepted(&setup.create());
    setup.wait(TimeDelta::hours(24) + TimeDelta::minutes(10) - TimeDelta::microseconds(1));
    for (wait, is_forgotten) in [(0, false), (59_999_999, false), (1, true)] {
        setup.wait(TimeDelta::microseconds(wait));
        setup.engine.run_due().unwrap();
        assert_eq!(is_kept(&setup, &dead), !is_forgotten, "{wait}");
    }
}

fn is_kept(setup: &Setup, created: &serde_json::Value) -> bool {
    let id = AuthorisationId::parse(authorisation_id(created)).unwrap();
    setup.store.sca().authorisation(&id).unwrap().is_some()
}
