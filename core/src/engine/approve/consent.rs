//! An approved consent opens accounts, in place of those opened before.

use std::sync::Arc;

use super::Given;
use crate::consent::grant::resolve;
use crate::consent::record::Consent;
use crate::error::Result;
use crate::pipeline::engine_context::Parts;
use crate::store::Write;

pub(super) fn approve(parts: &Parts, tpp: &Arc<str>, given: &Given<'_>) -> Result<Vec<Write>> {
    let (accounts, cards) = (parts.bank().accounts(given.psu)?, parts.bank().card_accounts(given.psu)?);
    let scope = resolve(given.grant, &accounts, &cards)?;
    Ok(vec![Write::GrantConsent(Consent {
        tpp: Arc::clone(tpp),
        psu: given.psu.clone(),
        granted_at: given.stamp.time(),
        is_revoked: false,
        accounts: scope.accounts,
        card_accounts: scope.card_accounts,
    })])
}
