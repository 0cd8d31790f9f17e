//! Shopping from one account: on the average all that is left of an income, and never more than there is.

use super::chance::Chance;
use super::country::{Extra, Trade};
use super::credit::Credit;
use super::diary::{Payment, Place, Use};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::types::Currency;

/// Over how many months a person makes up for having spent more or less than was left.
const CATCHING_UP_MONTHS: i64 = 3;
/// Days of a month.
const MONTH_DAYS: i64 = 30;
/// How many purchases there are on a day at most, on the average.
const PURCHASES_MAX: i64 = 3;
/// Of a hundred purchases so many are in the town of the person.
const AT_HOME_PERCENT: i64 = 88;
/// How many days later a return is booked.
const RETURN_DAYS: (i64, i64) = (3, 20);

/// An account with a card from which purchases are paid.
pub(super) struct Purse {
    pub(super) place: Place,
    /// The balance around which the account moves, in øre: the one that it was opened with.
    pub(super) opening: i64,
    pub(super) town: usize,
    /// Relative to the prices of the data.
    pub(super) price_percent: i64,
    /// How many of the purchases are on the credit card, in percent.
    pub(super) on_credit: i64,
    /// How many purchases there are on an average day, in thousandths.
    rate: i64,
}

impl Purse {
    /// One for an account on which nothing happened yet.
    pub(super) fn of(place: Place, town: usize, price_percent: i64, on_credit: i64) -> Self {
        Self { place, opening: 0, town, price_percent, on_credit, rate: 0 }
    }

    /// As a month begins: how much is bought in it, of what is left of its income on the average. `owed` on a credit
    /// card counts as spent.
    pub(super) fn plan(&mut self, left: i64, owed: i64, scene: &Scene<'_>) {
        let beyond = scene.diary.available(self.place.at) - owed - self.opening;
        let budget = (left + beyond / CATCHING_UP_MONTHS).max(0);
        let price = scene.world.merchants.mean_price * self.price_percent / 100;
        self.rate = budget * 1_000 / (price.max(1) * MONTH_DAYS);
    }

    /// Who has more left than so many purchases take buys what costs more.
    pub(super) fn afford(&mut self, left: i64, world: &World) {
        let most = world.merchants.mean_price * self.price_percent / 100 * MONTH_DAYS * PURCHASES_MAX;
        if left > most && most > 0 {
            self.price_percent = self.price_percent * left / most;
        }
    }

    /// The purchases of a day.
    pub(super) fn shop(&self, credit: Option<&Credit>, chance: &mut Chance, scene: &mut Scene<'_>) {
        for _ in 0..chance.count(self.rate * scene.day.shopping / 100) {
            if let Some(nth) = scene.world.merchants.trade(scene.day, chance) {
                self.buy(nth, credit, chance, scene);
            }
        }
    }

    /// What is bought on an open day beside that.
    pub(super) fn shop_more(&self, extra: &Extra, times: i64, chance: &mut Chance, scene: &mut Scene<'_>) {
        let mut trades = scene.world.country.trades.rows.iter();
        let Some(nth) = trades.position(|trade| trade.mcc == extra.mcc) else { return };
        for _ in 0..chance.count(extra.per_mille * times) {
            if !scene.day.is_closed {
                self.buy(nth, None, chance, scene);
            }
        }
    }

    /// A purchase in the trade at that place.
    fn buy(&self, nth: usize, credit: Option<&Credit>, chance: &mut Chance, scene: &mut Scene<'_>) {
        let (world, day) = (scene.world, scene.day);
        let Some(trade) = world.country.trades.rows.get(nth) else { return };
        let town = if chance.happens(AT_HOME_PERCENT) { self.town } else { world.town(chance) };
        let Some(branch) = world.merchants.branch(nth, town, chance) else { return };
        let sum = trade.ending.price(trade.kroner.draw(UNIT, chance) * self.price_percent / 100);
        let time = world.time(trade.hours, chance);
        let credit = credit.filter(|_| chance.happens(self.on_credit));
        let (at, kind, least_delay) = match credit {
            Some(credit) => (credit.place.at, Kind::CreditPurchase, 1),
            None => (self.place.at, Kind::Purchase, 0),
        };
        let booked = day.booked_after(delay(trade, least_delay, chance));
        let used = Use { original: sum, currency: Currency::NOK, branch, day: day.date };
        let payment = Payment::of(sum, kind, "Varekjøp").at(time);
        let is_returned = chance.between(1, 1_000) <= trade.returns;
        if scene.diary.authorise(at, payment, used.clone(), booked) && is_returned {
            let days = u64::try_from(chance.between(RETURN_DAYS.0, RETURN_DAYS.1)).unwrap_or_default();
            let back = booked.checked_add_days(chrono::Days::new(days)).unwrap_or(booked);
            let payment = Payment::of(sum, Kind::Return, "Retur").at(time);
            scene.diary.return_on(at, payment, Use { day: back, ..used }, world.calendar.banking_from(back));
        }
    }
}

/// After how many banking days a purchase is booked, of which some cards take at least a few.
pub(super) fn delay(trade: &Trade, least: usize, chance: &mut Chance) -> usize {
    let most = i64::try_from(trade.delay.max(least)).unwrap_or_default();
    let least = i64::from(most > 0);
    usize::try_from(chance.between(least, most)).unwrap_or_default()
}
