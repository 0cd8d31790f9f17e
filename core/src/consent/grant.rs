//! What a PSU's choice at SCA opens: accounts that were offered, and no others.

use std::collections::BTreeSet;

use super::record::Grant;
use crate::account::record::{Account, CardAccount};
use crate::error::{Error, Result};
use crate::types::{AccountId, CardAccountId};

/// The accounts a grant opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) accounts: BTreeSet<AccountId>,
    pub(crate) card_accounts: BTreeSet<CardAccountId>,
}

/// Resolves a choice against what was offered. Everything is what is offered now: an account that comes later
/// needs another SCA. It may be nothing, where a PSU has no account.
///
/// # Errors
/// [`Error::NotOffered`] for an account that was not; [`Error::Misuse`] for a choice of none: a PSU who opens nothing
/// cancels.
pub(crate) fn resolve(grant: &Grant, accounts: &[Account], cards: &[CardAccount]) -> Result<Scope> {
    let offered = Scope {
        accounts: accounts.iter().map(|account| account.id.clone()).collect(),
        card_accounts: cards.iter().map(|card| card.id.clone()).collect(),
    };
    let Grant::Only { accounts, card_accounts } = grant else { return Ok(offered) };
    let chosen = Scope {
        accounts: accounts.iter().cloned().collect(),
        card_accounts: card_accounts.iter().cloned().collect(),
    };
    if chosen.accounts.is_empty() && chosen.card_accounts.is_empty() {
        return Err(Error::Misuse(
            "a consent opens at least one account; a PSU who opens none cancels".into(),
        ));
    }
    let is_offered = chosen.accounts.is_subset(&offered.accounts)
        && chosen.card_accounts.is_subset(&offered.card_accounts);
    match is_offered {
        true => Ok(chosen),
        false => {
            Err(Error::NotOffered("the grant has an account that was not offered to the PSU".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Currency, ID_BYTES};

    fn account(number: u8) -> Account {
        Account {
            id: AccountId::from_bytes([number; ID_BYTES]),
            bban: None,
            iban: None,
            bic: None,
            currency: Currency::NOK,
            name: None,
            product: None,
            cash_account_type: None,
        }
    }

    fn card(number: u8) -> CardAccount {
        CardAccount {
            id: CardAccountId::from_bytes([number; ID_BYTES]),
            masked_pan: "123456******0001".to_owned(),
            currency: Currency::NOK,
            name: None,
            product: None,
            credit_limit: None,
        }
    }

    /// The numbers of the accounts and cards a grant opens, where 1 and 2, and card 3, are offered.
    fn opened(grant: &Grant) -> Option<(usize, usize)> {
        let scope = resolve(grant, &[account(1), account(2)], &[card(3)]);
        scope.ok().map(|scope| (scope.accounts.len(), scope.card_accounts.len()))
    }

    fn only(accounts: &[u8], cards: &[u8]) -> Grant {
        Grant::Only {
            accounts: accounts.iter().map(|number| account(*number).id).collect(),
            card_accounts: cards.iter().map(|number| card(*number).id).collect(),
        }
    }

    #[test]
    fn what_was_offered_can_be_opened_and_nothing_else() {
        for (grant, expected) in [
            (Grant::Everything, Some((2, 1))),
            (only(&[1], &[]), Some((1, 0))),
            (only(&[2, 2], &[3]), Some((1, 1))),
            (only(&[], &[3]), Some((0, 1))),
            (only(&[1, 3], &[]), None),
            (only(&[1], &[1]), None),
            (only(&[], &[]), None),
        ] {
            assert_eq!(opened(&grant), expected, "{grant:?}");
        }
        assert_eq!(resolve(&Grant::Everything, &[], &[]).unwrap().accounts.len(), 0);
    }
}
