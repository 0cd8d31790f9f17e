//! What a household has to pay, and from which account: a person alone, or a couple with a joint account.

use super::bill::Bill;
use super::chance::Chance;
use super::diary::Place;
use super::loan::{Loan, LoanKind};
use super::scene::Scene;
use super::sketch::Sketch;
use super::world::World;

/// Of the incomes of a couple, what its bills follow from, in percent: two need less than twice as much as one.
const COUPLE_PERCENT: i64 = 75;
/// How much of the incomes of a couple is spent from the joint account beside the bills.
const JOINT_PERCENT: i64 = 15;

/// The part of a person in a household.
pub(super) enum Part {
    Alone,
    /// Of a couple, with the joint account and the income of the other one.
    First {
        joint: Place,
        other_income: i64,
    },
    Second,
}

/// What a person has to pay.
#[derive(Default)]
pub(super) struct Obligations {
    bills: Vec<Bill>,
    loans: Vec<Loan>,
}

impl Obligations {
    /// Those of a person, who pays personal bills from an account of their own.
    pub(super) fn invent(
        sketch: &Sketch,
        part: &Part,
        own: &Place,
        world: &'static World,
        chance: &mut Chance,
    ) -> Self {
        let mut obligations = Self::default();
        if !sketch.is_active() {
            return obligations;
        }
        let (data, income) = (&world.country.bills, sketch.income.mean());
        let personal = data.rows.iter().filter(|bill| !bill.shared);
        for bill in personal {
            if chance.happens(bill.share) {
                obligations.bills.push(Bill::invent(bill, own, income, world, chance));
            }
        }
        if sketch.has_loan {
            obligations.loans.push(Loan::invent(LoanKind::Consumer, own, income, world, chance));
        }
        match part {
            Part::Alone => obligations.add_dwelling(sketch, own, income, world, chance),
            Part::First { joint, other_income } => {
                let income = (income + other_income) * COUPLE_PERCENT / 100;
                obligations.add_dwelling(sketch, joint, income, world, chance);
            }
            Part::Second => {}
        }
        obligations
    }

    fn add_dwelling(
        &mut self,
        sketch: &Sketch,
        from: &Place,
        income: i64,
        world: &'static World,
        chance: &mut Chance,
    ) {
        let data = &world.country.bills;
        let dwelling = if sketch.owns { &data.common_costs } else { &data.rent };
        if sketch.owns {
            self.loans.push(Loan::invent(LoanKind::Mortgage, from, income, world, chance));
        }
        let kindergarten = Some(&data.kindergarten).filter(|_| sketch.children > 0);
        let shared = data.rows.iter().filter(|bill| bill.shared);
        for bill in shared.chain([dwelling]).chain(kindergarten) {
            if chance.happens(bill.share) {
                self.bills.push(Bill::invent(bill, from, income, world, chance));
            }
        }
    }

    /// Whether a loan of that kind is being paid.
    #[cfg(feature = "arrow")]
    pub(super) fn has_loan(&self, kind: LoanKind) -> bool {
        self.loans.iter().any(|loan| loan.kind == kind && loan.mean() > 0)
    }

    /// What is paid from an account in a month, on the average.
    pub(super) fn mean(&self, from: &Place) -> i64 {
        let bills = self.bills.iter().filter(|bill| bill.from.at == from.at).map(Bill::mean);
        let loans = self.loans.iter().filter(|loan| loan.from.at == from.at).map(Loan::mean);
        bills.chain(loans).sum()
    }

    /// What is due on an account today.
    pub(super) fn due(&self, from: &Place, scene: &Scene<'_>) -> i64 {
        let bills = self.bills.iter().filter(|bill| bill.from.at == from.at).map(|bill| bill.due(scene));
        let loans = self.loans.iter().filter(|loan| loan.from.at == from.at).map(|loan| loan.due(scene));
        bills.chain(loans).sum()
    }

    /// What comes due is paid.
    pub(super) fn live(&mut self, scene: &mut Scene<'_>) {
        self.loans.iter_mut().for_each(|loan| loan.live(scene));
        self.bills.iter_mut().for_each(|bill| bill.live(scene));
    }

    /// The household moves: the bill of another dwelling in place of that of the present one.
    pub(super) fn relocate(&mut self, world: &World, chance: &mut Chance) {
        let left = self.bills.iter_mut().filter(|bill| bill.is_of_dwelling());
        let next: Vec<_> = left.map(|bill| bill.replace(world, chance)).collect();
        self.bills.retain(|bill| !bill.is_over());
        self.bills.extend(next);
    }

    /// Takes what is paid from an account out of it.
    pub(super) fn split(&mut self, from: &Place) -> Self {
        let bills = self.bills.extract_if(.., |bill| bill.from.at == from.at).collect();
        let loans = self.loans.extract_if(.., |loan| loan.from.at == from.at).collect();
        Self { bills, loans }
    }

    /// Adds those of another person.
    pub(super) fn extend(&mut self, other: Self) {
        self.bills.extend(other.bills);
        self.loans.extend(other.loans);
    }

    /// What is paid from an account becomes a part of what it was.
    pub(super) fn reduce(&mut self, from: &Place, part: (i64, i64)) {
        self.bills.iter_mut().filter(|bill| bill.from.at == from.at).for_each(|bill| bill.reduce(part));
        self.loans.iter_mut().filter(|loan| loan.from.at == from.at).for_each(|loan| loan.reduce(part));
    }

    /// What is paid from an account before a day of the month, at most.
    pub(super) fn before(&self, from: &Place, day: u32) -> i64 {
        let bills = self.bills.iter().filter(|bill| bill.from.at == from.at && bill.day <= day);
        let loans = self.loans.iter().filter(|loan| loan.from.at == from.at);
        bills.map(|bill| bill.mean() * 2).chain(loans.map(Loan::mean)).sum()
    }
}

/// What a couple spends from its joint account beside the bills, of these incomes.
pub(super) fn joint_spending(incomes: i64) -> i64 {
    incomes * JOINT_PERCENT / 100
}
