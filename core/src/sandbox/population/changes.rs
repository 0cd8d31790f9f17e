//! What is left of the life events that happened in a household.

use chrono::{Days, NaiveDate};

use super::chance::Chance;
use super::purse::Purse;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;

/// What is left of the events that happened in a life.
#[derive(Default)]
pub(super) struct Changes {
    /// Of those born since the history began, how many the household has.
    children: i64,
    /// Those of them for whom no child benefit is paid yet.
    newborn: i64,
    /// Before this day the household furnishes a home.
    furnishes_until: Option<NaiveDate>,
}

impl Changes {
    /// A child is born.
    pub(super) fn add_child(&mut self) {
        self.children += 1;
        self.newborn += 1;
    }

    /// The household moves on a day.
    pub(super) fn begin_home(&mut self, date: NaiveDate, world: &World) {
        self.furnishes_until = date.checked_add_days(Days::new(world.country.events.furnishing_days));
    }

    /// As a month begins: the child benefit of those who were born in the month before, in øre.
    pub(super) fn count_newborn(&mut self, world: &World) -> i64 {
        std::mem::take(&mut self.newborn) * world.country.family.child_benefit * UNIT
    }

    /// Adds what is left of another life of the household.
    pub(super) fn extend(&mut self, other: &Self) {
        self.children += other.children;
        self.newborn += other.newborn;
        self.furnishes_until = self.furnishes_until.max(other.furnishes_until);
    }

    /// What the household buys more after a move and after births.
    pub(super) fn shop(&self, purse: &Purse, chance: &mut Chance, scene: &mut Scene<'_>) {
        let data = &scene.world.country.events;
        if self.furnishes_until.is_some_and(|until| scene.day.date < until) {
            purse.shop_more(&data.furnishing, 1, chance, scene);
        }
        if self.children > 0 {
            purse.shop_more(&data.groceries, self.children, chance, scene);
        }
    }
}
