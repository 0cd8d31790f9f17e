//! What calls for account information ask for.

use super::stages::parse::switch;
use crate::account::query::ListQuery;
use crate::reason::Refusal;
use crate::types::{AccountId, CardAccountId, TransactionId};
use crate::wire::target::Target;

/// What is to be read. An id is `None` for what cannot be one: nobody learns more than for an unknown one.
#[derive(Debug, Clone)]
pub(crate) enum Information {
    Accounts { with_balance: bool },
    Account { id: Option<AccountId>, with_balance: bool },
    Balances { id: Option<AccountId> },
    Transactions { id: Option<AccountId>, query: ListQuery },
    Transaction { id: Option<AccountId>, transaction: Option<TransactionId> },
    CardAccounts,
    CardAccount { id: Option<CardAccountId> },
    CardBalances { id: Option<CardAccountId> },
    CardTransactions { id: Option<CardAccountId>, query: ListQuery },
}

/// The account that a call names.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Named<'i> {
    /// None: it is about all.
    None,
    /// An ordinary account.
    Account(Option<&'i AccountId>),
    /// A card account.
    Card(Option<&'i CardAccountId>),
}

impl Information {
    /// The account that is named.
    pub(crate) fn named(&self) -> Named<'_> {
        match self {
            Self::Accounts { .. } | Self::CardAccounts => Named::None,
            Self::Account { id, .. }
            | Self::Balances { id }
            | Self::Transactions { id, .. }
            | Self::Transaction { id, .. } => Named::Account(id.as_ref()),
            Self::CardAccount { id } | Self::CardBalances { id } | Self::CardTransactions { id, .. } => {
                Named::Card(id.as_ref())
            }
        }
    }

    /// The query, where a list of transactions is asked for.
    pub(crate) fn list_query(&self) -> Option<&ListQuery> {
        match self {
            Self::Transactions { query, .. } | Self::CardTransactions { query, .. } => Some(query),
            _ => None,
        }
    }
}

pub(crate) fn accounts(target: &Target<'_>) -> Result<Information, Refusal> {
    Ok(Information::Accounts { with_balance: switch(target, "withBalance")? })
}

pub(crate) fn account(parameters: &[&str], target: &Target<'_>) -> Result<Information, Refusal> {
    Ok(Information::Account { id: account_id(parameters), with_balance: switch(target, "withBalance")? })
}

pub(crate) fn balances(parameters: &[&str]) -> Information {
    Information::Balances { id: account_id(parameters) }
}

pub(crate) fn transactions(parameters: &[&str], target: &Target<'_>) -> Result<Information, Refusal> {
    Ok(Information::Transactions { id: account_id(parameters), query: ListQuery::read(target)? })
}

pub(crate) fn transaction(parameters: &[&str]) -> Information {
    let transaction = parameters.get(1).and_then(|text| TransactionId::parse(text));
    Information::Transaction { id: account_id(parameters), transaction }
}

pub(crate) fn card_account(parameters: &[&str]) -> Information {
    Information::CardAccount { id: card_account_id(parameters) }
}

pub(crate) fn card_balances(parameters: &[&str]) -> Information {
    Information::CardBalances { id: card_account_id(parameters) }
}

pub(crate) fn card_transactions(parameters: &[&str], target: &Target<'_>) -> Result<Information, Refusal> {
    Ok(Information::CardTransactions { id: card_account_id(parameters), query: ListQuery::read(target)? })
}

fn account_id(parameters: &[&str]) -> Option<AccountId> {
    parameters.first().and_then(|text| AccountId::parse(text))
}

fn card_account_id(parameters: &[&str]) -> Option<CardAccountId> {
    parameters.first().and_then(|text| CardAccountId::parse(text))
}
