//! A population moves in.

use chrono::Datelike;

use super::booking::Booking;
use super::chance::Chance;
use super::month::Period;
use super::neighbourhood::{Inventing, Neighbourhood};
use super::numbers::Numbers;
use super::plan::PopulationPlan;
use super::scene::Surroundings;
use super::setting::Setting;
use super::view::Population;
use crate::error::Result;
use crate::store::sqlite::Database;
use crate::types::date::oslo_day;

/// How many persons a neighbourhood has, and how many companies where there are no more persons.
const NEIGHBOURS: u64 = 40;

/// Invents a population and books its history: all of it or, where that fails, nothing.
///
/// # Errors
/// [`Error::Misuse`](crate::Error::Misuse) for a plan beyond the limits or what memory holds, where the history would
/// begin before the year 1, and where numbers run out; [`Error::Store`](crate::Error::Store).
pub(crate) fn move_in(
    database: &Database,
    setting: &Setting<'_>,
    plan: PopulationPlan,
) -> Result<Population> {
    plan.check()?;
    let today = oslo_day(setting.now);
    let period = Period::before(today, plan.months)?;
    plan.check_memory(database, u64::from(today.day0()))?;
    let mut chance = Chance::of(u64::from_be_bytes(setting.entropy.bytes()?));
    let surroundings = Surroundings::of(setting.rates);
    database.write_books(|books| {
        let mut booking = Booking::into(books, setting, Population::since(period));
        for (persons, companies) in shares(plan) {
            let mut from = Inventing {
                numbers: &mut Numbers::of(books),
                chance: &mut chance,
                outside: &surroundings.outside,
                period,
            };
            let mut neighbourhood = Neighbourhood::invent(persons, companies, &mut from)?;
            let entries = neighbourhood.live(period, &surroundings, &mut chance);
            booking.take(&neighbourhood, &entries)?;
        }
        Ok(booking.done())
    })
}

/// How many persons and companies each neighbourhood has.
fn shares(plan: PopulationPlan) -> impl Iterator<Item = (usize, usize)> {
    let count = plan.persons.max(plan.companies).div_ceil(NEIGHBOURS);
    (0..count).map(move |nth| (share_of(plan.persons, nth, count), share_of(plan.companies, nth, count)))
}

/// The nth share of `all` in so many parts, as even as possible. If there are few, the first part has some.
fn share_of(all: u64, nth: u64, parts: u64) -> usize {
    let until = |nth: u64| (all * nth).div_ceil(parts);
    usize::try_from(until(nth + 1) - until(nth)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(persons: u64, companies: u64) -> Vec<(usize, usize)> {
        shares(PopulationPlan { persons, companies, months: 0 }).collect()
    }

    #[test]
    fn everybody_lives_somewhere_and_nowhere_are_more_than_forty() {
        assert_eq!(of(0, 0), []);
        assert_eq!(of(40, 1), [(40, 1)]);
        assert_eq!(of(41, 1), [(21, 1), (20, 0)]);
        assert_eq!(of(1, 41), [(1, 21), (0, 20)]);
        for (persons, companies) in [(100_000, 10_000), (99_999, 7), (3, 10_000)] {
            let all = of(persons, companies);
            let sum = all.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
            assert_eq!(sum, (persons as usize, companies as usize));
            assert!(all.iter().all(|part| part.0 <= 40 && part.1 <= 40));
            assert!(all[0].0 > 0, "a company without neighbours needs a person who acts for it");
        }
    }
}
