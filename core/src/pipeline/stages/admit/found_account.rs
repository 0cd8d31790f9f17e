//! What a call for account data is to be given.

use chrono::NaiveDate;

use crate::account::query::ListQuery;
use crate::account::record::{Account, CardAccount};
use crate::bank::Bank;
use crate::consent::consent_rules::NamedAccount;
use crate::consent::record::Consent;
use crate::error::Result;
use crate::pipeline::bank_reply_checks;
use crate::pipeline::stages::parse::{Information, Named};
use crate::types::{ActingPsu, TransactionId};

/// What is to be read, of accounts that the PSU opened.
pub(crate) enum Reading {
    Accounts {
        with_balance: bool,
    },
    Account {
        account: Account,
        with_balance: bool,
    },
    Balances {
        account: Account,
    },
    /// The history begins on a day where it is not all open.
    Transactions {
        account: Account,
        query: ListQuery,
        begins: Option<NaiveDate>,
    },
    Transaction {
        account: Account,
        transaction: Option<TransactionId>,
    },
    CardAccounts,
    CardAccount {
        card: CardAccount,
    },
    CardBalances {
        card: CardAccount,
    },
    /// As [`Self::Transactions`].
    CardTransactions {
        card: CardAccount,
        query: ListQuery,
        begins: Option<NaiveDate>,
    },
}

/// The named account as the bank knows it for this PSU.
pub(super) enum Found {
    All,
    Account(Account),
    Card(CardAccount),
    Nothing,
}

/// Looks the named account up.
pub(super) fn find(bank: &dyn Bank, psu: &ActingPsu, named: Named<'_>) -> Result<Found> {
    let found = match named {
        Named::None => Some(Found::All),
        Named::Account(Some(id)) => bank_reply_checks::account(bank, psu, id)?.map(Found::Account),
        Named::Card(Some(id)) => bank_reply_checks::card_account(bank, psu, id)?.map(Found::Card),
        Named::Account(None) | Named::Card(None) => None,
    };
    Ok(found.unwrap_or(Found::Nothing))
}

impl Found {
    /// The id of the one account that is read.
    pub(super) fn account_id(&self) -> Option<&str> {
        match self {
            Self::Account(account) => Some(account.id.as_str()),
            Self::Card(card) => Some(card.id.as_str()),
            Self::All | Self::Nothing => None,
        }
    }

    /// How the account stands to what the PSU opened.
    pub(super) fn standing(&self, consent: &Consent) -> NamedAccount {
        let open_if = |is_open| if is_open { NamedAccount::Open } else { NamedAccount::Closed };
        match self {
            Self::All => NamedAccount::None,
            Self::Nothing => NamedAccount::Unknown,
            Self::Account(account) => open_if(consent.accounts.contains(&account.id)),
            Self::Card(card) => open_if(consent.card_accounts.contains(&card.id)),
        }
    }

    /// What is to be read, with the account in the place of its id. `None` where the two do not fit.
    pub(super) fn reading(self, information: &Information, begins: Option<NaiveDate>) -> Option<Reading> {
        Some(match (information, self) {
            (Information::Accounts { with_balance }, Self::All) => {
                Reading::Accounts { with_balance: *with_balance }
            }
            (Information::Account { with_balance, .. }, Self::Account(account)) => {
                Reading::Account { account, with_balance: *with_balance }
            }
            (Information::Balances { .. }, Self::Account(account)) => Reading::Balances { account },
            (Information::Transactions { query, .. }, Self::Account(account)) => {
                Reading::Transactions { account, query: *query, begins }
            }
            (Information::Transaction { transaction, .. }, Self::Account(account)) => {
                Reading::Transaction { account, transaction: transaction.clone() }
            }
            (Information::CardAccounts, Self::All) => Reading::CardAccounts,
            (Information::CardAccount { .. }, Self::Card(card)) => Reading::CardAccount { card },
            (Information::CardBalances { .. }, Self::Card(card)) => Reading::CardBalances { card },
            (Information::CardTransactions { query, .. }, Self::Card(card)) => {
                Reading::CardTransactions { card, query: *query, begins }
            }
            _ => return None,
        })
    }
}
