//! What life events change in a life.

use chrono::{Datelike, NaiveDate};

use super::chance::Chance;
use super::changes::Changes;
use super::events::{Event, LifeEvent};
use super::household::Obligations;
use super::person::{Joint, Person};
use super::unit::UNIT;
use super::world::World;

/// What the other one of a couple takes over.
pub(super) struct Legacy {
    pub(super) joint: Option<Joint>,
    obligations: Obligations,
    /// What the one who died paid to the joint account in a month.
    contribution: i64,
    child_benefit: i64,
    changes: Changes,
}

impl Person {
    /// As a month begins, child benefit is paid for those who were born in the month before.
    pub(super) fn count_newborn(&mut self, world: &World) {
        self.child_benefit += self.changes.count_newborn(world);
    }

    /// An event other than death, in a neighbourhood of so many companies.
    pub(super) fn change(&mut self, event: &Event, companies: usize, world: &'static World) {
        let data = &world.country.events;
        let day = u64::from(event.date.num_days_from_ce().unsigned_abs());
        let mut chance = Chance::of_part(self.seed, event.what.as_str(), day);
        match event.what {
            LifeEvent::NewJob => {
                self.income.change_employer(companies, world, &mut chance);
                self.earn_percent(data.pay.draw(1, &mut chance), world);
            }
            LifeEvent::Retirement => {
                self.income.retire(world, &mut chance);
                self.earn_percent(data.pension.draw(1, &mut chance), world);
            }
            LifeEvent::Move { town } => self.relocate(town, event.date, world, &mut chance),
            LifeEvent::Child if self.is_head() => self.changes.add_child(),
            LifeEvent::Child | LifeEvent::Death => {}
        }
    }

    /// Whether the bills of the household are this person's.
    fn is_head(&self) -> bool {
        self.contribution.is_none() || self.joint.is_some()
    }

    /// The income becomes so many percent of what it was. What is saved follows it, as far as something is left.
    fn earn_percent(&mut self, percent: i64, world: &World) {
        self.income.grow(percent);
        let left = self.left(world);
        if let Some(savings) = &mut self.savings {
            let possible = (left + savings.monthly).max(0);
            savings.monthly = (savings.monthly * percent / 100).min(possible) / UNIT * UNIT;
        }
    }

    fn relocate(&mut self, town: usize, date: NaiveDate, world: &World, chance: &mut Chance) {
        self.purse.town = town;
        if let Some(joint) = &mut self.joint {
            joint.purse.town = town;
        }
        if self.is_head() {
            self.obligations.relocate(world, chance);
            self.changes.begin_home(date, world);
        }
    }

    /// Whether the person pays to that joint account.
    pub(super) fn pays_to(&self, joint: usize) -> bool {
        self.contribution.as_ref().is_some_and(|(place, _)| place.at == joint)
    }

    /// The places of the accounts that are this person's alone and have a card.
    pub(super) fn own_cards(&self) -> impl Iterator<Item = usize> + use<> {
        let credit = self.credit.as_ref().map(|credit| credit.place.at);
        let foreign = self.foreign.as_ref().map(|place| place.at);
        [Some(self.everyday().at), credit, foreign].into_iter().flatten()
    }

    /// The person dies: nothing is earned, paid or saved any more; only the bank's interest goes on.
    pub(super) fn die(&mut self) -> Legacy {
        self.is_active = false;
        self.income.end();
        self.credit = None;
        self.foreign = None;
        if let Some(savings) = &mut self.savings {
            savings.monthly = 0;
        }
        let joint = self.joint.take();
        let mut obligations = std::mem::take(&mut self.obligations);
        let shared = joint.as_ref().map(|joint| obligations.split(&joint.purse.place));
        Legacy {
            obligations: shared.unwrap_or_default(),
            contribution: self.contribution.take().map_or(0, |(_, sum)| sum),
            child_benefit: std::mem::take(&mut self.child_benefit),
            changes: std::mem::take(&mut self.changes),
            joint,
        }
    }

    /// Goes on alone after the other one of a couple died. What the household pays becomes this person's part of it.
    pub(super) fn survive(&mut self, legacy: Legacy) {
        let own = self.contribution.as_ref().map_or(0, |(_, sum)| *sum);
        let part = (own, (own + legacy.contribution).max(1));
        self.child_benefit += legacy.child_benefit;
        self.obligations.extend(legacy.obligations);
        self.joint = self.joint.take().or(legacy.joint);
        self.changes.extend(&legacy.changes);
        if let Some(joint) = &mut self.joint {
            joint.income = own;
            joint.purse.opening = joint.purse.opening * part.0 / part.1;
            self.obligations.reduce(&joint.purse.place, part);
        }
    }
}
