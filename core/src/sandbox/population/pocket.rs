//! Money that persons hand to each other, and cash.

use super::chance::Chance;
use super::country::Hours;
use super::diary::{Payment, Place, Use};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::types::Currency;

const YEAR_DAYS: i64 = 365;
/// A hundred persons, in thousandths.
const OF_A_HUNDRED: i64 = 10;

/// How often a person pays others and withdraws cash.
pub(super) struct Pocket {
    /// On a day, in thousandths.
    gifts: i64,
    withdrawals: i64,
    deposits: i64,
}

impl Pocket {
    /// That of a person of an age group.
    pub(super) fn invent(age_group: usize, world: &World, chance: &mut Chance) -> Self {
        let habits = &world.country.habits;
        let gifts = habits.gifts.get(age_group).map_or(0, |row| row.draw(1_000, chance));
        let cash = habits.cash.get(age_group).map_or(0, |row| row.draw(1_000, chance));
        Self {
            gifts: gifts / YEAR_DAYS,
            withdrawals: cash / YEAR_DAYS,
            deposits: habits.deposits * OF_A_HUNDRED / YEAR_DAYS,
        }
    }

    /// What is withdrawn in a month on the average, in øre.
    pub(super) fn mean(&self, world: &World) -> i64 {
        let sums = &world.country.habits.cash_kroner;
        let mean = sums.iter().sum::<i64>() * UNIT / i64::try_from(sums.len()).unwrap_or(1).max(1);
        self.withdrawals * mean * YEAR_DAYS / 12_000
    }

    /// A day of it.
    pub(super) fn live(&self, own: &Place, town: usize, chance: &mut Chance, scene: &mut Scene<'_>) {
        for _ in 0..chance.count(self.gifts) {
            give(own, chance, scene);
        }
        for _ in 0..chance.count(self.withdrawals) {
            withdraw(own, town, chance, scene);
        }
        for _ in 0..chance.count(self.deposits) {
            deposit(own, town, chance, scene);
        }
    }
}

fn give(own: &Place, chance: &mut Chance, scene: &mut Scene<'_>) {
    let habits = &scene.world.country.habits;
    let friend = chance.pick(scene.friends).filter(|friend| friend.at != own.at);
    let sum = round(habits.gift_kroner.draw(1, chance), chance) * UNIT;
    let text = chance.pick(&habits.gift_texts).map(String::as_str).unwrap_or_default();
    let time = scene.world.time(Hours::Online, chance);
    if let Some(friend) = friend {
        scene.diary.transfer(own, friend, Payment::of(sum, Kind::Gift, text).at(time));
    }
}

/// Most sums between persons are round.
fn round(kroner: i64, chance: &mut Chance) -> i64 {
    let step = *chance.pick(&[1, 5, 10, 10, 50, 50, 100]).unwrap_or(&1);
    (kroner / step * step).max(step)
}

fn withdraw(own: &Place, town: usize, chance: &mut Chance, scene: &mut Scene<'_>) {
    let sum = chance.pick(&scene.world.country.habits.cash_kroner).copied().unwrap_or_default() * UNIT;
    let time = scene.world.time(Hours::Shop, chance);
    let Some(branch) = scene.world.merchants.cash_machines.get(town).cloned() else { return };
    let used = Use { original: sum, currency: Currency::NOK, branch, day: scene.day.date };
    let payment = Payment::of(sum, Kind::Withdrawal, "Uttak minibank").at(time);
    scene.diary.authorise(own.at, payment, used, scene.day.date);
}

fn deposit(own: &Place, town: usize, chance: &mut Chance, scene: &mut Scene<'_>) {
    let sum = chance.pick(&scene.world.country.habits.cash_kroner).copied().unwrap_or_default() * UNIT;
    let Some(branch) = scene.world.merchants.cash_machines.get(town) else { return };
    let party = std::sync::Arc::clone(&branch.party);
    scene.diary.receive(own, &party, Payment::of(sum, Kind::Deposit, "Innskudd kontanter"));
}
