//! A population without a database.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::catalog::TABLES;
use super::generated::GeneratedTable;
use super::table::{unknown, Table};
use crate::error::Result;
use crate::sandbox::population::{Generator, Partition, PopulationPlan, Setting};
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
}

impl Population {
    /// A population that is generated when its tables are read.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a plan beyond the limits (docs/limits.md, "Populations of a
    /// sandbox"), for a partition outside of `of`, and where the history would begin before the year 1.
    pub fn new(options: &PopulationOptions) -> Result<Self> {
        let PopulationOptions { plan, now, seed, partition, of } = *options;
        let partition = Partition::new(partition, of)?;
        let setting = Setting { seed, rates: Arc::new(Rates::default()), now };
        Generator::of(plan, setting.clone(), partition)?;
        Ok(Self { plan, setting, partition })
    }

    /// The names of its tables.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static str> {
        names().collect()
    }

    /// A table, generated each time it is read, a neighbourhood of some forty persons at a time; with `columns` those
    /// alone, in that order.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a table or a column that does not exist, for a column that is named
    /// twice, and for no column.
    pub fn table(&self, name: &str, columns: Option<&[&str]>) -> Result<Table> {
        let found =
            TABLES.iter().find_map(|table| Some((table, table.generated?)).filter(|_| table.name == name));
        let (definition, rows) = found.ok_or_else(|| unknown("table of a population", name, names()))?;
        let Self { plan, setting, partition } = self.clone();
        Table::of(definition, columns, Arc::new(GeneratedTable { plan, setting, partition, rows }))
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter(|table| table.generated.is_some()).map(|table| table.name)
}
