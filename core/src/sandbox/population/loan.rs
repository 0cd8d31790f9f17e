//! A loan outside of the bank: each month its interest, and an instalment.

use std::sync::Arc;

use super::chance::Chance;
use super::country::{LoanData, PartyKind};
use super::diary::{Payment, Place};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::store::sqlite::sandbox::Counterpart;

/// Months in a year times hundredths of a percent in a whole.
const RATE_PARTS: i64 = 120_000;

/// What kind of loan it is: of whom, and how its lines are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoanKind {
    Mortgage,
    Consumer,
}

impl LoanKind {
    fn lender(self) -> PartyKind {
        match self {
            Self::Mortgage => PartyKind::Lender,
            Self::Consumer => PartyKind::ConsumerLender,
        }
    }

    fn lines(self) -> (Kind, Kind) {
        match self {
            Self::Mortgage => (Kind::MortgageInterest, Kind::MortgageInstalment),
            Self::Consumer => (Kind::LoanInterest, Kind::LoanInstalment),
        }
    }
}

/// A loan with equal payments.
pub(super) struct Loan {
    pub(super) kind: LoanKind,
    data: &'static LoanData,
    pub(super) from: Place,
    to: Arc<Counterpart>,
    day: u32,
    /// In øre.
    principal: i64,
    /// In hundredths of a percent a year.
    rate: i64,
    /// What is paid each month, interest and instalment, in øre.
    payment: i64,
    /// How many payments were due and are not made yet.
    overdue: u32,
}

impl Loan {
    /// One of a household of that monthly income, paid from that account.
    pub(super) fn invent(
        kind: LoanKind,
        from: &Place,
        income: i64,
        world: &'static World,
        chance: &mut Chance,
    ) -> Self {
        let loans = &world.country.loans;
        let data = if kind == LoanKind::Mortgage { &loans.mortgage } else { &loans.consumer };
        let principal = income * 12 * data.principal.draw(1, chance) / 100 / (1_000 * UNIT) * 1_000 * UNIT;
        let (rate, day) = (data.rate.draw(1, chance), chance.day(1, 28));
        let payment = annuity(principal, rate, data.months);
        let to = world.outside.party(kind.lender(), chance);
        let mut loan = Self { kind, data, from: from.clone(), to, day, principal, rate, payment, overdue: 0 };
        (0..chance.between(data.passed.0, data.passed.1)).for_each(|_| loan.principal -= loan.instalment());
        loan
    }

    /// What is paid in a month; nothing once it is paid off.
    pub(super) fn mean(&self) -> i64 {
        if self.principal > 0 {
            self.payment
        } else {
            0
        }
    }

    /// It becomes a part of what it was.
    pub(super) fn reduce(&mut self, (part, all): (i64, i64)) {
        self.principal = self.principal * part / all;
        self.payment = self.payment * part / all;
    }

    fn interest(&self) -> i64 {
        self.principal * self.rate / RATE_PARTS
    }

    /// Never more than what is left.
    fn instalment(&self) -> i64 {
        (self.payment - self.interest()).clamp(0, self.principal)
    }

    /// What is due today, and would be paid if there is enough.
    pub(super) fn due(&self, scene: &Scene<'_>) -> i64 {
        let is_due = self.overdue > 0 || scene.day.pays(self.day);
        if is_due && scene.day.is_banking {
            self.interest() + self.instalment()
        } else {
            0
        }
    }

    /// What comes due is paid, and what was not paid in time. It ends when nothing is left.
    pub(super) fn live(&mut self, scene: &mut Scene<'_>) {
        self.overdue += u32::from(scene.day.pays(self.day) && self.principal > 0);
        if self.overdue == 0 || !scene.day.is_banking {
            return;
        }
        let (interest, instalment) = (self.interest(), self.instalment());
        if scene.diary.free(self.from.at) < interest + instalment {
            return;
        }
        let (of_interest, of_instalment) = self.kind.lines();
        let text = |what: &str| format!("{what} {}", self.data.text);
        let payment = Payment::of(interest, of_interest, text("Renter"));
        scene.diary.pay(&self.from, &self.to, payment);
        let payment = Payment::of(instalment, of_instalment, text("Avdrag"));
        scene.diary.pay(&self.from, &self.to, payment);
        self.principal -= instalment;
        self.overdue -= 1;
    }
}

/// The equal payment of each month that pays a loan off, rounded up to a krone.
fn annuity(principal: i64, rate: i64, months: u32) -> i64 {
    /// Digits of the fractions below.
    const ONE: i128 = 1_000_000_000_000;
    let (principal, rate) = (i128::from(principal), i128::from(rate) * ONE / i128::from(RATE_PARTS));
    let grown = (0..months).fold(ONE, |grown, _| grown + grown * rate / ONE);
    let payment = principal * rate / (ONE - ONE * ONE / grown).max(1);
    i64::try_from(payment).unwrap_or_default() / UNIT * UNIT + UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_annuity_is_that_of_the_formula_and_pays_the_loan_off() {
        // By Python's floats, p*r/(1-(1+r)**-n) is 18602.21 and 3519.86.
        assert_eq!(annuity(300_000_000, 560, 300), 1_860_300);
        assert_eq!(annuity(20_000_000, 1_190, 84), 352_000);
        let payment = annuity(300_000_000, 560, 300);
        let left = (0..300)
            .fold(300_000_000, |left: i64, _| left - (payment - left * 560 / RATE_PARTS).clamp(0, left));
        assert_eq!(left, 0);
    }
}
