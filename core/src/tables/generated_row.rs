//! One row of a population, and the value of a column in it.

use std::borrow::Cow;

use crate::sandbox::population::{
    AccountRecord, AnyAccount, CaseNote, CustomerRecord, EventNote, Line, LineLabel, Mark,
};
use crate::store::sqlite::sandbox::{
    Account, Agreement, CardAccount, CardAuthorisation, CardDetails, Cell, Engagement, Exchange, Transaction,
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
    CardAuthorisations,
    Labels,
    Cases,
    CaseTransactions,
    LifeEvents,
}

impl RowsOf {
    /// Whether the rows depend on what was booked.
    pub(super) fn needs_history(self) -> bool {
        !matches!(
            self,
            Self::Customers | Self::Agreements | Self::CardAccounts | Self::Engagements | Self::LifeEvents
        )
    }
}

/// A generated row: a customer, and what of theirs it is about.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) customer: &'a CustomerRecord,
    pub(super) account: Option<&'a AccountRecord>,
    pub(super) engagement: Option<&'a Engagement>,
    pub(super) line: Option<&'a Line>,
    pub(super) authorised: Option<&'a CardAuthorisation>,
    pub(super) case: Option<&'a CaseNote>,
    pub(super) event: Option<&'a EventNote>,
    /// The other one of a couple who has the event as well.
    pub(super) partner: Option<&'a CustomerRecord>,
}

/// The value of a column in a row; `None` where it is null.
pub(super) type Value = for<'a> fn(&Row<'a>) -> Option<Cell<'a>>;

impl<'a> Row<'a> {
    /// One about a customer alone.
    pub(super) fn of(customer: &'a CustomerRecord) -> Self {
        Self {
            customer,
            account: None,
            engagement: None,
            line: None,
            authorised: None,
            case: None,
            event: None,
            partner: None,
        }
    }

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
        self.engagement
    }

    pub(super) fn line(&self) -> Option<&'a Transaction> {
        self.line.map(|line| &line.line)
    }

    pub(super) fn label(&self) -> Option<&'a LineLabel> {
        self.line?.label.as_ref()
    }

    /// Of a line that belongs to a case.
    pub(super) fn mark(&self) -> Option<&'a Mark> {
        self.line?.mark.as_ref()
    }

    pub(super) fn case(&self) -> Option<&'a CaseNote> {
        self.case
    }

    pub(super) fn event(&self) -> Option<&'a EventNote> {
        self.event
    }

    pub(super) fn partner(&self) -> Option<&'a CustomerRecord> {
        self.partner
    }

    pub(super) fn authorised(&self) -> Option<&'a CardAuthorisation> {
        self.authorised
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
