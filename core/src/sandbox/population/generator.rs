//! A population, neighbourhood by neighbourhood. Each follows from the seed and its number alone.

use std::ops::Range;

use super::chance::Chance;
use super::ids::Ids;
use super::month::Period;
use super::neighbourhood::{Inventing, Neighbourhood};
use super::numbers::Numbers;
use super::partition::Partition;
use super::plan::PopulationPlan;
use super::records::{Recording, Records};
use super::scene::Surroundings;
use super::setting::Setting;
use crate::error::Result;
use crate::store::sqlite::sandbox::{Books, Customer, CustomerType};
use crate::types::date::oslo_day;

/// How many persons a neighbourhood has, and how many companies where there are no more persons.
const NEIGHBOURS: u64 = 40;

/// Generates the neighbourhoods of a part of a population, one after the other.
pub(crate) struct Generator {
    plan: PopulationPlan,
    setting: Setting,
    period: Period,
    has_history: bool,
    /// Those that are left.
    left: Range<u64>,
    /// Who acts for companies that have no neighbours.
    first_person: Option<Customer>,
}

impl Generator {
    /// Before the first of them.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a plan beyond the limits, and where the history would begin before
    /// the year 1.
    pub(crate) fn of(plan: PopulationPlan, setting: Setting, partition: Partition) -> Result<Self> {
        plan.check()?;
        let period = Period::before(oslo_day(setting.now), plan.months)?;
        let left = partition.range(neighbourhoods(plan));
        let mut generator = Self { plan, setting, period, has_history: true, left, first_person: None };
        if generator.left.start > 0 {
            let first = generator.records(0, false, &mut generator.numbers(None))?;
            generator.first_person = person_of(&first);
        }
        Ok(generator)
    }

    /// The same customers and accounts, without lines; their balances are not those of the bank.
    #[cfg(feature = "arrow")]
    pub(crate) fn without_history(self) -> Self {
        Self { has_history: false, ..self }
    }

    /// The numbers of the population. For books that have customers, one value is used for all of them.
    pub(crate) fn numbers<'b>(&self, books: Option<&'b Books<'b>>) -> Numbers<'b> {
        Numbers::of(self.plan, self.setting.seed, self.period.first(), books)
    }

    /// The next neighbourhood; `None` after the last one.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(crate) fn next(&mut self, numbers: &mut Numbers<'_>) -> Result<Option<Records>> {
        let Some(nth) = self.left.next() else { return Ok(None) };
        let records = self.records(nth, self.has_history, numbers)?;
        if self.first_person.is_none() {
            self.first_person = person_of(&records);
        }
        Ok(Some(records))
    }

    fn records(&self, nth: u64, has_history: bool, numbers: &mut Numbers<'_>) -> Result<Records> {
        let count = neighbourhoods(self.plan);
        let [(first_person, persons), (first_company, companies)] =
            [self.plan.persons, self.plan.companies].map(|all| share_of(all, nth, count));
        let surroundings = Surroundings::of(&self.setting.rates);
        let mut chance = Chance::of_part(self.setting.seed, "lives", nth);
        let mut from = Inventing {
            numbers,
            chance: &mut chance,
            outside: &surroundings.outside,
            period: self.period,
            first: (first_person, first_company),
        };
        let mut neighbourhood = Neighbourhood::invent(persons, companies, &mut from)?;
        let entries = match has_history {
            true => neighbourhood.live(self.period, &surroundings, &mut chance),
            false => Vec::new(),
        };
        let ids = Ids::of(self.setting.seed, nth);
        let recording = Recording { setting: &self.setting, ids, first_person: self.first_person.clone() };
        recording.of(&neighbourhood, &entries)
    }
}

fn person_of(records: &Records) -> Option<Customer> {
    let mut customers = records.customers.iter().map(|record| &record.customer);
    customers.find(|customer| customer.kind == CustomerType::Private).cloned()
}

/// How many neighbourhoods there are.
fn neighbourhoods(plan: PopulationPlan) -> u64 {
    plan.persons.max(plan.companies).div_ceil(NEIGHBOURS)
}

/// The nth share of `all` in so many parts, as even as possible: its first place, and its size. If there are few, the
/// first part has some.
fn share_of(all: u64, nth: u64, parts: u64) -> (u64, usize) {
    let until = |nth: u64| (all * nth).div_ceil(parts);
    (until(nth), usize::try_from(until(nth + 1) - until(nth)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(persons: u64, companies: u64) -> Vec<(usize, usize)> {
        let plan = PopulationPlan { persons, companies, ..PopulationPlan::DEFAULT };
        let count = neighbourhoods(plan);
        (0..count).map(|nth| (share_of(persons, nth, count).1, share_of(companies, nth, count).1)).collect()
    }

    #[test]
    fn everybody_lives_somewhere_and_nowhere_are_more_than_forty() {
        assert_eq!(of(0, 0), []);
        assert_eq!(of(40, 1), [(40, 1)]);
        assert_eq!(of(41, 1), [(21, 1), (20, 0)]);
        assert_eq!(of(1, 41), [(1, 21), (0, 20)]);
        for (persons, companies) in [(100_000, 10_000), (99_999, 7), (3, 10_000)] {
            let all = of(persons, companies);
            let sum = all.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
            assert_eq!(sum, (persons as usize, companies as usize));
            assert!(all.iter().all(|part| part.0 <= 40 && part.1 <= 40));
            assert!(all[0].0 > 0, "a company without neighbours needs a person who acts for it");
        }
    }
}
