//! How a company lives: what its clients pay, and whom it pays.

use super::cases::PartOfDay;
use super::chance::Chance;
use super::country::PartyKind;
use super::diary::{Payment, Place};
use super::income::LATEST_PAYDAY;
use super::kind::Kind;
use super::person::Person;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::types::Modulus;

/// When what was withheld is handed on: every second month, beginning with January, for the two before.
const DUE: u32 = 15;
/// Banking days of a month.
const BANKING_DAYS: i64 = 21;
/// Over how many months clients make up for months with few sales.
const CATCHING_UP_MONTHS: i64 = 3;

/// A company of the neighbourhood.
pub(super) struct Company {
    seed: u64,
    pub(super) main: Place,
    pub(super) tax: Place,
    /// Its place in the neighbourhood, by which persons know who pays them.
    place: usize,
    payday: u32,
    /// What it turns over in a month beside its wages, in øre.
    trade: i64,
    /// How many invoices it sends and receives in a month.
    sales: i64,
    purchases: i64,
    /// What was withheld and not handed on yet.
    pub(super) withheld: i64,
    /// The balance around which its account moves, in øre.
    pub(super) opening: i64,
    pub(super) credit_line: i64,
}

impl Company {
    /// The one at that place, for which some of the persons work, as of the beginning of a month with that number.
    pub(super) fn invent(
        (main, tax): (Place, Place),
        place: usize,
        persons: &[Person],
        month: u32,
        world: &World,
        chance: &mut Chance,
    ) -> Self {
        let (payday, trade) = (chance.day(8, LATEST_PAYDAY), chance.between(40_000, 400_000) * UNIT);
        let mut company = Self {
            seed: chance.draw(),
            main,
            tax,
            place,
            payday,
            trade,
            sales: chance.between(6, 40),
            purchases: chance.between(3, 20),
            withheld: 0,
            opening: 0,
            credit_line: 0,
        };
        let withheld = withheld_from(company.wages(persons), world);
        company.withheld = withheld * if is_due(month) { 2 } else { 1 };
        let monthly = company.wages(persons) + withheld + trade;
        company.opening = monthly * chance.between(90, 250) / 100;
        company.credit_line = monthly / UNIT * UNIT * 2;
        company
    }

    fn staff<'p>(&self, persons: &'p [Person]) -> impl Iterator<Item = &'p Person> + use<'p> {
        let place = self.place;
        persons.iter().filter(move |person| person.income.company() == Some(place))
    }

    /// What is paid to the staff in a month, on the average.
    fn wages(&self, persons: &[Person]) -> i64 {
        self.staff(persons).map(|person| person.income.mean()).sum()
    }

    /// A day, with the persons of the neighbourhood as they are on it.
    pub(super) fn live(&mut self, persons: &[Person], scene: &mut Scene<'_>) {
        if !scene.day.is_banking {
            return;
        }
        let mut chance = Chance::of_day(self.seed, scene.day.date);
        self.hand_on(scene);
        self.sell(persons, &mut chance, scene);
        scene.add_to_company(self.main.at, PartOfDay::Income);
        self.buy(&mut chance, scene);
        scene.add_to_company(self.main.at, PartOfDay::Transfers);
        if scene.day.pays(self.payday) {
            self.pay_wages(persons, scene);
        }
    }

    fn hand_on(&mut self, scene: &mut Scene<'_>) {
        if scene.day.pays(DUE) && is_due(scene.day.month()) {
            let state = scene.world.outside.party(PartyKind::Tax, &mut Chance::of(0));
            let payment = Payment::of(self.withheld, Kind::Tax, "Forskuddstrekk");
            if scene.diary.pay(&self.tax, &state, payment) {
                self.withheld = 0;
            }
        }
    }

    /// What is sold pays for wages, taxes and what is bought, on the average.
    fn sell(&self, persons: &[Person], chance: &mut Chance, scene: &mut Scene<'_>) {
        let wages = self.wages(persons);
        let monthly = wages + withheld_from(wages, scene.world) + self.trade;
        let lacking = self.opening - scene.diary.available(self.main.at);
        let wanted = (monthly + lacking / CATCHING_UP_MONTHS).clamp(monthly / 4, monthly * 2);
        for sum in invoices(wanted, self.sales, chance) {
            let client = scene.world.outside.party(PartyKind::Client, chance);
            scene.diary.receive(&self.main, &client, invoice(sum, chance));
        }
    }

    fn buy(&self, chance: &mut Chance, scene: &mut Scene<'_>) {
        for sum in invoices(self.trade, self.purchases, chance) {
            let supplier = scene.world.outside.party(PartyKind::Supplier, chance);
            let payment = invoice(sum, chance);
            scene.diary.pay(&self.main, &supplier, payment);
        }
    }

    fn pay_wages(&mut self, persons: &[Person], scene: &mut Scene<'_>) {
        let mut paid = 0;
        for person in self.staff(persons) {
            let wages = person.income.payment(scene.day);
            let sum = wages.sum;
            if scene.diary.transfer(&self.main, person.everyday(), wages) {
                paid += sum;
            }
        }
        let withheld = withheld_from(paid, scene.world);
        let payment = Payment::of(withheld, Kind::OwnTransfer, "Skattetrekk");
        if scene.diary.transfer(&self.main, &self.tax, payment) {
            self.withheld += withheld;
        }
    }
}

/// What is withheld for the state, of what staff are paid.
fn withheld_from(wages: i64, world: &World) -> i64 {
    wages * world.country.rates.withheld_percent / 100
}

/// Whether what was withheld is handed on in a month with that number.
fn is_due(month: u32) -> bool {
    month % 2 == 1
}

/// The sums of a banking day that come to so much in a month, in so many parts, on the average.
fn invoices(all: i64, count: i64, chance: &mut Chance) -> Vec<i64> {
    let today = chance.count(count * 1_000 / BANKING_DAYS);
    (0..today).map(|_| all * chance.between(40, 160) / 100 / count.max(1)).collect()
}

/// A payment of an invoice, by its KID.
fn invoice(sum: i64, chance: &mut Chance) -> Payment {
    let kid = Modulus::Ten.completed(&format!("{:09}", chance.between(1, 999_999_999)));
    Payment { reference: Some(kid), ..Payment::of(sum, Kind::Bill, "") }
}
