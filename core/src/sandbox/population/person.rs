//! How a person lives, day by day.

use std::sync::Arc;

use chrono::Datelike;

use super::cases::PartOfDay;
use super::chance::Chance;
use super::changes::Changes;
use super::country::{Hours, PartyKind};
use super::credit::Credit;
use super::diary::{Payment, Place, Use};
use super::events::Events;
use super::household::Obligations;
use super::income::{Income, RAISE_MONTH};
use super::journey::Journey;
use super::kind::Kind;
use super::pocket::Pocket;
use super::purse::Purse;
use super::savings::Savings;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::types::Currency;

/// When child benefit is paid, a day that every month has or pays on its last.
const CHILD_BENEFIT_DAY: u32 = 31;
/// When a joint account is filled.
const CONTRIBUTION_DAY: u32 = 26;
/// When taxes are settled, and when what is owed is due.
const SETTLEMENT: (u32, (u32, u32)) = (6, (18, 28));
const TAX_DUE: (u32, u32) = (8, 20);
/// When an account in euro is filled, and how often it is used, in thousandths of a day.
const QUARTER_DAY: u32 = 10;
const EURO_INCOME: (i64, i64) = (120, 600);
const EURO_USES: i64 = 45;
/// Days in a year times hundredths of a percent in a whole.
const OVERDRAFT_PARTS: i128 = 3_650_000;

/// The account of a couple.
pub(super) struct Joint {
    pub(super) purse: Purse,
    /// What both pay to it in a month, in øre.
    pub(super) income: i64,
}

/// A person of the neighbourhood.
pub(super) struct Person {
    pub(super) seed: u64,
    pub(super) income: Income,
    pub(super) purse: Purse,
    /// The account of a couple; the first of the two has it.
    pub(super) joint: Option<Joint>,
    /// What is paid to the account of the couple in a month.
    pub(super) contribution: Option<(Place, i64)>,
    pub(super) savings: Option<Savings>,
    pub(super) credit: Option<Credit>,
    /// In euro.
    pub(super) foreign: Option<Place>,
    pub(super) obligations: Obligations,
    pub(super) pocket: Pocket,
    pub(super) child_benefit: i64,
    pub(super) is_active: bool,
    pub(super) journey: Journey,
    pub(super) events: Events,
    /// What is left of those that happened.
    pub(super) changes: Changes,
    /// What was overdrawn on the days of this month, summed.
    pub(super) overdrawn: i128,
}

impl Person {
    /// The current account.
    pub(super) fn everyday(&self) -> &Place {
        &self.purse.place
    }

    /// A day of this life.
    pub(super) fn live(&mut self, scene: &mut Scene<'_>) {
        let mut chance = Chance::of_day(self.seed, scene.day.date);
        self.grow(scene);
        self.earn(scene);
        scene.add_to_person(self.everyday().at, PartOfDay::Income);
        self.settle_taxes(scene);
        self.pay_bills(scene);
        self.save(scene);
        self.bear_overdraft(scene);
        self.spend(&mut chance, scene);
    }

    /// Once a year the income grows, and with it what is saved and what is shared.
    fn grow(&mut self, scene: &Scene<'_>) {
        if !scene.day.begins_month() || scene.day.month() != RAISE_MONTH {
            return;
        }
        let percent = 100 + scene.world.country.rates.raise_percent;
        self.income.grow(percent);
        let saved = self.savings.iter_mut().map(|savings| &mut savings.monthly);
        let shared = self.contribution.iter_mut().map(|(_, sum)| sum);
        let joint = self.joint.iter_mut().map(|joint| &mut joint.income);
        saved.chain(shared).chain(joint).for_each(|sum| *sum = *sum * percent / 100 / UNIT * UNIT);
    }

    fn earn(&self, scene: &mut Scene<'_>) {
        let everyday = self.purse.place.clone();
        self.income.live(&everyday, scene);
        if scene.day.pays(CHILD_BENEFIT_DAY) && self.child_benefit > 0 {
            let office = scene.world.outside.party(PartyKind::Benefit, &mut Chance::of(0));
            let benefit = Payment::of(self.child_benefit, Kind::ChildBenefit, "Barnetrygd");
            scene.diary.receive(&everyday, &office, benefit);
        }
        if let Some((joint, sum)) = self.contribution.as_ref().filter(|_| scene.day.pays(CONTRIBUTION_DAY)) {
            scene.diary.transfer(&everyday, joint, Payment::of(*sum, Kind::Standing, "Til felleskonto"));
        }
    }

    /// Taxes of the year before: a refund in June, or what is owed in August.
    fn settle_taxes(&mut self, scene: &mut Scene<'_>) {
        let (month, data) = (scene.day.month(), &scene.world.country.tax);
        let is_time = scene.day.is_banking && (month == SETTLEMENT.0 || month == TAX_DUE.0);
        if !is_time || !self.income.is_taxed() {
            return;
        }
        let year = u64::from(scene.day.date.year().unsigned_abs());
        let mut chance = Chance::of_part(self.seed, "tax", year);
        let (day, drawn) = (chance.day(SETTLEMENT.1 .0, SETTLEMENT.1 .1), chance.between(1, 100));
        let office = scene.world.outside.party(PartyKind::Tax, &mut chance);
        let (refunded, owes) = (data.refund_percent, data.refund_percent + data.owed_percent);
        if month == SETTLEMENT.0 && scene.day.pays(day) && drawn <= refunded {
            let sum = data.refund.draw(UNIT, &mut chance) / UNIT * UNIT;
            let refund = Payment::of(sum, Kind::TaxRefund, "Skatteoppgjør");
            scene.diary.receive(self.everyday(), &office, refund);
        }
        if month == TAX_DUE.0 && scene.day.pays(TAX_DUE.1) && (refunded + 1..=owes).contains(&drawn) {
            let sum = data.owed.draw(UNIT, &mut chance) / UNIT * UNIT;
            self.cover(sum, scene);
            scene.diary.pay(&self.purse.place, &office, Payment::of(sum, Kind::Tax, "Restskatt"));
        }
    }

    /// What lacks for a payment from the current account is taken from savings.
    fn cover(&self, sum: i64, scene: &mut Scene<'_>) {
        if let Some(savings) = &self.savings {
            savings.cover(&self.purse.place, sum, scene);
        }
    }

    fn pay_bills(&mut self, scene: &mut Scene<'_>) {
        let due = self.obligations.due(&self.purse.place, scene);
        if due > 0 {
            self.cover(due, scene);
        }
        self.obligations.live(scene);
        if let Some(credit) = &mut self.credit {
            credit.live(&self.purse.place, scene);
        }
    }

    fn save(&mut self, scene: &mut Scene<'_>) {
        if let Some(savings) = &mut self.savings {
            savings.live(&self.purse.place, scene);
        }
    }

    fn bear_overdraft(&mut self, scene: &mut Scene<'_>) {
        self.overdrawn += i128::from((-scene.diary.balance(self.purse.place.at)).max(0));
        if scene.day.ends_month() && self.overdrawn > 0 {
            let rate = i128::from(scene.world.country.rates.overdraft);
            let sum = i64::try_from(self.overdrawn * rate / OVERDRAFT_PARTS).unwrap_or_default();
            let interest = Payment::of(sum, Kind::Overdraft, "Debetrenter");
            scene.diary.pay(&self.purse.place, &Arc::default(), interest);
            self.overdrawn = 0;
        }
    }

    fn spend(&mut self, chance: &mut Chance, scene: &mut Scene<'_>) {
        let (own, mut is_away) = (self.purse.place.clone(), false);
        scene.add_to_person(own.at, PartOfDay::Transfers);
        if self.is_active {
            self.plan_month(scene);
            self.pocket.live(&own, self.purse.town, chance, scene);
        }
        scene.add_to_person(own.at, PartOfDay::Cash);
        if self.is_active {
            self.use_euro(chance, scene);
            is_away = self.travels(chance, scene);
            if !is_away {
                self.purse.shop(self.credit.as_ref(), chance, scene);
            }
        }
        scene.add_to_person(own.at, PartOfDay::Purchases);
        if let Some(joint) = self.joint.as_ref().filter(|_| self.is_active) {
            joint.purse.shop(None, chance, scene);
            self.changes.shop(&joint.purse, chance, scene);
        } else if self.is_active && !is_away {
            self.changes.shop(&self.purse, chance, scene);
        }
    }

    /// As a month begins: how much is bought in it.
    fn plan_month(&mut self, scene: &Scene<'_>) {
        if !scene.day.begins_month() {
            return;
        }
        let owed = self.credit.as_ref().map_or(0, |credit| credit.owed(scene));
        self.purse.plan(self.left(scene.world), owed, scene);
        if let Some(joint) = &mut self.joint {
            let left = joint.income - self.obligations.mean(&joint.purse.place);
            joint.purse.plan(left, 0, scene);
        }
    }

    /// What is left of the income in a month, on the average.
    pub(super) fn left(&self, world: &World) -> i64 {
        let shared = self.contribution.as_ref().map_or(0, |(_, sum)| *sum);
        let saved = self.savings.as_ref().map_or(0, |savings| savings.monthly);
        let bound = self.obligations.mean(&self.purse.place) + self.pocket.mean(world);
        self.income.mean() - shared - saved - bound
    }

    /// On a journey the credit card is used abroad, and nothing at home; whether the person is on one.
    fn travels(&mut self, chance: &mut Chance, scene: &mut Scene<'_>) -> bool {
        let abroad = &scene.world.country.abroad;
        let Some(credit) = &self.credit else { return false };
        if !self.journey.is_of(scene.day.date) {
            self.journey = Journey::of(self.seed, scene.day.date.year(), abroad);
        }
        let (journey, today) = (self.journey, scene.day.date);
        if journey.place(today, abroad, chance).is_none() {
            return false;
        }
        for _ in 0..chance.between(abroad.uses.0, abroad.uses.1) {
            if let Some(place) = journey.place(today, abroad, chance) {
                credit.use_abroad(place, chance, scene);
            }
        }
        true
    }

    fn use_euro(&self, chance: &mut Chance, scene: &mut Scene<'_>) {
        let Some(foreign) = &self.foreign else { return };
        let world = scene.world;
        if scene.day.month() % 3 == 1 && scene.day.pays(QUARTER_DAY) {
            let payer = world.outside.party(PartyKind::Abroad, chance);
            let sum = chance.between(EURO_INCOME.0, EURO_INCOME.1) * UNIT;
            scene.diary.receive(foreign, &payer, Payment::of(sum, Kind::Transfer, "Honorar"));
        }
        for _ in 0..chance.count(EURO_USES) {
            let places = world.country.abroad.rows.iter().zip(&world.merchants.abroad);
            let places: Vec<_> = places.filter(|(place, _)| place.currency == Currency::EUR).collect();
            let Some((place, branch)) = chance.pick(&places) else { return };
            let sum = place.units.draw(UNIT, chance);
            let time = world.time(Hours::Online, chance);
            let (branch, day) = (Arc::clone(branch), scene.day.date);
            let used = Use { original: sum, currency: Currency::EUR, branch, day };
            let payment = Payment::of(sum, Kind::Purchase, "Reise").at(time);
            scene.diary.authorise(foreign.at, payment, used, day);
        }
    }
}
