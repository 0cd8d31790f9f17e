//! Consents and the accounts they open.

use super::columns::{micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::consent::record::Consent;
use crate::store::CommitOutcome;
use crate::types::{AccountId, ActingPsu, CardAccountId, PsuKey};

/// Puts a consent in the place of the one before.
pub(super) fn grant(connection: &mut Connection, consent: &Consent) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO consent (tpp, psu, context, corporate, granted_at, revoked,
            accounts, card_accounts)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (tpp, psu, context, corporate)
            DO UPDATE SET granted_at = excluded.granted_at, revoked = excluded.revoked,
                accounts = excluded.accounts, card_accounts = excluded.card_accounts";
    let psu = &consent.psu;
    let accounts: Vec<_> = consent.accounts.iter().map(AccountId::as_str).collect();
    let cards: Vec<_> = consent.card_accounts.iter().map(CardAccountId::as_str).collect();
    connection.execute(
        SQL,
        &[
            &&*consent.tpp,
            &psu.psu.as_str(),
            &psu.context.as_str(),
            &psu.stored_corporate(),
            &micros(consent.granted_at),
            &consent.is_revoked,
            &accounts,
            &cards,
        ],
    )?;
    Ok(CommitOutcome::Applied)
}

/// Takes back what a person opened to a TPP, in every context. Lost where there is nothing to take back, also because
/// another node did so while this one waited for the rows.
pub(super) fn revoke(connection: &mut Connection, tpp: &str, psu: &PsuKey) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE consent SET revoked = true WHERE tpp = $1 AND psu = $2 AND NOT revoked";
    let revoked = connection.execute(SQL, &[&tpp, &psu.as_str()])?;
    Ok(if revoked == 0 { CommitOutcome::VersionConflict } else { CommitOutcome::Applied })
}

/// What a PSU in a role opened to a TPP.
pub(super) fn find(connection: &mut Connection, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
    const SQL: &str = "SELECT tpp, psu, context, corporate, granted_at, revoked, accounts, card_accounts
        FROM consent WHERE tpp = $1 AND psu = $2 AND context = $3 AND corporate = $4";
    let (person, context, corporate) = (psu.psu.as_str(), psu.context.as_str(), psu.stored_corporate());
    let Some(row) = connection.row(SQL, &[&tpp, &person, &context, &corporate])? else { return Ok(None) };
    let mut columns = Columns::of(&row);
    Ok(Some(Consent {
        tpp: columns.value::<&str>()?.into(),
        psu: columns.acting_psu()?,
        granted_at: columns.time()?,
        is_revoked: columns.value()?,
        accounts: columns.texts(AccountId::parse)?,
        card_accounts: columns.texts(CardAccountId::parse)?,
    }))
}
