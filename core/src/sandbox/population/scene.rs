//! What a month is lived in.

use super::chance::Chance;
use super::diary::Diary;
use super::month::Month;
use super::outside::Outside;
use super::shops::usual_on_credit;
use crate::sandbox::Rates;

/// What is around everybody.
pub(super) struct Surroundings<'a> {
    pub(super) outside: Outside,
    /// What cards are used at abroad.
    pub(super) rates: &'a Rates,
    /// What a month with a credit card costs at them, in øre.
    pub(super) usual_on_credit: i64,
}

impl<'a> Surroundings<'a> {
    /// Those with these rates.
    pub(super) fn of(rates: &'a Rates) -> Self {
        Self { outside: Outside::everybody(), rates, usual_on_credit: usual_on_credit(rates) }
    }
}

/// A month, what is around it, and where it is noted what happens.
pub(super) struct Scene<'a> {
    pub(super) month: Month,
    pub(super) around: &'a Surroundings<'a>,
    pub(super) diary: &'a mut Diary,
    pub(super) chance: &'a mut Chance,
}
