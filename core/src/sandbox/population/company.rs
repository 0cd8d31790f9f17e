//! How a company lives: what its clients pay, and whom it pays.

use super::chance::Chance;
use super::diary::{Kind, Payment, Place, UNIT};
use super::holding::Opening;
use super::outside::Trade;
use super::person::Person;
use super::scene::Scene;

/// What is withheld for the state, of what staff are paid.
const WITHHELD_PERCENT: i64 = 45;
/// When what was withheld is handed on: every second month, beginning with January, for the two before.
const DUE: u32 = 15;

/// What a company does, before it has accounts.
pub(super) struct Business {
    /// The places of those who work there.
    staff: Vec<usize>,
    payday: u32,
    /// What it turns over in a month beside its wages, in øre.
    trade: i64,
    /// What was withheld and not handed on yet.
    withheld: i64,
}

/// A company of the neighbourhood.
pub(super) struct Company {
    pub(super) business: Business,
    pub(super) main: Place,
    pub(super) tax: Place,
}

impl Business {
    /// One with those of the persons who work there, as of the beginning of a month with that number.
    pub(super) fn invent(staff: Vec<usize>, persons: &[Person], month: u32, chance: &mut Chance) -> Self {
        let (payday, trade) = (chance.day(8, 25), chance.between(40_000, 400_000) * UNIT);
        let mut business = Self { staff, payday, trade, withheld: 0 };
        let months = if is_due(month) { 2 } else { 1 };
        business.withheld = months * business.staff(persons).map(withheld_from).sum::<i64>();
        business
    }

    fn staff<'p>(&self, persons: &'p [Person]) -> impl Iterator<Item = &'p Person> + use<'p, '_> {
        self.staff.iter().filter_map(|place| persons.get(*place))
    }

    /// What is on its account at first, beyond what it takes: half to two of what it trades in a month.
    pub(super) fn opening(&self, chance: &mut Chance) -> Opening {
        Opening::Above(self.trade * chance.between(50, 200) / 100)
    }

    /// What is on its account for taxes at first.
    pub(super) fn tax_opening(&self) -> Opening {
        Opening::Exactly(self.withheld)
    }
}

impl Company {
    /// A month, with the persons of the neighbourhood as they are in it.
    pub(super) fn live(&mut self, persons: &[Person], scene: &mut Scene<'_>) {
        self.hand_on(scene);
        self.sell(persons, scene);
        self.buy(scene);
        self.pay_wages(persons, scene);
    }

    fn hand_on(&mut self, scene: &mut Scene<'_>) {
        let (day, sum) = (scene.month.due(DUE), self.business.withheld);
        let payment = Payment { day, sum, kind: Kind::Tax, text: "Forskuddstrekk" };
        let state = scene.around.outside.party(Trade::Tax, scene.chance);
        if is_due(scene.month.number()) && sum > 0 && scene.diary.pay(&self.tax, &state, payment) {
            self.business.withheld = 0;
        }
    }

    /// What is sold pays for wages, taxes and what is bought, on the average.
    fn sell(&self, persons: &[Person], scene: &mut Scene<'_>) {
        let gross = |person: &Person| person.income.net + withheld_from(person);
        let wages: i64 = self.business.staff(persons).map(gross).sum();
        for (day, sum) in invoices(wages + self.business.trade, (6, 24), scene) {
            let client = scene.around.outside.party(Trade::Client, scene.chance);
            let payment = Payment { day, sum, kind: Kind::Transfer, text: "Faktura" };
            scene.diary.receive(&self.main, &client, payment);
        }
    }

    fn buy(&self, scene: &mut Scene<'_>) {
        for (day, sum) in invoices(self.business.trade, (3, 12), scene) {
            let supplier = scene.around.outside.party(Trade::Supplier, scene.chance);
            let payment = Payment { day, sum, kind: Kind::Transfer, text: "Varer" };
            scene.diary.pay(&self.main, &supplier, payment);
        }
    }

    fn pay_wages(&mut self, persons: &[Person], scene: &mut Scene<'_>) {
        let day = scene.month.due(self.business.payday);
        for Person { everyday, income, .. } in self.business.staff(persons) {
            let wages = Payment { day, sum: income.net, kind: income.kind, text: income.text };
            scene.diary.transfer(&self.main, everyday, wages);
        }
        let withheld = self.business.staff(persons).map(withheld_from).sum::<i64>();
        let payment = Payment { day, sum: withheld, kind: Kind::OwnTransfer, text: "Skattetrekk" };
        if withheld > 0 && scene.diary.transfer(&self.main, &self.tax, payment) {
            self.business.withheld += withheld;
        }
    }
}

fn withheld_from(person: &Person) -> i64 {
    person.income.net * WITHHELD_PERCENT / 100
}

/// Whether what was withheld is handed on in a month with that number.
fn is_due(month: u32) -> bool {
    month % 2 == 1
}

/// Days of a month and sums that come to so much in all, on the average, in a number of parts between two.
fn invoices(all: i64, (least, most): (i64, i64), scene: &mut Scene<'_>) -> Vec<(chrono::NaiveDate, i64)> {
    let (chance, month) = (&mut *scene.chance, scene.month);
    let count = chance.between(least, most);
    let invoice = |_| (month.any_weekday(chance), all * chance.between(70, 130) / 100 / count);
    (0..count).map(invoice).collect()
}
