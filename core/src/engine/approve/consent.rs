//! An approved consent opens accounts, in place of those opened before.

use std::sync::Arc;

use super::approval::Approval;
use crate::consent::grant::resolve;
use crate::consent::record::Consent;
use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::sca::record::Authorisation;
use crate::store::Write;

pub(super) fn approve(
    engine: &EngineContext,
    authorisation: &Authorisation,
    approval: &Approval<'_>,
) -> Result<Vec<Write>> {
    let (accounts, cards) = (
        engine.bank().account_data().accounts(approval.psu)?,
        engine.bank().card_account_data().card_accounts(approval.psu)?,
    );
    let scope = resolve(approval.grant, &accounts, &cards)?;
    Ok(vec![Write::GrantConsent(Consent {
        tpp: Arc::clone(&authorisation.tpp),
        tpp_name: authorisation.tpp_name.clone(),
        psu: approval.psu.clone(),
        granted_at: approval.timestamp.time(),
        last_access_at: None,
        is_revoked: false,
        accounts: scope.accounts,
        card_accounts: scope.card_accounts,
    })])
}
