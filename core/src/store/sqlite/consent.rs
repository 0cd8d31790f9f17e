//! Consents and the accounts they open.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Result};

use super::columns::{micros, Columns};
use crate::consent::record::Consent;
use crate::store::CommitOutcome;
use crate::types::{AccountId, ActingPsu, CardAccountId, PsuKey};

const ACCOUNT: &str = "account";
const CARD: &str = "card";

/// Puts a consent in the place of the one before.
pub(super) fn grant(connection: &Connection, consent: &Consent) -> Result<CommitOutcome> {
    const GRANT: &str = "INSERT INTO consent (tpp, psu, context, corporate, granted_at, revoked)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (tpp, psu, context, corporate)
            DO UPDATE SET granted_at = excluded.granted_at, revoked = excluded.revoked
        RETURNING number";
    const CLOSE: &str = "DELETE FROM consent_account WHERE consent = ?1";
    const OPEN: &str = "INSERT INTO consent_account (consent, kind, account) VALUES (?1, ?2, ?3)";
    let psu = &consent.psu;
    let row = (
        &consent.tpp,
        psu.psu.as_str(),
        psu.context.as_str(),
        psu.stored_corporate(),
        micros(consent.granted_at),
        consent.is_revoked,
    );
    let number: i64 = connection.prepare_cached(GRANT)?.query_row(row, |row| row.get(0))?;
    connection.prepare_cached(CLOSE)?.execute([number])?;
    let mut open = connection.prepare_cached(OPEN)?;
    for account in &consent.accounts {
        open.execute((number, ACCOUNT, account.as_str()))?;
    }
    for card in &consent.card_accounts {
        open.execute((number, CARD, card.as_str()))?;
    }
    Ok(CommitOutcome::Applied)
}

/// Takes back what a person opened to a TPP, in every context. Lost where there is nothing to take back.
pub(super) fn revoke(connection: &Connection, tpp: &str, psu: &PsuKey) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE consent SET revoked = 1 WHERE tpp = ?1 AND psu = ?2 AND revoked = 0";
    let revoked = connection.prepare_cached(SQL)?.execute((tpp, psu.as_str()))?;
    Ok(if revoked == 0 { CommitOutcome::VersionConflict } else { CommitOutcome::Applied })
}

/// What a PSU in a role opened to a TPP.
pub(super) fn find(connection: &Connection, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
    const SQL: &str = "SELECT number, tpp, psu, context, corporate, granted_at, revoked FROM consent
        WHERE tpp = ?1 AND psu = ?2 AND context = ?3 AND corporate = ?4";
    let key = (tpp, psu.psu.as_str(), psu.context.as_str(), psu.stored_corporate());
    let found = connection.prepare_cached(SQL)?.query_row(key, |row| {
        let mut columns = Columns::of(row);
        let number = columns.value::<i64>()?;
        let consent = Consent {
            tpp: columns.value()?,
            psu: columns.acting_psu()?,
            granted_at: columns.time()?,
            is_revoked: columns.value()?,
            accounts: BTreeSet::new(),
            card_accounts: BTreeSet::new(),
        };
        Ok((number, consent))
    });
    let Some((number, mut consent)) = found.optional()? else { return Ok(None) };
    consent.accounts = opened(connection, number, ACCOUNT, AccountId::parse)?;
    consent.card_accounts = opened(connection, number, CARD, CardAccountId::parse)?;
    Ok(Some(consent))
}

/// What a person opened to a TPP in every context, without the accounts.
pub(super) fn of_person(connection: &Connection, tpp: &str, psu: &PsuKey) -> Result<Vec<Consent>> {
    const SQL: &str = "SELECT tpp, psu, context, corporate, granted_at, revoked FROM consent
        WHERE tpp = ?1 AND psu = ?2";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((tpp, psu.as_str()), |row| {
        let mut columns = Columns::of(row);
        Ok(Consent {
            tpp: columns.value()?,
            psu: columns.acting_psu()?,
            granted_at: columns.time()?,
            is_revoked: columns.value()?,
            accounts: BTreeSet::new(),
            card_accounts: BTreeSet::new(),
        })
    })?;
    rows.collect()
}

/// The accounts of one kind that a consent opens.
fn opened<T: Ord>(
    connection: &Connection,
    number: i64,
    kind: &str,
    parse: fn(&str) -> Option<T>,
) -> Result<BTreeSet<T>> {
    const SQL: &str = "SELECT account FROM consent_account WHERE consent = ?1 AND kind = ?2";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((number, kind), |row| Columns::of(row).text(parse))?;
    rows.collect()
}
