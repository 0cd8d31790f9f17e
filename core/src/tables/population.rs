//! A population without a database.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::catalog::{EVENT_TABLES, LABEL_TABLES, TABLES};
use super::column::Definition;
use super::generated::GeneratedTable;
use super::table::{unknown, Table};
use crate::error::{Error, Result};
use crate::sandbox::population::{
    Criteria, Generator, Partition, PopulationPlan, PopulationSize, Setting, Tally,
};
use crate::sandbox::Rates;

/// Which population, and which part of it.
#[derive(Debug, Clone, Copy)]
pub struct PopulationOptions {
    /// How large it is.
    pub plan: PopulationPlan,
    /// The end of its history.
    pub now: DateTime<Utc>,
    /// Of the same seed, plan and `now` comes the same population.
    pub seed: u64,
    /// Which part of it, from 0.
    pub partition: u64,
    /// How many parts there are.
    pub of: u64,
    /// Whether it has the tables of labels too. They make no difference to the other tables.
    pub labels: bool,
}

/// A generated population, or a part of it, as tables: the customers that the first [`Sandbox::populate`] of a sandbox
/// with the same seed and clock adds, row by row and without a database.
///
/// The parts are generated independently of each other. Together they are the whole, in its order, and no key of one
/// occurs in another.
///
/// [`Sandbox::populate`]: crate::Sandbox::populate
#[derive(Clone)]
pub struct Population {
    plan: PopulationPlan,
    setting: Setting,
    partition: Partition,
    labels: bool,
    size: PopulationSize,
}

impl Population {
    /// A population that is generated when its tables are read.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a plan beyond the limits (docs/limits.md, "Populations of a
    /// sandbox"), for a partition outside of `of`, and where the history would begin before the year 1.
    pub fn new(options: &PopulationOptions) -> Result<Self> {
        let PopulationOptions { plan, now, seed, partition, of, labels } = *options;
        let partition = Partition::new(partition, of)?;
        let setting = Setting { seed, rates: Arc::new(Rates::default()), now };
        let size = Generator::of(plan, setting.clone(), partition)?.size();
        Ok(Self { plan, setting, partition, labels, size })
    }

    /// About how large it is, or its part, before anything is generated.
    #[must_use]
    pub fn size(&self) -> PopulationSize {
        self.size
    }

    /// The names of its tables.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static str> {
        self.definitions().map(|table| table.name).collect()
    }

    /// A table, generated each time it is read, a neighbourhood of some forty persons at a time; with `columns` those
    /// alone, in that order.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a table or a column that does not exist, for a column that is named
    /// twice, and for no column.
    pub fn table(&self, name: &str, columns: Option<&[&str]>) -> Result<Table> {
        let found = self.definitions().find(|table| table.name == name);
        let found = found.and_then(|table| Some((table, table.generated?)));
        let (definition, rows) = found.ok_or_else(|| self.unknown_table(name))?;
        let Self { plan, setting, partition, .. } = self.clone();
        Table::of(definition, columns, Arc::new(GeneratedTable { plan, setting, partition, rows }))
    }

    /// The customer numbers of the first `count` persons who meet all criteria, in the order of the population. No
    /// history is generated for it.
    ///
    /// # Errors
    /// [`Error::Misuse`] if fewer meet them, with how many meet each of them, and for no person at all.
    pub fn personas(&self, criteria: &Criteria, count: usize) -> Result<Vec<String>> {
        if count == 0 {
            return Err(Error::Misuse("`count`: at least one person is wanted".to_owned()));
        }
        let mut generator = Generator::of(self.plan, self.setting.clone(), self.partition)?;
        let (mut found, mut tally) = (Vec::new(), Tally::default());
        while let Some(persons) = generator.next_profiles()? {
            for (number, profile) in persons {
                if tally.count(criteria, &profile) {
                    found.push(number.as_str().to_owned());
                }
                if found.len() == count {
                    return Ok(found);
                }
            }
        }
        let all = if self.partition.is_whole() { "population" } else { "part" };
        Err(tally.too_few(found.len(), count, all))
    }

    /// The error for a table that it does not have; where another population has it, with what that one is asked for.
    fn unknown_table(&self, name: &str) -> Error {
        let is_of = |tables: &[Definition]| tables.iter().any(|table| table.name == name);
        let what = if is_of(LABEL_TABLES) {
            "table of a population without labels"
        } else if is_of(EVENT_TABLES) {
            "table of a population without labels and events"
        } else {
            "table of a population"
        };
        unknown(what, name, self.definitions().map(|table| table.name))
    }

    fn definitions(&self) -> impl Iterator<Item = &'static Definition> {
        let labels = if self.labels { LABEL_TABLES } else { &[] };
        let events = if self.labels && self.plan.events { EVENT_TABLES } else { &[] };
        TABLES.iter().filter(|table| table.generated.is_some()).chain(labels).chain(events)
    }
}
