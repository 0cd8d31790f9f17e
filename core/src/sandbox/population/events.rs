//! Life events: which ones each person has, and when. They follow from the seed month by month, and none from what is
//! after it.

use chrono::{Months, NaiveDate};

use super::chance::Chance;
use super::country::{EventRates, Source};
use super::distribution::Weights;
use super::sketch::Sketch;
use super::world::World;
use crate::limits::LIVES_MONTHS_MAX;

/// The month in which a history begins, and those in which lives go on at most.
const MONTHS: u64 = LIVES_MONTHS_MAX + 2;

/// What happens to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LifeEvent {
    /// Another employer pays from that month on.
    NewJob,
    /// To another town, by its place among those of the country.
    Move {
        town: usize,
    },
    /// A child is born.
    Child,
    /// A pension is paid from that month on.
    Retirement,
    Death,
}

impl LifeEvent {
    /// Its name in the table of life events.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::NewJob => "new_job",
            Self::Move { .. } => "move",
            Self::Child => "child",
            Self::Retirement => "retirement",
            Self::Death => "death",
        }
    }
}

/// An event in the life of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) date: NaiveDate,
    pub(super) what: LifeEvent,
    /// The place of the other one of a couple, who has it as well.
    pub(super) partner: Option<usize>,
}

/// An event as a table shows it.
#[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "tables alone show it"))]
pub(crate) struct EventNote {
    /// The place of the person in the population, and which event of the person it is, from 1.
    pub(crate) number: (u64, usize),
    /// The places of the person and of the other one of a couple who has it as well, in the neighbourhood.
    pub(crate) customer: usize,
    pub(crate) partner: Option<usize>,
    pub(crate) date: NaiveDate,
    pub(crate) what: LifeEvent,
    /// Where the person lives after a move.
    pub(crate) town: Option<&'static str>,
}

/// The events of a person, by their dates.
#[derive(Debug, Default)]
pub(super) struct Events {
    all: Vec<Event>,
    happened: usize,
}

impl Events {
    /// Those of a test, by their dates.
    #[cfg(test)]
    pub(super) fn of(all: impl Iterator<Item = Event>) -> Self {
        Self { all: all.collect(), happened: 0 }
    }

    /// Those of all persons of a neighbourhood, in their order, in a history that begins on the first of a month.
    pub(super) fn of_neighbourhood(
        sketches: &[Sketch],
        couples: &[Option<usize>],
        first_day: NaiveDate,
        world: &World,
    ) -> Vec<Self> {
        let mut events: Vec<Self> = sketches.iter().map(|_| Self::default()).collect();
        for (at, head) in sketches.iter().enumerate().filter(|(at, _)| !couples.contains(&Some(*at))) {
            let partner = couples.get(at).copied().flatten();
            let places = [Some(at), partner].into_iter().flatten();
            let members = places.filter_map(|place| Some(Member::of(place, sketches.get(place)?)));
            let chance = Chance::of_part(head.seed, "life events", 0);
            let mut household =
                Household { members: members.collect(), childless_months: None, chance, world };
            household.live(first_day);
            for Member { at, events: mut all, .. } in household.members {
                all.sort_by_key(|event| event.date);
                if let Some(events) = events.get_mut(at) {
                    events.all = all;
                }
            }
        }
        events
    }

    /// The next one that has not happened, if its day has come: it happens now.
    pub(super) fn next(&mut self, today: NaiveDate) -> Option<Event> {
        let next = self.all.get(self.happened).filter(|event| event.date <= today)?;
        self.happened += 1;
        Some(*next)
    }

    /// Those up to a day, of the customer at that place of a neighbourhood and at that one of the population.
    pub(super) fn notes(
        &self,
        last: NaiveDate,
        (customer, person): (usize, u64),
        world: &'static World,
    ) -> impl Iterator<Item = EventNote> + use<'_> {
        let events = self.all.iter().take_while(move |event| event.date <= last);
        events.zip(1..).map(move |(Event { date, what, partner }, nth)| {
            let town = match what {
                LifeEvent::Move { town } => world.country.towns.rows.get(*town),
                _ => None,
            };
            let (number, town) = ((person, nth), town.map(|town| town.name.as_str()));
            EventNote { number, customer, partner: *partner, date: *date, what: *what, town }
        })
    }

    /// When the person dies, which may be long after the history.
    pub(super) fn death(&self) -> Option<NaiveDate> {
        self.all.last().filter(|event| event.what == LifeEvent::Death).map(|event| event.date)
    }
}

/// A person of a household, as the months pass.
struct Member {
    at: usize,
    born: NaiveDate,
    town: usize,
    works: bool,
    is_active: bool,
    is_alive: bool,
    events: Vec<Event>,
}

impl Member {
    fn of(at: usize, sketch: &Sketch) -> Self {
        let works = sketch.segment.income_from == Source::Work;
        let (is_active, is_alive, events) = (sketch.is_active(), true, Vec::new());
        Self { at, born: sketch.born, town: sketch.town, works, is_active, is_alive, events }
    }

    fn age(&self, day: NaiveDate) -> i32 {
        day.years_since(self.born).and_then(|years| i32::try_from(years).ok()).unwrap_or_default()
    }

    fn has(&mut self, date: NaiveDate, what: LifeEvent, partner: Option<usize>) {
        self.events.push(Event { date, what, partner });
    }
}

/// A person alone, or a couple.
struct Household<'w> {
    members: Vec<Member>,
    /// Since the last birth; `None` before the first one.
    childless_months: Option<u32>,
    chance: Chance,
    world: &'w World,
}

impl Household<'_> {
    fn live(&mut self, first_day: NaiveDate) {
        let months = (0..).map_while(|months| first_day.checked_add_months(Months::new(months)));
        for month in months.take(usize::try_from(MONTHS).unwrap_or_default()) {
            // In such a month nothing else happens to the household.
            if self.has_death(month) {
                continue;
            }
            // An employer of whom nothing ever came is none.
            if month > first_day {
                self.work(month);
            }
            self.relocate(month);
            self.have_child(month);
        }
    }

    /// Whether a member dies in a month.
    fn has_death(&mut self, month: NaiveDate) -> bool {
        let (rates, mut has_death) = (&self.world.country.events, false);
        for member in self.members.iter_mut().filter(|member| member.is_alive) {
            if happens(&rates.death, member.age(month), &mut self.chance) {
                member.has(some_day(month, &mut self.chance), LifeEvent::Death, None);
                (member.is_alive, has_death) = (false, true);
            }
        }
        has_death
    }

    /// Who works gets a pension or another employer, both as a month begins.
    fn work(&mut self, month: NaiveDate) {
        let rates = &self.world.country.events;
        for member in self.members.iter_mut().filter(|member| member.is_alive && member.works) {
            let age = member.age(month);
            if happens(&rates.retirement, age, &mut self.chance) {
                member.has(month, LifeEvent::Retirement, None);
                member.works = false;
            } else if happens(&rates.new_job, age, &mut self.chance) {
                member.has(month, LifeEvent::NewJob, None);
            }
        }
    }

    /// All move together, to a town where none of them lives.
    fn relocate(&mut self, month: NaiveDate) {
        let Some(age) = self.age(month) else { return };
        if !happens(&self.world.country.events.relocation, age, &mut self.chance) {
            return;
        }
        let is_here = |town: usize| self.members.iter().any(|member| member.town == town);
        let towns = self.world.country.towns.rows.iter().enumerate();
        let towns: Weights = towns.map(|(at, town)| if is_here(at) { 0 } else { town.weight }).collect();
        let (town, date) = (towns.draw(&mut self.chance), some_day(month, &mut self.chance));
        if let Some(town) = town {
            self.share(date, LifeEvent::Move { town });
            self.members.iter_mut().for_each(|member| member.town = town);
        }
    }

    fn have_child(&mut self, month: NaiveDate) {
        let rates = &self.world.country.events;
        self.childless_months = self.childless_months.map(|months| months + 1);
        let Some(age) = self.age(month) else { return };
        let may = self.childless_months.is_none_or(|months| months >= rates.months_between_children);
        if happens(&rates.child, age, &mut self.chance) && may {
            self.childless_months = Some(0);
            let date = some_day(month, &mut self.chance);
            self.share(date, LifeEvent::Child);
        }
    }

    /// The age of the first member of the household who is alive and does anything.
    fn age(&self, month: NaiveDate) -> Option<i32> {
        self.members.iter().find(|member| member.is_alive && member.is_active).map(|member| member.age(month))
    }

    /// All who are alive have the event.
    fn share(&mut self, date: NaiveDate, what: LifeEvent) {
        let alive: Vec<usize> =
            self.members.iter().filter(|member| member.is_alive).map(|member| member.at).collect();
        for member in self.members.iter_mut().filter(|member| member.is_alive) {
            let partner = alive.iter().copied().find(|at| *at != member.at);
            member.has(date, what, partner);
        }
    }
}

/// How many of a million there are.
const OF: i64 = 1_000_000;

fn happens(rates: &EventRates, age: i32, chance: &mut Chance) -> bool {
    chance.between(1, OF) <= rates.at(age)
}

fn some_day(month: NaiveDate, chance: &mut Chance) -> NaiveDate {
    let next = month.checked_add_months(Months::new(1)).unwrap_or(month);
    let days = chance.between(0, (next - month).num_days() - 1);
    month.checked_add_days(chrono::Days::new(u64::try_from(days).unwrap_or_default())).unwrap_or(month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_age_from_its_first_day_on() {
        let data = &World::norway().unwrap().country.events;
        let retirement = [61, 62, 69, 70, 71, 120].map(|age| data.retirement.at(age));
        assert_eq!(retirement, [0, 9_000, 40_000, OF, 0, 0]);
        assert_eq!([17, 18, 61, 62].map(|age| data.new_job.at(age)), [0, 20_000, 3_000, 0]);
        for rates in [&data.death, &data.retirement, &data.new_job, &data.relocation, &data.child] {
            assert!(rates.is_possible(OF));
        }
    }

    #[test]
    fn every_day_of_a_month_is_drawn_and_none_of_another() {
        let (month, mut chance) = (NaiveDate::from_ymd_opt(2028, 2, 1).unwrap(), Chance::of(1));
        let days: std::collections::BTreeSet<_> = (0..2_000).map(|_| some_day(month, &mut chance)).collect();
        assert!(days.iter().copied().eq(month.iter_days().take(29)));
    }
}
