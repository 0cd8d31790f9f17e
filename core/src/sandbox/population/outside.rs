//! Who else there is: employers, landlords, the state. They have no account at this bank, and are the same in every
//! one.

use std::sync::Arc;

use super::chance::Chance;
use super::country::{Country, PartyKind};
use super::names;
use crate::sandbox::free_number;
use crate::store::sqlite::sandbox::Counterpart;

/// The seed of the traders' names, the same in every sandbox.
const TRADERS_SEED: u64 = 1;

/// A party outside.
#[derive(Debug)]
pub(super) struct Outsider {
    kind: PartyKind,
    pub(super) party: Arc<Counterpart>,
    /// On which day of the month they pay whom they pay.
    pub(super) payday: u32,
}

/// All parties outside.
#[derive(Debug)]
pub(super) struct Outside(Vec<Outsider>);

impl Outside {
    /// Those of a country, each with an account number that no customer is given.
    pub(super) fn of(country: &Country) -> Self {
        let mut chance = Chance::of(TRADERS_SEED);
        let rows = country.parties.rows.iter();
        let named = rows.flat_map(|row| row.names.iter().map(|name| (row.kind, name.clone())));
        let traders = [PartyKind::Supplier, PartyKind::Client].into_iter();
        let traders = traders.flat_map(|kind| std::iter::repeat_n(kind, country.parties.traders));
        let traders: Vec<_> = traders.map(|kind| (kind, names::of_company(&mut chance))).collect();
        let outsider = |((kind, name), (bban, iban))| Outsider {
            kind,
            party: Arc::new(Counterpart { name: Some(name), bban: Some(bban), iban: Some(iban) }),
            payday: chance.day(10, 20),
        };
        Self(named.chain(traders).zip(free_number::kept()).map(outsider).collect())
    }

    /// One of that kind.
    pub(super) fn one(&self, kind: PartyKind, chance: &mut Chance) -> Option<&Outsider> {
        let of_kind = || self.0.iter().filter(|outsider| outsider.kind == kind);
        chance.place(of_kind().count()).and_then(|place| of_kind().nth(place))
    }

    /// What a party is; `None` of any other one.
    pub(super) fn kind_of(&self, party: &Counterpart) -> Option<PartyKind> {
        let number = party.bban.as_ref()?;
        let found = self.0.iter().find(|outsider| outsider.party.bban.as_ref() == Some(number));
        found.map(|outsider| outsider.kind)
    }

    /// How one of that kind is named in a line.
    pub(super) fn party(&self, kind: PartyKind, chance: &mut Chance) -> Arc<Counterpart> {
        self.one(kind, chance).map(|outsider| Arc::clone(&outsider.party)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_has_a_name_and_a_number_of_their_own() {
        let country = Country::norway().unwrap();
        let named: usize = country.parties.rows.iter().map(|row| row.names.len()).sum();
        let all = Outside::of(&country).0;
        assert_eq!(all.len(), named + 2 * country.parties.traders);
        let names: HashSet<_> = all.iter().map(|outsider| outsider.party.name.clone()).collect();
        let numbers: HashSet<_> = all.iter().map(|outsider| outsider.party.bban).collect();
        assert_eq!((names.len(), numbers.len()), (all.len(), all.len()));
    }
}
