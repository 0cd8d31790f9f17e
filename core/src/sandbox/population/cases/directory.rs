//! The current accounts of customers of any neighbourhood: what a payment to or from them has of them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use chrono::NaiveDate;

use super::super::events::Events;
use super::super::neighbourhood::Neighbourhood;
use super::payments::Member;
use crate::error::Result;
use crate::store::sqlite::sandbox::Counterpart;

/// Creates a neighbourhood, by its number, as it is before its first day.
pub(crate) type Inventing<'a> = &'a mut dyn FnMut(u64) -> Result<Neighbourhood>;

/// Where the customers of a population live.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) persons: u64,
    pub(super) companies: u64,
    pub(super) neighbourhoods: u64,
}

impl Layout {
    /// The neighbourhood of a customer, and the place there.
    pub(super) fn home(self, member: Member) -> (u64, usize) {
        let (place, all) = match member {
            Member::Person(place) => (place, self.persons),
            Member::Company(place) => (place, self.companies),
        };
        let nth = place * self.neighbourhoods / all.max(1);
        let first = (all * nth).div_ceil(self.neighbourhoods.max(1));
        (nth, usize::try_from(place - first).unwrap_or_default())
    }

    /// The place in the population of the first person of a neighbourhood.
    pub(super) fn first_person(self, nth: u64) -> u64 {
        (self.persons * nth).div_ceil(self.neighbourhoods.max(1))
    }
}

/// A customer by the current account.
#[derive(Debug)]
struct Known {
    party: Arc<Counterpart>,
    /// Whether the customer has any income and expense.
    is_active: bool,
    /// When the customer dies, also after the history.
    death: Option<NaiveDate>,
}

/// The customers who were loaded into it.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) layout: Layout,
    /// Of the history.
    last_day: NaiveDate,
    known: HashMap<Member, Known>,
    /// For persons who die within the history, the next one of the neighbourhood who does not.
    substitutes: HashMap<Member, Member>,
    /// The persons without any income and expense, by neighbourhood.
    dormant: HashMap<u64, Vec<u64>>,
}

impl Directory {
    /// One without any customer, in a history up to a day.
    pub(super) fn of(layout: Layout, last_day: NaiveDate) -> Self {
        let (known, substitutes, dormant) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { layout, last_day, known, substitutes, dormant }
    }

    /// Generates the neighbourhoods of these customers, one after the other, and keeps these customers and their
    /// substitutes alone.
    ///
    /// # Errors
    /// Those of `invent`.
    pub(super) fn load(&mut self, members: &HashSet<Member>, invent: Inventing<'_>) -> Result<()> {
        let mut by_home: BTreeMap<u64, Vec<(Member, usize)>> = BTreeMap::new();
        for member in members {
            let (home, at) = self.layout.home(*member);
            by_home.entry(home).or_default().push((*member, at));
        }
        for (home, members) in by_home {
            let neighbourhood = invent(home)?;
            for (member, at) in members {
                self.know(member, at, &neighbourhood);
                if let (Member::Person(place), Some(next)) = (member, self.substitute(at, &neighbourhood)) {
                    let first = place - u64::try_from(at).unwrap_or_default();
                    let substitute = Member::Person(first + u64::try_from(next).unwrap_or_default());
                    self.know(substitute, next, &neighbourhood);
                    self.substitutes.insert(member, substitute);
                }
            }
        }
        Ok(())
    }

    /// Keeps a customer who is at that place of the neighbourhood.
    fn know(&mut self, member: Member, at: usize, neighbourhood: &Neighbourhood) {
        let (customer, death) = match member {
            Member::Person(_) => (neighbourhood.everyday().nth(at), death(at, neighbourhood)),
            Member::Company(_) => (neighbourhood.main_accounts().nth(at).map(|place| (place, true)), None),
        };
        if let Some((place, is_active)) = customer {
            self.known.insert(member, Known { party: Arc::clone(&place.party), is_active, death });
        }
    }

    /// If the person at that place dies within the history: the place of the next one who does not.
    fn substitute(&self, at: usize, neighbourhood: &Neighbourhood) -> Option<usize> {
        let dies = |at: &usize| self.is_within(death(*at, neighbourhood));
        let count = neighbourhood.everyday().count();
        Some(at).filter(dies).and_then(|at| (at + 1..count).chain(0..at).find(|next| !dies(next)))
    }

    fn is_within(&self, death: Option<NaiveDate>) -> bool {
        death.is_some_and(|death| death <= self.last_day)
    }

    /// The customer's current account; `None` of one who was not loaded.
    pub(super) fn party(&self, member: Member) -> Option<&Arc<Counterpart>> {
        self.known.get(&member).map(|known| &known.party)
    }

    /// Whether a customer was loaded and has no income and expense.
    pub(super) fn is_dormant(&self, member: Member) -> bool {
        self.known.get(&member).is_some_and(|known| !known.is_active)
    }

    /// Whether a customer who was loaded dies within the history.
    pub(super) fn dies(&self, member: Member) -> bool {
        self.is_within(self.death(member))
    }

    /// Who takes the place of a person who dies within the history.
    pub(super) fn substitute_of(&self, member: Member) -> Option<Member> {
        self.substitutes.get(&member).copied()
    }

    /// Whether a customer who was loaded is alive on a day.
    pub(super) fn is_alive(&self, member: Member, day: NaiveDate) -> bool {
        self.death(member).is_none_or(|death| day < death)
    }

    /// When a customer who was loaded dies, also after the history.
    fn death(&self, member: Member) -> Option<NaiveDate> {
        self.known.get(&member)?.death
    }

    /// The persons of a neighbourhood without any income and expense who do not die within the history, by their places
    /// in the population.
    ///
    /// # Errors
    /// Those of `invent`.
    pub(super) fn dormant(&mut self, nth: u64, invent: Inventing<'_>) -> Result<Vec<u64>> {
        if let Some(dormant) = self.dormant.get(&nth) {
            return Ok(dormant.clone());
        }
        let neighbourhood = invent(nth)?;
        let persons = neighbourhood.everyday().zip(neighbourhood.events().map(Events::death));
        let dormant: Vec<u64> = persons
            .zip(self.layout.first_person(nth)..)
            .filter(|(((_, is_active), death), _)| !is_active && !self.is_within(*death))
            .map(|(_, place)| place)
            .collect();
        self.dormant.insert(nth, dormant.clone());
        Ok(dormant)
    }
}

/// When the person at that place of a neighbourhood dies.
fn death(at: usize, neighbourhood: &Neighbourhood) -> Option<NaiveDate> {
    neighbourhood.events().nth(at).and_then(Events::death)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_dies_is_alive_until_the_day_before() {
        let day = |day| NaiveDate::from_ymd_opt(2025, 3, day).unwrap();
        let (layout, person) = (Layout { persons: 1, companies: 0, neighbourhoods: 1 }, Member::Person(0));
        for (last_day, dies) in [(day(9), false), (day(10), true), (day(11), true)] {
            let mut directory = Directory::of(layout, last_day);
            let death = Some(day(10));
            directory.known.insert(person, Known { party: Arc::default(), is_active: true, death });
            assert_eq!(directory.dies(person), dies, "{last_day}");
            assert_eq!([9, 10, 11].map(|of| directory.is_alive(person, day(of))), [true, false, false]);
        }
    }
}
