//! What a person is and has, before the first day of the history.

use super::super::loan::LoanKind;
use super::super::person::Person;
use super::super::sketch::Sketch;
use super::super::unit::UNIT;
use super::super::world::World;

/// A person of a population.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    pub(crate) kind: &'static str,
    pub(crate) town: &'static str,
    pub(crate) age: i64,
    /// In kroner a month, taxes taken off, on the average of a year.
    pub(crate) income: i64,
    /// Those for whom child benefit is received.
    pub(crate) children: i64,
    pub(crate) mortgage: bool,
    pub(crate) consumer_loan: bool,
    pub(crate) credit_card: bool,
    pub(crate) savings: bool,
    pub(crate) euro_account: bool,
    pub(crate) joint_account: bool,
    pub(crate) overdraft: bool,
    pub(crate) employer_is_customer: bool,
}

impl Profile {
    /// That of a sketch, without what its accounts show.
    pub(in crate::sandbox::population) fn of(sketch: &Sketch, world: &'static World) -> Self {
        let town = world.country.towns.rows.get(sketch.town).map_or("", |town| town.name.as_str());
        Self {
            kind: &sketch.segment.name,
            town,
            age: sketch.age.into(),
            income: sketch.income.mean() / UNIT,
            children: sketch.children,
            mortgage: false,
            consumer_loan: false,
            credit_card: false,
            savings: false,
            euro_account: false,
            joint_account: false,
            overdraft: sketch.segment.credit_line > 0,
            employer_is_customer: sketch.income.company().is_some(),
        }
    }

    /// The same with what the person has.
    pub(in crate::sandbox::population) fn having(self, person: &Person) -> Self {
        Self {
            children: if person.child_benefit > 0 { self.children } else { 0 },
            mortgage: person.obligations.has_loan(LoanKind::Mortgage),
            consumer_loan: person.obligations.has_loan(LoanKind::Consumer),
            credit_card: person.credit.is_some(),
            savings: person.savings.is_some(),
            euro_account: person.foreign.is_some(),
            joint_account: person.contribution.is_some(),
            ..self
        }
    }
}
