//! Bills: with a KID or by standing order, and late if there is not enough.

use std::sync::Arc;

use super::chance::Chance;
use super::country::{BillData, BillSum, PartyKind};
use super::diary::{Payment, Place};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::store::sqlite::sandbox::Counterpart;
use crate::types::Modulus;

/// What is added to a bill that was not paid in time, in øre.
const LATE_FEE: i64 = 35 * UNIT;
const DEARER_MONTH: u32 = 1;
/// How many customers the numbers of a creditor count.
const CUSTOMERS: i64 = 9_999_999;
/// How often another creditor is drawn where it is the present one.
const TRIALS: usize = 64;

/// What has to be paid every month, or every few.
pub(super) struct Bill {
    data: &'static BillData,
    pub(super) from: Place,
    to: Arc<Counterpart>,
    pub(super) day: u32,
    /// In øre, outside of the winter, before it ends as a price does.
    sum: i64,
    /// The number of the customer with the creditor, the first part of the KID.
    customer: i64,
    /// How many were sent.
    sent: u32,
    /// What was not paid in time, in øre.
    owed: i64,
}

impl Bill {
    /// One for a household of that monthly income, paid from that account.
    pub(super) fn invent(
        data: &'static BillData,
        from: &Place,
        income: i64,
        world: &World,
        chance: &mut Chance,
    ) -> Self {
        let sum = match &data.sum {
            // The percents are drawn in hundredths.
            BillSum::PercentOfIncome(percent) => income * percent.draw(100, chance) / 10_000,
            BillSum::Kroner(kroner) => kroner.draw(1, chance) * UNIT,
        };
        Self {
            data,
            from: from.clone(),
            to: world.outside.party(data.from, chance),
            day: chance.day(1, 28),
            sum,
            customer: chance.between(1, CUSTOMERS),
            sent: chance.day(0, 40),
            owed: 0,
        }
    }

    /// What it comes to in a month of a year with five winter months.
    pub(super) fn mean(&self) -> i64 {
        self.data.ending.price(self.sum) * (1_200 + 5 * self.data.winter) / 1_200 / i64::from(self.data.every)
    }

    /// What comes due is paid, and what was not paid in time.
    pub(super) fn live(&mut self, scene: &mut Scene<'_>) {
        if scene.day.begins_month() && scene.day.month() == DEARER_MONTH {
            self.sum = self.sum * (100 + scene.world.country.rates.dearer_percent) / 100;
        }
        if scene.day.pays(self.day) {
            self.sent += 1;
            if self.sent.is_multiple_of(self.data.every) {
                self.owed += self.in_month(scene.day.month());
                self.pay(scene);
                self.owed += if self.owed > 0 { LATE_FEE } else { 0 };
                return;
            }
        }
        if self.owed > 0 && scene.day.is_banking {
            self.pay(scene);
        }
    }

    /// Whether it is that of a dwelling in which the household lives.
    pub(super) fn is_of_dwelling(&self) -> bool {
        self.data.from == PartyKind::Landlord && self.sum > 0
    }

    /// No more is sent; the bill of the next dwelling comes in its place.
    pub(super) fn replace(&mut self, world: &World, chance: &mut Chance) -> Self {
        let percent = world.country.events.dwelling.draw(1, chance);
        let sum = (self.sum * percent / 100).max(UNIT);
        self.sum = 0;
        let mut drawn = std::iter::repeat_with(|| world.outside.party(self.data.from, chance)).take(TRIALS);
        let to = drawn.find(|party| !Arc::ptr_eq(party, &self.to)).unwrap_or_else(|| Arc::clone(&self.to));
        Self {
            data: self.data,
            from: self.from.clone(),
            to,
            // Due on the same day, so that each month has one.
            day: self.day,
            sum,
            customer: chance.between(1, CUSTOMERS),
            sent: 0,
            owed: 0,
        }
    }

    /// Whether nothing comes any more and nothing is owed.
    pub(super) fn is_over(&self) -> bool {
        self.sum == 0 && self.owed == 0
    }

    /// It becomes a part of what it was.
    pub(super) fn reduce(&mut self, (part, all): (i64, i64)) {
        self.sum = self.sum * part / all;
    }

    /// What is due today, and would be paid if there is enough.
    pub(super) fn due(&self, scene: &Scene<'_>) -> i64 {
        let is_due = scene.day.pays(self.day) && (self.sent + 1).is_multiple_of(self.data.every);
        self.owed + if is_due { self.in_month(scene.day.month()) } else { 0 }
    }

    fn pay(&mut self, scene: &mut Scene<'_>) {
        let (kind, text, reference) = match self.data.reference {
            true => (Kind::Bill, "", Some(self.kid())),
            false => (Kind::Standing, self.data.text.as_str(), None),
        };
        let payment = Payment { reference, ..Payment::of(self.owed, kind, text) };
        if scene.diary.pay(&self.from, &self.to, payment) {
            self.owed = 0;
        }
    }

    fn in_month(&self, month: u32) -> i64 {
        let percent = if matches!(month, 1..=3 | 11..) { 100 + self.data.winter } else { 100 };
        self.data.ending.price(self.sum * percent / 100)
    }

    /// The number of the customer, that of the bill, and a check digit.
    fn kid(&self) -> String {
        Modulus::Ten.completed(&format!("{:07}{:04}", self.customer, self.sent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{kid_is_valid, Kid};

    fn bill(data: &'static BillData, sum: i64) -> Bill {
        let from = Place { at: 0, party: Arc::default() };
        Bill { data, from, to: Arc::default(), day: 1, sum, customer: 4_711, sent: 7, owed: 0 }
    }

    #[test]
    fn power_costs_more_in_winter_and_the_average_is_that_of_a_year() {
        let rows = &World::norway().unwrap().country.bills.rows;
        let power = bill(rows.iter().find(|row| row.text == "Strøm").unwrap(), 60_000);
        let year: Vec<i64> = (1..=12).map(|month| power.in_month(month)).collect();
        assert_eq!([year[2], year[3], year[9], year[10]], [132_000, 60_000, 60_000, 132_000]);
        assert_eq!(year.iter().sum::<i64>() / 12, power.mean());
        let quarterly = bill(rows.iter().find(|row| row.every == 3).unwrap(), 300_000);
        assert_eq!(quarterly.mean(), 100_000);
    }

    #[test]
    fn a_subscription_that_got_dearer_still_ends_as_a_price() {
        let rows = &World::norway().unwrap().country.bills.rows;
        let row = |text| rows.iter().find(|row| row.text == text).unwrap();
        let in_may = |text, sum| bill(row(text), sum).in_month(5);
        assert_eq!(
            [12_900, 12_901, 13_287].map(|sum| in_may("Strømmetjeneste", sum)),
            [12_900, 12_900, 13_900]
        );
        assert_eq!(in_may("Givertjeneste", 25_750), 25_500);
        assert_eq!(in_may("Strøm", 60_001), 60_001);
    }

    #[test]
    fn a_reference_is_a_kid_of_modulus_ten() {
        let kid = bill(&World::norway().unwrap().country.bills.rent, 1).kid();
        assert!(kid.starts_with("00047110007") && kid_is_valid(&kid), "{kid}");
        assert!(Kid::parse(&kid).unwrap().fits(Modulus::Ten));
    }
}
