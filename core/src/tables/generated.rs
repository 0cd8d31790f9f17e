//! The rows of a population, as it is generated.

use super::column::Column;
use super::generated_row::{Row, RowsOf, Value};
use super::rows::{Origin, Rows};
use crate::error::{Error, Result};
use crate::sandbox::population::{Generator, Partition, PopulationPlan, Records, Setting};
use crate::store::sqlite::sandbox::{Cell, TakeCell};

/// Makes the rows of one table of a part of a population.
pub(super) struct GeneratedTable {
    pub(super) plan: PopulationPlan,
    pub(super) setting: Setting,
    pub(super) partition: Partition,
    pub(super) rows: RowsOf,
}

impl Origin for GeneratedTable {
    fn rows(&self, columns: &[&'static Column]) -> Box<dyn Rows> {
        Box::new(Generating {
            generator: Generator::of(self.plan, self.setting.clone(), self.partition).map(|generator| {
                match self.rows {
                    RowsOf::Labels => generator.with_labels(),
                    rows if rows.needs_history() => generator,
                    _ => generator.without_history(),
                }
            }),
            rows: self.rows,
            values: columns.iter().map(|column| column.generated).collect(),
        })
    }
}

struct Generating {
    /// What the plan was refused for is reported with the first part.
    generator: Result<Generator>,
    rows: RowsOf,
    values: Vec<Value>,
}

impl Rows for Generating {
    /// One neighbourhood.
    fn next_part(&mut self, take: TakeCell<'_>) -> Result<bool> {
        let generator = self.generator.as_mut().map_err(|error| error.clone())?;
        let mut numbers = generator.numbers(None);
        let Some(records) = generator.next(&mut numbers)? else { return Ok(false) };
        let values = &self.values;
        each_row(self.rows, &records, &mut |row| {
            let mut cells = values.iter().map(|value| value(&row).unwrap_or(Cell::Null)).enumerate();
            cells.try_for_each(|(column, cell)| take(column, cell))
        })?;
        Ok(true)
    }
}

fn each_row(of: RowsOf, records: &Records, take: &mut dyn FnMut(Row<'_>) -> Result<()>) -> Result<()> {
    if matches!(of, RowsOf::Customers | RowsOf::Agreements) {
        let customers = records.customers.iter();
        let customers = customers.filter(|customer| of == RowsOf::Customers || customer.engaged.is_some());
        return customers.map(Row::of).try_for_each(take);
    }
    if of == RowsOf::Cases {
        return each_case(records, take);
    }
    if of == RowsOf::LifeEvents {
        return each_event(records, take);
    }
    for account in &records.accounts {
        let customer = records.customers.get(account.owner);
        let customer =
            customer.ok_or_else(|| Error::Internal("an invented account has no owner".to_owned()))?;
        let row = Row { account: Some(account), ..Row::of(customer) };
        let lines = account.lines.iter();
        let mut rows_of_lines = lines.map(|line| Row { line: Some(line), ..row });
        match of {
            RowsOf::Accounts => take(row)?,
            RowsOf::CardAccounts if row.card().is_some() => take(row)?,
            RowsOf::Engagements => {
                let engagements = account.engagements.iter();
                engagements
                    .map(|engagement| Row { engagement: Some(engagement), ..row })
                    .try_for_each(&mut *take)?;
            }
            RowsOf::Transactions | RowsOf::Labels => rows_of_lines.try_for_each(&mut *take)?,
            RowsOf::CaseTransactions => {
                rows_of_lines.filter(|row| row.mark().is_some()).try_for_each(&mut *take)?;
            }
            RowsOf::CardAuthorisations => {
                let authorised = account.authorised.iter();
                authorised
                    .map(|pending| Row { authorised: Some(pending), ..row })
                    .try_for_each(&mut *take)?;
            }
            RowsOf::CardTransactions => {
                rows_of_lines.filter(|row| row.used().is_some()).try_for_each(&mut *take)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn each_case(records: &Records, take: &mut dyn FnMut(Row<'_>) -> Result<()>) -> Result<()> {
    for case in &records.cases {
        let subject = records.customers.get(case.customer);
        let subject = subject.ok_or_else(|| Error::Internal("a case has no subject".to_owned()))?;
        take(Row { case: Some(case), ..Row::of(subject) })?;
    }
    Ok(())
}

fn each_event(records: &Records, take: &mut dyn FnMut(Row<'_>) -> Result<()>) -> Result<()> {
    for event in &records.events {
        let person = records.customers.get(event.customer);
        let person = person.ok_or_else(|| Error::Internal("an event happens to no customer".to_owned()))?;
        let partner = event.partner.and_then(|partner| records.customers.get(partner));
        take(Row { event: Some(event), partner, ..Row::of(person) })?;
    }
    Ok(())
}
