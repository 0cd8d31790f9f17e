//! A credit card: used at home and abroad, paid in the middle of the next month, never beyond its limit.

use std::sync::Arc;

use super::chance::Chance;
use super::diary::{Payment, Place, Use};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;
use crate::sandbox::default_set::CARD_CREDIT_LIMIT;
use crate::sandbox::Rates;
use crate::types::{Currency, Money};

/// When what was owed as the month began is paid.
const DUE: u32 = 15;
/// How much may be owed, in øre.
pub(super) const CREDIT_LIMIT: i64 = CARD_CREDIT_LIMIT as i64 * UNIT;
/// Of what is owed the least payment, in percent and in øre.
const LEAST_PERCENT: i64 = 10;
const LEAST: i64 = 250 * UNIT;
/// Months in a year times hundredths of a percent in a whole.
const RATE_PARTS: i64 = 120_000;

/// A credit card, and what is owed on it.
pub(super) struct Credit {
    pub(super) place: Place,
    /// Whether only the least payment is made.
    pub(super) pays_least: bool,
    /// What was owed as the month began and is not paid yet, in øre.
    billed: i64,
    /// What was not paid when it was due, in øre.
    overdue: i64,
}

impl Credit {
    /// One that was not used yet.
    pub(super) fn of(place: Place, pays_least: bool) -> Self {
        Self { place, pays_least, billed: 0, overdue: 0 }
    }

    /// What is owed, in øre.
    pub(super) fn owed(&self, scene: &Scene<'_>) -> i64 {
        (-scene.diary.available(self.place.at)).max(0)
    }

    /// A day: the bill of the month before, its payment, and interest on what was not paid.
    pub(super) fn live(&mut self, from: &Place, scene: &mut Scene<'_>) {
        if scene.day.begins_month() {
            let interest = self.overdue * scene.world.country.rates.card / RATE_PARTS;
            let payment = Payment::of(interest, Kind::CardInterest, "Renter");
            scene.diary.pay(&self.place, &Arc::default(), payment);
            self.billed = self.owed(scene);
            self.overdue = 0;
        }
        if scene.day.pays(DUE) && self.billed > 0 {
            let least = (self.billed * LEAST_PERCENT / 100).max(LEAST).min(self.billed);
            let whole = if self.pays_least { least } else { self.billed };
            let is_paid = [whole, least].into_iter().find(|sum| {
                let payment = Payment::of(*sum, Kind::OwnTransfer, "Betaling av kredittkort");
                scene.diary.transfer(from, &self.place, payment)
            });
            self.overdue = self.billed - is_paid.unwrap_or_default();
            self.billed = 0;
        }
    }

    /// Uses it once abroad, if the bank trades the currency and the sum comes to an øre.
    pub(super) fn use_abroad(&self, place: usize, chance: &mut Chance, scene: &mut Scene<'_>) {
        let (world, day) = (scene.world, scene.day);
        let Some(at) = world.country.abroad.rows.get(place) else { return };
        let Some(branch) = world.merchants.abroad.get(place).cloned() else { return };
        let original = at.units.draw(UNIT, chance);
        let delay = chance.place(day.next_banking.len()).unwrap_or_default();
        let booked = day.next_banking.get(delay).copied().unwrap_or(day.date);
        let time = world.time(super::country::Hours::Evening, chance);
        let Some(sum) = in_nok(original, at.currency, scene.rates) else { return };
        let used = Use { original, currency: at.currency, branch, day: day.date };
        let payment = Payment::of(sum, Kind::CreditPurchase, "Varekjøp").at(time);
        scene.diary.authorise(self.place.at, payment, used, booked);
    }
}

/// A sum in minor units of a currency, in øre. `None` where the bank does not trade it, and of sums without bounds.
fn in_nok(sum: i64, currency: Currency, rates: &Rates) -> Option<i64> {
    rates.convert(Money::of_minor_units(sum, currency)?, Currency::NOK)?.minor_units()
}

#[cfg(test)]
mod tests {
    use super::super::world::World;
    use super::*;

    #[test]
    fn every_currency_has_two_digits_behind_the_point() {
        let places = &World::norway().unwrap().country.abroad.rows;
        for currency in places.iter().map(|place| place.currency).chain([Currency::NOK, Currency::EUR]) {
            assert_eq!(10_i64.pow(currency.minor_units().into()), UNIT, "{currency:?}");
        }
    }
}
