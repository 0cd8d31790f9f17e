//! How much memory a population takes, before any of it is created.

use super::plan::PopulationPlan;
use crate::error::{Error, Result};
use crate::store::sqlite::Database;

/// Bytes of a customer's rows, and of the rows that one month of history adds: measured, and a twentieth more. A test
/// compares the sum with real populations.
const PERSON_BYTES: u64 = 2_300;
const COMPANY_BYTES: u64 = 1_700;
const PERSON_MONTH_BYTES: u64 = 15_800;
const COMPANY_MONTH_BYTES: u64 = 11_300;
/// The present month has a history too, of the days before today.
const MONTH_DAYS: u64 = 31;
const MIB: u64 = 1024 * 1024;

impl PopulationPlan {
    /// Refuses a population that a database in memory cannot hold. The plan is within its limits. `days`: how many days
    /// of the present month have a history.
    ///
    /// # Errors
    /// [`Error::Misuse`] with the size, what is left and what to do; [`Error::Store`].
    pub(super) fn check_memory(self, database: &Database, days: u64) -> Result<()> {
        let Some(left) = database.memory_bytes_left()? else { return Ok(()) };
        let needed = self.bytes(days);
        if needed <= left {
            return Ok(());
        }
        Err(Error::Misuse(format!(
            "this population takes about {} MiB, and the database in memory has {} MiB left: use a file as the \
             sandbox's database",
            needed.div_ceil(MIB),
            left / MIB
        )))
    }

    /// How many bytes of a database it takes, rather more than less.
    fn bytes(self, days: u64) -> u64 {
        let Self { persons, companies, months, .. } = self;
        let customers = persons * PERSON_BYTES + companies * COMPANY_BYTES;
        if months == 0 {
            return customers;
        }
        let monthly = persons * PERSON_MONTH_BYTES + companies * COMPANY_MONTH_BYTES;
        customers + monthly * (months * MONTH_DAYS + days) / MONTH_DAYS
    }
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
            for (persons, companies, months) in [(200, 0, 0), (40, 0, 6), (4, 60, 6), (30, 10, 1)] {
                let sandbox = opened(now, None);
                let before = sandbox.snapshot().unwrap().len();
                let plan = PopulationPlan { persons, companies, months, ..PopulationPlan::DEFAULT };
                sandbox.populate(plan).unwrap();
                let taken = u64::try_from(sandbox.snapshot().unwrap().len() - before).unwrap();
                let computed = plan.bytes(days);
                assert!(taken <= computed, "{now} {plan:?}: {taken} of {computed}");
                assert!(taken * 4 > computed * 3, "{now} {plan:?}: {taken} of {computed}");
            }
        }
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
            refused.text().contains("about 1209 MiB") && refused.text().contains("use a file"),
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
