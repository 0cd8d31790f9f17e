//! Consents and the accounts they open.

use chrono::{DateTime, Utc};
use tokio_postgres::Row;

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::consent::record::{granted_when_over_at, Consent, ConsentEnd, ListedConsent};
use crate::store::{CommitOutcome, ConsentFilter};
use crate::types::{AccountId, ActingPsu, CardAccountId, PsuKey};

/// The lock of those who grant or revoke for one TPP and person. Without it a revocation that waits for the row of a
/// consent which is being replaced would see neither that row as open nor the new one. It is held to the end of the
/// transaction.
const LOCK: &str = "SELECT 1 FROM pg_advisory_xact_lock(3, hashtext(concat_ws(E'\\n', $1::text, $2::text)))";

/// Puts a consent in the place of the one before, whose row is kept.
pub(super) fn grant(connection: &mut Connection, consent: &Consent) -> Result<CommitOutcome> {
    const REPLACE: &str = "UPDATE consent SET ended_at = $5, ended_why = 'replaced'
        WHERE tpp = $1 AND psu = $2 AND context = $3 AND corporate = $4 AND ended_at IS NULL";
    const GRANT: &str =
        "INSERT INTO consent (tpp, psu, context, corporate, granted_at, tpp_name, last_access_at,
            ended_at, ended_why, accounts, card_accounts)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let psu = &consent.psu;
    let (tpp, person, context) = (&*consent.tpp, psu.psu.as_str(), psu.context.as_str());
    let (corporate, granted_at) = (psu.stored_corporate(), micros(consent.granted_at));
    connection.row(LOCK, &[&tpp, &person])?;
    connection.execute(REPLACE, &[&tpp, &person, &context, &corporate, &granted_at])?;
    let ended = consent.is_revoked.then_some((granted_at, ConsentEnd::Revoked.as_str()));
    let (ended_at, ended_why) = ended.unzip();
    let accounts: Vec<_> = consent.accounts.iter().map(AccountId::as_str).collect();
    let cards: Vec<_> = consent.card_accounts.iter().map(CardAccountId::as_str).collect();
    connection.execute(
        GRANT,
        &[
            &tpp,
            &person,
            &context,
            &corporate,
            &granted_at,
            &consent.tpp_name,
            &consent.last_access_at.map(micros),
            &ended_at,
            &ended_why,
            &accounts,
            &cards,
        ],
    )?;
    Ok(CommitOutcome::Applied)
}

/// Takes back what a person opened to a TPP, in every context. Lost where there is nothing to take back, also because
/// another node did so while this one waited for the lock.
pub(super) fn revoke(
    connection: &mut Connection,
    tpp: &str,
    psu: &PsuKey,
    at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE consent SET ended_at = $3, ended_why = 'revoked'
        WHERE tpp = $1 AND psu = $2 AND ended_at IS NULL";
    connection.row(LOCK, &[&tpp, &psu.as_str()])?;
    let revoked = connection.execute(SQL, &[&tpp, &psu.as_str(), &micros(at)])?;
    Ok(if revoked == 0 { CommitOutcome::VersionConflict } else { CommitOutcome::Applied })
}

/// Notes that a TPP read under a consent that has not ended.
pub(super) fn note_access(
    connection: &mut Connection,
    tpp: &str,
    psu: &ActingPsu,
    at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE consent SET last_access_at = greatest(last_access_at, $5)
        WHERE tpp = $1 AND psu = $2 AND context = $3 AND corporate = $4 AND ended_at IS NULL";
    let (person, context, corporate) = (psu.psu.as_str(), psu.context.as_str(), psu.stored_corporate());
    connection.execute(SQL, &[&tpp, &person, &context, &corporate, &micros(at)])?;
    Ok(CommitOutcome::Applied)
}

/// The newest consent of a PSU in a role to a TPP.
pub(super) fn find(connection: &mut Connection, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
    const SQL: &str = "SELECT number, tpp, tpp_name, psu, context, corporate, granted_at, last_access_at,
            ended_at, ended_why, accounts, card_accounts
        FROM consent WHERE tpp = $1 AND psu = $2 AND context = $3 AND corporate = $4
        ORDER BY number DESC LIMIT 1";
    let (person, context, corporate) = (psu.psu.as_str(), psu.context.as_str(), psu.stored_corporate());
    let Some(row) = connection.row(SQL, &[&tpp, &person, &context, &corporate])? else { return Ok(None) };
    read(&row).map(|listed| Some(listed.consent))
}

/// Selects consents with a number below $1 by a condition on the person $2 and the TPP $3.
macro_rules! listing {
    ($condition:literal) => {
        concat!(
            "SELECT number, tpp, tpp_name, psu, context, corporate, granted_at, last_access_at, ended_at, ended_why,
                accounts, card_accounts
            FROM consent WHERE number < $1 AND ",
            $condition,
            " ORDER BY number DESC LIMIT $4"
        )
    };
}

/// The consents of a filter, the newest first.
pub(super) fn list(
    connection: &mut Connection,
    filter: &ConsentFilter,
    below: Option<i64>,
    at_most: usize,
) -> Result<Vec<ListedConsent>> {
    let sql = match (&filter.psu, &filter.tpp) {
        (Some(_), _) => listing!("psu = $2::text AND ($3::text IS NULL OR tpp = $3)"),
        (None, Some(_)) => listing!("$2::text IS NULL AND tpp = $3::text"),
        (None, None) => listing!("$2::text IS NULL AND $3::text IS NULL"),
    };
    let psu = filter.psu.as_ref().map(PsuKey::as_str);
    let rows = connection.rows(sql, &[&below.unwrap_or(i64::MAX), &psu, &filter.tpp, &limit(at_most)])?;
    rows.iter().map(read).collect()
}

/// Deletes at most that many of the consents that ended or expired before a time.
pub(super) fn purge(connection: &mut Connection, before: DateTime<Utc>, at_most: usize) -> Result<u64> {
    const SQL: &str = "DELETE FROM consent WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM consent WHERE ended_at < $1 OR (ended_at IS NULL AND granted_at < $3)
        LIMIT $2 FOR UPDATE SKIP LOCKED))";
    let granted = micros(granted_when_over_at(before));
    connection.execute(SQL, &[&micros(before), &limit(at_most), &granted])
}

fn read(row: &Row) -> Result<ListedConsent> {
    let mut columns = Columns::of(row);
    let number = columns.value()?;
    let mut consent = Consent {
        tpp: columns.value::<&str>()?.into(),
        tpp_name: columns.value()?,
        psu: columns.acting_psu()?,
        granted_at: columns.time()?,
        last_access_at: columns.optional_time()?,
        is_revoked: false,
        accounts: Default::default(),
        card_accounts: Default::default(),
    };
    let ended = columns.optional_time()?.zip(columns.optional_text(ConsentEnd::parse)?);
    consent.accounts = columns.texts(AccountId::parse)?;
    consent.card_accounts = columns.texts(CardAccountId::parse)?;
    consent.is_revoked = matches!(ended, Some((_, ConsentEnd::Revoked)));
    Ok(ListedConsent { number, consent, ended })
}
