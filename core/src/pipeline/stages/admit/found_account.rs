//! The account that a read names, as the bank and the consent know it.

use crate::bank::Bank;
use crate::consent::consent_rules::NamedAccount;
use crate::consent::record::Consent;
use crate::error::Result;
use crate::pipeline::account_read::{AccountOf, AccountRead, Found, Requested};
use crate::pipeline::bank_reply_checks;
use crate::types::{AccountId, ActingPsu, CardAccountId};

/// Looks the named account up; `None` for one that the bank does not know for this PSU.
pub(super) fn find(
    bank: &dyn Bank,
    psu: &ActingPsu,
    requested: &AccountRead<Requested>,
) -> Result<Option<AccountRead<Found>>> {
    let account = |id: &Option<AccountId>| match id {
        Some(id) => bank_reply_checks::account(bank, psu, id),
        None => Ok(None),
    };
    let card = |id: &Option<CardAccountId>| match id {
        Some(id) => bank_reply_checks::card_account(bank, psu, id),
        None => Ok(None),
    };
    Ok(match requested {
        AccountRead::Accounts { with_balance, .. } => {
            Some(AccountRead::Accounts { with_balance: *with_balance, accounts: () })
        }
        AccountRead::Account { account: id, with_balance, .. } => account(id)?
            .map(|account| AccountRead::Account { account, with_balance: *with_balance, balances: () }),
        AccountRead::Balances { account: id, .. } => {
            account(id)?.map(|account| AccountRead::Balances { account, balances: () })
        }
        AccountRead::Transactions { account: id, query, .. } => {
            account(id)?.map(|account| AccountRead::Transactions { account, query: *query, listing: () })
        }
        AccountRead::Transaction { account: id, transaction } => {
            account(id)?.map(|account| AccountRead::Transaction { account, transaction: transaction.clone() })
        }
        AccountRead::CardAccounts { .. } => Some(AccountRead::CardAccounts { cards: () }),
        AccountRead::CardAccount { card: id, .. } => {
            card(id)?.map(|card| AccountRead::CardAccount { card, balances: () })
        }
        AccountRead::CardBalances { card: id, .. } => {
            card(id)?.map(|card| AccountRead::CardBalances { card, balances: () })
        }
        AccountRead::CardTransactions { card: id, query, .. } => {
            card(id)?.map(|card| AccountRead::CardTransactions { card, query: *query, listing: () })
        }
    })
}

/// Whether the PSU opened the account.
pub(super) fn in_consent(found: Option<&AccountRead<Found>>, consent: &Consent) -> NamedAccount {
    let open_if = |is_open| if is_open { NamedAccount::Open } else { NamedAccount::Closed };
    match found.map(AccountRead::account) {
        None => NamedAccount::Unknown,
        Some(AccountOf::All) => NamedAccount::None,
        Some(AccountOf::Account(account)) => open_if(consent.accounts.contains(&account.id)),
        Some(AccountOf::Card(card)) => open_if(consent.card_accounts.contains(&card.id)),
    }
}
