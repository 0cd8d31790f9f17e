//! Who else there is: shops, landlords, the state. They have no account at this bank, and are the same in every one.

use std::sync::Arc;

use super::chance::Chance;
use super::names;
use crate::sandbox::free_number;
use crate::store::sqlite::sandbox::Counterpart;

/// What a party outside is to the bank's customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trade {
    Employer,
    Pension,
    StudentLoan,
    Landlord,
    Power,
    Telephone,
    Insurance,
    Streaming,
    Tax,
    Supplier,
    Client,
}

/// Those whom persons know.
const NAMED: &[(Trade, &str)] = &[
    (Trade::Employer, "Fiktiv Kommune"),
    (Trade::Employer, "Oppdiktet Sykehus"),
    (Trade::Employer, "Påfunn Transport AS"),
    (Trade::Pension, "Liksom Pensjonskasse"),
    (Trade::StudentLoan, "Tenkt Studiestøtte"),
    (Trade::Landlord, "Luftslott Utleie AS"),
    (Trade::Landlord, "Skinnhus Borettslag"),
    (Trade::Power, "Fiktiv Strøm AS"),
    (Trade::Telephone, "Hypotetisk Telefon AS"),
    (Trade::Insurance, "Tenkt Forsikring"),
    (Trade::Streaming, "Drømmesyn Film og Musikk"),
    (Trade::Tax, "Oppdiktet Skattekontor"),
];
/// How many suppliers, and how many clients, the companies have among them.
const TRADERS: usize = 12;
/// The seed of the traders' names, the same in every sandbox.
const TRADERS_SEED: u64 = 1;

/// A party outside.
#[derive(Debug, Clone)]
pub(super) struct Outsider {
    trade: Trade,
    pub(super) party: Arc<Counterpart>,
    /// On which day of the month they pay whom they pay.
    pub(super) payday: u32,
}

/// All parties outside.
pub(super) struct Outside(Vec<Outsider>);

impl Outside {
    /// Each of them with an account number that no customer is given.
    pub(super) fn everybody() -> Self {
        let mut chance = Chance::of(TRADERS_SEED);
        let named = NAMED.iter().map(|(trade, name)| (*trade, (*name).to_owned()));
        let traders = [Trade::Supplier, Trade::Client].into_iter().flat_map(|trade| [trade; TRADERS]);
        let traders: Vec<_> = traders.map(|trade| (trade, names::of_company(&mut chance))).collect();
        let outsider = |((trade, name), (bban, iban))| Outsider {
            trade,
            party: Arc::new(Counterpart { name: Some(name), bban: Some(bban), iban: Some(iban) }),
            payday: chance.day(10, 20),
        };
        Self(named.chain(traders).zip(free_number::kept()).map(outsider).collect())
    }

    /// One of that trade.
    pub(super) fn one(&self, trade: Trade, chance: &mut Chance) -> Option<&Outsider> {
        let of_trade: Vec<_> = self.0.iter().filter(|outsider| outsider.trade == trade).collect();
        chance.pick(&of_trade).copied()
    }

    /// How one of that trade is named in a line.
    pub(super) fn party(&self, trade: Trade, chance: &mut Chance) -> Arc<Counterpart> {
        self.one(trade, chance).map(|outsider| Arc::clone(&outsider.party)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_has_a_name_and_a_number_of_their_own() {
        let everybody = Outside::everybody().0;
        assert_eq!(everybody.len(), NAMED.len() + 2 * TRADERS);
        let names: HashSet<_> = everybody.iter().map(|outsider| outsider.party.name.clone()).collect();
        let numbers: HashSet<_> = everybody.iter().map(|outsider| outsider.party.bban).collect();
        assert_eq!((names.len(), numbers.len()), (everybody.len(), everybody.len()));
    }
}
