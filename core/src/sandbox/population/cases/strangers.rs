//! Private persons with accounts at other banks.

use std::sync::{Arc, LazyLock};

use super::super::chance::Chance;
use super::super::names;
use crate::sandbox::free_number;
use crate::store::sqlite::sandbox::Counterpart;

/// The seed of their names, the same in every sandbox.
const SEED: u64 = 2;
/// The account numbers before these are those of employers, landlords, the state and the like.
const FIRST: usize = 300;

/// The same in every population.
static STRANGERS: LazyLock<Vec<Arc<Counterpart>>> = LazyLock::new(|| {
    let mut chance = Chance::of(SEED);
    let numbers = free_number::kept().skip(FIRST);
    let named = numbers.map(|(bban, iban)| {
        let name = Some(names::of_person(&mut chance));
        Arc::new(Counterpart { name, bban: Some(bban), iban: Some(iban) })
    });
    named.collect()
});

/// One of them.
pub(super) fn one(chance: &mut Chance) -> Arc<Counterpart> {
    chance.pick(&STRANGERS).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::super::world::World;
    use super::*;

    #[test]
    fn no_stranger_has_the_number_of_a_party_outside() {
        let world = World::norway().unwrap();
        assert!(STRANGERS.len() > 500);
        assert!(STRANGERS.iter().all(|stranger| world.outside.kind_of(stranger).is_none()));
    }
}
