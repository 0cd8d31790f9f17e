//! A population, neighbourhood by neighbourhood. Each follows from the seed and its number alone.

use std::ops::Range;

use chrono::NaiveDate;

use super::block::Block;
use super::calendar::{Day, Period};
use super::cases::{Additions, CaseIndex};
use super::chance::Chance;
use super::events::EventNote;
use super::ids::Ids;
use super::neighbourhood::{Inventing, Neighbourhood};
use super::numbers::Numbers;
use super::partition::Partition;
#[cfg(feature = "arrow")]
use super::personas::Profile;
use super::plan::PopulationPlan;
use super::records::{Recording, Records};
use super::setting::Setting;
#[cfg(feature = "arrow")]
use super::size::PopulationSize;
use super::world::World;
use crate::error::Result;
#[cfg(feature = "arrow")]
use crate::store::sqlite::sandbox::CustomerNumber;
use crate::store::sqlite::sandbox::{Books, Customer, CustomerType};
use crate::types::date::oslo_day;

/// How many persons a neighbourhood has, and how many companies where there are no more persons.
const NEIGHBOURS: u64 = 40;

/// Generates the neighbourhoods of a part of a population, one after the other.
pub(crate) struct Generator {
    plan: PopulationPlan,
    setting: Setting,
    /// With which the history begins.
    first_day: NaiveDate,
    world: &'static World,
    /// Those with a history.
    days: Vec<Day>,
    /// The last of them; also where none is lived.
    last_day: Option<NaiveDate>,
    /// Those that are left.
    left: Range<u64>,
    /// Known with the first neighbourhood.
    case_index: Option<CaseIndex>,
    /// Whether lines are labelled.
    labels: bool,
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
        let world = World::norway()?;
        let first_day = period.first();
        let mut generator = Self {
            plan,
            setting,
            first_day,
            world,
            days: Vec::new(),
            last_day: period.days().last(),
            left,
            case_index: None,
            labels: false,
            first_person: None,
        };
        if generator.left.start > 0 {
            let first = generator.records(0, None, &mut generator.numbers(None))?;
            generator.first_person = person_of(&first);
        }
        generator.days = world.days(period);
        Ok(generator)
    }

    /// That of a whole population whose history began on a day, before the first neighbourhood; the days are those that
    /// were lived.
    ///
    /// # Errors
    /// As [`Generator::of`].
    pub(super) fn resumed(
        plan: PopulationPlan,
        setting: Setting,
        first_day: NaiveDate,
        lived: impl Iterator<Item = NaiveDate>,
    ) -> Result<Self> {
        plan.check()?;
        let (world, left) = (World::norway()?, 0..neighbourhoods(plan));
        let days = lived.map(|date| world.calendar.day(date)).collect();
        let (last_day, case_index, first_person) = (None, None, None);
        let labels = false;
        Ok(Self { plan, setting, first_day, world, days, last_day, left, case_index, labels, first_person })
    }

    /// The same customers and accounts, without lines; their balances are not those of the bank.
    #[cfg(feature = "arrow")]
    pub(crate) fn without_history(self) -> Self {
        Self { days: Vec::new(), ..self }
    }

    /// About how large the part is that is left.
    #[cfg(feature = "arrow")]
    pub(crate) fn size(&self) -> PopulationSize {
        let parts = neighbourhoods(self.plan).max(1);
        let left = |all: u64| share_of(all, self.left.end, parts).0 - share_of(all, self.left.start, parts).0;
        let (persons, companies) = (left(self.plan.persons), left(self.plan.companies));
        PopulationPlan { persons, companies, ..self.plan }.size(self.setting.now)
    }

    /// The same with labels of its lines.
    #[cfg(feature = "arrow")]
    pub(crate) fn with_labels(self) -> Self {
        Self { labels: true, ..self }
    }

    /// The numbers of the population. For books that have customers, one value is used for all of them.
    pub(crate) fn numbers<'b>(&self, books: Option<&'b Books<'b>>) -> Numbers<'b> {
        Numbers::of(self.plan, self.setting.seed, self.first_day, books)
    }

    /// The next neighbourhood; `None` after the last one.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(crate) fn next(&mut self, numbers: &mut Numbers<'_>) -> Result<Option<Records>> {
        if self.left.is_empty() {
            return Ok(None);
        }
        if self.case_index.is_none() && self.plan.cases > 0 {
            self.case_index = Some(self.index_cases(numbers)?);
        }
        let Some(nth) = self.left.next() else { return Ok(None) };
        let records = self.records(nth, self.case_index.as_ref(), numbers)?;
        if self.first_person.is_none() {
            self.first_person = person_of(&records);
        }
        Ok(Some(records))
    }

    /// The next neighbourhood as it is after the days that were lived; `None` after the last one.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn next_block(&mut self, numbers: &mut Numbers<'_>) -> Result<Option<Block>> {
        let Some(nth) = self.left.next() else { return Ok(None) };
        let mut neighbourhood = self.invented(nth, numbers)?;
        let until = self.days.last().map_or(self.first_day, |day| day.date);
        let mut diary = neighbourhood.diary(until, self.world.calendar.day(self.first_day));
        let records = self.recording(nth, Additions::default()).of(&neighbourhood, &[], &diary)?;
        if self.first_person.is_none() {
            self.first_person = person_of(&records);
        }
        let (world, rates) = (self.world, &self.setting.rates);
        neighbourhood.live(&self.days, world, rates, &mut diary, &mut Additions::default());
        let accounts = records.accounts.iter().map(|record| record.ledger()).collect();
        let ids = self.ids(nth);
        Ok(Some(Block { neighbourhood, diary, ids, accounts }))
    }

    /// What the persons of the next neighbourhood are and have, by their customer numbers; `None` after the last one.
    ///
    /// # Errors
    /// As [`Self::next`].
    #[cfg(feature = "arrow")]
    pub(crate) fn next_profiles(&mut self) -> Result<Option<Vec<(CustomerNumber, Profile)>>> {
        let Some(nth) = self.left.next() else { return Ok(None) };
        let Neighbourhood { residents, profiles, .. } = self.invented(nth, &mut self.numbers(None))?;
        Ok(Some(residents.into_iter().map(|resident| resident.number).zip(profiles).collect()))
    }

    fn index_cases(&self, numbers: &mut Numbers<'_>) -> Result<CaseIndex> {
        let PopulationPlan { persons, companies, cases, .. } = self.plan;
        let size = (persons, companies, neighbourhoods(self.plan));
        let mut invent = |nth| self.invented(nth, numbers);
        CaseIndex::of(self.setting.seed, cases, size, &self.left, &self.days, &mut invent)
    }

    /// A neighbourhood before its first day.
    fn invented(&self, nth: u64, numbers: &mut Numbers<'_>) -> Result<Neighbourhood> {
        let count = neighbourhoods(self.plan);
        let [(first_person, persons), (first_company, companies)] =
            [self.plan.persons, self.plan.companies].map(|all| share_of(all, nth, count));
        let mut from = Inventing {
            numbers,
            chance: &mut Chance::of_part(self.setting.seed, "lives", nth),
            world: self.world,
            first_day: self.first_day,
            first: (first_person, first_company),
            events: self.plan.events,
        };
        Neighbourhood::invent(persons, companies, &mut from)
    }

    fn records(
        &self,
        nth: u64,
        case_index: Option<&CaseIndex>,
        numbers: &mut Numbers<'_>,
    ) -> Result<Records> {
        let mut neighbourhood = self.invented(nth, numbers)?;
        let mut diary = neighbourhood.diary(self.first_day, self.world.calendar.day(self.first_day));
        let additions = case_index.map(|case_index| case_index.additions(nth, &neighbourhood)).transpose()?;
        let mut additions = additions.unwrap_or_default();
        additions.open(&mut neighbourhood.holdings, &mut diary);
        let (world, rates) = (self.world, &self.setting.rates);
        let entries = neighbourhood.live(&self.days, world, rates, &mut diary, &mut additions);
        let events = self.events(nth, &neighbourhood);
        Recording { events, ..self.recording(nth, additions) }.of(&neighbourhood, &entries, &diary)
    }

    fn ids(&self, nth: u64) -> Ids {
        Ids::of(self.setting.seed, nth, self.plan.cases, self.plan.events)
    }

    /// What happens to the persons of a neighbourhood until the last day.
    fn events(&self, nth: u64, neighbourhood: &Neighbourhood) -> Vec<EventNote> {
        let Some(last) = self.last_day else { return Vec::new() };
        let (first, _) = share_of(self.plan.persons, nth, neighbourhoods(self.plan));
        let persons = neighbourhood.events().enumerate().zip(first..);
        persons.flat_map(|((at, events), person)| events.notes(last, (at, person), self.world)).collect()
    }

    fn recording(&self, nth: u64, additions: Additions) -> Recording<'_> {
        Recording {
            setting: &self.setting,
            ids: self.ids(nth),
            first_person: self.first_person.clone(),
            additions,
            events: Vec::new(),
            labelled: self.labels.then_some(self.world),
        }
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
