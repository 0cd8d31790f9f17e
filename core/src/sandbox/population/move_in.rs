//! A population moves in.

use chrono::Datelike;

use super::booking::Booking;
use super::calendar::Period;
use super::chance::Chance;
use super::generator::Generator;
use super::origin::Origin;
use super::partition::Partition;
use super::plan::PopulationPlan;
use super::setting::Setting;
use super::view::Population;
use crate::error::Result;
use crate::store::sqlite::sandbox::StoredPopulation;
use crate::store::sqlite::Database;
use crate::types::date::oslo_day;

/// Generates a population and books its history: all of it or, where that fails, nothing. The first population of a
/// sandbox is that of the seed in `setting`; each later one has a seed that follows from it. `watch` is called after
/// each neighbourhood, with how many customers have moved in and how many there will be.
///
/// # Errors
/// [`Error::Misuse`](crate::Error::Misuse) for a plan beyond the limits or what memory holds, where the history would
/// begin before the year 1, and where numbers run out; [`Error::Store`](crate::Error::Store); what `watch` fails with.
pub(crate) fn move_in(
    database: &Database,
    setting: &Setting,
    plan: PopulationPlan,
    watch: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<Population> {
    plan.check_for_sandbox()?;
    let today = oslo_day(setting.now);
    let period = Period::before(today, plan.months)?;
    plan.check_memory(database, u64::from(today.day0()))?;
    database.write_books(|books| {
        let number = books.count_population()?;
        let seed = seed_of(setting.seed, number);
        let setting = Setting { seed, ..setting.clone() };
        let mut generator = Generator::of(plan, setting.clone(), Partition::default())?;
        let mut numbers = generator.numbers(Some(books));
        let mut booking = Booking::into(books, Population::since(period));
        while let Some(records) = generator.next(&mut numbers)? {
            booking.take(records)?;
            watch(booking.customers(), plan.customers())?;
        }
        if plan.lives_on {
            let first_day = period.first();
            books.insert_population(&StoredPopulation {
                number: i64::try_from(number).unwrap_or(i64::MAX),
                origin: Origin::of(seed, plan, &setting.rates, numbers.replaced()).text()?,
                first_day,
                begin_day: if period.has_history() { first_day } else { today },
                lived_until: today,
            })?;
        }
        Ok(booking.done())
    })
}

/// The seed of the nth population of a sandbox, counted from 1.
fn seed_of(seed: u64, nth: u64) -> u64 {
    match nth {
        ..=1 => seed,
        _ => Chance::of_part(seed, "population", nth).draw(),
    }
}
