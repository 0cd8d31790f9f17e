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
    known: HashMap<Member, Known>,
    /// The persons without any income and expense, by neighbourhood.
    dormant: HashMap<u64, Vec<u64>>,
}

impl Directory {
    /// One without any customer.
    pub(super) fn of(layout: Layout) -> Self {
        Self { layout, known: HashMap::new(), dormant: HashMap::new() }
    }

    /// Generates the neighbourhoods of these customers, one after the other, and keeps these customers alone.
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
            let persons: Vec<_> = neighbourhood.everyday().collect();
            let deaths: Vec<_> = neighbourhood.events().map(Events::death).collect();
            let companies: Vec<_> = neighbourhood.main_accounts().map(|place| (place, true)).collect();
            for (member, at) in members {
                let (customers, death) = match member {
                    Member::Person(_) => (&persons, deaths.get(at).copied().flatten()),
                    Member::Company(_) => (&companies, None),
                };
                if let Some((place, is_active)) = customers.get(at) {
                    let known = Known { party: Arc::clone(&place.party), is_active: *is_active, death };
                    self.known.insert(member, known);
                }
            }
        }
        Ok(())
    }

    /// The customer's current account; `None` of one who was not loaded.
    pub(super) fn party(&self, member: Member) -> Option<&Arc<Counterpart>> {
        self.known.get(&member).map(|known| &known.party)
    }

    /// Whether a customer was loaded and has no income and expense.
    pub(super) fn is_dormant(&self, member: Member) -> bool {
        self.known.get(&member).is_some_and(|known| !known.is_active)
    }

    /// When a customer who was loaded dies.
    pub(super) fn death(&self, member: Member) -> Option<NaiveDate> {
        self.known.get(&member)?.death
    }

    /// The persons of a neighbourhood without any income and expense, by their places in the population.
    ///
    /// # Errors
    /// Those of `invent`.
    pub(super) fn dormant(&mut self, nth: u64, invent: Inventing<'_>) -> Result<Vec<u64>> {
        if let Some(dormant) = self.dormant.get(&nth) {
            return Ok(dormant.clone());
        }
        let neighbourhood = invent(nth)?;
        let persons = neighbourhood.everyday().zip(self.layout.first_person(nth)..);
        let dormant: Vec<u64> =
            persons.filter(|((_, is_active), _)| !is_active).map(|(_, place)| place).collect();
        self.dormant.insert(nth, dormant.clone());
        Ok(dormant)
    }
}
