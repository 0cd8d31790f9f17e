//! How large a population is, before any of it is created.

#[cfg(feature = "arrow")]
use chrono::{DateTime, Datelike, Utc};

use super::cases::{cases_count, look_alikes_count};
use super::plan::PopulationPlan;
use crate::error::{Error, Result};
use crate::store::sqlite::Database;
#[cfg(feature = "arrow")]
use crate::types::date::oslo_day;

/// Bytes of a customer's rows, and of the rows that one month of history adds: rather more than the most of eight
/// seeds. A test compares the sum with real populations.
const PERSON_BYTES: u64 = 2_700;
const COMPANY_BYTES: u64 = 1_700;
const PERSON_MONTH_BYTES: u64 = 34_000;
const COMPANY_MONTH_BYTES: u64 = 13_000;
/// What a case takes, and what payments that look like one take.
const CASE_BYTES: u64 = 3_600;
const LOOK_ALIKE_BYTES: u64 = 1_200;
/// The present month has a history too, of the days before today.
const MONTH_DAYS: u64 = 31;
const MIB: u64 = 1024 * 1024;
/// Rows of `transactions` in a month, uses of a card among them: measured, and a twentieth more.
#[cfg(feature = "arrow")]
const PERSON_MONTH_LINES: u64 = 69;
#[cfg(feature = "arrow")]
const COMPANY_MONTH_LINES: u64 = 38;

/// About how large a population is, or a part of it: rather more than less.
#[cfg(feature = "arrow")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PopulationSize {
    /// Persons and companies.
    pub customers: u64,
    /// Rows of the table `transactions`, without those that `cases` adds.
    pub transactions: u64,
    /// Bytes that a sandbox takes for it, of its file or of memory.
    pub database_bytes: u64,
}

impl PopulationPlan {
    /// About how large the population is whose history ends at a time. The plan is within its limits.
    #[cfg(feature = "arrow")]
    pub(crate) fn size(self, now: DateTime<Utc>) -> PopulationSize {
        let days = match self.months {
            0 => 0,
            _ => u64::from(oslo_day(now).day0()),
        };
        let monthly = self.persons * PERSON_MONTH_LINES + self.companies * COMPANY_MONTH_LINES;
        PopulationSize {
            customers: self.customers(),
            transactions: over(monthly, self.months, days),
            database_bytes: self.bytes(days),
        }
    }

    /// Refuses a population that a database in memory cannot hold. The plan is within its limits. `days`: how many days
    /// of the present month have a history.
    ///
    /// # Errors
    /// [`Error::Misuse`] with the size, what is left and what to do; [`Error::Store`].
    pub(super) fn check_memory(self, database: &Database, days: u64) -> Result<()> {
        check_left(database, self.bytes(days), "this population takes")
    }

    /// How many bytes so many more days of it take, rather more than less.
    pub(super) fn bytes_of_days(self, days: u64) -> u64 {
        let monthly = self.persons * PERSON_MONTH_BYTES + self.companies * COMPANY_MONTH_BYTES;
        over(monthly, 0, days)
    }

    /// How many bytes of a database it takes, rather more than less.
    fn bytes(self, days: u64) -> u64 {
        let Self { persons, companies, months, .. } = self;
        let customers = persons * PERSON_BYTES + companies * COMPANY_BYTES;
        if months == 0 {
            return customers;
        }
        let days_in_all = months * MONTH_DAYS + days;
        let look_alikes = if self.cases > 0 { look_alikes_count(persons, days_in_all) } else { 0 };
        let cases = cases_count(persons, self.cases) * CASE_BYTES + look_alikes * LOOK_ALIKE_BYTES;
        let monthly = persons * PERSON_MONTH_BYTES + companies * COMPANY_MONTH_BYTES;
        customers + cases + over(monthly, months, days)
    }
}

/// What so many months and days have, where a month has so much.
fn over(monthly: u64, months: u64, days: u64) -> u64 {
    monthly * (months * MONTH_DAYS + days) / MONTH_DAYS
}

/// Refuses what a database in memory cannot hold; `what` takes the bytes.
///
/// # Errors
/// As [`PopulationPlan::check_memory`].
pub(super) fn check_left(database: &Database, needed: u64, what: &str) -> Result<()> {
    let Some(left) = database.memory_bytes_left()?.filter(|left| needed > *left) else { return Ok(()) };
    Err(Error::Misuse(format!(
        "{what} about {} MiB, and the database in memory has {} MiB left: use a file as the sandbox's database",
        needed.div_ceil(MIB),
        left / MIB
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{POPULATION_COMPANIES_MAX, POPULATION_MONTHS_MAX, POPULATION_PERSONS_MAX};
    use crate::{Sandbox, SandboxOptions};

    /// At the beginning of a month and at its end.
    const TIMES: [(&str, u64); 2] = [("2026-09-01T10:00:00Z", 0), ("2026-08-31T10:00:00Z", 30)];

    fn opened(now: &str, database: Option<std::path::PathBuf>) -> Sandbox {
        let now = Some(now.parse().unwrap());
        Sandbox::open(&SandboxOptions { now, database, ..SandboxOptions::default() }).unwrap()
    }

    #[test]
    fn a_population_takes_what_was_computed_and_little_less() {
        for (now, days) in TIMES {
            for (persons, companies, months, cases) in [
                (200, 0, 0, 0),
                (40, 0, 6, 0),
                (4, 60, 6, 0),
                (30, 10, 1, 0),
                (60, 0, 1, 1_000),
                (60, 6, 2, 500),
                (200, 0, 6, 1),
            ] {
                let sandbox = opened(now, None);
                let before = sandbox.snapshot().unwrap().len();
                let plan = PopulationPlan { persons, companies, months, cases, ..PopulationPlan::DEFAULT };
                sandbox.populate(plan).unwrap();
                let taken = u64::try_from(sandbox.snapshot().unwrap().len() - before).unwrap();
                let computed = plan.bytes(days);
                assert!(taken <= computed, "{now} {plan:?}: {taken} of {computed}");
                assert!(taken * 4 > computed * 3, "{now} {plan:?}: {taken} of {computed}");
            }
        }
    }

    /// In the longest history more is bought for children, and nothing by the dead.
    #[test]
    fn ten_years_with_events_take_what_was_computed_and_half_at_least() {
        let sandbox = opened(TIMES[0].0, None);
        let before = sandbox.snapshot().unwrap().len();
        let months = POPULATION_MONTHS_MAX;
        let plan =
            PopulationPlan { persons: 8, companies: 0, months, events: true, ..PopulationPlan::DEFAULT };
        sandbox.populate(plan).unwrap();
        let taken = u64::try_from(sandbox.snapshot().unwrap().len() - before).unwrap();
        let computed = plan.bytes(TIMES[0].1);
        assert!(taken <= computed && taken * 2 > computed, "{taken} of {computed}");
    }

    #[test]
    fn what_memory_cannot_hold_is_refused_and_a_file_takes_it() {
        let too_many = PopulationPlan { persons: 70_000, companies: 0, months: 1, ..PopulationPlan::DEFAULT };
        let memory = opened(TIMES[0].0, None);
        let before = memory.snapshot().unwrap();
        let refused = memory.populate(too_many).unwrap_err();
        assert_eq!(memory.snapshot().unwrap(), before);
        assert!(matches!(refused, Error::Misuse(_)), "{refused}");
        assert!(
            refused.text().contains("about 2450 MiB") && refused.text().contains("use a file"),
            "{refused}"
        );
        let folder = tempfile::tempdir().unwrap();
        let file = Database::open_file_for_sandbox(folder.path().join("bank.db"), |_| Ok(())).unwrap();
        too_many.check_memory(&file, 0).unwrap();
    }

    #[test]
    fn the_last_byte_of_memory_is_used_and_not_one_more() {
        let memory = Database::open_memory_for_sandbox().unwrap();
        let left = memory.memory_bytes_left().unwrap().unwrap();
        let fits = left / (PERSON_BYTES + PERSON_MONTH_BYTES);
        let plan = |persons| PopulationPlan { persons, companies: 0, months: 1, ..PopulationPlan::DEFAULT };
        plan(fits).check_memory(&memory, 0).unwrap();
        plan(fits + 1).check_memory(&memory, 0).unwrap_err();
    }

    #[test]
    fn the_largest_plan_has_a_size() {
        let plan = PopulationPlan {
            persons: POPULATION_PERSONS_MAX,
            companies: POPULATION_COMPANIES_MAX,
            months: POPULATION_MONTHS_MAX,
            ..PopulationPlan::DEFAULT
        };
        assert!(plan.bytes(MONTH_DAYS) > 1 << 37);
    }
}
