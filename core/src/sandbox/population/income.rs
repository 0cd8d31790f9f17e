//! What comes in every month.

use std::sync::Arc;

use super::chance::Chance;
use super::diary::{Kind, UNIT};
use super::outside::{Outside, Trade};
use crate::store::sqlite::sandbox::Counterpart;

/// From this age on it is a pension.
const PENSION_AGE: i32 = 67;
/// Below this age it is a student's loan.
const STUDENT_AGE: i32 = 25;
/// Of a hundred who work, so many do so for a company of the neighbourhood where there is one.
const IN_THE_NEIGHBOURHOOD: i64 = 60;
/// What incomes grow by in May, when wages and pensions are settled in Norway.
const RAISE_PERCENT: i64 = 4;
const RAISE_MONTH: u32 = 5;

/// What a person lives on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Living {
    Work,
    Pension,
    StudentLoan,
}

impl Living {
    fn at(age: i32) -> Self {
        match age {
            PENSION_AGE.. => Self::Pension,
            ..STUDENT_AGE => Self::StudentLoan,
            _ => Self::Work,
        }
    }

    /// Between which sums, in whole kroner, and who outside pays it.
    fn paid(self) -> ((i64, i64), Trade) {
        match self {
            Self::Work => ((24_000, 62_000), Trade::Employer),
            Self::Pension => ((19_000, 34_000), Trade::Pension),
            Self::StudentLoan => ((8_500, 9_500), Trade::StudentLoan),
        }
    }

    fn kind(self) -> (Kind, &'static str) {
        match self {
            Self::Work => (Kind::Salary, "Lønn"),
            Self::Pension => (Kind::Pension, "Pensjon"),
            Self::StudentLoan => (Kind::Transfer, "Utbetaling av lån"),
        }
    }
}

/// Who pays it.
pub(super) enum Payer {
    /// A company of the neighbourhood, by its place there.
    Company(usize),
    /// A party outside.
    Outside { party: Arc<Counterpart>, payday: u32 },
}

/// What comes in every month.
pub(super) struct Income {
    pub(super) payer: Payer,
    /// In øre, taxes taken off.
    pub(super) net: i64,
    pub(super) kind: Kind,
    pub(super) text: &'static str,
}

impl Income {
    /// The income of a person of that age, in a neighbourhood of so many companies.
    pub(super) fn invent(age: i32, companies: usize, outside: &Outside, chance: &mut Chance) -> Self {
        let living = Living::at(age);
        let (((low, high), trade), (kind, text)) = (living.paid(), living.kind());
        let employer = chance.place(companies);
        let employer = employer.filter(|_| living == Living::Work && chance.happens(IN_THE_NEIGHBOURHOOD));
        let payer = employer.map(Payer::Company);
        let payer = payer.unwrap_or_else(|| {
            let outsider = outside.one(trade, chance);
            let payday = outsider.map(|outsider| outsider.payday).unwrap_or_default();
            Payer::Outside {
                party: outsider.map(|outsider| Arc::clone(&outsider.party)).unwrap_or_default(),
                payday,
            }
        });
        Self { payer, net: chance.between(low, high) * UNIT, kind, text }
    }
}

/// The net income in that month, given that of the month before.
pub(super) fn raised(net: i64, month: u32) -> i64 {
    match month {
        RAISE_MONTH => net * (100 + RAISE_PERCENT) / 100 / UNIT * UNIT,
        _ => net,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_decides_the_source_of_income() {
        for (age, living) in [
            (18, Living::StudentLoan),
            (24, Living::StudentLoan),
            (25, Living::Work),
            (66, Living::Work),
            (67, Living::Pension),
        ] {
            assert_eq!(Living::at(age), living, "{age}");
        }
    }

    #[test]
    fn incomes_grow_in_may() {
        assert_eq!([4, 5, 6].map(|month| raised(3_000_000, month)), [3_000_000, 3_120_000, 3_000_000]);
    }
}
