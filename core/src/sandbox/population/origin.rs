//! What a population was generated from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::numbers::Replaced;
use super::plan::PopulationPlan;
use crate::error::Result;
use crate::sandbox::Rates;
use crate::wire::json;

/// What a population was generated from, beside its first day.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Origin {
    pub(super) seed: u64,
    pub(super) plan: PopulationPlan,
    /// What one unit of each currency is worth in NOK, where the lives use their cards: those of the bank when the
    /// population was generated.
    rates: BTreeMap<String, String>,
    pub(super) replaced: Replaced,
}

impl Origin {
    pub(super) fn of(seed: u64, plan: PopulationPlan, rates: &Rates, replaced: Replaced) -> Self {
        Self { seed, plan, rates: rates.in_nok_by_code(), replaced }
    }

    /// Reads the text of [`Origin::text`].
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for another text; [`Error::Misuse`](crate::Error::Misuse) for a plan
    /// beyond the limits.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let origin: Self = json::read_config(text)?;
        origin.plan.check_for_sandbox()?;
        origin.rates()?;
        Ok(origin)
    }

    /// The text that is stored.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal): a bug.
    pub(super) fn text(&self) -> Result<String> {
        json::write_text(self)
    }

    /// The rates at which cards are used abroad.
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for a code that is no currency, and for a rate that is none.
    pub(super) fn rates(&self) -> Result<Rates> {
        Rates::only(&self.rates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_stored_and_without_them_the_text_is_the_older_one() {
        let text = |events| {
            let plan = PopulationPlan { lives_on: true, events, ..PopulationPlan::DEFAULT };
            Origin::of(7, plan, &Rates::default(), Replaced::default()).text().unwrap()
        };
        let older = r#""generator":"2026.1","lives_on":true}"#;
        assert!(text(false).contains(older), "{}", text(false));
        for events in [false, true] {
            assert_eq!(Origin::parse(&text(events)).unwrap().plan.events, events);
        }
    }
}
