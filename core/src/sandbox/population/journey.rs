//! Journeys abroad, one in a year at most.

use chrono::{Datelike, NaiveDate};

use super::chance::Chance;
use super::country::Abroad;

/// Of a hundred journeys so many begin in the summer; on which days of a year.
const SUMMER_PERCENT: i64 = 60;
const SUMMER: (i64, i64) = (170, 225);
const YEAR: (i64, i64) = (10, 345);

/// The journey of a person in a year.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Journey {
    year: i32,
    /// Days of the year, and a place abroad; `None` for a person who does not travel.
    days: Option<(i64, i64, usize)>,
}

impl Journey {
    /// That of a year, by the seed of a person.
    pub(super) fn of(seed: u64, year: i32, abroad: &Abroad) -> Self {
        let mut chance = Chance::of_part(seed, "journey", u64::from(year.unsigned_abs()));
        let travels = chance.happens(abroad.journeys);
        let (first, last) = if chance.happens(SUMMER_PERCENT) { SUMMER } else { YEAR };
        let (begin, length) = (chance.between(first, last), chance.between(abroad.days.0, abroad.days.1));
        let place = chance.place(abroad.rows.len()).filter(|_| travels);
        Self { year, days: place.map(|place| (begin, begin + length, place)) }
    }

    /// Whether it is the one of that day's year.
    pub(super) fn is_of(&self, day: NaiveDate) -> bool {
        self.year == day.year()
    }

    /// A place in the country where the person is on that day; `None` at home.
    pub(super) fn place(&self, day: NaiveDate, abroad: &Abroad, chance: &mut Chance) -> Option<usize> {
        let (begin, end, at) = self.days?;
        let is_away = (begin..end).contains(&i64::from(day.ordinal()));
        let country = is_away.then(|| abroad.rows.get(at)).flatten()?.country.as_str();
        let places = || abroad.rows.iter().enumerate().filter(|(_, place)| place.country == country);
        places().nth(chance.place(places().count())?).map(|(place, _)| place)
    }
}
