//! A person with accounts and obligations, before it is known what is left of the income.

use super::chance::Chance;
use super::changes::Changes;
use super::credit::Credit;
use super::diary::Place;
use super::events::Events;
use super::household::{joint_spending, Obligations, Part};
use super::journey::Journey;
use super::person::{Joint, Person};
use super::pocket::Pocket;
use super::purse::Purse;
use super::savings::Savings;
use super::sketch::Sketch;
use super::unit::UNIT;
use super::world::World;

/// The accounts of a person.
pub(super) struct Accounts {
    pub(super) everyday: Place,
    pub(super) savings: Option<Place>,
    /// In euro.
    pub(super) foreign: Option<Place>,
    pub(super) credit: Option<Place>,
}

/// A person to be.
pub(super) struct Draft {
    pub(super) sketch: Sketch,
    pub(super) accounts: Accounts,
    obligations: Obligations,
    joint: Option<Joint>,
}

/// What both of a couple pay to their joint account in a month, in øre.
pub(super) struct Contributions {
    pub(super) own: i64,
    pub(super) other: i64,
}

impl Draft {
    /// A person with that part in a household.
    pub(super) fn of(
        sketch: Sketch,
        accounts: Accounts,
        part: &Part,
        world: &'static World,
        chance: &mut Chance,
    ) -> Self {
        let obligations = Obligations::invent(&sketch, part, &accounts.everyday, world, chance);
        Self { sketch, accounts, obligations, joint: None }
    }

    /// What a couple shares: each pays to the joint account by income.
    pub(super) fn share(&mut self, joint: &Place, other_income: i64, chance: &mut Chance) -> Contributions {
        let own_income = self.sketch.income.mean();
        let incomes = (own_income + other_income).max(1);
        let spending = joint_spending(incomes);
        let all = self.obligations.mean(joint) + spending;
        let mut purse = Purse::of(joint.clone(), self.sketch.town, self.sketch.price_percent, 0);
        // A bill in the winter and one that comes every few months are more than the mean.
        purse.opening = all * chance.between(130, 200) / 100;
        let part = |income: i64| (all * income / incomes / UNIT + 1) * UNIT;
        let contributions = Contributions { own: part(own_income), other: part(other_income) };
        self.joint = Some(Joint { purse, income: contributions.own + contributions.other });
        contributions
    }

    /// What is on the joint account at first, in øre.
    pub(super) fn joint_opening(&self) -> Option<(usize, i64)> {
        self.joint.as_ref().map(|joint| (joint.purse.place.at, joint.purse.opening))
    }

    /// What is on the savings account at first, in øre.
    pub(super) fn savings_opening(&self, chance: &mut Chance) -> i64 {
        let (low, high) = self.sketch.segment.savings;
        self.sketch.income.mean().max(UNIT * UNIT) * chance.between(low, high) / 100
    }

    /// The person, who spends what is left.
    pub(super) fn settle(
        self,
        contribution: Option<(Place, i64)>,
        world: &'static World,
        chance: &mut Chance,
    ) -> Person {
        let Self { sketch, accounts, obligations, joint } = self;
        let Accounts { everyday, savings, foreign, credit } = accounts;
        let pocket = Pocket::invent(sketch.age_group(), world, chance);
        let income = sketch.income.mean();
        let shared = contribution.as_ref().map_or(0, |(_, sum)| *sum);
        let bound = obligations.mean(&everyday) + shared + pocket.mean(world);
        let saved = (income * sketch.saved_percent / 100).min(income - bound).max(0) / UNIT * UNIT;
        let saved = if savings.is_some() { saved } else { 0 };
        let mut purse = Purse::of(everyday.clone(), sketch.town, sketch.price_percent, sketch.on_credit);
        let left = (income - bound - saved).max(0);
        purse.afford(left, world);
        let payday = sketch.income.payday();
        let before = obligations.before(&everyday, payday) + left * i64::from(payday) / MONTH_DAYS;
        let (low, high) = sketch.segment.opening;
        let cushion = income * chance.between(low, high) / 100;
        // An account that is overdrawn is so from the beginning.
        purse.opening = if low < 0 { cushion } else { before + cushion } + chance.between(0, UNIT);
        let is_active = sketch.is_active();
        let (benefit, least) = (world.country.family.child_benefit, sketch.segment.least);
        let children = if shared == 0 || joint.is_some() { sketch.children } else { 0 };
        Person {
            seed: sketch.seed,
            income: sketch.income,
            purse,
            joint,
            contribution,
            savings: savings.map(|place| Savings::of(place, saved)),
            credit: credit.map(|place| Credit::of(place, chance.happens(least))),
            foreign,
            obligations,
            pocket,
            child_benefit: children * benefit * UNIT,
            is_active,
            journey: Journey::default(),
            events: Events::default(),
            changes: Changes::default(),
            overdrawn: 0,
        }
    }
}

const MONTH_DAYS: i64 = 30;
