//! Cases of fraud in a population: they are payments like all others.

use xs2a::{Error, PopulationPlan};

use super::history::{minor_units, never_overdrawn, populated, rows};
use crate::world::{text, World};

const EVERY_PERSON: PopulationPlan =
    PopulationPlan { persons: 90, companies: 5, months: 2, cases: 1_000, ..PopulationPlan::DEFAULT };

#[test]
fn balances_add_up_if_every_person_is_the_subject_of_a_case() {
    for plan in [
        EVERY_PERSON,
        PopulationPlan { persons: 60, companies: 0, months: 1, ..EVERY_PERSON },
        PopulationPlan { persons: 1, companies: 0, months: 3, ..EVERY_PERSON },
        PopulationPlan { persons: 1, companies: 3, months: 3, ..EVERY_PERSON },
    ] {
        let (world, _, state) = populated(plan);
        world.assert_reconciled();
        never_overdrawn(&state);
    }
}

/// What one account of the bank pays another receives on the same day.
#[test]
fn both_sides_of_a_payment_of_a_case_are_booked() {
    let (_, _, state) = populated(PopulationPlan { months: 1, ..EVERY_PERSON });
    let numbers: std::collections::HashMap<&str, &str> = rows(&state, "accounts")
        .iter()
        .filter_map(|account| Some((account["bban"].as_str()?, text(account, "/id"))))
        .collect();
    // The account of a card has no number, and the card pays no other account.
    let is_numbered = |account: &str| numbers.values().any(|numbered| *numbered == account);
    let side = |line: &'_ serde_json::Value| {
        let other = line["counterpartBban"].as_str().and_then(|bban| numbers.get(bban))?;
        let own = Some(text(line, "/account")).filter(|account| is_numbered(account))?;
        Some((own.to_owned(), (*other).to_owned(), minor_units(text(line, "/amount"))))
    };
    let mut sides: Vec<_> = rows(&state, "transactions").iter().filter_map(side).collect();
    let mut others: Vec<_> =
        sides.iter().map(|(own, other, sum)| (other.clone(), own.clone(), -sum)).collect();
    sides.sort();
    others.sort();
    assert!(sides.len() > 500, "{}", sides.len());
    assert!(sides == others);
}

#[test]
fn a_second_population_with_cases_is_another_one_and_adds_up() {
    let world = World::new();
    let plan = PopulationPlan { persons: 30, companies: 2, months: 2, ..EVERY_PERSON };
    let first = world.sandbox.populate(plan).unwrap();
    let second = world.sandbox.populate(plan).unwrap();
    assert_ne!(first, second);
    world.assert_reconciled();
}

#[test]
fn more_than_every_person_is_refused_and_nothing_has_happened() {
    let world = World::new();
    let before = world.sandbox.export_json().unwrap();
    let refused = world.sandbox.populate(PopulationPlan { cases: 1_001, ..EVERY_PERSON }).unwrap_err();
    assert!(
        matches!(&refused, Error::Misuse(text) if text == "`cases`: 1001 is more than 1000"),
        "{refused}"
    );
    assert_eq!(world.sandbox.export_json().unwrap(), before);
}

#[test]
fn cases_and_lives_that_go_on_exclude_each_other() {
    let world = World::new();
    let refused = world.sandbox.populate(PopulationPlan { lives_on: true, ..EVERY_PERSON }).unwrap_err();
    assert!(matches!(&refused, Error::Misuse(text) if text.contains("`cases` and `lives_on`")), "{refused}");
    world.sandbox.populate(PopulationPlan { lives_on: true, cases: 0, months: 0, ..EVERY_PERSON }).unwrap();
}
