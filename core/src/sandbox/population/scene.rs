//! What a day is lived in.

use super::calendar::Day;
use super::cases::{Additions, PartOfDay, Position};
use super::diary::{Diary, Place};
use super::world::World;
use crate::sandbox::Rates;

/// A day, what is around it, and where it is noted what happens.
pub(super) struct Scene<'a> {
    pub(super) day: &'a Day,
    pub(super) world: &'static World,
    /// What cards are used at abroad.
    pub(super) rates: &'a Rates,
    /// The current accounts of the persons who pay each other.
    pub(super) friends: &'a [Place],
    pub(super) diary: &'a mut Diary,
    pub(super) additions: &'a mut Additions,
}

impl Scene<'_> {
    /// Writes what cases add to this part of the day of a person with that current account.
    pub(super) fn add_to_person(&mut self, at: usize, part: PartOfDay) {
        self.additions.write(&Position::of_person(self.day.date, at, part), self.diary);
    }

    /// The same of a company.
    pub(super) fn add_to_company(&mut self, at: usize, part: PartOfDay) {
        self.additions.write(&Position::of_company(self.day.date, at, part), self.diary);
    }
}
