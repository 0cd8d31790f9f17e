//! A population as it is returned to its caller.

use serde::Serialize;

use super::calendar::Period;
use crate::sandbox::listed::{ListedAgreement, ListedCustomer};

/// What was invented.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Population {
    /// The first day of the history; `None` where there is none.
    from: Option<String>,
    /// How many lines there are that no use of a card made.
    pub(super) transactions: usize,
    /// How many uses of cards.
    pub(super) card_transactions: usize,
    /// Everybody, and what is theirs after its history.
    pub(super) customers: Vec<ListedCustomer>,
    /// Those of the companies.
    pub(super) agreements: Vec<ListedAgreement>,
}

impl Population {
    /// No customers yet.
    pub(super) fn since(period: Period) -> Self {
        Self {
            from: period.has_history().then(|| period.first().to_string()),
            transactions: 0,
            card_transactions: 0,
            customers: Vec::new(),
            agreements: Vec::new(),
        }
    }
}
