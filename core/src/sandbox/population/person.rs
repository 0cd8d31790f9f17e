//! How a person lives: what comes in every month, and where it goes.

use std::sync::Arc;

use super::budget::Budget;
use super::chance::Chance;
use super::credit::Credit;
use super::diary::{Kind, Payment, Place, UNIT};
use super::income::{raised, Income, Payer};
use super::outside::{Outside, Trade};
use super::scene::Scene;
use super::shops::SHOPS;
use crate::store::sqlite::sandbox::Counterpart;

/// What savings bear in a year, in percent.
const INTEREST_PERCENT: i64 = 3;
/// What bills grow by in January.
const DEARER_PERCENT: i64 = 3;
/// By how much more power is paid for from November to March.
const WINTER_PERCENT: i64 = 120;
/// Over how many months a person makes up for having spent more or less than they had.
const CATCHING_UP_MONTHS: i64 = 6;
/// On which day one saves.
const SAVING_DAY: u32 = 21;

/// What has to be paid every month.
struct Bill {
    to: Arc<Counterpart>,
    text: &'static str,
    day: u32,
    /// In øre.
    sum: i64,
    /// By how many percent it is more in winter.
    winter_percent: i64,
}

impl Bill {
    fn in_month(&self, month: u32) -> i64 {
        let percent = if matches!(month, 1..=3 | 11..) { 100 + self.winter_percent } else { 100 };
        self.sum * percent / 100
    }

    /// What it comes to in a month of a year with five winter months.
    fn on_the_average(&self) -> i64 {
        self.sum * (1_200 + 5 * self.winter_percent) / 1_200
    }
}

/// Savings, and what was there at first and moved since.
pub(super) struct Savings {
    pub(super) place: Place,
    pub(super) balance: i64,
}

/// A person of the neighbourhood.
pub(super) struct Person {
    pub(super) everyday: Place,
    pub(super) income: Income,
    savings: Option<Savings>,
    foreign: Option<Place>,
    credit: Option<Credit>,
    bills: Vec<Bill>,
    /// How much of the income is saved, where there is an account for it.
    saved_percent: i64,
    /// What was left in all the months before, less what was spent, in øre.
    unspent: i64,
}

/// The accounts of a person.
pub(super) struct PersonAccounts {
    pub(super) everyday: Place,
    pub(super) savings: Option<Savings>,
    /// In euro.
    pub(super) foreign: Option<Place>,
    pub(super) credit: Option<Place>,
}

impl Person {
    /// A person with those accounts and that income.
    pub(super) fn invent(
        accounts: PersonAccounts,
        income: Income,
        outside: &Outside,
        chance: &mut Chance,
    ) -> Self {
        let PersonAccounts { everyday, savings, foreign, credit } = accounts;
        let (bills, credit) = (bills(&income, outside, chance), credit.map(Credit::of));
        let saved_percent = chance.between(2, 12);
        Self { everyday, income, savings, foreign, credit, bills, saved_percent, unspent: 0 }
    }

    /// A month of this life. Friends are the everyday accounts of the neighbourhood.
    pub(super) fn live(&mut self, friends: &[Place], scene: &mut Scene<'_>) {
        self.grow_older(scene.month.number());
        self.earn(scene);
        self.pay_bills(scene);
        self.save(scene);
        self.spend(scene);
        self.give(friends, scene);
        self.travel(scene);
    }

    fn grow_older(&mut self, month: u32) {
        self.income.net = raised(self.income.net, month);
        if month == 1 {
            self.bills.iter_mut().for_each(|bill| bill.sum = bill.sum * (100 + DEARER_PERCENT) / 100);
        }
    }

    /// Companies of the neighbourhood pay by themselves.
    fn earn(&self, scene: &mut Scene<'_>) {
        let Income { payer, net, kind, text } = &self.income;
        if let Payer::Outside { party, payday } = payer {
            let income = Payment { day: scene.month.due(*payday), sum: *net, kind: *kind, text };
            scene.diary.receive(&self.everyday, party, income);
        }
    }

    fn pay_bills(&self, scene: &mut Scene<'_>) {
        for bill in &self.bills {
            let (day, sum) = (scene.month.due(bill.day), bill.in_month(scene.month.number()));
            let payment = Payment { day, sum, kind: Kind::Transfer, text: bill.text };
            scene.diary.pay(&self.everyday, &bill.to, payment);
        }
    }

    fn saved(&self) -> i64 {
        match self.savings {
            Some(_) => self.income.net * self.saved_percent / 100 / UNIT * UNIT,
            None => 0,
        }
    }

    /// What comes in and is not saved is spent, so that money neither piles up nor runs out.
    fn spend(&mut self, scene: &mut Scene<'_>) {
        let bills: i64 = self.bills.iter().map(Bill::on_the_average).sum();
        let left = self.income.net - bills - self.saved();
        let on_credit = self.credit.as_ref().map(|_| scene.around.usual_on_credit);
        let budget = Budget::of(left + self.unspent / CATCHING_UP_MONTHS, on_credit);
        let in_shops = self.shop(budget, scene);
        let on_credit = self.credit.as_mut().map(|credit| credit.live(&self.everyday, budget, scene));
        self.unspent += left - in_shops - on_credit.unwrap_or_default();
    }

    /// What was spent by debit card.
    fn shop(&self, budget: Budget, scene: &mut Scene<'_>) -> i64 {
        let mut spent = 0;
        for shop in SHOPS {
            let other = Arc::new(Counterpart { name: Some(shop.name.to_owned()), ..Counterpart::default() });
            let ((low, high), (least, most)) = (shop.sums(), shop.times);
            for _ in 0..scene.chance.between(least, most) {
                let sum = budget.spent(scene.chance.between(low, high));
                let (day, kind) = (scene.month.any_day(scene.chance), Kind::Purchase);
                spent += sum;
                scene.diary.pay(&self.everyday, &other, Payment { day, sum, kind, text: "Varekjøp" });
            }
        }
        spent
    }

    fn save(&mut self, scene: &mut Scene<'_>) {
        let (sum, month) = (self.saved(), scene.month);
        let Some(savings) = &mut self.savings else { return };
        let saving = Payment { day: month.due(SAVING_DAY), sum, kind: Kind::OwnTransfer, text: "Sparing" };
        if scene.diary.transfer(&self.everyday, &savings.place, saving) {
            savings.balance += sum;
        }
        let sum = savings.balance * INTEREST_PERCENT / 100;
        let interest = Payment { day: month.day(31), sum, kind: Kind::Interest, text: "Kreditrenter" };
        let is_due = month.number() == 12 && sum > 0;
        if is_due && scene.diary.receive(&savings.place, &Arc::default(), interest) {
            savings.balance += sum;
        }
    }

    fn give(&self, friends: &[Place], scene: &mut Scene<'_>) {
        let chance = &mut *scene.chance;
        let friend = chance.pick(friends).filter(|friend| friend.at != self.everyday.at);
        let (happens, sum) = (chance.happens(60), chance.between(40, 900) * UNIT);
        let (day, kind) = (scene.month.any_day(chance), Kind::Transfer);
        if let Some(friend) = friend.filter(|_| happens) {
            scene.diary.transfer(&self.everyday, friend, Payment { day, sum, kind, text: "Takk for sist" });
        }
    }

    fn travel(&self, scene: &mut Scene<'_>) {
        let Some(foreign) = &self.foreign else { return };
        let shop =
            Arc::new(Counterpart { name: Some("Erfundene Reisen".to_owned()), ..Counterpart::default() });
        for _ in 0..scene.chance.between(0, 3) {
            let (day, sum) = (scene.month.any_day(scene.chance), scene.chance.between(500, 12_000));
            scene.diary.pay(foreign, &shop, Payment { day, sum, kind: Kind::Purchase, text: "Reise" });
        }
    }
}

fn bills(income: &Income, outside: &Outside, chance: &mut Chance) -> Vec<Bill> {
    let rent = income.net * chance.between(26, 34) / 100 / UNIT * UNIT;
    let watches_films = chance.happens(70);
    let mut bill = |trade, text, sum, winter_percent| {
        let (to, day) = (outside.party(trade, chance), chance.day(1, 28));
        Bill { to, text, day, sum, winter_percent }
    };
    let mut bills = vec![
        bill(Trade::Landlord, "Husleie", rent, 0),
        bill(Trade::Power, "Strøm", income.net / 60, WINTER_PERCENT),
        bill(Trade::Telephone, "Telefon og nett", 449 * UNIT, 0),
        bill(Trade::Insurance, "Forsikring", income.net / 80, 0),
    ];
    if watches_films {
        bills.push(bill(Trade::Streaming, "Abonnement", 129 * UNIT, 0));
    }
    bills
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_costs_more_in_winter_and_the_average_is_that_of_a_year() {
        let bill =
            Bill { to: Arc::default(), text: "Strøm", day: 1, sum: 60_000, winter_percent: WINTER_PERCENT };
        let year: Vec<i64> = (1..=12).map(|month| bill.in_month(month)).collect();
        assert_eq!([year[2], year[3], year[9], year[10]], [132_000, 60_000, 60_000, 132_000]);
        assert_eq!(year.iter().sum::<i64>() / 12, bill.on_the_average());
    }
}
