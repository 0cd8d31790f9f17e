//! What is around all customers: the same in every population.

use std::sync::LazyLock;

use super::calendar::{Calendar, Day};
use super::chance::Chance;
use super::country::{Country, Hours};
use super::distribution::Weights;
use super::merchants::Merchants;
use super::outside::Outside;
use crate::error::{Error, Result};

/// The world of a country, derived from its data.
pub(super) struct World {
    pub(super) country: Country,
    pub(super) calendar: Calendar,
    pub(super) merchants: Merchants,
    pub(super) outside: Outside,
    pub(super) towns: Weights,
    pub(super) children: Weights,
    hours: [Weights; 5],
}

/// It is read once, because it is the same for every population.
static NORWAY: LazyLock<Result<World>> = LazyLock::new(|| World::of(Country::norway()?));

impl World {
    /// That of Norway.
    ///
    /// # Errors
    /// [`Error::Internal`] if its data cannot be read; a test reads it.
    pub(super) fn norway() -> Result<&'static Self> {
        NORWAY.as_ref().map_err(|error| Error::Internal(format!("the data of populations: {}", error.text())))
    }

    fn of(country: Country) -> Result<Self> {
        let no_day = || Error::Internal("a day of the calendar is none".to_owned());
        let data = &country.hours;
        Ok(Self {
            calendar: Calendar::of(&country.calendar).ok_or_else(no_day)?,
            merchants: Merchants::of(&country),
            outside: Outside::of(&country),
            towns: country.towns.rows.iter().map(|town| town.weight).collect(),
            children: country.family.children.into_iter().collect(),
            hours: [data.shop, data.office, data.commute, data.evening, data.online]
                .map(|weights| weights.into_iter().collect()),
            country,
        })
    }

    /// A time of a day, in seconds.
    pub(super) fn time(&self, hours: Hours, chance: &mut Chance) -> u32 {
        let [shop, office, commute, evening, online] = &self.hours;
        let weights = match hours {
            Hours::Shop => shop,
            Hours::Office => office,
            Hours::Commute => commute,
            Hours::Evening => evening,
            Hours::Online => online,
        };
        let hour = weights.draw(chance).and_then(|hour| u32::try_from(hour).ok()).unwrap_or(NOON);
        hour * SECONDS_OF_HOUR + chance.day(0, SECONDS_OF_HOUR - 1)
    }

    /// The town of a person.
    pub(super) fn town(&self, chance: &mut Chance) -> usize {
        self.towns.draw(chance).unwrap_or_default()
    }

    /// The days of a period.
    pub(super) fn days(&self, period: super::calendar::Period) -> Vec<Day> {
        period.days().map(|date| self.calendar.day(date)).collect()
    }
}

const NOON: u32 = 12;
pub(super) const SECONDS_OF_HOUR: u32 = 3_600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_norway_is_read_and_its_hours_are_kept() {
        let world = World::norway().unwrap();
        let mut chance = Chance::of(1);
        for _ in 0..1_000 {
            let time = world.time(Hours::Office, &mut chance);
            assert!((7 * SECONDS_OF_HOUR..18 * SECONDS_OF_HOUR).contains(&time), "{time}");
        }
    }
}
