//! Rows of a population, as it is generated.

use std::borrow::Cow;

use super::column::Column;
use super::rows::{Origin, Rows};
use crate::error::{Error, Result};
use crate::sandbox::population::{
    AccountRecord, AnyAccount, CustomerRecord, Generator, Line, Partition, PopulationPlan, Records, Setting,
};
use crate::store::sqlite::sandbox::{
    Account, Agreement, CardAccount, CardDetails, Cell, Engagement, Exchange, TakeCell, Transaction,
};
use crate::types::Money;

/// Which of the generated things are the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowsOf {
    Customers,
    Agreements,
    Accounts,
    CardAccounts,
    Engagements,
    Transactions,
    CardTransactions,
}

impl RowsOf {
    /// Whether the rows depend on what was booked.
    fn needs_history(self) -> bool {
        matches!(self, Self::Accounts | Self::Transactions | Self::CardTransactions)
    }
}

/// A generated row: a customer, and what of theirs it is about.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    customer: &'a CustomerRecord,
    account: Option<&'a AccountRecord>,
    line: Option<&'a Line>,
}

/// The value of a column in a row; `None` where it is null.
pub(super) type Value = for<'a> fn(&Row<'a>) -> Option<Cell<'a>>;

impl<'a> Row<'a> {
    pub(super) fn customer(&self) -> &'a CustomerRecord {
        self.customer
    }

    pub(super) fn agreement(&self) -> Option<&'a Agreement> {
        self.customer.engaged.as_ref().map(|(agreement, _)| agreement)
    }

    pub(super) fn record(&self) -> Option<&'a AccountRecord> {
        self.account
    }

    /// Of a row about an ordinary account.
    pub(super) fn account(&self) -> Option<&'a Account> {
        match &self.account?.account {
            AnyAccount::Ordinary(account) => Some(account),
            AnyAccount::Card(_) => None,
        }
    }

    /// Of a row about a card account.
    pub(super) fn card(&self) -> Option<&'a CardAccount> {
        match &self.account?.account {
            AnyAccount::Card(card) => Some(card),
            AnyAccount::Ordinary(_) => None,
        }
    }

    pub(super) fn engagement(&self) -> Option<&'a Engagement> {
        self.account?.engagement.as_ref()
    }

    pub(super) fn line(&self) -> Option<&'a Transaction> {
        self.line.map(|line| &line.line)
    }

    pub(super) fn exchange(&self) -> Option<&'a Exchange> {
        self.line()?.exchange.as_ref()
    }

    pub(super) fn used(&self) -> Option<&'a CardDetails> {
        self.line?.used.as_ref()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of a value that may be null")]
pub(super) fn text(text: &str) -> Option<Cell<'_>> {
    Some(Cell::Text(Cow::Borrowed(text)))
}

/// Words with spaces between them.
#[expect(clippy::unnecessary_wraps, reason = "the shape of a value that may be null")]
pub(super) fn words<'a>(words: impl Iterator<Item = &'a str>) -> Option<Cell<'static>> {
    Some(Cell::Text(Cow::Owned(words.collect::<Vec<_>>().join(" "))))
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of a value that may be null")]
pub(super) fn number(number: impl Into<i64>) -> Option<Cell<'static>> {
    Some(Cell::Integer(number.into()))
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of a value that may be null")]
pub(super) fn sum(sum: Money) -> Option<Cell<'static>> {
    Some(Cell::Decimal(sum.value()))
}

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
                if self.rows.needs_history() {
                    generator
                } else {
                    generator.without_history()
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
        let mut rows = customers.map(|customer| Row { customer, account: None, line: None });
        return rows.try_for_each(take);
    }
    for account in &records.accounts {
        let customer = records.customers.get(account.owner);
        let customer =
            customer.ok_or_else(|| Error::Internal("an invented account has no owner".to_owned()))?;
        let row = Row { customer, account: Some(account), line: None };
        let lines = account.lines.iter();
        let mut rows_of_lines = lines.map(|line| Row { line: Some(line), ..row });
        match of {
            RowsOf::Accounts => take(row)?,
            RowsOf::CardAccounts if row.card().is_some() => take(row)?,
            RowsOf::Engagements if row.engagement().is_some() => take(row)?,
            RowsOf::Transactions => rows_of_lines.try_for_each(&mut *take)?,
            RowsOf::CardTransactions => {
                rows_of_lines.filter(|row| row.used().is_some()).try_for_each(&mut *take)?;
            }
            _ => {}
        }
    }
    Ok(())
}
