//! Account information: read from the bank, within what the PSU opened.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::account::listing;
use crate::account::record::{Account, Balance, CardAccount};
use crate::bank::Bank;
use crate::consent::record::Consent;
use crate::error::Result as EngineResult;
use crate::handler_error::HandlerError;
use crate::limits::CALLS_WITHOUT_PSU_PER_DAY;
use crate::pipeline::access::Granted;
use crate::pipeline::account_read::{AccountRead, AccountsRead, Answered};
use crate::pipeline::bank_reply_checks;
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::stages::admit::Admitted;
use crate::policy::Policy;
use crate::reason::Reason;
use crate::store::Write;
use crate::types::ActingPsu;

/// Reads what was granted. A call without the PSU counts only if it succeeds.
pub(super) fn read(admitted: &Admitted<'_>, mut granted: Granted) -> Result<Decided, HandlerError> {
    let policy = admitted.context().policy;
    let limit = policy.calls_without_psu_per_day;
    debug_assert!(
        limit >= CALLS_WITHOUT_PSU_PER_DAY,
        "a checked policy allows at least the calls of every TPP"
    );
    let counted = granted.counted.take().map(|counted| Write::CountAccess { counted, limit });
    let noted = note_access(&granted.consent, admitted.context().now);
    let psu = granted.psu.clone();
    let read = Box::new(ask(admitted.context().bank(), policy, granted)?);
    Ok((counted.into_iter().chain(noted).collect(), Outcome::AccountsRead { psu, read }))
}

/// That the TPP read under the consent, unless a read of the last minute noted it.
fn note_access(consent: &Consent, now: DateTime<Utc>) -> Option<Write> {
    consent.notes_access_at(now).then(|| Write::NoteAccess {
        tpp: Arc::clone(&consent.tpp),
        psu: consent.psu.clone(),
        at: now,
    })
}

fn ask(bank: &dyn Bank, policy: &Policy, granted: Granted) -> Result<AccountRead<Answered>, HandlerError> {
    let Granted { psu, consent, read, history_begins, .. } = granted;
    Ok(match read {
        AccountRead::Accounts { with_balance, .. } => {
            let accounts = opened_accounts(bank, &psu, &consent, with_balance)?;
            AccountRead::Accounts { with_balance, accounts }
        }
        AccountRead::Account { account, with_balance, .. } => {
            let balances = with_balance.then(|| bank.account_data().balances(&account.id)).transpose()?;
            AccountRead::Account { account, with_balance, balances }
        }
        AccountRead::Balances { account, .. } => {
            let balances = bank.account_data().balances(&account.id)?;
            AccountRead::Balances { account, balances }
        }
        AccountRead::Transactions { account, query, .. } => {
            let unfiltered = policy.pending_unfiltered;
            let pending = || bank_reply_checks::pending(bank, &account);
            let listing = listing::read(&query.or_from(history_begins), unfiltered, pending, |part| {
                bank_reply_checks::booked(bank, &account, part)
            })?;
            AccountRead::Transactions { account, query, listing }
        }
        AccountRead::Transaction { account, transaction } => {
            let found = match &transaction {
                Some(id) => bank_reply_checks::transaction(bank, &account, id)?,
                None => None,
            };
            let transaction = Box::new(found.ok_or(Reason::TransactionUnknown)?);
            AccountRead::Transaction { account, transaction }
        }
        AccountRead::CardAccounts { .. } => {
            AccountRead::CardAccounts { cards: opened_cards(bank, &psu, &consent)? }
        }
        AccountRead::CardAccount { card, .. } => {
            let balances = bank.card_account_data().card_balances(&card.id)?;
            AccountRead::CardAccount { card, balances }
        }
        AccountRead::CardBalances { card, .. } => {
            let balances = bank.card_account_data().card_balances(&card.id)?;
            AccountRead::CardBalances { card, balances }
        }
        AccountRead::CardTransactions { card, query, .. } => {
            let pending = || bank_reply_checks::card_pending(bank, &card);
            let listing = listing::read(&query.or_from(history_begins), false, pending, |part| {
                bank_reply_checks::card_booked(bank, &card, part)
            })?;
            AccountRead::CardTransactions { card, query, listing }
        }
    })
}

/// What is both the PSU's and opened: an account may have been closed since.
fn opened_accounts(
    bank: &dyn Bank,
    psu: &ActingPsu,
    consent: &Consent,
    with_balance: bool,
) -> EngineResult<AccountsRead> {
    let mut accounts = bank_reply_checks::accounts(bank, psu)?;
    accounts.retain(|account| consent.accounts.contains(&account.id));
    let with_balances = |account: Account| {
        let balances = with_balance.then(|| bank.account_data().balances(&account.id)).transpose()?;
        Ok((account, balances))
    };
    accounts.into_iter().map(with_balances).collect()
}

fn opened_cards(
    bank: &dyn Bank,
    psu: &ActingPsu,
    consent: &Consent,
) -> EngineResult<Vec<(CardAccount, Vec<Balance>)>> {
    let mut cards = bank_reply_checks::card_accounts(bank, psu)?;
    cards.retain(|card| consent.card_accounts.contains(&card.id));
    let with_balances = |card: CardAccount| {
        let balances = bank.card_account_data().card_balances(&card.id)?;
        Ok((card, balances))
    };
    cards.into_iter().map(with_balances).collect()
}
