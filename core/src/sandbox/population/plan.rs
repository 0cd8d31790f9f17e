//! How large a population is to be.

use serde::{Deserialize, Serialize};

use super::version::GeneratorVersion;
use crate::error::{Error, Result};
use crate::limits::{
    POPULATION_CASES_MAX, POPULATION_COMPANIES_MAX, POPULATION_CUSTOMER_MONTHS_MAX, POPULATION_MONTHS_MAX,
    POPULATION_PERSONS_MAX,
};
use crate::wire::json;

/// A population to be; in JSON an object with these members, absent ones as in [`PopulationPlan::default`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PopulationPlan {
    /// Private customers.
    pub persons: u64,
    /// Corporate customers.
    pub companies: u64,
    /// Of how many months before the present one there is a history; with 0 the accounts are there and nothing is
    /// booked on them.
    pub months: u64,
    /// So many cases of fraud or money laundering there are for a thousand persons, rounded up. Honest payments that
    /// look like parts of a case come with them, as many for any number of cases. With 0 there are neither.
    pub cases: u64,
    /// Which generator makes them.
    pub generator: GeneratorVersion,
    /// Whether the lives go on when the clock of the sandbox moves. Tables without a database have no clock.
    pub lives_on: bool,
    /// Whether persons change jobs, move, have children, retire and die.
    #[serde(skip_serializing_if = "is_absent")]
    pub events: bool,
}

/// A population without events is written as it was before there were any.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
fn is_absent(events: &bool) -> bool {
    !events
}

/// A hundred persons, four companies, a year, no cases, no events.
impl Default for PopulationPlan {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl PopulationPlan {
    /// A hundred persons, four companies, a year without cases, by the newest generator.
    pub const DEFAULT: Self = Self {
        persons: 100,
        companies: 4,
        months: 12,
        cases: 0,
        generator: GeneratorVersion::V2026_1,
        lives_on: false,
        events: false,
    };

    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`Error::Misuse`] for what is no JSON object, for unknown members and for values of another type.
    pub fn from_json(text: &str) -> Result<Self> {
        json::read_config(text).map_err(|error| match error {
            Error::Config(what) => Error::Misuse(what),
            other => other,
        })
    }

    /// Persons and companies.
    pub(super) fn customers(self) -> u64 {
        self.persons.saturating_add(self.companies)
    }

    /// Refuses what no generator makes.
    ///
    /// # Errors
    /// [`Error::Misuse`] with the member and its bound.
    pub(super) fn check(self) -> Result<()> {
        check_bound("`persons`", self.persons, POPULATION_PERSONS_MAX)?;
        check_bound("`companies`", self.companies, POPULATION_COMPANIES_MAX)?;
        check_bound("`months`", self.months, POPULATION_MONTHS_MAX)?;
        check_bound("`cases`", self.cases, POPULATION_CASES_MAX)
    }

    /// As [`Self::check`], and refuses what is too large for one sandbox. A population that is written as tables, part
    /// by part, has no such bound.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub(super) fn check_for_sandbox(self) -> Result<()> {
        self.check()?;
        if self.cases > 0 && self.lives_on {
            return Err(Error::Misuse(
                "`cases` and `lives_on`: cases are added to a history that has ended; give one of them"
                    .to_owned(),
            ));
        }
        let customer_months = self.customers().saturating_mul(self.months);
        check_bound("customers times `months`", customer_months, POPULATION_CUSTOMER_MONTHS_MAX)
    }
}

fn check_bound(name: &str, value: u64, max: u64) -> Result<()> {
    match value > max {
        true => Err(Error::Misuse(format!("{name}: {value} is more than {max}"))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(persons: u64, companies: u64, months: u64) -> PopulationPlan {
        PopulationPlan { persons, companies, months, ..PopulationPlan::DEFAULT }
    }

    #[test]
    fn each_bound_is_taken_and_one_more_is_not() {
        let months = POPULATION_MONTHS_MAX;
        let persons = POPULATION_CUSTOMER_MONTHS_MAX / months;
        let is_large = plan(persons, 1, months);
        for (fits, is_too_much, named) in [
            (plan(POPULATION_PERSONS_MAX, 0, 0), plan(POPULATION_PERSONS_MAX + 1, 0, 0), "`persons`"),
            (plan(0, POPULATION_COMPANIES_MAX, 0), plan(0, POPULATION_COMPANIES_MAX + 1, 0), "`companies`"),
            (plan(1, 1, months), plan(1, 1, months + 1), "`months`"),
            (plan(persons - 1, 1, months), is_large, "customers times"),
        ] {
            fits.check_for_sandbox().unwrap();
            let refused = is_too_much.check_for_sandbox().unwrap_err();
            assert!(refused.text().contains(named), "{is_too_much:?}");
            assert_eq!(is_too_much.check().is_ok(), is_too_much == is_large, "{is_too_much:?}");
        }
        assert!(plan(u64::MAX, u64::MAX, u64::MAX).check_for_sandbox().is_err());
    }

    #[test]
    fn absent_members_are_the_usual_ones_and_others_are_refused() {
        assert_eq!(PopulationPlan::from_json("{}").unwrap(), PopulationPlan::default());
        let read = PopulationPlan::from_json(r#"{"persons": 3, "months": 0}"#).unwrap();
        assert_eq!(read, plan(3, 4, 0));
        for text in [
            "",
            "[]",
            r#"{"people": 3}"#,
            r#"{"persons": -1}"#,
            r#"{"persons": "3"}"#,
            r#"{"months": 1.5}"#,
            r#"{"generator": "2025.1"}"#,
        ] {
            assert!(matches!(PopulationPlan::from_json(text), Err(Error::Misuse(_))), "{text}");
        }
    }
}
