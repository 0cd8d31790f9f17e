//! The n-th operation of the store fails, for n = 1, 2, 3 … until a call passes: each failure is reported clearly and
//! leaves the store as it was or as a shorter run leaves it, and the same call succeeds afterwards.

mod failing_store;
mod scenarios;
mod stage;

use std::collections::BTreeSet;

use failing_store::operations;
use scenarios::{Commits, Scenario, SCENARIOS};
use stage::{Ended, Stage};

/// More operations than any call needs.
const OPERATIONS_MAX: usize = 60;

/// Runs a scenario with its n-th operation failing. Returns false if it needs fewer.
fn fails_at(
    scenario: &Scenario,
    number: usize,
    undisturbed: &[(String, i64)],
    asked: &mut BTreeSet<&'static str>,
) -> bool {
    let stage = Stage::new();
    let prepared = (scenario.prepare)(&stage);
    let before = stage.contents();
    stage.store.fail_at(number);
    let ended = (scenario.act)(&stage, &prepared);
    let has_failed = stage.store.recover();
    asked.extend(stage.store.asked.lock().iter());
    let context = format!("{}, operation {number}", scenario.name);
    if !has_failed {
        assert_eq!(ended, Ended::Well, "{context}");
        return false;
    }
    // What is only logged does not fail the call, and then the call did all its work.
    if ended == Ended::Failed && scenario.commits == Commits::Once {
        assert_eq!(stage.contents(), before, "{context}: a call that fails changes nothing");
    }
    if ended == Ended::Failed || scenario.commits == Commits::ForEachOrder {
        assert_eq!((scenario.act)(&stage, &prepared), Ended::Well, "{context}: again");
    }
    assert_eq!(stage.sizes(), undisturbed, "{context}: afterwards it is as without the failure");
    true
}

/// How many rows each table has after a run without a failure.
fn undisturbed(scenario: &Scenario) -> Vec<(String, i64)> {
    let stage = Stage::new();
    let prepared = (scenario.prepare)(&stage);
    assert_eq!((scenario.act)(&stage, &prepared), Ended::Well, "{}", scenario.name);
    stage.sizes()
}

#[test]
fn each_failing_operation_of_the_store_is_clear_and_harmless() {
    let mut asked = BTreeSet::new();
    for scenario in SCENARIOS {
        let sizes = undisturbed(scenario);
        let failures =
            (1..OPERATIONS_MAX).take_while(|number| fails_at(scenario, *number, &sizes, &mut asked)).count();
        assert!((1..OPERATIONS_MAX - 1).contains(&failures), "{}: {failures}", scenario.name);
    }
    let never: Vec<_> = operations().difference(&asked).copied().collect();
    assert_eq!(never, [""; 0], "every operation fails at least once");
}
